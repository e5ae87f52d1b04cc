import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { portalTexts } from '../text/es-portal.ts';
import { Button } from '../ui/button.tsx';
import { Submit } from './submit.tsx';

interface QuestionProps {
  title: string;
  /** Asked to close, by Escape or 'Volver'. */
  onClose: () => void;
  children: ReactNode;
}

/** A question over the page, from below on a phone: the browser's own dialog holds the focus and gives it back. */
export function Question({ title, onClose, children }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before its element leaves the page: closed later, it would not give the focus back.
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

/** What the form of a question ends with. */
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
