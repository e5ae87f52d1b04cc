import { useState } from 'react';
import { actions } from '../../text/es.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { useFirstGesture } from '../screen/use-first-gesture.ts';
import type { Listed } from './list-definition.ts';
import { type Removal, type RemovalOptions, removeRow } from './use-removal.ts';

const confirmCode = codeOf(() => import('../../ui/confirm-dialog.tsx'));
const ConfirmDialog = lazyComponent(confirmCode, (module) => module.ConfirmDialog);
const loadQuestion = () => void confirmCode.fetch().catch(() => undefined);

/** Deletes a row after a confirmation in the console's own dialog (SEED-2.9-09, SEED-2.9-10, SEED-5.6-04, D101). */
export function useAskedInDialog<Row extends Listed>(
  { title, text }: { title: string; text: (row: Row) => string },
  options: RemovalOptions<Row>,
): Removal<Row> {
  const [row, setRow] = useState<Row | null>(null);
  useFirstGesture(loadQuestion);
  const [confirm, busy] = useOneAtATime(async () => {
    if (row === null) return;
    await removeRow(row, options);
    setRow(null);
  });
  const cancel = () => setRow(null);
  return {
    deletingId: null,
    ask: setRow,
    question: row && {
      title,
      size: 'sm',
      onClose: cancel,
      dialog: (
        <ConfirmDialog
          open
          title={title}
          text={text(row)}
          confirmLabel={actions.remove}
          busyLabel={actions.removing}
          busy={busy}
          tone="danger"
          onConfirm={confirm}
          onCancel={cancel}
        />
      ),
    },
  };
}
