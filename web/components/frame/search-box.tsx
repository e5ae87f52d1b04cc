import { Search } from 'lucide-react';
import { type FocusEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { layoutTexts } from '../../text/es-layout.ts';
import { CONTROL_CLASS, CONTROL_HEIGHT } from '../../ui/control-class.ts';
import { cx } from '../../ui/cx.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { SEARCH_FIELD } from '../palette/search-field.ts';
import type { ReachableScreen } from '../palette/use-actions.ts';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { type PaletteOpener, setPaletteOpen, useUi } from '../screen/ui-store.ts';
import { COMMAND_KEY } from '../shortcuts/apple.ts';

const popup = codeOf(() => import('../palette/palette-popup.tsx'));
const PalettePopup = lazyComponent(popup, (module) => module.PalettePopup);
const dialog = codeOf(() => import('../palette/palette-dialog.tsx'));
const PaletteDialog = lazyComponent(dialog, (module) => module.PaletteDialog);
const loadPopup = () => void popup.fetch().catch(() => undefined);

/** Below this width the palette fills the screen. */
const NARROW = '(width < 40rem)';

/**
 * The search box of the top bar, and the palette (SEED-2.2-07, FIND-02). Typing lists matches under the box and
 * changes nothing else; Enter without a chosen match does nothing (D017). Ctrl+K, and the box on a narrow screen, open
 * the palette as a dialog.
 */
export function SearchBox({ screens }: { screens: readonly ReachableScreen[] }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const opener = useUi((state) => state.modals.palette);
  const inputRef = useRef<HTMLInputElement>(null);
  /** True if Enter was pressed after Ctrl+K, before the dialog's code was loaded. */
  const [entered, setEntered] = useState(false);

  const [lastOpener, setLastOpener] = useState(opener);
  if (lastOpener !== opener) {
    setLastOpener(opener);
    setOpen(false);
    // The dialog takes over the text typed after Ctrl+K, and the box is emptied.
    if (opener !== 'box') setText('');
    setEntered(false);
  }
  useFocusInBox(inputRef, opener);
  const isAwaited = () => opener === 'keys' && dialog.module === undefined;

  const show = () => {
    if (opener !== null) return;
    if (window.matchMedia(NARROW).matches) setPaletteOpen('box');
    else setOpen(true);
  };
  const closeOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (currentTarget.contains(relatedTarget)) return;
    setOpen(false);
    // If the user moves to another field while the dialog's code loads, the dialog must not open and take the focus.
    if (relatedTarget !== null && isAwaited()) setPaletteOpen(null);
  };
  return (
    <search className={cx('relative block max-w-xs min-w-0', CONTROL_HEIGHT)} onBlur={closeOnLeave}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <input
        ref={inputRef}
        {...SEARCH_FIELD}
        role="combobox"
        // The Popup component sets this attribute and those that name the list and the active option.
        aria-expanded={false}
        data-shortcut="search"
        placeholder={layoutTexts.search}
        value={text}
        onFocus={loadPopup}
        onPointerEnter={loadPopup}
        onClick={show}
        onChange={(event) => {
          setText(event.target.value);
          setEntered(false);
          show();
        }}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown') show();
          if (!isAwaited()) return;
          if (key === 'Escape') setPaletteOpen(null);
          if (key === 'Enter') setEntered(true);
        }}
        className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'peer pl-9 text-ellipsis sm:pr-18')}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 flex -translate-y-1/2 gap-1 not-peer-placeholder-shown:hidden max-sm:hidden pointer-coarse:hidden"
      >
        <Kbd>{COMMAND_KEY}</Kbd>
        <Kbd>K</Kbd>
      </span>
      {open && (
        <Suspense>
          <PalettePopup
            inputRef={inputRef}
            text={text}
            onText={setText}
            screens={screens}
            onClose={(chosen) => {
              setOpen(false);
              if (chosen) setText('');
            }}
          />
        </Suspense>
      )}
      {opener !== null && (
        <Suspense>
          <PaletteDialog
            screens={screens}
            firstIsActive={opener === 'keys'}
            text={text}
            entered={entered}
            onClose={() => setPaletteOpen(null)}
          />
        </Suspense>
      )}
    </search>
  );
}

/**
 * While the dialog's code loads after Ctrl+K, the box has the focus and takes the typed text. When the palette closes,
 * the focus returns to the element that had it before.
 */
function useFocusInBox(inputRef: RefObject<HTMLInputElement | null>, opener: PaletteOpener | null): void {
  const origin = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    const box = inputRef.current;
    if (opener === 'keys' && dialog.module === undefined) {
      origin.current = document.activeElement;
      wasOpen.current = true;
      box?.focus();
      return;
    }
    const isClosed = opener === null && wasOpen.current;
    wasOpen.current = opener !== null;
    if (!isClosed) return;
    const from = origin.current;
    origin.current = null;
    // The focus moves back only if the box still has it.
    if (from !== null && document.activeElement === box) {
      box?.blur();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    }
    // A dialog that opened under the palette could not take the focus then, so it gets the focus now.
    if (document.activeElement === document.body) {
      [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)?.focus();
    }
  }, [inputRef, opener]);
}
