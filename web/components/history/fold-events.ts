import type { Event } from '../../../contract/system/events.ts';

/** Fewer equal lines are read as quickly as a line that says how many there are. */
const FEWEST = 3;

/** One event, or several that follow each other and read the same, the newest first. */
export type Line = readonly [Event, ...Event[]];

/**
 * Folds events that follow each other and say the same: a program that starts each hour, a person who signs in again.
 * One with a reason stands by itself, since the reason tells it apart.
 * @param sentence what an event says; the actor is part of it
 */
export function foldEvents(events: readonly Event[], sentence: (event: Event) => string): Line[] {
  const lines: [Event, ...Event[]][] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (last && saysSame(last[0], event, sentence)) last.push(event);
    else lines.push([event]);
  }
  return lines.flatMap((line) => (line.length < FEWEST ? line.map((event): Line => [event]) : [line]));
}

const saysSame = (one: Event, other: Event, sentence: (event: Event) => string) =>
  one.type === other.type &&
  one.actor.kind === other.actor.kind &&
  one.actor.id === other.actor.id &&
  one.subject.id === other.subject.id &&
  !one.reason &&
  !other.reason &&
  sentence(one) === sentence(other);
