import { useEffect } from 'react';
import { useNavigate } from '../../navigation/hooks.ts';
import { setShortcutsOpen } from '../frame/ui-store.ts';
import { isCommand, togglePalette } from './early-keys.ts';
import { moveToRow, openCurrentRow, toggleCurrentRow } from './rows.ts';
import { SCREENS_BY_KEY } from './screens-by-key.ts';
import { useSingleKeys } from './single-keys.ts';

/** The second key must follow 'g' within this time. */
const SEQUENCE_MS = 1500;

/** What each single key does; false when the screen has nothing for it. */
const SINGLE_KEYS: Readonly<Record<string, () => boolean>> = {
  n: () => press('[data-shortcut="new"]'),
  '/': focusSearch,
  '?': () => {
    setShortcutsOpen(true);
    return true;
  },
  j: () => moveToRow(1),
  k: () => moveToRow(-1),
  x: toggleCurrentRow,
  o: () => openCurrentRow(),
  Enter: () => openCurrentRow({ onlyIfFocused: true }),
};

/** These repeat while the key is held. */
const REPEATING = new Set(['j', 'k']);

/** The keyboard shortcuts of the console (FIND-02), listed under '?' (shortcuts-dialog.tsx). */
export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let sequenceUntil = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (isCommand(event)) {
        if (withCommand(event)) event.preventDefault();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!useSingleKeys.getState().on || isTakenBy(event.target)) return;
      // Capital letters without Shift are those of a locked keyboard; '/' and '?' need Shift on many keyboards.
      const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
      const isSecond = event.timeStamp < sequenceUntil;
      sequenceUntil = 0;
      const screen = isSecond ? SCREENS_BY_KEY[key] : undefined;
      if (screen !== undefined) {
        event.preventDefault();
        void navigate({ to: screen });
        return;
      }
      if (key === 'g') sequenceUntil = event.timeStamp + SEQUENCE_MS;
      else if ((!event.repeat || REPEATING.has(key)) && SINGLE_KEYS[key]?.()) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}

/** The shortcuts with Ctrl work also in fields and in dialogs. */
function withCommand({ key, repeat }: KeyboardEvent): boolean {
  if (key === 'Enter') return !repeat && saveOpenForm();
  if (key.toLowerCase() !== 'k') return false;
  if (!repeat) togglePalette();
  return true;
}

const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable="true"]';

/** Whether a key belongs to what has the focus: a field, or anything while a dialog, a menu or a list is open. */
function isTakenBy(target: EventTarget | null): boolean {
  if (document.querySelector('[data-locks-scroll]') !== null) return true;
  return (
    target instanceof Element &&
    target.closest(
      `${TYPED_INTO}, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`,
    ) !== null
  );
}

/** Presses a button of the screen; the focus goes to it, so that it returns there when its dialog closes. */
function press(selector: string): boolean {
  const button = document.querySelector<HTMLElement>(`#contenido ${selector}`);
  button?.focus();
  button?.click();
  return button !== null;
}

/** The search of the list, else the one of the top bar. */
function focusSearch(): boolean {
  const box =
    document.querySelector<HTMLInputElement>('#contenido search input') ??
    document.querySelector<HTMLInputElement>('header [data-shortcut="search"]');
  box?.focus();
  box?.select();
  return box !== null;
}

/** Open dialogs; one that fades out is closed. */
const OPEN_DIALOGS = ':is([role="dialog"], [role="alertdialog"], dialog):not([data-closed])';

/**
 * Presses the primary button of the dialog on top, else that of the form on the page. It is the button that refuses
 * while a save runs, so the form is not submitted itself.
 */
function saveOpenForm(): boolean {
  const dialog = [...document.querySelectorAll(OPEN_DIALOGS)].at(-1);
  const form = dialog ? 'form' : 'form[data-shortcut="save"]';
  const button = (dialog ?? document).querySelector<HTMLElement>(`${form} button[type="submit"]`);
  button?.click();
  return button != null;
}
