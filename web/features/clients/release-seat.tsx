import { useRef } from 'react';
import type { Installation } from '../../../contract/programs/installations.ts';
import { nameOfMachine, useReleaseSeat } from '../../components/license/use-release-seat.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { releaseTexts as texts } from '../../text/es-release.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { AskOfClient, QuestionProps } from './ask-of-client.ts';

/** 'Liberar': releases a machine's seat, for example when a computer was replaced. */
export const ReleaseButton = ({
  installation,
  onAsk,
}: {
  installation: Installation;
  onAsk: AskOfClient;
}) => (
  <Button
    size="sm"
    aria-label={texts.of(nameOfMachine(installation))}
    onClick={({ currentTarget }) => onAsk({ kind: 'release', installation, opener: currentTarget })}
  >
    {texts.release}
  </Button>
);

/** Releases a machine's seat after a confirmation. */
export function ReleaseQuestion({
  installation,
  onClose,
  finalFocus,
}: QuestionProps & { installation: Installation }) {
  const release = useReleaseSeat();
  const list = useRef<HTMLElement | null>(null);
  const [confirm, releasing] = useOneAtATime(async () => {
    const opener = finalFocus();
    // The released machine's row disappears, so the focus goes to the list's tab panel.
    const tab = opener.closest<HTMLElement>('[role=tabpanel]');
    if (await release(installation)) list.current = tab;
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title={texts.title}
      text={texts.question(nameOfMachine(installation))}
      confirmLabel={texts.release}
      busyLabel={texts.releasing}
      busy={releasing}
      tone="danger"
      onConfirm={confirm}
      onCancel={onClose}
      finalFocus={() => list.current ?? finalFocus()}
    />
  );
}
