import { useEffect } from 'react';
import { createKeybindingsHandler, type KeyBindingMap } from 'tinykeys';
import { type Navigate, useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { setShortcutsOpen } from '../frame/ui-store.ts';
import { PALETTE_KEY } from './early-keys.ts';
import { moveToRow, openCurrentRow, toggleCurrentRow } from './rows.ts';
import { SCREENS_BY_KEY } from './screens-by-key.ts';
import { useSingleKeys } from './single-keys.ts';

/** The second key must follow 'g' within this time. */
const SEQUENCE_MS = 1500;

/** What a shortcut does; false when the screen has nothing for it. */
type Action = () => boolean;

/** The handler of a key: it keeps the browser from the key where the shortcut did something. */
const once = (action: Action) => (event: KeyboardEvent) => {
  if (!event.repeat && action()) event.preventDefault();
};

/** Repeats while the key is held. */
const repeated = (action: Action) => (event: KeyboardEvent) => {
  if (action()) event.preventDefault();
};

const openHelp = (): boolean => {
  setShortcutsOpen(true);
  return true;
};

/** '/' and '?' need Shift on many keyboards. */
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

/** 'g' and then the key of a screen. */
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

/** The shortcuts with Ctrl work also in fields and in dialogs. */
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
