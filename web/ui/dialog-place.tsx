import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';

interface Presence {
  /** False during the exit animation. */
  open: boolean;
  /** Called when the exit animation has ended and the dialog may unmount. */
  onGone: () => void;
}

const STAYS: Presence = { open: true, onGone: () => {} };
const PresenceContext = createContext(STAYS);

interface DialogPlaceProps {
  /** True if one of the dialogs is rendered. */
  open: boolean;
  children: ReactNode;
}

/**
 * Renders the dialogs of a screen, at most one at a time, each mounted only while it is open:
 *
 *     <DialogPlace open={editing}>{editing && <EditDialog />}</DialogPlace>
 *
 * The last dialog stays mounted and unchanged until its exit animation has ended.
 */
export function DialogPlace({ open, children }: DialogPlaceProps) {
  const last = useRef(children);
  useLayoutEffect(() => {
    if (open) last.current = children;
  });
  const [place, setPlace] = useState({ open, gone: !open, turn: 0 });
  // Each opening mounts a new dialog. Otherwise one that opens during the exit animation would contain the typed
  // values of the last one.
  if (place.open !== open) setPlace({ open, gone: false, turn: place.turn + (open ? 1 : 0) });
  if (!open && place.gone) return null;
  return (
    <PresenceContext
      key={place.turn}
      value={{ open, onGone: () => setPlace((now) => (now.open ? now : { ...now, gone: true })) }}
    >
      {open ? children : last.current}
    </PresenceContext>
  );
}

/** Resets the context inside a dialog, so that closing a nested dialog does not close this one. */
export function InsideDialog({ children }: { children: ReactNode }) {
  return <PresenceContext value={STAYS}>{children}</PresenceContext>;
}

/** Whether the dialog is open, and the callback for the end of its exit animation. */
export const useDialogPresence = () => useContext(PresenceContext);
