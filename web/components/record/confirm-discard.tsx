import { discardTexts } from '../../text/es-forms.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ConfirmDiscardProps {
  open: boolean;
  onDiscard: () => void;
  onKeep: () => void;
}

/** Asks for confirmation before typed values are discarded. */
export const ConfirmDiscard = ({ open, onDiscard, onKeep }: ConfirmDiscardProps) => (
  <ConfirmDialog
    open={open}
    title={discardTexts.title}
    text={discardTexts.text}
    confirmLabel={discardTexts.confirm}
    cancelLabel={discardTexts.keep}
    tone="danger"
    onConfirm={onDiscard}
    onCancel={onKeep}
  />
);
