import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { orToast } from './use-action.ts';
import { useOneAtATime } from './use-one-at-a-time.ts';

interface ActionQuestionProps
  extends Pick<
    ComponentProps<typeof ConfirmDialog>,
    'title' | 'text' | 'confirmLabel' | 'busyLabel' | 'tone'
  > {
  /** Does it, and says what came of it. */
  run: () => Promise<unknown>;
  failed: string;
  onClose: () => void;
}

/** Asks before an action on a record, and does it. */
export function ActionQuestion({ run, failed, onClose, ...question }: ActionQuestionProps) {
  const [confirm, busy] = useOneAtATime(async () => {
    await orToast(failed, run);
    onClose();
  });
  return <ConfirmDialog open {...question} busy={busy} onConfirm={confirm} onCancel={onClose} />;
}
