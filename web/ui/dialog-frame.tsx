import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import {
  CLOSE,
  CLOSE_CLASS,
  DIALOG_WIDTHS,
  type DialogSize,
  HEADER_CLASS,
  POPUP_CLASS,
  TITLE_CLASS,
  VIEWPORT_CLASS,
} from './dialog-look.ts';
import { useDialogPresence } from './dialog-place.tsx';

interface DialogFrameProps {
  title: string;
  size?: DialogSize;
  /** Called on Escape or ×. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * The placeholder of a dialog while its code loads: same position, width and title, and a × to close it. It uses only
 * React, because the dialog's code is not loaded. When it unmounts, it restores the focus, so that the dialog, which
 * follows at once, finds its opener focused.
 */
export function DialogFrame({ title, size = 'md', onClose, children }: DialogFrameProps) {
  const { open, onGone } = useDialogPresence();
  const placeRef = useRef<HTMLDivElement>(null);
  const popupRef = useRef<HTMLDivElement>(null);
  const titleId = useId();

  useEffect(() => {
    // The frame has no exit animation.
    if (!open) onGone();
  }, [open, onGone]);

  useLayoutEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    const release = makeOutsideInert(placeRef.current);
    popupRef.current?.focus();
    return () => {
      release();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [open]);

  useEffect(() => {
    if (!open) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [open, onClose]);

  if (!open) return null;
  return createPortal(
    <div ref={placeRef}>
      <div data-locks-scroll className="fixed inset-0 z-40 bg-scrim" />
      <div className={VIEWPORT_CLASS}>
        <div
          ref={popupRef}
          role="dialog"
          aria-modal="true"
          aria-labelledby={titleId}
          tabIndex={-1}
          className={cx(POPUP_CLASS, DIALOG_WIDTHS[size])}
        >
          <header className={HEADER_CLASS}>
            <h2 id={titleId} className={TITLE_CLASS}>
              {title}
            </h2>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-5">{children}</div>
          <button
            type="button"
            aria-label={CLOSE}
            data-dialog-close
            onClick={onClose}
            className={CLOSE_CLASS}
          >
            <X aria-hidden className="size-4.5" />
          </button>
        </div>
      </div>
    </div>,
    document.body,
  );
}

/** Makes all elements outside the frame inert, except live regions (the toasts). */
function makeOutsideInert(place: HTMLElement | null): () => void {
  const outside = [...document.body.children].filter(
    (child): child is HTMLElement =>
      child instanceof HTMLElement && child !== place && !child.hasAttribute('aria-live') && !child.inert,
  );
  for (const element of outside) element.inert = true;
  return () => {
    for (const element of outside) element.inert = false;
  };
}
