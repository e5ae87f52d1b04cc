import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { portalTexts } from '../text/es-portal.ts';
import { Button } from '../ui/button.tsx';
import { Submit } from './submit.tsx';

interface QuestionProps {
  title: string;
  /** Called on Escape or 'Volver'. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A dialog over the page, on a phone at the bottom. It is the browser's <dialog>, which keeps the focus inside and
 * returns it when closed.
 */
export function Question({ title, onClose, children }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed before its element is removed from the page; later it could not return the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      data-locks-scroll
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="mx-auto mt-auto mb-0 max-h-[calc(100dvh-1rem)] w-full max-w-full overflow-y-auto rounded-t-xl bg-raised p-5 text-text shadow-over backdrop:bg-scrim sm:my-auto sm:max-w-md sm:rounded-xl"
    >
      <h2 id={titleId} className="text-lg font-semibold wrap-anywhere">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface QuestionButtonsProps {
  busy: boolean;
  label: string;
  busyLabel: string;
  onClose: () => void;
}

/** The buttons at the end of a dialog's form. */
export const QuestionButtons = ({ busy, label, busyLabel, onClose }: QuestionButtonsProps) => (
  <div className="flex flex-col gap-2">
    <Submit busy={busy} busyLabel={busyLabel}>
      {label}
    </Submit>
    <Button size="lg" onClick={onClose} className="w-full">
      {portalTexts.back}
    </Button>
  </div>
);
