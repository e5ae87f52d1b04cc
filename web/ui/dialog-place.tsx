import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';

interface Presence {
  /** False while the dialog here only fades out. */
  open: boolean;
  /** It is out of sight and may go. */
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
 * Where a screen's dialogs stand, at most one at a time, each mounted only while it is open:
 *
 *     <DialogPlace open={editing}>{editing && <EditDialog />}</DialogPlace>
 *
 * The one that was given last stays as it was until its exit has been seen.
 */
export function DialogPlace({ open, children }: DialogPlaceProps) {
  const last = useRef(children);
  useLayoutEffect(() => {
    if (open) last.current = children;
  });
  const [place, setPlace] = useState({ open, gone: !open, turn: 0 });
  // Each opening is a dialog of its own: one that opens while the last still fades must not find what was typed there.
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

/** What stands inside a dialog has its own life: a question that is answered does not take the dialog with it. */
export function InsideDialog({ children }: { children: ReactNode }) {
  return <PresenceContext value={STAYS}>{children}</PresenceContext>;
}

/** Whether the dialog here may be open, and whom to tell once it has gone. */
export const useDialogPresence = () => useContext(PresenceContext);
