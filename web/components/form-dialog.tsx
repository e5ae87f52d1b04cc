import type { ComponentProps, ReactNode } from 'react';
import { actions, recoveredText } from '../text/es.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { DialogSize } from '../ui/dialog-look.ts';
import { ConflictNotice } from './conflict-notice.tsx';

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
  /** Another person saved the record first (D091). */
  conflict: ComponentProps<typeof ConflictNotice> | null;
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
  conflict,
  finalFocus,
  children,
}: FormDialogProps) {
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
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button type="submit" variant="primary" busy={saving} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {recovered && <Banner tone="info">{recoveredText}</Banner>}
      {conflict && <ConflictNotice {...conflict} />}
      {children}
      {/* Inside, so that Escape answers the question and not the form below it. */}
      {guard}
    </Dialog>
  );
}
