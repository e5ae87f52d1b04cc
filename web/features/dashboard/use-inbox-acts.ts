import { useQueryClient } from '@tanstack/react-query';
import type { TodayItem } from '../../../contract/desk/today.ts';
import { readTodayId } from '../../../contract/desk/today-kinds.ts';
import { mailIsStored } from '../../api/email-transport.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { useRecordCall } from '../../components/record/record-calls.ts';
import { orToast } from '../../components/record/use-action.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { apiOf } from '../../record-kinds.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { resendTexts } from '../../text/es-resend.ts';
import { toasts } from '../../ui/toasts.ts';
import { inboxQuery } from './dashboard.api.ts';
import { inboxTexts as texts } from './inbox-texts.ts';

/**
 * What the one button of a row does (DESK-01): it acts at once, opens a dialog over the dashboard, or opens the screen
 * on which the matter is decided.
 * @param ask opens the dialog of a row
 */
export function useInboxActs(ask: (item: TodayItem) => void): (item: TodayItem) => Promise<void> | void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const once = useIdempotentAttempt();
  // Its licence is among the records that show mail; not every mail has one.
  const resend = useRecordCall('licenses', (mail: number) =>
    once((headers) => request<unknown>('POST', `${apiOf('mails', mail)}resend/`, { headers })),
  );
  const reactivate = useRecordCall('webhooks', async (id: number) => {
    const { updated_at } = await request<{ updated_at: string }>('GET', apiOf('webhooks', id));
    await request<unknown>('PUT', apiOf('webhooks', id), { body: { is_active: true, updated_at } });
    await queryClient.invalidateQueries({ queryKey: inboxQuery.queryKey });
  });
  return (item) => {
    const record = readTodayId(item.id)?.record ?? 0;
    const { license, client } = item;
    switch (item.action) {
      case 'resend_mail':
        return orToast(resendTexts.failed, async () => {
          await resend.mutateAsync(record);
          toasts.success(resendTexts.resent, mailIsStored() ? outboxTexts.stored : item.title);
        });
      case 'enable_webhook':
        return orToast(texts.reactivateFailed, async () => {
          await reactivate.mutateAsync(record);
          toasts.success(texts.reactivated, item.title);
        });
      case 'review_payment':
        return void navigate({ to: PATHS.paymentRequest, params: { id: String(record) } });
      case 'check_backup':
        return void navigate({ to: PATHS.system });
      case 'open_note':
        if (license !== null) return void navigate({ to: PATHS.license, params: { id: String(license.id) } });
        if (client !== null) return void navigate({ to: PATHS.client, params: { id: String(client.id) } });
        return;
      case 'confirm_transfer':
      case 'renew_license':
      case 'release_machine':
      case 'answer_request':
      case 'explain_refusal':
        return ask(item);
    }
  };
}
