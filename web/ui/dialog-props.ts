import type { ComponentProps, ReactNode } from 'react';
import type { DialogSize } from './dialog-look.ts';
import type { FinalFocus } from './final-focus.ts';

/** The record of a dialog: its name, its state, and what can be done with it. */
export interface DialogSubject {
  name: ReactNode;
  state?: ReactNode;
  /** Why it is in that state. */
  note?: ReactNode;
  actions?: ReactNode;
}

export interface DialogProps {
  open: boolean;
  /**
   * Called by Escape and the ×. The dialog closes when `open` turns false, so the caller may refuse, as a form with
   * unsaved changes does. A press outside the dialog never calls it (D103).
   */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The record that the dialog shows, under its title. */
  subject?: DialogSubject | undefined;
  /**
   * From 640 px on the height stays the same whatever the content: for dialogs with tabs. Their content is drawn right
   * after the frame, and the focus begins at the dialog itself.
   */
  steady?: boolean;
  size?: DialogSize;
  /** Stays in place while the body scrolls: the buttons, the primary one last. */
  footer?: ReactNode;
  /** With it, body and footer are one <form noValidate>: Enter and the footer's type="submit" button call it. */
  onSubmit?: ComponentProps<'form'>['onSubmit'];
  /** Where focus goes after closing; default: the opener. */
  finalFocus?: FinalFocus;
  /** Called when the dialog is gone, and no longer holds the focus. */
  onGone?: () => void;
  children: ReactNode;
}
