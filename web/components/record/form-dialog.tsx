import { type ComponentProps, type ReactNode, useId } from 'react';
import { actions } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import type { FormFailure } from './form-errors.ts';
import { FailureNote, FormMessages } from './form-messages.tsx';
import type { MergeState } from './use-edit-merge.ts';

interface FormDialogProps {
  title: string;
  size?: DialogSize;
  submitLabel: string;
  busyLabel: string;
  /** `danger` if the action cannot be undone. */
  submitVariant?: 'primary' | 'danger';
  /** The label of the button that closes the dialog. Needed if the action's own label is 'Cancelar …'. */
  closeLabel?: string;
  saving: boolean;
  onSubmit: NonNullable<ComponentProps<'form'>['onSubmit']>;
  /** Navigates away from the dialog's URL. `guard` asks first if there are unsaved changes. */
  onClose: () => void;
  /** The dialog about unsaved changes (`useLeaveGuard`). */
  guard?: ReactNode;
  /** True if the form was restored from a draft. */
  recovered?: boolean;
  /** The merge with a save of another person, and its questions (D091); null if there is none. */
  merge?: MergeState | null;
  /** The failure of the last save, if it concerns no field (D028). */
  failure?: FormFailure | null;
  /** A text about what a save will do, above the buttons and always visible. */
  summary?: ReactNode;
  finalFocus?: ComponentProps<typeof Dialog>['finalFocus'];
  children: ReactNode;
}

/**
 * The dialog of a form, usually with `useRecordForm`: a button that closes it, the primary button, and the form's
 * messages.
 */
export function FormDialog({
  title,
  size = 'lg',
  submitLabel,
  busyLabel,
  submitVariant = 'primary',
  closeLabel = actions.cancel,
  saving,
  onSubmit,
  onClose,
  guard,
  recovered = false,
  merge = null,
  failure = null,
  summary,
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
          {summary && <div className="min-w-full">{summary}</div>}
          {failure && <FailureNote id={failureId} {...failure} />}
          <Button onClick={onClose}>{closeLabel}</Button>
          <Button
            type="submit"
            variant={submitVariant}
            busy={saving}
            busyLabel={busyLabel}
            aria-describedby={failure ? failureId : undefined}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <FormMessages recovered={recovered} merge={merge} />
      {children}
      {/* Inside the form's dialog, so that Escape closes only the question. */}
      {guard}
    </Dialog>
  );
}
