import { signedInNotice } from '../../../text/es-auth.ts';
import { toasts } from '../../../ui/toasts.ts';

/** Shows the notification of a sign-in and dismisses those of earlier failures. */
export function welcome(): void {
  toasts.dismissErrors();
  toasts.success(signedInNotice.title, signedInNotice.text);
}
