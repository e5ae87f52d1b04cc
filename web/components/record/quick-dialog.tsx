import { type ComponentProps, type ReactNode, useState } from 'react';
import { actions } from '../../text/es.ts';
import { ConfirmDiscard } from './confirm-discard.tsx';
import { FormDialog } from './form-dialog.tsx';

interface QuickDialogProps {
  title: string;
  submitLabel: string;
  /** The result of `useRecordForm`. */
  record: {
    dialog: Pick<
      ComponentProps<typeof FormDialog>,
      'onSubmit' | 'saving' | 'guard' | 'recovered' | 'merge' | 'failure'
    >;
    isDirty: boolean;
  };
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
  children: ReactNode;
}

/** The dialog of a record that another form needs, opened over that form, with only the fields that it cannot do without. */
export function QuickDialog({ title, submitLabel, record, onClose, finalFocus, children }: QuickDialogProps) {
  const { dialog, isDirty } = record;
  const [isAsking, setIsAsking] = useState(false);
  return (
    <FormDialog
      {...dialog}
      size="md"
      title={title}
      submitLabel={submitLabel}
      busyLabel={actions.creating}
      onSubmit={(event) => {
        // React also dispatches the event to the form below, although this dialog is not inside that form in the DOM.
        event.stopPropagation();
        dialog.onSubmit(event);
      }}
      onClose={() => (isDirty ? setIsAsking(true) : onClose())}
      guard={
        <>
          {dialog.guard}
          <ConfirmDiscard open={isAsking} onDiscard={onClose} onKeep={() => setIsAsking(false)} />
        </>
      }
      finalFocus={finalFocus}
    >
      {children}
    </FormDialog>
  );
}
