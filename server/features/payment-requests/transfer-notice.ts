import { addDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow } from '../../db/tables.ts';
import { nextVersion } from '../../records/version.ts';
import { openUntil } from '../../rules/open-requests.ts';
import type { Scope } from '../../scope.ts';

/**
 * What a client says about a transfer (MONEY-11, docs/decisions/156-a-notice-proves-nothing.md). It waits in the
 * request until a payment is recorded or somebody says that none arrived. Meanwhile the request stays open some days
 * beyond its end, at its price; nothing else follows from it.
 */

type Notice = Pick<PaymentRequestRow, 'notice_at' | 'notice_reference' | 'notice_paid_on' | 'held_until'>;

export const NO_NOTICE = {
  notice_at: null,
  notice_reference: '',
  notice_paid_on: null,
  held_until: null,
} as const satisfies Notice;

/** The end of a request as its client reads it: a notice moves it only where it would be over already. */
export const shownEnd = (request: Parameters<typeof openUntil>[0], now: Date): string =>
  Date.parse(request.expires_at) < now.getTime() ? openUntil(request) : request.expires_at;

/** Until when a request with a notice stays open: the end of a local day. */
export const noticeEnd = (expires_at: string, timeZone: string): string =>
  endOfLocalDay(addDays(localDay(expires_at, timeZone), PAYMENT_LIMITS.noticeOpenDays), timeZone);

/** The notice of a request as it is answered; null without one. */
export const noticeOf = ({ notice_at, notice_reference, notice_paid_on }: Notice) =>
  notice_at === null || notice_paid_on === null
    ? null
    : { at: notice_at, reference: notice_reference, paid_on: notice_paid_on };

/**
 * Stores another notice of a locked request, or none.
 * @returns the row as stored
 */
export async function storeNotice(
  { tx, now }: Pick<Scope, 'tx' | 'now'>,
  request: PaymentRequestRow,
  notice: Notice,
): Promise<PaymentRequestRow> {
  const changed = { ...notice, updated_at: nextVersion(request.updated_at, now) };
  await tx.updateTable('payment_requests').set(changed).where('id', '=', request.id).execute();
  return { ...request, ...changed };
}
