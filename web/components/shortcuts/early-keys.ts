import { createKeybindingsHandler, type KeyBindingMap } from 'tinykeys';
import { setPaletteOpen, useUi } from '../frame/ui-store.ts';

/**
 * Keys that are pressed before the code of the shortcuts is there. They are kept and pressed again then, so that
 * whoever works by keyboard need not wait for it.
 */
const kept: KeyboardEvent[] = [];
/** Older keys are forgotten: after a lost connection nobody expects them any more. */
const AGE_MS_MAX = 3000;

/**
 * Opens the palette, or closes it: Ctrl+K has no other meaning anywhere. From the keys, the first match is active; from
 * the box, none is (D017).
 */
export const PALETTE_KEY: KeyBindingMap = {
  '$mod+k': (event) => {
    event.preventDefault();
    if (!event.repeat) setPaletteOpen(useUi.getState().modals.palette === null ? 'keys' : null);
  },
};

/** The palette is asked for at once, so that what is typed after Ctrl+K goes to the search box. */
const askForPalette = createKeybindingsHandler(PALETTE_KEY);

/** What else is pressed in a field, a button or a link has its own meaning already. */
const keep = (event: KeyboardEvent) => {
  if (event.defaultPrevented) return;
  askForPalette(event);
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
