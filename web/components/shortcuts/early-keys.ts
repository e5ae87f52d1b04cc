/**
 * Keys that are pressed before the code of the shortcuts is there. They are kept and pressed again then, so that
 * whoever works by keyboard need not wait for it.
 */
const kept: KeyboardEvent[] = [];
/** Older keys are forgotten: after a lost connection nobody expects them any more. */
const AGE_MS_MAX = 3000;

/**
 * What is pressed in a field, a button or a link has its own meaning already. Ctrl+K has none anywhere; what is typed
 * after it goes to the search box, and is no shortcut.
 */
const keep = (event: KeyboardEvent) => {
  if (event.defaultPrevented || event.altKey) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const isFree = event.target === document.body || (event.target as Element).matches?.('[data-row-key]');
  if (isCommand ? event.key !== 'k' : !isFree) return;
  if (isCommand) {
    event.preventDefault();
    document.querySelector<HTMLElement>('header input')?.focus();
  }
  kept.push(event);
};

export const keepEarlyKeys = (): void => document.addEventListener('keydown', keep);

/** Ends the keeping and presses the keys of the last seconds again, in their order. */
export function pressEarlyKeys(): void {
  document.removeEventListener('keydown', keep);
  const recent = kept.splice(0).filter(({ timeStamp }) => performance.now() - timeStamp < AGE_MS_MAX);
  for (const event of recent) event.target?.dispatchEvent(new KeyboardEvent('keydown', event));
}
