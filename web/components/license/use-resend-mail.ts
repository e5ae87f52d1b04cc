import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { errorMessage } from '../../api/api-error.ts';
import { mailIsStored } from '../../api/email-transport.ts';
import { request } from '../../api/http.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { resendTexts as texts } from '../../text/es-resend.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../record/use-one-at-a-time.ts';

/**
 * Sends the mail of a licence to its client again, and says what came of it.
 * @returns the work, one at a time, and whether it is running
 */
export function useResendMail({ id, client_email }: Pick<LicenseRow, 'id' | 'client_email'>) {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: () => request<unknown>('POST', `/licenses/api/licenses/${id}/resend_email/`),
    onSuccess: () => refreshAfterChange(queryClient, 'licenses'),
  });
  return useOneAtATime(async () => {
    try {
      await mutateAsync();
      toasts.success(texts.resent, mailIsStored() ? outboxTexts.stored : texts.resentText(client_email));
    } catch (error) {
      toasts.error(texts.failed, errorMessage(error));
    }
  });
}
