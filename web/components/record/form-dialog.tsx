import { type ComponentProps, type ReactNode, useId } from 'react';
import { actions, conflictTexts, recoveredText } from '../../text/es.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import type { FormFailure } from './form-errors.ts';
import type { MergeState } from './use-edit-merge.ts';

interface FormDialogProps {
  title: string;
  size?: DialogSize;
  submitLabel: string;
  busyLabel: string;
  saving: boolean;
  onSubmit: ComponentProps<'form'>['onSubmit'];
  /** Leaves the dialog's address; unsaved changes are asked about by `guard` on the way. */
  onClose: () => void;
  /** The question about unsaved changes (`useLeaveGuard`). */
  guard: ReactNode;
  /** It holds what was typed before the session ended. */
  recovered: boolean;
  /** What another person's save brought into the form, and what it asks (D091); null when nobody was faster. */
  merge: MergeState | null;
  /** The last save failed, and no field says why (D028). */
  failure: FormFailure | null;
  finalFocus?: ComponentProps<typeof Dialog>['finalFocus'];
  children: ReactNode;
}

/** The dialog around a form that `useRecordForm` drives: Cancelar, the one filled button, and what may come between. */
export function FormDialog({
  title,
  size = 'lg',
  submitLabel,
  busyLabel,
  saving,
  onSubmit,
  onClose,
  guard,
  recovered,
  merge,
  failure,
  finalFocus,
  children,
}: FormDialogProps) {
  const failureId = useId();
  return (
    <Dialog
      open
      size={size}
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      finalFocus={finalFocus}
      footer={
        <>
          {failure && <FailureNote id={failureId} {...failure} />}
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={saving}
            busyLabel={busyLabel}
            aria-describedby={failure ? failureId : undefined}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      {recovered && <Banner tone="info">{recoveredText}</Banner>}
      {merge && merge.questions.length > 0 && <ConflictNotice key={merge.round} {...merge} />}
      {merge && merge.questions.length === 0 && merge.taken.length > 0 && (
        <Banner tone="info" announce="status">
          {conflictTexts.taken(merge.taken)}
        </Banner>
      )}
      {children}
      {/* Inside, so that Escape answers the question and not the form below it. */}
      {guard}
    </Dialog>
  );
}

/** Above the buttons, in sight wherever the form is scrolled to. The toast has said it aloud; the button repeats it. */
function FailureNote({ id, title, message }: FormFailure & { id: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups words, and a fieldset is for controls.
    <div role="group" aria-label={title} className="min-w-full">
      {/* An element of its own: a name would be taken for all of what describes the button. */}
      <div id={id}>
        <Banner tone="critical" title={title}>
          <p className="wrap-anywhere">{message}</p>
        </Banner>
      </div>
    </div>
  );
}
