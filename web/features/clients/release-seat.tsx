import { useRef, useState } from 'react';
import type { Installation } from '../../../contract/programs/installations.ts';
import { nameOfMachine, useReleaseSeat } from '../../components/license/use-release-seat.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { releaseTexts as texts } from '../../text/es-release.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Releases a machine's seat after a confirmation, for example when a computer is replaced. */
export function ReleaseSeat({ installation }: { installation: Installation }) {
  const [isAsking, setIsAsking] = useState(false);
  const openerRef = useRef<HTMLButtonElement>(null);
  const release = useReleaseSeat();
  const name = nameOfMachine(installation);
  const [confirm, releasing] = useOneAtATime(async () => {
    if (!(await release(installation))) setIsAsking(false);
  });
  return (
    <>
      <Button ref={openerRef} size="sm" aria-label={texts.of(name)} onClick={() => setIsAsking(true)}>
        {texts.release}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.title}
        text={texts.question(name)}
        confirmLabel={texts.release}
        busyLabel={texts.releasing}
        busy={releasing}
        tone="danger"
        onConfirm={confirm}
        onCancel={() => setIsAsking(false)}
        finalFocus={openerRef}
      />
    </>
  );
}
