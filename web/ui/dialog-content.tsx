import { type ComponentProps, type ReactNode, type RefObject, useDeferredValue } from 'react';
import { cx } from './cx.ts';
import { InsideDialog } from './dialog-place.tsx';
import { useOverflowing } from './use-overflowing.ts';

const FIRST_CONTROL = 'input:not([type=hidden],:disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * The first field of a form, which gets the focus when its dialog opens; null if there is none. Then the dialog itself
 * gets the focus, so that screen readers start at the title.
 */
export const firstControl = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>(FIRST_CONTROL) ?? null;

interface DialogContentProps {
  bodyRef: RefObject<HTMLDivElement | null>;
  title: string;
  /** Renders the body one render after the frame. */
  later?: boolean;
  footer: ReactNode;
  onSubmit: ComponentProps<'form'>['onSubmit'];
  className?: string;
  children: ReactNode;
}

/** The body of a dialog and its buttons; with `onSubmit` both are in one form. */
export function DialogContent({
  bodyRef,
  title,
  later = false,
  footer,
  onSubmit,
  className,
  children,
}: DialogContentProps) {
  const content = (
    <>
      <DialogBody bodyRef={bodyRef} title={title}>
        <InsideDialog>{later ? <AfterFrame>{children}</AfterFrame> : children}</InsideDialog>
      </DialogBody>
      {footer && (
        <div className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-border px-5 py-3.5 max-sm:*:flex-1">
          {footer}
        </div>
      )}
    </>
  );
  const look = cx('flex min-h-0 flex-1 flex-col', className);
  return onSubmit ? (
    <form noValidate onSubmit={onSubmit} className={look}>
      {content}
    </form>
  ) : (
    <div className={look}>{content}</div>
  );
}

/** Renders its children one render later than the dialog's frame, so that the frame appears sooner. */
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
