import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';

interface Presence {
  /** False while the dialog fades out. */
  open: boolean;
  /** Called when the exit animation is over and the dialog may unmount. */
  onGone: () => void;
}

const STAYS: Presence = { open: true, onGone: () => {} };
const PresenceContext = createContext(STAYS);

interface DialogPlaceProps {
  /** Whether one of the dialogs is given. */
  open: boolean;
  children: ReactNode;
}

/**
 * The place of a screen's dialogs, at most one at a time, each mounted only while it is open:
 *
 *     <DialogPlace open={editing}>{editing && <EditDialog />}</DialogPlace>
 *
 * The last dialog stays mounted and unchanged until its exit animation is over.
 */
export function DialogPlace({ open, children }: DialogPlaceProps) {
  const last = useRef(children);
  useLayoutEffect(() => {
    if (open) last.current = children;
  });
  const [place, setPlace] = useState({ open, gone: !open, turn: 0 });
  // Each opening is a new dialog: one that opens while the last one fades must not have its typed values.
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

/** Resets the context inside a dialog, so that closing a nested question does not close the dialog. */
export function InsideDialog({ children }: { children: ReactNode }) {
  return <PresenceContext value={STAYS}>{children}</PresenceContext>;
}

/** Whether the dialog here may be open, and the callback for the end of its exit. */
export const useDialogPresence = () => useContext(PresenceContext);
