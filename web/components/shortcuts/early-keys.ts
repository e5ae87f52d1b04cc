import { createKeybindingsHandler, type KeyBindingMap } from 'tinykeys';
import { setPaletteOpen, useUi } from '../screen/ui-store.ts';

/**
 * Keys pressed before the code of the shortcuts is loaded. They are stored and replayed after that, so that keyboard
 * users need not wait for the code.
 */
const kept: KeyboardEvent[] = [];
/** Older keys are discarded: after a lost connection nobody expects their effect any more. */
const AGE_MS_MAX = 3000;

/**
 * Ctrl+K opens or closes the palette in every context. Opened with the keys, its first match is active; opened from
 * the search box, none is (D017).
 */
export const PALETTE_KEY: KeyBindingMap = {
  '$mod+k': (event) => {
    event.preventDefault();
    if (!event.repeat) setPaletteOpen(useUi.getState().modals.palette === null ? 'keys' : null);
  },
};

/** Ctrl+K is handled at once, so that the search box gets the text typed after it. */
const askForPalette = createKeybindingsHandler(PALETTE_KEY);

/** Other keys are stored only if they were not pressed in a field, button or link, which handle keys themselves. */
const keep = (event: KeyboardEvent) => {
  if (event.defaultPrevented) return;
  askForPalette(event);
  const isFree = event.target === document.body || (event.target as Element).matches?.('[data-row-key]');
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
  if (isFree && isPlain && useUi.getState().modals.palette === null) kept.push(event);
};

export const keepEarlyKeys = (): void => document.addEventListener('keydown', keep);

/** Stops storing keys and replays those of the last seconds in order. */
export function pressEarlyKeys(): void {
  document.removeEventListener('keydown', keep);
  const recent = kept.splice(0).filter(({ timeStamp }) => performance.now() - timeStamp < AGE_MS_MAX);
  for (const event of recent) event.target?.dispatchEvent(new KeyboardEvent('keydown', event));
}
