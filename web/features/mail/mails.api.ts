import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Mail, MailRow } from '../../../contract/mail/mails.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import type { ListPage } from '../../api/list-page.ts';
import { pageQuery } from '../../api/list-query.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { recordQuery } from '../../components/record/record-calls.ts';
import { apiOf } from '../../record-kinds.ts';
import type { MailsSearch } from './mails-search.ts';

/** How often a screen with queued mails is refetched. */
const AGAIN_MS = 4_000;

/** The query of the list page at a URL. It is refetched while a mail is queued. */
export const mailsAt = (search: MailsSearch) => {
  const { q: address, status, kind, license, client } = search;
  const filters = { address, status, kind, license, client };
  return {
    ...pageQuery<MailRow>({ kind: 'mails', filters }, search),
    refetchInterval: ({ state }: { state: { data?: ListPage<MailRow> | undefined } }) =>
      untilSent(state.data?.rows),
  };
};

/** One mail with its content. */
export const mailQuery = (id: number) => recordQuery<Mail>('mails', id);

/** The refetch interval while a mail is queued. */
export const untilSent = (mails: readonly Pick<MailRow, 'status'>[] | undefined) =>
  mails?.some(({ status }) => status === 'queued') ? AGAIN_MS : false;

/**
 * An action on a mail. Afterwards it refetches everything that shows mail, including the delivery status of licences.
 */
function useMailAction(action: 'resend' | 'cancel') {
  const queryClient = useQueryClient();
  const once = useIdempotentAttempt();
  return useMutation({
    mutationFn: (id: number) =>
      once((headers) => request<Mail>('POST', `${apiOf('mails', id)}${action}/`, { headers })),
    // Refetched also after a refusal, because a mail that cannot be cancelled any more was sent meanwhile.
    onSettled: () => refreshAfterChange(queryClient, 'licenses'),
  });
}

/** Queues a copy to the client's current address. A mail that still waits is replaced. Returns the copy. */
export const useResendMail = () => useMailAction('resend');
export const useCancelMail = () => useMailAction('cancel');
