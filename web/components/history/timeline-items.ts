import type { Note } from '../../../contract/notes/notes.ts';
import type { Event } from '../../../contract/system/events.ts';

/** An event or a note in a history. */
export type TimelineItem = { at: string } & ({ kind: 'event'; event: Event } | { kind: 'note'; note: Note });

interface Loaded<One> {
  loaded: readonly One[];
  hasMore: boolean;
}

/** What a note itself says: that it was written, and what it says now. */
const SAID_BY_NOTE: ReadonlySet<string> = new Set(['note.created', 'note.updated']);

/**
 * Events and notes, newest first. Where one of the two has older ones that are not loaded yet, nothing older than its
 * oldest loaded one is shown, so that nothing appears later between what was read already.
 */
export function timelineItems(events: Loaded<Event>, notes: Loaded<Note>): TimelineItem[] {
  const free = notes.loaded.filter(({ pinned }) => !pinned);
  const since = [horizonOf(events, events.loaded.at(-1)?.at), horizonOf(notes, free.at(-1)?.created_at)]
    .sort()
    .at(-1)!;
  const items: TimelineItem[] = [
    ...events.loaded
      .filter(({ type }) => !SAID_BY_NOTE.has(type))
      .map((event) => ({ kind: 'event' as const, at: event.at, event })),
    ...free.map((note) => ({ kind: 'note' as const, at: note.created_at, note })),
  ];
  // The order of equal times stays: an event's id follows the order in which they happened.
  return items.filter(({ at }) => at >= since).sort((a, b) => b.at.localeCompare(a.at));
}

/**
 * The time of the oldest loaded item, since which none is missing. The empty text, before all times, if there are no
 * more; NEVER if none of the kind is loaded yet.
 */
const horizonOf = ({ hasMore }: { hasMore: boolean }, oldest = NEVER) => (hasMore ? oldest : '');
/** Later than any time. */
const NEVER = '~';

/** Consecutive items of one kind, in their order. */
export function runsOf(
  items: readonly TimelineItem[],
): ({ kind: 'events'; events: Event[] } | { kind: 'note'; note: Note })[] {
  const runs: ReturnType<typeof runsOf> = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (item.kind === 'note') runs.push({ kind: 'note', note: item.note });
    else if (last?.kind === 'events') last.events.push(item.event);
    else runs.push({ kind: 'events', events: [item.event] });
  }
  return runs;
}
