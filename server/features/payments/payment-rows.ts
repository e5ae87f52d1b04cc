import type { ExpressionBuilder } from 'kysely';
import { type AccountProvider, paymentName } from '../../../contract/payments/payment-words.ts';
import { searchTextOf } from '../../../contract/reading/search-folding.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, PaymentLineRow, PaymentRequestRow, PaymentRow, Tables } from '../../db/tables.ts';
import type { About } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { linesOf, lockRequest, onlyLicense } from '../payment-requests/close-request.ts';

/** The rows of a payment as its verbs hold them: locked in one order, the licences, the request, the payment. */

/** A locked request with its lines. */
export type LockedRequest = { request: PaymentRequestRow; lines: PaymentLineRow[] };

/**
 * Locks the licences of a request and then the request itself.
 * @returns undefined if the request does not exist
 */
export async function lockRequestWithLines({ tx }: Scope, id: number): Promise<LockedRequest | undefined> {
  // The licences of a line never change, unless they are deleted, so they can be read before the lock.
  const ids = licensesOf(await linesOf(tx, id));
  if (ids.length > 0) await licenseRecord.lock(tx, ids);
  const request = await lockRequest(tx, id);
  return request && { request, lines: await linesOf(tx, id) };
}

/** The licences of lines that were not deleted. */
export const licensesOf = (lines: readonly PaymentLineRow[]): number[] =>
  lines.flatMap(({ license_id }) => license_id ?? []);

/** Locks a payment until the transaction ends. */
export const lockPayment = (tx: Db, id: number): Promise<PaymentRow | undefined> =>
  lockRows(tx, tx.selectFrom('payments').selectAll().where('id', '=', id)).executeTakeFirst();

/** What every payment takes from its request, and from the moment at which it is stored. */
type OfRequest =
  | 'id'
  | 'request_id'
  | 'client_id'
  | 'client_name'
  | 'search_text'
  | 'created_at'
  | 'updated_at';

/** The text by which a payment is searched (MONEY-13). */
const paymentText = ({ reference }: Pick<PaymentRow, 'reference'>): string => searchTextOf([reference]);

/** Stores a new payment of a request. */
export async function insertPayment(
  { tx, now }: Scope,
  { id: request_id, client_id, client_name }: PaymentRequestRow,
  payment: Omit<PaymentRow, OfRequest>,
): Promise<PaymentRow> {
  const at = now.toISOString();
  const search_text = paymentText(payment);
  const row = { ...payment, request_id, client_id, client_name, search_text, created_at: at, updated_at: at };
  const { id } = await tx.insertInto('payments').values(row).returning('id').executeTakeFirstOrThrow();
  return { ...row, id };
}

/**
 * Whether a provider's page asks an amount that is no longer due: a part that came in has ended the offer of the page in
 * the moment of its making (manual-payment.ts). A payment may still come from it.
 */
export const isOutdated = (eb: ExpressionBuilder<Tables, 'payment_checkouts'>) =>
  eb('payment_checkouts.expires_at', '<=', eb.ref('payment_checkouts.created_at'));

/** Closes provider pages on which nobody can pay any more. */
export async function closeSessions(
  db: Db,
  provider: AccountProvider,
  sessions: string[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('payment_checkouts')
    .set({ closed_at: now.toISOString() })
    .where('provider', '=', provider)
    .where('session_id', 'in', sessions)
    .where('closed_at', 'is', null)
    .execute();
}

/** The subject, client and licence in events of a payment. */
export const aboutPayment = (
  { id, client_id, client_name }: PaymentRow,
  lines: readonly PaymentLineRow[],
): About => ({
  subject: { id, name: paymentName(id) },
  client: { id: client_id, name: client_name },
  license: onlyLicense(lines),
});
