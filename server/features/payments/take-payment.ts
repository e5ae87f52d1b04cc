import { actionRefusal } from '../../../contract/licenses/verbs/index.ts';
import type { PaymentState, ReviewReason } from '../../../contract/payments/payment-words.ts';
import { CHARGEBACK_REASON, PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { Changes } from '../../../contract/system/events.ts';
import { lockRows } from '../../db/dialect.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import type { Db, PaymentsTable } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import { nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { renewPaid } from '../licenses/renew-license.ts';
import { suspendLicense } from '../licenses/suspend-license.ts';
import { setRequestState } from '../payment-requests/close-request.ts';
import {
  amountOf,
  linesOf,
  lockRequest,
  type PaymentLineRow,
  type PaymentRequestRow,
  type PaymentRow,
} from '../payment-requests/payment-request.queries.ts';
import { aboutPayment } from '../payment-requests/payment-request.record.ts';
import { readGeneral } from './payment-accounts.ts';
import type { Seen } from './providers/provider.ts';
import { queueReceipt } from './request-mail.ts';

/**
 * Processes a reported payment, however it was reported and how often (PAY-04, PAY-05). Each report is one
 * transaction that locks the licences, then the request. If several report the same payment, the first applies it and
 * the others find it applied.
 */

/** The order of states; a payment's state never moves back. */
const RANK: Record<PaymentState, number> = {
  pending: 0,
  failed: 1,
  approved: 2,
  refunded: 3,
  charged_back: 3,
};

/** A locked request with its lines. */
export type Held = { request: PaymentRequestRow; lines: PaymentLineRow[] };

/**
 * Locks the licences of a request and then the request itself.
 * @returns undefined if the request does not exist
 */
export async function holdRequest(scope: Scope, id: number): Promise<Held | undefined> {
  const { tx } = scope;
  // The licences of a line never change, unless they are deleted, so they can be read before the lock.
  const ids = (await linesOf(tx, id)).flatMap(({ license_id }) => license_id ?? []);
  if (ids.length > 0) await licenseRecord.lock(tx, ids);
  const request = await lockRequest(tx, id);
  return request && { request, lines: await linesOf(tx, id) };
}

/** The settings by which a payment is judged. */
export type Judge = {
  /** Whether test payments without money are applied like others. */
  demo: boolean;
  /** The vendor's account at the provider; null if a token always belongs to one account. */
  account: string | null;
};

/**
 * Stores what a provider reported about a payment of a request, and does what is necessary: nothing, apply it, a
 * review, a refund, a chargeback.
 */
export async function takePayment(
  scope: Scope,
  requestId: number,
  provider: 'mercado_pago' | 'stripe' | 'demo',
  seen: Seen,
  judge: Judge,
): Promise<void> {
  const held = await holdRequest(scope, requestId);
  // A payment with the reference of another request is ignored.
  if (!held || seen.reference !== held.request.reference) return;
  const before = await lockRows(
    scope.tx,
    scope.tx
      .selectFrom('payments')
      .selectAll()
      .where('provider', '=', provider)
      .where('source', '=', seen.source),
  ).executeTakeFirst();
  // A payment stays with the request for which it was first reported.
  if (before && before.request_id !== requestId) return;
  const payment = await storeSeen(scope, held.request, provider, seen, before);
  if (provider === 'stripe') await closeSession(scope, seen.source);
  const wasApproved = before !== undefined && RANK[before.state] >= RANK.approved;
  if (payment.state === 'approved' && !wasApproved) {
    await receive(scope, held, payment, await oddnessOf(scope, held, payment, seen, judge));
  }
  await tellReturns(scope, held, payment, before);
}

type Stored = Omit<PaymentRow, 'id'>;

/** Stores the reported payment; a report that is older than the stored state changes nothing. */
async function storeSeen(
  { tx, now }: Scope,
  request: PaymentRequestRow,
  provider: PaymentsTable['provider'],
  seen: Seen,
  before: PaymentRow | undefined,
): Promise<PaymentRow> {
  const at = now.toISOString();
  if (!before) {
    const row: Stored = {
      provider,
      source: seen.source,
      provider_id: seen.providerId,
      request_id: request.id,
      client_id: request.client_id,
      client_name: request.client_name,
      state: seen.state,
      amount_cents: seen.amount,
      refunded_cents: refundedOf(seen),
      currency: seen.currency,
      method: seen.method,
      reference: '',
      is_test: seen.isTest,
      dispute: seen.dispute,
      created_at: at,
      paid_at: isPaid(seen.state) ? (seen.paidAt ?? at) : null,
      updated_at: at,
    };
    const { id } = await tx.insertInto('payments').values(row).returning('id').executeTakeFirstOrThrow();
    return { ...row, id };
  }
  const isForward = RANK[seen.state] > RANK[before.state];
  const state = isForward ? seen.state : before.state;
  const changed = {
    state,
    provider_id: seen.providerId,
    // Amount and currency are those of the received money: a voucher may be paid with less.
    ...(isForward && { amount_cents: seen.amount, currency: seen.currency, is_test: seen.isTest }),
    ...(isForward && seen.method !== null && { method: seen.method }),
    refunded_cents: Math.max(before.refunded_cents, refundedOf(seen)),
    dispute: laterDispute(before.dispute, seen.dispute),
    paid_at: before.paid_at ?? (isPaid(state) ? (seen.paidAt ?? at) : null),
  };
  if (changed.refunded_cents > before.refunded_cents) await endRefunds(tx, before.id, changed.refunded_cents);
  const isSame = Object.entries(changed).every(([name, value]) => before[name as keyof PaymentRow] === value);
  if (isSame) return before;
  const updated_at = nextVersion(before.updated_at, now);
  await tx
    .updateTable('payments')
    .set({ ...changed, updated_at })
    .where('id', '=', before.id)
    .execute();
  return { ...before, ...changed, updated_at };
}

/** Refunds whose answer was lost are done when the provider reports their amount. */
async function endRefunds(tx: Db, payment: number, refunded: number): Promise<void> {
  await tx
    .updateTable('payment_refunds')
    .set({ state: 'done' })
    .where('payment_id', '=', payment)
    .where('state', '=', 'asked')
    .where((eb) => eb(eb('refunded_before', '+', eb.ref('amount_cents')), '<=', refunded))
    .execute();
}

const isPaid = (state: PaymentState): boolean => RANK[state] >= RANK.approved;

/** The refunded amount; the whole amount if the provider reports a refund without an amount. */
const refundedOf = ({ state, amount, refunded }: Seen): number =>
  state === 'refunded' && refunded === 0 ? amount : refunded;

const DISPUTES = [null, 'open', 'lost', 'won'] as const;
/** A dispute that has ended does not become open again. */
function laterDispute(before: PaymentRow['dispute'], seen: Seen['dispute']): PaymentRow['dispute'] {
  return DISPUTES.indexOf(seen) > DISPUTES.indexOf(before) ? seen : before;
}

/** Nobody can pay on a session that the client has completed, so its page is closed. */
async function closeSession({ tx, now }: Scope, session: string): Promise<void> {
  await tx
    .updateTable('payment_checkouts')
    .set({ closed_at: now.toISOString() })
    .where('provider', '=', 'stripe')
    .where('session_id', '=', session)
    .where('closed_at', 'is', null)
    .execute();
}

/** Why an approved payment needs a review, the most serious reason first; null if it is as requested (PAY-05). */
async function oddnessOf(
  { tx }: Scope,
  { request, lines }: Held,
  payment: PaymentRow,
  seen: Seen,
  { demo, account }: Judge,
): Promise<ReviewReason | null> {
  if (payment.is_test && !demo) return 'test';
  if (seen.account !== null && account !== null && seen.account !== account) return 'account';
  if (payment.currency !== request.currency) return 'currency';
  if (payment.amount_cents !== request.amount_cents) return 'amount';
  const isAfter = isLate(request, payment) || (await wasRenewedSince(tx, request, lines));
  return isAfter ? 'late' : null;
}

/**
 * Whether a licence was renewed after the request was made. While the request is open a renewal cancels it. After its
 * end a renewal does not change it, but a payment that is reported then must not renew the licence again.
 */
async function wasRenewedSince(
  tx: Db,
  { state, created_at }: PaymentRequestRow,
  lines: readonly PaymentLineRow[],
): Promise<boolean> {
  const ids = lines.flatMap(({ license_id }) => license_id ?? []);
  if (state !== 'expired' || ids.length === 0) return false;
  const term = await tx
    .selectFrom('license_terms')
    .select('id')
    .where('license_id', 'in', ids)
    .where('created_at', '>', created_at)
    .limit(1)
    .executeTakeFirst();
  return term !== undefined;
}

/** Whether it was paid after the end of the request. A payment made in time but reported later is not late. */
function isLate({ state, expires_at }: PaymentRequestRow, { paid_at }: PaymentRow): boolean {
  if (state === 'cancelled') return true;
  return paid_at !== null && Date.parse(paid_at) > Date.parse(expires_at);
}

/** Writes the event of a received payment and applies it, once, or sets the request to review. */
export async function receive(
  scope: Scope,
  held: Held,
  payment: PaymentRow,
  oddness: ReviewReason | null,
): Promise<void> {
  const { request, lines } = held;
  await record(scope, {
    type: 'payment.received',
    ...aboutPayment(payment, lines),
    changes: {
      state: { before: null, after: payment.state },
      amount: { before: null, after: amountOf(payment.amount_cents, payment.currency) },
      currency: { before: null, after: payment.currency },
    },
  });
  const isSecond = request.applied_at !== null;
  const reason = oddness === 'test' || !isSecond ? oddness : 'duplicate';
  if (request.state === 'review') {
    // A test payment is not money. When a real payment follows it, a person must be able to apply that one, not only
    // to close the request.
    const isNew = request.review_reason === 'test' && reason !== 'test';
    if (isNew) await setRequestState(scope, request, 'review', { review_reason: reason ?? 'late' });
    return;
  }
  if (reason !== null) {
    await setRequestState(scope, request, 'review', { review_reason: reason });
    return;
  }
  const refusal = await applyLines(scope, held, payment);
  if (refusal) await setRequestState(scope, request, 'review', { review_reason: 'license' });
}

/**
 * Applies all lines of a locked request at their stored terms, or none, and queues the receipt.
 * @returns the refusal of a line; undefined when all were applied
 */
export async function applyLines(
  scope: Scope,
  { request, lines }: Held,
  payment: PaymentRow,
): Promise<AppError | undefined> {
  const { tx, now } = scope;
  try {
    await inSavepoint(tx, async () => {
      // Comes first, so that the renewals find no open request to cancel.
      const paid = await setRequestState(scope, request, 'paid', {
        paid_at: payment.paid_at ?? now.toISOString(),
        applied_at: now.toISOString(),
      });
      await refuseTransferred(tx, paid, lines);
      for (const line of lines) await applyLine(scope, paid, line, payment.is_test);
      await queueReceipt(scope, paid, payment);
    });
    return undefined;
  } catch (error) {
    // A renewal was refused. Any other error rolls back the whole transaction, which is then tried again.
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}

/** @throws AppError 409 conflict if a licence belongs to another client now: that client has not paid */
async function refuseTransferred(
  tx: Db,
  { client_id }: PaymentRequestRow,
  lines: readonly PaymentLineRow[],
): Promise<void> {
  const ids = lines.flatMap(({ license_id }) => license_id ?? []);
  if (ids.length === 0) return;
  const transferred = await tx
    .selectFrom('licenses')
    .select('id')
    .where('id', 'in', ids)
    .where('client_id', '<>', client_id)
    .limit(1)
    .executeTakeFirst();
  if (transferred) throw new AppError(409, 'conflict', { message: PAYMENT_MESSAGES.transferred });
}

async function applyLine(
  scope: Scope,
  { currency }: PaymentRequestRow,
  line: PaymentLineRow,
  isTest: boolean,
): Promise<void> {
  if (line.license_id === null) throw new AppError(409, 'conflict');
  const { price_cents, original_price_cents, discount_percentage, promotion_name, promotion_description } =
    line;
  const { term, starts, ends } = await renewPaid({ ...scope, expected: null }, line.license_id, {
    kind: line.kind,
    days: line.days,
    type: line.license_type_id,
    price: {
      price_cents,
      original_price_cents,
      discount_percentage,
      promotion_name,
      promotion_description,
      currency,
    },
    isTest,
  });
  await scope.tx
    .updateTable('payment_lines')
    .set({ term_id: term, starts, ends })
    .where('id', '=', line.id)
    .execute();
}

/**
 * Writes the event that money was refunded or is disputed. For a chargeback it suspends the paid licences if the
 * vendor has chosen that (PAY-06).
 */
async function tellReturns(
  scope: Scope,
  held: Held,
  payment: PaymentRow,
  before: PaymentRow | undefined,
): Promise<void> {
  const about = aboutPayment(payment, held.lines);
  const state = { before: before?.state ?? null, after: payment.state };
  const isDisputed = payment.state === 'charged_back' && before?.state !== 'charged_back';
  if (payment.refunded_cents > (before?.refunded_cents ?? 0) && !isDisputed) {
    const inWords = (cents: number) => amountOf(cents, payment.currency);
    const changes: Changes = {
      refunded_amount: {
        before: inWords(before?.refunded_cents ?? 0),
        after: inWords(payment.refunded_cents),
      },
      ...(state.before !== state.after && { state }),
    };
    await record(scope, { type: 'payment.refunded', ...about, changes });
  }
  const isEnded = !isDisputed && payment.dispute !== (before?.dispute ?? null);
  if (!isDisputed && !isEnded) return;
  const changes: Changes = {
    ...(state.before !== state.after && { state }),
    dispute: { before: before?.dispute ?? null, after: payment.dispute },
  };
  await record(scope, { type: 'payment.disputed', ...about, changes });
  if (!isDisputed || held.request.applied_at === null) return;
  const { on_chargeback } = await readGeneral(scope.tx);
  if (on_chargeback === 'suspend') await suspendLines(scope, held);
}

/**
 * Suspends the licences of a request where possible; a licence that was transferred to another client is not changed.
 */
async function suspendLines(scope: Scope, { request, lines }: Held): Promise<void> {
  const ids = lines.flatMap(({ license_id }) => license_id ?? []);
  if (ids.length === 0) return;
  for (const license of await licenseRecord.lock(scope.tx, ids)) {
    if (license.client_id !== request.client_id || actionRefusal('suspend', license)) continue;
    const free = { ...scope, expected: null };
    await suspendLicense(free, license.id, { reason: CHARGEBACK_REASON, notify: false });
  }
}

/**
 * Stores how a dispute ended, as reported by a signed notification; licences are not reinstated automatically
 * (PAY-06).
 */
export async function endDispute(
  scope: Scope,
  payment: { id: number; request_id: number },
  dispute: 'won' | 'lost',
): Promise<void> {
  const held = mustExist(await holdRequest(scope, payment.request_id), `request ${payment.request_id}`);
  const row = await lockRows(
    scope.tx,
    scope.tx.selectFrom('payments').selectAll().where('id', '=', payment.id),
  ).executeTakeFirst();
  if (!row || laterDispute(row.dispute, dispute) === row.dispute) return;
  const updated_at = nextVersion(row.updated_at, scope.now);
  await scope.tx.updateTable('payments').set({ dispute, updated_at }).where('id', '=', row.id).execute();
  await record(scope, {
    type: 'payment.disputed',
    ...aboutPayment(row, held.lines),
    changes: { dispute: { before: row.dispute, after: dispute } },
  });
}
