import type { ComponentProps, ReactNode } from 'react';
import type { DialogSize } from './dialog-look.ts';
import type { FinalFocus } from './final-focus.ts';

/** The record of a dialog: its name, its state, and its actions. */
export interface DialogSubject {
  name: ReactNode;
  state?: ReactNode;
  /** The reason for the state. */
  note?: ReactNode;
  actions?: ReactNode;
  /** What one asks for on the phone. It stands beside the content if there is room (`useAsideIsBeside`). */
  aside?: ReactNode;
}

export interface DialogProps {
  open: boolean;
  /**
   * Called on Escape and ×. The dialog closes when `open` becomes false, so the caller may refuse, as a form with
   * unsaved changes does. A click outside the dialog never calls it (D103).
   */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** The record that the dialog shows, under its title. */
  subject?: DialogSubject | undefined;
  /**
   * For dialogs with tabs: from 640 px on the height does not depend on the content. The content is rendered right
   * after the frame, and the dialog itself gets the focus first.
   */
  steady?: boolean;
  size?: DialogSize;
  /** The buttons, the primary one last. They stay visible while the body scrolls. */
  footer?: ReactNode;
  /** If set, body and footer are one <form noValidate>: Enter and the footer's type="submit" button call it. */
  onSubmit?: ComponentProps<'form'>['onSubmit'];
  /** The element that gets the focus after closing; default: the opener. */
  finalFocus?: FinalFocus;
  /** Called after the dialog is removed and does not hold the focus any more. */
  onGone?: () => void;
  children: ReactNode;
}
