import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  MAIL_SETTINGS_PATH,
  type MailServerTested,
  type MailSettings,
  type MailSettingsUpdate,
  type MailsWaiting,
} from '../../../contract/mail/mail-settings.ts';
import { adoptEmailTransport } from '../../api/email-transport.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import { apiOf } from '../../record-kinds.ts';

/** The stored mail server. No answer contains its password. */
export const mailServerQuery = queryOptions({
  queryKey: [KEYS.settings, 'mail'],
  queryFn: ({ signal }) => request<MailSettings>('GET', MAIL_SETTINGS_PATH, { signal }),
  staleTime: 0,
});

const WAITING_PATH = `${apiOf('mails')}send_waiting/`;

/** How many mails of the outbox folder can still be sent. */
export const waitingMailsQuery = queryOptions({
  queryKey: [KEYS.mails, 'waiting'],
  queryFn: ({ signal }) => request<MailsWaiting>('GET', WAITING_PATH, { signal }),
  staleTime: 0,
});

/** Saves the mail server; the server asks for the password of the person first. */
export function useSaveMailServer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, updatedAt, headers }: SaveContext & { values: MailSettingsUpdate }) =>
      request<MailSettings>('PUT', MAIL_SETTINGS_PATH, {
        body: { ...values, updated_at: updatedAt },
        headers,
      }),
    // Not cached, because the request contains a password.
    gcTime: 0,
    onSuccess: (saved) => {
      queryClient.setQueryData(mailServerQuery.queryKey, saved);
      // Every text about mail tells the truth from now on, without a reload (D011).
      adoptEmailTransport(saved.smtp_url || saved.host !== '' ? 'smtp' : 'folder');
      // The first steps tick this one when one comes back to them (DESK-06).
      return Promise.all(
        [KEYS.health, KEYS.statistics].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
}

/** Sends a test mail at once, and returns what the mail server said. */
export const testMailServer = (to: string) =>
  request<MailServerTested>('POST', `${MAIL_SETTINGS_PATH}test/`, { body: to === '' ? {} : { to } });

/** Starts sending the mails that wait. */
export function useSendWaiting() {
  const once = useIdempotentAttempt();
  return useMutation({
    mutationFn: () => once((headers) => request<MailsWaiting>('POST', WAITING_PATH, { headers })),
  });
}
