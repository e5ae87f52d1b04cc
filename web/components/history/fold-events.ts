import type { Event } from '../../../contract/system/events.ts';

/** Fewer equal lines stay separate, because they are read as quickly as one line with a number. */
const FEWEST = 3;

/** One event, or several consecutive events with the same text, newest first. */
export type Line = readonly [Event, ...Event[]];

/**
 * Folds consecutive events with the same text into one line, for example a program that starts every hour. An event
 * with a reason stays separate, because the reason distinguishes it.
 * @param sentence the text of an event, including the actor
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
