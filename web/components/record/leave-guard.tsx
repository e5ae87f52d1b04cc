import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { discardTexts } from '../../text/es.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useDialogPresence } from '../../ui/dialog-place.tsx';

/**
 * Asks before unsaved changes are lost (experience: nothing typed is lost). A form's dialog lives in the address, so
 * Escape, ×, Cancelar, Back and a link are all the same thing here: leaving the address. Closing the tab asks in the
 * browser's own words.
 *
 *     const guard = useLeaveGuard(isDirty);
 *     onSuccess: () => { guard.release(); close(); }
 *     return <>…{guard.dialog}</>;
 *
 * @returns `dialog` to be rendered, and `release`, called after a save and before closing
 */
export function useLeaveGuard(dirty: boolean) {
  const released = useRef(false);
  // One that fades out has been left already.
  const { open } = useDialogPresence();
  const holds = () => open && dirty && !released.current && useSession.getState().isAuthenticated;
  const blocker = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  });
  const release = useCallback(() => {
    released.current = true;
  }, []);
  const dialog = (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={discardTexts.title}
      text={discardTexts.text}
      confirmLabel={discardTexts.confirm}
      cancelLabel={discardTexts.keep}
      tone="danger"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
  return { dialog, release };
}
