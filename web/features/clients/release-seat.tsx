import { useRef, useState } from 'react';
import type { Installation } from '../../../contract/programs/installations.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { formatDate } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useReleaseSeat } from './clients.api.ts';

const texts = clientTexts.installation;

/** Releases a machine's seat after a confirmation, for example when a computer is replaced. */
export function ReleaseSeat({ installation }: { installation: Installation }) {
  const [isAsking, setIsAsking] = useState(false);
  const openerRef = useRef<HTMLButtonElement>(null);
  const release = useReleaseSeat();
  const name = installation.machine_name || installation.machine_id;
  const [confirm, releasing] = useOneAtATime(async () => {
    try {
      const { works_until } = await release.mutateAsync(installation.id);
      toasts.success(texts.released, works_until && texts.worksUntil(formatDate(works_until)));
    } catch (error) {
      setIsAsking(false);
      toasts.error(texts.releaseFailed, errorMessage(error));
    }
  });
  return (
    <>
      <Button ref={openerRef} size="sm" aria-label={texts.releaseOf(name)} onClick={() => setIsAsking(true)}>
        {texts.release}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.releaseTitle}
        text={texts.releaseQuestion(name)}
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
