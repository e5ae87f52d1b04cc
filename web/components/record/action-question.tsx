import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { orToast } from './use-action.ts';

interface ActionQuestionProps
  extends Pick<
    ComponentProps<typeof ConfirmDialog>,
    'title' | 'text' | 'confirmLabel' | 'busyLabel' | 'tone'
  > {
  /** Runs the action and shows its result. */
  run: () => Promise<unknown>;
  failed: string;
  onClose: () => void;
}

/** Asks for confirmation of an action on a record, then runs it. */
export function ActionQuestion({ run, failed, onClose, ...question }: ActionQuestionProps) {
  const [confirm, busy] = useOneAtATime(async () => {
    await orToast(failed, run);
    onClose();
  });
  return <ConfirmDialog open {...question} busy={busy} onConfirm={confirm} onCancel={onClose} />;
}
