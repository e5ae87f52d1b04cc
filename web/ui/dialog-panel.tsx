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

/** The column of a `place` dialog in which further dialogs replace the actions. */
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

/** From this width on there is enough space for data and a form beside it. */
const WIDE = '(width >= 64rem)';

const useIsWide = () =>
  useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(WIDE).matches,
  );

/**
 * The panel of a `place` dialog.
 * @returns `close` of the open panel, undefined if none is open; `columnRef` for its column; `provide` for the
 * components that may open one
 */
export function usePanel(isPlace: boolean) {
  const isWide = useIsWide();
  const [column, columnRef] = useState<HTMLElement | null>(null);
  const [panel, setPanel] = useState<{ close: () => void } | null>(null);
  const back = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    if (panel !== null) return;
    back.current?.();
    back.current = null;
  }, [panel]);
  const place = useMemo<PanelPlace | null>(() => {
    if (!isPlace || !isWide || column === null) return null;
    const show: PanelPlace['show'] = (close, whenBack) => {
      const shown = { close };
      setPanel(shown);
      return () => {
        back.current = whenBack;
        setPanel((now) => (now === shown ? null : now));
      };
    };
    return { column, show };
  }, [isPlace, isWide, column]);
  return {
    close: panel?.close,
    columnRef,
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
        (target?.isConnected ? target : place.column.closest<HTMLElement>('[role=dialog]'))?.focus();
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
