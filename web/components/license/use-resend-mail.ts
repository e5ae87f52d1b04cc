import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { mailIsStored } from '../../api/email-transport.ts';
import { request } from '../../api/http.ts';
import { apiOf } from '../../record-kinds.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { resendTexts as texts } from '../../text/es-resend.ts';
import { toasts } from '../../ui/toasts.ts';
import { useRecordCall } from '../record/record-calls.ts';
import { useAction } from '../record/use-action.ts';

/**
 * Sends the mail about a licence to its client again, and shows the result in a toast.
 * @returns the function, which runs once at a time, and whether it is running
 */
export function useResendMail({ id, client_email }: Pick<LicenseRow, 'id' | 'client_email'>) {
  const { mutateAsync } = useRecordCall('licenses', () =>
    request<unknown>('POST', `${apiOf('licenses', id)}resend_email/`),
  );
  return useAction(texts.failed, async () => {
    await mutateAsync(undefined);
    if (mailIsStored()) toasts.warning(texts.resent, outboxTexts.stored);
    else toasts.success(texts.resent, texts.resentText(client_email));
  });
}
