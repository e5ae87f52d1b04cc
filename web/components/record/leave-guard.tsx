import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { useDialogPresence } from '../../ui/dialog-place.tsx';
import { ConfirmDiscard } from './confirm-discard.tsx';

/**
 * Asks before unsaved changes are lost. A form's dialog is part of the URL, so Escape, ×, Cancelar, Back and a link all
 * leave the URL. Closing the tab opens the browser's own question.
 *
 *     const guard = useLeaveGuard(isDirty);
 *     onSuccess: () => { guard.release(); close(); }
 *     return <>…{guard.dialog}</>;
 *
 * @param ofPath only where another path is opened: a form of which the rest of the address says nothing
 * @returns `dialog` to render, and `release` to call after a save, before closing
 */
export function useLeaveGuard(dirty: boolean, { ofPath = false } = {}) {
  const released = useRef(false);
  // A form that stays open after a save holds again once it shows what was saved.
  useEffect(() => {
    if (!dirty) released.current = false;
  }, [dirty]);
  // A dialog that fades out is already closed.
  const { open } = useDialogPresence();
  const holds = () => open && dirty && !released.current && useSession.getState().isAuthenticated;
  const held = useBlocker({
    shouldBlockFn: ({ current, next }) => holds() && !(ofPath && current.pathname === next.pathname),
    enableBeforeUnload: holds,
    withResolver: true,
  });
  const release = useCallback(() => {
    released.current = true;
  }, []);
  const dialog = (
    <ConfirmDiscard
      open={held.status === 'blocked'}
      onDiscard={() => held.proceed?.()}
      onKeep={() => held.reset?.()}
    />
  );
  return { dialog, release };
}
