import { signedInNotice } from '../../../text/es-auth.ts';
import { toastStore, toasts } from '../../../ui/toasts.ts';

/** The notification of a sign-in, which dismisses those of earlier failures. */
export function welcome(): void {
  for (const { id, tone } of toastStore.read()) if (tone === 'critical') toasts.dismiss(id);
  toasts.success(signedInNotice.title, signedInNotice.text);
}
