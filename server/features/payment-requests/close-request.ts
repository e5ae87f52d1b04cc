import {
  CHECKOUT_PROVIDERS,
  PAYMENT_MESSAGES,
  type PaymentRequestState,
  type ReviewReason,
  requestName,
} from '../../../contract/payments/payment-words.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, PaymentLineRow, PaymentRequestRow } from '../../db/tables.ts';
import { paidInPart } from '../../errors.ts';
import { insertJob } from '../../jobs/jobs.queries.ts';
import { type About, record } from '../../records/record-event.ts';
import { nextVersion } from '../../records/version.ts';
import { hasPart } from '../../rules/open-requests.ts';
import type { Scope } from '../../scope.ts';
import { NO_NOTICE } from './transfer-notice.ts';

/**
 * The part of payments that licences need: how a request ends. A renewal by hand cancels it in its own transaction, and
 * features/payments, which does all else, needs licences itself (docs/decisions/120-what-a-report-does.md).
 */

/** The kind of the job that ends the pages of payment providers; payment-jobs.ts defines it. */
export const CLOSE_CHECKOUTS_JOB = 'payment_checkouts';

/** Locks a request until the transaction ends. Its licences must be locked before it, in the order of their ids. */
export const lockRequest = (tx: Db, id: number): Promise<PaymentRequestRow | undefined> =>
  lockRows(tx, tx.selectFrom('payment_requests').selectAll().where('id', '=', id)).executeTakeFirst();

export const linesOf = (db: Db, request: number): Promise<PaymentLineRow[]> =>
  db.selectFrom('payment_lines').selectAll().where('request_id', '=', request).orderBy('position').execute();

/** The only licence of a request; null if it has several, or the licence was deleted. */
export function onlyLicense(lines: readonly PaymentLineRow[]): About['license'] {
  const [line, ...others] = lines;
  if (!line || others.length > 0 || line.license_id === null) return null;
  return { id: line.license_id, license_key: line.license_key };
}

/** The subject, client and licence in events of a request. */
export const aboutRequest = (
  { id, client_id, client_name }: Pick<PaymentRequestRow, 'id' | 'client_id' | 'client_name'>,
  lines: readonly PaymentLineRow[],
): About => ({
  subject: { id, name: requestName(id) },
  client: { id: client_id, name: client_name },
  license: onlyLicense(lines),
});

/** What the link of a request still asks, in minor units; 0 if it is not open (MONEY-06). */
export const dueOf = (request: Settled & Pick<PaymentRequestRow, 'state'>): number =>
  request.state === 'open' ? leftOf(request) : 0;

type Settled = Pick<PaymentRequestRow, 'amount_cents' | 'paid_cents' | 'withheld_cents'>;

/** What the parts that came in leave of a request, whatever its state, in minor units. */
export const leftOf = ({ amount_cents, paid_cents, withheld_cents }: Settled): number =>
  amount_cents - paid_cents - withheld_cents;

type Ended = Pick<PaymentRequestRow, 'paid_at' | 'applied_at'>;

/**
 * Stores another state of a locked request. When it is no longer open, its licences can be part of a new request, and
 * its pages at providers are ended.
 * @returns the row as stored
 */
export async function setRequestState(
  scope: Scope,
  request: PaymentRequestRow,
  state: PaymentRequestState,
  { review_reason = null, ...ended }: { review_reason?: ReviewReason | null } & Partial<Ended> = {},
): Promise<PaymentRequestRow> {
  const { tx, now } = scope;
  const changed = {
    state,
    review_reason,
    ...ended,
    // What was paid answers a notice; what ended otherwise keeps it for whoever looks for the money.
    ...(state === 'paid' && NO_NOTICE),
    updated_at: nextVersion(request.updated_at, now),
  };
  await tx.updateTable('payment_requests').set(changed).where('id', '=', request.id).execute();
  if (state !== 'open') await releaseLicenses(scope, request.id);
  return { ...request, ...changed };
}

async function releaseLicenses(scope: Scope, request: number): Promise<void> {
  await scope.tx
    .updateTable('payment_lines')
    .set({ open_license_id: null })
    .where('request_id', '=', request)
    .execute();
  await closePages(scope, request);
}

/** Queues the end of a request's pages at providers, if it has any that are open. */
export async function closePages(scope: Scope, request: number): Promise<void> {
  const { tx, now } = scope;
  const open = await tx
    .selectFrom('payment_checkouts')
    .select('id')
    .where('request_id', '=', request)
    .where('provider', 'in', CHECKOUT_PROVIDERS)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!open) return;
  await insertJob(tx, { kind: CLOSE_CHECKOUTS_JOB, payload: JSON.stringify({ request }), at: now, now });
  scope.nudgeJobs(CLOSE_CHECKOUTS_JOB);
}

/** Ends an open, locked request, and writes its event. */
export async function endRequest(
  scope: Scope,
  request: PaymentRequestRow,
  state: 'cancelled' | 'expired',
  reason?: string,
): Promise<PaymentRequestRow> {
  const lines = await linesOf(scope.tx, request.id);
  const ended = await setRequestState(scope, request, state);
  await record(scope, {
    type: `payment_request.${state}`,
    ...aboutRequest(request, lines),
    changes: { state: { before: request.state, after: state } },
    ...(reason !== undefined && { reason }),
  });
  return ended;
}

/**
 * Cancels the open request of a locked licence that was renewed, transferred, cancelled or deleted by hand, because
 * its lines no longer apply (PAY-01).
 * @throws AppError 409 has_payments, as {@link refusePaidInPart}
 */
export async function cancelRequestOf(scope: Scope, license: number): Promise<void> {
  const request = await refusePaidInPart(scope.tx, license);
  if (request) await endRequest(scope, request, 'cancelled', PAYMENT_MESSAGES.cancelledByHand);
}

/**
 * Locks the open request of a locked licence.
 * @returns undefined if it has none
 * @throws AppError 409 has_payments, with the licence and the request, if a part of the request came in: its client
 * would have paid for nothing, so a person cancels the request first and says why (MONEY-06)
 */
export async function refusePaidInPart(tx: Db, license: number): Promise<PaymentRequestRow | undefined> {
  const line = await tx
    .selectFrom('payment_lines')
    .select('request_id')
    .where('open_license_id', '=', license)
    .executeTakeFirst();
  const request = line && (await lockRequest(tx, line.request_id));
  // The request may have ended while this waited for its lock.
  if (request?.state !== 'open') return undefined;
  if (hasPart(request)) throw paidInPart(PAYMENT_MESSAGES.paidInPart, license, request.id);
  return request;
}

/** Whether a part of the open request of a licence came in. */
export async function isPaidInPart(db: Db, license: number): Promise<boolean> {
  const request = await db
    .selectFrom('payment_lines')
    .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    .select(['payment_requests.paid_cents', 'payment_requests.withheld_cents'])
    .where('payment_lines.open_license_id', '=', license)
    .executeTakeFirst();
  return request !== undefined && hasPart(request);
}

/** What was sold with a licence, or as one term. */
type SaleOf = ['license_id' | 'term_id', number];

/** The open requests for what was sold, of a licence or of one of its terms, locked in the order of their ids. */
async function openSales(tx: Db, [column, id]: SaleOf): Promise<PaymentRequestRow[]> {
  const lines = await tx
    .selectFrom('payment_lines')
    .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    .select('payment_lines.request_id')
    .distinct()
    .where(`payment_lines.${column}`, '=', id)
    .where('payment_lines.kind', '=', 'sold')
    .where('payment_requests.state', '=', 'open')
    .orderBy('payment_lines.request_id')
    .execute();
  const requests: PaymentRequestRow[] = [];
  for (const { request_id } of lines) {
    const request = await lockRequest(tx, request_id);
    // The request may have ended while this waited for its lock.
    if (request?.state === 'open') requests.push(request);
  }
  return requests;
}

/**
 * Cancels the open requests for what was sold with a locked licence, or with one of its terms, because that sale is
 * taken back: the licence is cancelled or deleted, or the term undone (MONEY-05). A renewal, a transfer and a new key
 * leave them.
 */
export async function cancelSales(scope: Scope, of: SaleOf): Promise<void> {
  for (const request of await openSales(scope.tx, of)) {
    await endRequest(scope, request, 'cancelled', PAYMENT_MESSAGES.soldCancelled);
  }
}
