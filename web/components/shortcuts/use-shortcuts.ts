import { useEffect } from 'react';
import { createKeybindingsHandler, type KeyBindingMap } from 'tinykeys';
import { type Navigate, useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { setShortcutsOpen } from '../screen/ui-store.ts';
import { PALETTE_KEY } from './early-keys.ts';
import { moveToRow, openCurrentRow, toggleCurrentRow } from './rows.ts';
import { SCREENS_BY_KEY } from './screens-by-key.ts';
import { useSingleKeys } from './single-keys.ts';

/** The second key must follow 'g' within this time. */
const SEQUENCE_MS = 1500;

/** The action of a shortcut; returns false if it does not apply to the screen. */
type Action = () => boolean;

/** Handles a key once, ignoring repeats. If the action applied, the browser's own action for the key is prevented. */
const once = (action: Action) => (event: KeyboardEvent) => {
  if (!event.repeat && action()) event.preventDefault();
};

/** Handles a key also while it is held down. */
const repeated = (action: Action) => (event: KeyboardEvent) => {
  if (action()) event.preventDefault();
};

const openHelp = (): boolean => {
  setShortcutsOpen(true);
  return true;
};

/** The keys '/' and '?' require Shift on many keyboards. */
const SINGLE_KEYS: KeyBindingMap = {
  n: once(() => press('[data-shortcut="new"]')),
  '/': once(focusSearch),
  'Shift+/': once(focusSearch),
  '?': once(openHelp),
  'Shift+?': once(openHelp),
  j: repeated(() => moveToRow(1)),
  k: repeated(() => moveToRow(-1)),
  x: once(toggleCurrentRow),
  o: once(() => openCurrentRow()),
  Enter: once(() => openCurrentRow({ onlyIfFocused: true })),
};

/** Shortcuts of 'g' followed by the key of a screen. */
const screenKeys = (navigate: Navigate): KeyBindingMap =>
  Object.fromEntries(
    Object.entries(SCREENS_BY_KEY).map(([key, screen]) => [
      `g ${key}`,
      (event: KeyboardEvent) => {
        event.preventDefault();
        void navigate({ to: PATHS[screen] });
      },
    ]),
  );

/** Shortcuts with Ctrl also work in fields and dialogs. */
const WITH_COMMAND: KeyBindingMap = { ...PALETTE_KEY, '$mod+Enter': once(saveOpenForm) };

/** The keyboard shortcuts of the console (FIND-02), listed under '?' (shortcuts-dialog.tsx). */
export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const withCommand = createKeybindingsHandler(WITH_COMMAND);
    const single = createKeybindingsHandler(
      { ...SINGLE_KEYS, ...screenKeys(navigate) },
      { timeout: SEQUENCE_MS },
    );
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      withCommand(event);
      if (useSingleKeys.getState().on && !isTakenBy(event.target)) single(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}

const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable="true"]';

/** True if the focused element handles the key: a field, or any element while a dialog, menu or list is open. */
function isTakenBy(target: EventTarget | null): boolean {
  if (document.querySelector('[data-locks-scroll]') !== null) return true;
  return (
    target instanceof Element &&
    target.closest(
      `${TYPED_INTO}, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`,
    ) !== null
  );
}

/**
 * Presses a button of the screen. The button gets the focus, so that the focus returns to it when its dialog closes.
 */
function press(selector: string): boolean {
  const button = document.querySelector<HTMLElement>(`#contenido ${selector}`);
  button?.focus();
  button?.click();
  return button !== null;
}

/** Focuses the search box of the list, else that of the top bar. */
function focusSearch(): boolean {
  const box =
    document.querySelector<HTMLInputElement>('#contenido search input') ??
    document.querySelector<HTMLInputElement>('header [data-shortcut="search"]');
  box?.focus();
  box?.select();
  return box !== null;
}

/** Open dialogs; a dialog in its exit animation counts as closed. */
const OPEN_DIALOGS = ':is([role="dialog"], [role="alertdialog"], dialog):not([data-closed])';

/**
 * Presses the primary button of the topmost dialog, else that of the form on the page. It does not submit the form
 * directly, because only the button ignores presses while a save runs.
 */
function saveOpenForm(): boolean {
  const dialog = [...document.querySelectorAll(OPEN_DIALOGS)].at(-1);
  const form = dialog ? 'form' : 'form[data-shortcut="save"]';
  const button = (dialog ?? document).querySelector<HTMLElement>(`${form} button[type="submit"]`);
  button?.click();
  return button != null;
}
