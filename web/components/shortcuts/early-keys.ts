import { setPaletteOpen, useUi } from '../frame/ui-store.ts';
import { isApple } from './apple.ts';

/**
 * Keys that are pressed before the code of the shortcuts is there. They are kept and pressed again then, so that
 * whoever works by keyboard need not wait for it.
 */
const kept: KeyboardEvent[] = [];
/** Older keys are forgotten: after a lost connection nobody expects them any more. */
const AGE_MS_MAX = 3000;

/** Ctrl alone, on a Mac ⌘ alone. */
export const isCommand = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  !altKey && !shiftKey && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey);

/** Opens the palette, or closes it. From the keys, the first match is active; from the box, none is (D017). */
export const togglePalette = () => setPaletteOpen(useUi.getState().modals.palette === null ? 'keys' : null);

/**
 * Ctrl+K has no other meaning anywhere, and asks for the palette at once: what is typed after it goes to the search box.
 * What else is pressed in a field, a button or a link has its own meaning already.
 */
const keep = (event: KeyboardEvent) => {
  if (event.defaultPrevented) return;
  if (isCommand(event) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    if (!event.repeat) togglePalette();
    return;
  }
  const isFree = event.target === document.body || (event.target as Element).matches?.('[data-row-key]');
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
  if (isFree && isPlain && useUi.getState().modals.palette === null) kept.push(event);
};

export const keepEarlyKeys = (): void => document.addEventListener('keydown', keep);

/** Ends the keeping and presses the keys of the last seconds again, in their order. */
export function pressEarlyKeys(): void {
  document.removeEventListener('keydown', keep);
  const recent = kept.splice(0).filter(({ timeStamp }) => performance.now() - timeStamp < AGE_MS_MAX);
  for (const event of recent) event.target?.dispatchEvent(new KeyboardEvent('keydown', event));
}
