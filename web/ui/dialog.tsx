import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, type RefObject, useDeferredValue, useRef } from 'react';
import { cx } from './cx.ts';
import {
  CLOSE_CLASS,
  DIALOG_WIDTHS,
  type DialogSize,
  HEADER_CLASS,
  POPUP_CLASS,
  STEADY_CLASS,
  TITLE_CLASS,
  TITLE_OVER_SUBJECT_CLASS,
  VIEWPORT_CLASS,
} from './dialog-look.ts';
import { InsideDialog, useDialogPresence } from './dialog-place.tsx';
import { useOverflowing } from './use-overflowing.ts';

export const BACKDROP_CLASS =
  'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:pointer-events-none data-ending-style:opacity-0 data-starting-style:opacity-0';

const FIRST_CONTROL = 'input:not([type=hidden],:disabled), select:not(:disabled), textarea:not(:disabled)';

type FinalFocus = RefObject<HTMLElement | null> | (() => HTMLElement | null | undefined);

/** The record of a dialog: its name, its state, and what can be done with it. */
export interface DialogSubject {
  name: ReactNode;
  state?: ReactNode;
  /** Why it is in that state. */
  note?: ReactNode;
  actions?: ReactNode;
}

interface DialogProps {
  open: boolean;
  /**
   * Called by Escape and the ×. The dialog closes when `open` turns false, so the caller may refuse, as a form with
   * unsaved changes does. A press outside the dialog never calls it (D103).
   */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The record that the dialog shows, under its title. */
  subject?: DialogSubject | undefined;
  /**
   * From 640 px on the height stays the same whatever the content: for dialogs with tabs. Their content is drawn right
   * after the frame, and the focus begins at the dialog itself.
   */
  steady?: boolean;
  size?: DialogSize;
  /** Stays in place while the body scrolls: the buttons, the primary one last. */
  footer?: ReactNode;
  /** With it, body and footer are one <form noValidate>: Enter and the footer's type="submit" button call it. */
  onSubmit?: ComponentProps<'form'>['onSubmit'];
  /** Where focus goes after closing; default: the opener. */
  finalFocus?: FinalFocus;
  /** Called when the dialog is gone, and no longer holds the focus. */
  onGone?: () => void;
  children: ReactNode;
}

/** A modal dialog. On a narrow screen it fills the screen. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  subject,
  steady = false,
  size = 'md',
  footer,
  onSubmit,
  finalFocus,
  onGone,
  children,
}: DialogProps) {
  const bodyRef = useRef<HTMLDivElement>(null);
  const popupRef = useRef<HTMLDivElement>(null);
  const presence = useDialogPresence();
  const content = (
    <>
      <DialogBody bodyRef={bodyRef} title={title}>
        <InsideDialog>{steady ? <AfterFrame>{children}</AfterFrame> : children}</InsideDialog>
      </DialogBody>
      {footer && (
        <div className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-border px-5 py-3.5 max-sm:*:flex-1">
          {footer}
        </div>
      )}
    </>
  );
  return (
    <BaseDialog.Root
      open={open && presence.open}
      disablePointerDismissal
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      onOpenChangeComplete={(next) => {
        if (next) return;
        presence.onGone();
        onGone?.();
      }}
    >
      <BaseDialog.Portal>
        {/* Over another dialog there is no backdrop by default; the one below must be dimmed too. */}
        <BaseDialog.Backdrop forceRender data-locks-scroll className={BACKDROP_CLASS} />
        <BaseDialog.Viewport className={cx(VIEWPORT_CLASS, 'data-ending-style:pointer-events-none')}>
          <BaseDialog.Popup
            // A form opens at its first field, anything else at the dialog itself, so that reading starts at its title.
            ref={popupRef}
            initialFocus={(interaction) =>
              (interaction !== 'touch' && bodyRef.current?.querySelector<HTMLElement>(FIRST_CONTROL)) ||
              popupRef.current
            }
            finalFocus={finalFocus}
            className={cx(
              POPUP_CLASS,
              'transition-[opacity,translate,scale] duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0',
              'max-sm:data-ending-style:translate-y-4 max-sm:data-starting-style:translate-y-4',
              'sm:data-ending-style:scale-98 sm:data-starting-style:scale-98',
              DIALOG_WIDTHS[size],
              steady && STEADY_CLASS,
            )}
          >
            <header className={HEADER_CLASS}>
              <BaseDialog.Title className={subject ? TITLE_OVER_SUBJECT_CLASS : TITLE_CLASS}>
                {title}
              </BaseDialog.Title>
              {subject && <SubjectLine {...subject} />}
              {description && (
                <BaseDialog.Description className="mt-0.5 pr-9 text-sm text-muted">
                  {description}
                </BaseDialog.Description>
              )}
            </header>
            {onSubmit ? (
              <form noValidate onSubmit={onSubmit} className="flex min-h-0 flex-1 flex-col">
                {content}
              </form>
            ) : (
              content
            )}
            {/* Last in the reading and Tab order: the fields come first. */}
            <BaseDialog.Close aria-label="Cerrar" className={CLOSE_CLASS}>
              <X aria-hidden className="size-4.5" />
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The name is a heading below the title; it also describes the dialog, so that a screen reader announces it after the title. */
function SubjectLine({ name, state, note, actions }: DialogSubject) {
  return (
    <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 pointer-coarse:mt-3.5">
      <div className="min-w-0 max-sm:w-full">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <BaseDialog.Description
            // biome-ignore lint/a11y/useHeadingContent: the children become its content
            render={<h3 />}
            className="min-w-0 text-lg/7 font-semibold text-text wrap-anywhere"
          >
            {name}
          </BaseDialog.Description>
          {state}
        </div>
        {/* Its length does not decide whether the buttons have room beside the name. */}
        {note && (
          <div className="mt-1 w-0 min-w-full text-xs text-muted wrap-anywhere empty:hidden">{note}</div>
        )}
      </div>
      {actions && <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
    </div>
  );
}

/** Draws its children in a render after that of the dialog's frame, which is then on screen sooner. */
export const AfterFrame = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) && children;

interface DialogBodyProps {
  bodyRef: RefObject<HTMLDivElement | null>;
  title: string;
  children: ReactNode;
}

function DialogBody({ bodyRef, title, children }: DialogBodyProps) {
  const scrolls = useOverflowing(bodyRef);
  return (
    <div
      ref={bodyRef}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-5"
      {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': `Contenido: ${title}` })}
    >
      <div className="flex flex-col gap-6">{children}</div>
    </div>
  );
}

interface DialogSectionProps {
  title: string;
  description?: ReactNode;
  /** How many columns from 640 px on; below there is one. */
  columns?: 1 | 2;
  children: ReactNode;
}

/** A part of a dialog under a small heading: its fields in one column, from 640 px on in two. */
export function DialogSection({ title, description, columns = 2, children }: DialogSectionProps) {
  return (
    // No named region: it would have the same name as a field in it ('Notas', 'Estado').
    <section className="border-b border-border pb-6 last:border-0 last:pb-0">
      <h3 className="text-sm font-semibold text-text">{title}</h3>
      {description && <p className="mt-0.5 text-xs text-muted">{description}</p>}
      <div className={cx('mt-3 grid items-start gap-x-4 gap-y-4', columns === 2 && 'sm:grid-cols-2')}>
        {children}
      </div>
    </section>
  );
}
