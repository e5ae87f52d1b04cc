import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { DialogContent, firstControl } from './dialog-content.tsx';
import { useDialogPresence } from './dialog-place.tsx';
import type { DialogProps } from './dialog-props.ts';
import { focusOf } from './final-focus.ts';

/** The column of a `place` dialog or a record's page in which further dialogs replace what is there. */
export interface PanelPlace {
  column: HTMLElement;
  /**
   * @param back called after the actions are visible again
   * @returns a function that removes the panel
   */
  show: (close: () => void, back: () => void) => () => void;
}

const PanelContext = createContext<PanelPlace | null>(null);

/** Null if the dialog opens as a separate modal dialog. */
export const usePanelPlace = () => useContext(PanelContext);

/** From this width of the window on there is enough space for data and a form beside it: in a dialog, on a page. */
const WIDE = { dialog: '(width >= 64rem)', page: '(width >= 80rem)' };

const useIsWide = (query: string) =>
  useSyncExternalStore(
    (changed) => {
      const wide = window.matchMedia(query);
      wide.addEventListener('change', changed);
      return () => wide.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );

const BesideContext = createContext(false);

/** True in the content of a record whose `aside` stands beside it. Otherwise the content shows these facts itself. */
export const useAsideIsBeside = () => useContext(BesideContext);

/**
 * The panel of a `place` dialog or of a record's page.
 * @param kind null: it has none
 * @returns `close` of the open panel, undefined if none is open; `columnRef` for its column; `provide` for the
 * components that may open one; `beside` for the content; `isWide` if there is room for the column
 */
export function usePanel(kind: keyof typeof WIDE | null) {
  const isWide = useIsWide(WIDE[kind ?? 'dialog']) && kind !== null;
  const [column, columnRef] = useState<HTMLElement | null>(null);
  const [panel, setPanel] = useState<{ close: () => void } | null>(null);
  const back = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    if (panel !== null) return;
    back.current?.();
    back.current = null;
  }, [panel]);
  const place = useMemo<PanelPlace | null>(() => {
    if (!isWide || column === null) return null;
    const show: PanelPlace['show'] = (close, whenBack) => {
      const shown = { close };
      setPanel(shown);
      return () => {
        back.current = whenBack;
        setPanel((now) => (now === shown ? null : now));
      };
    };
    return { column, show };
  }, [isWide, column]);
  return {
    close: panel?.close,
    columnRef,
    isWide,
    beside: (isBeside: boolean, children: ReactNode) => (
      <BesideContext value={isWide && isBeside}>{children}</BesideContext>
    ),
    provide: (children: ReactNode) => <PanelContext value={place}>{children}</PanelContext>,
  };
}

interface PanelFrame {
  place: PanelPlace;
  /**
   * For a confirmation that is announced when it appears: the id of its text, and its safe answer, which gets the
   * focus.
   */
  alert?: { textId: string; safeRef: RefObject<HTMLElement | null> };
}

/**
 * A dialog that replaces the actions from which it was opened. It is not modal, so the data beside it stays visible.
 */
export function DialogPanel({
  place,
  alert,
  open,
  onClose,
  title,
  description,
  footer,
  onSubmit,
  finalFocus,
  onGone,
  children,
}: DialogProps & PanelFrame) {
  const presence = useDialogPresence();
  const isShown = open && presence.open;
  useEffect(() => {
    if (isShown) return;
    presence.onGone();
    onGone?.();
  }, [isShown, presence, onGone]);
  return (
    isShown &&
    createPortal(
      <PanelContext value={null}>
        <Panel
          {...{ place, onClose, title, description, footer, onSubmit, finalFocus, ...(alert && { alert }) }}
        >
          {children}
        </Panel>
      </PanelContext>,
      place.column,
    )
  );
}

type PanelProps = Pick<
  DialogProps,
  'onClose' | 'title' | 'description' | 'footer' | 'onSubmit' | 'finalFocus' | 'children'
> &
  PanelFrame;

function Panel({
  place,
  alert,
  onClose,
  title,
  description,
  footer,
  onSubmit,
  finalFocus,
  children,
}: PanelProps) {
  const titleId = useId();
  const panelRef = useRef<HTMLElement>(null);
  const bodyRef = useRef<HTMLDivElement>(null);
  const latest = useRef({ onClose, finalFocus, alert });
  latest.current = { onClose, finalFocus, alert };
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const hide = place.show(
      () => latest.current.onClose(),
      () => {
        const target = focusOf(latest.current.finalFocus) ?? (opener as HTMLElement | null);
        // The opener may have been removed meanwhile, when another tab was opened.
        (target?.isConnected
          ? target
          : place.column.closest<HTMLElement>('[role=dialog], [data-record-page]')
        )?.focus();
      },
    );
    (latest.current.alert?.safeRef.current ?? firstControl(bodyRef.current) ?? panelRef.current)?.focus();
    return hide;
  }, [place]);
  return (
    <section
      ref={panelRef}
      {...(alert && { role: 'alertdialog', 'aria-describedby': alert.textId })}
      aria-labelledby={titleId}
      tabIndex={-1}
      className="flex min-h-0 flex-1 flex-col outline-none"
    >
      <div className="shrink-0 border-b border-border px-5 py-3.5">
        <h3 id={titleId} className="text-base font-semibold text-text">
          {title}
        </h3>
        {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
      </div>
      <DialogContent {...{ bodyRef, title, footer, onSubmit }}>{children}</DialogContent>
    </section>
  );
}
