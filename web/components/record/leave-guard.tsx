import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { useDialogPresence } from '../../ui/dialog-place.tsx';
import { ConfirmDiscard } from './confirm-discard.tsx';

/**
 * Asks for confirmation before unsaved changes are lost. A form's dialog is part of the URL, so Escape, ×, Cancelar,
 * Back and links all leave the URL. When the tab is closed, the browser asks.
 *
 *     const guard = useLeaveGuard(isDirty);
 *     onSuccess: () => { guard.release(); close(); }
 *     return <>…{guard.dialog}</>;
 *
 * @param ofPath asks only if another path is opened, for a form that does not depend on the rest of the address
 * @returns `dialog` to render, and `release` to call after a save, before closing
 */
export function useLeaveGuard(dirty: boolean, { ofPath = false } = {}) {
  const released = useRef(false);
  // A form that stays open after a save guards again once it shows the saved values.
  useEffect(() => {
    if (!dirty) released.current = false;
  }, [dirty]);
  // During its exit animation a dialog counts as closed.
  const { open } = useDialogPresence();
  const holds = () => open && dirty && !released.current && useSession.getState().isAuthenticated;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => holds() && !(ofPath && current.pathname === next.pathname),
    enableBeforeUnload: holds,
    withResolver: true,
  });
  const release = useCallback(() => {
    released.current = true;
  }, []);
  const dialog = (
    <ConfirmDiscard
      open={blocker.status === 'blocked'}
      onDiscard={() => blocker.proceed?.()}
      onKeep={() => blocker.reset?.()}
    />
  );
  return { dialog, release };
}
