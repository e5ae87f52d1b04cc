/**
 * Keys that are pressed before the code of the shortcuts is there. They are kept and pressed again then, so that
 * whoever works by keyboard need not wait for it.
 */
const kept: KeyboardEvent[] = [];

/** What is pressed in a field, a button or a link has its own meaning already. */
const keep = (event: KeyboardEvent) => {
  const isFree = event.target === document.body || (event.target as Element).matches?.('[data-row-key]');
  if (isFree && !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey)
    kept.push(event);
};

export const keepEarlyKeys = (): void => document.addEventListener('keydown', keep);

/** Ends the keeping and presses the kept keys again, in their order. */
export function pressEarlyKeys(): void {
  document.removeEventListener('keydown', keep);
  for (const event of kept.splice(0)) event.target?.dispatchEvent(new KeyboardEvent('keydown', event));
}
