import { createHash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { amountErrors, toMinorUnits } from '../../../contract/base/money.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { PaymentRefund } from '../../../contract/payments/payments.ts';
import type { AppContext } from '../../context.ts';
import type { Db, PaymentRefundsTable, PaymentRow } from '../../db/tables.ts';
import { AppError, conflict, fault, faultsOf, invalid, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import {
  isAccountProvider,
  openAccount,
  PROVIDERS,
  providerActor,
  readAccounts,
} from './payment-accounts.ts';
import { lockPayment, lockRequestWithLines } from './payment-rows.ts';
import { awayError } from './payment-settings.ts';
import { isKnown } from './payments.queries.ts';
import { demoPayment } from './providers/demo.ts';
import { ProviderAway, ProviderRefused } from './providers/provider.ts';
import { storeAnswer, storeReport } from './store-report.ts';

/**
 * Refunds payments (PAY-06). The requested refund is stored before the provider is called, together with an
 * idempotency key and what was refunded before; the provider is asked for that immediately before, because the vendor
 * can refund on its site too. If the answer is lost, the next call first asks the provider whether the refund was made:
 * a provider forgets its keys after a time, but not what it refunded.
 */

type Refund = Selectable<PaymentRefundsTable>;

/** What a call has to do. */
type Claim = { payment: PaymentRow } & (
  | { is: 'done' }
  /** The provider must be asked for what it refunded before a new refund is stored. */
  | { is: 'outdated' }
  | { is: 'new'; refund: Refund }
  /** An earlier refund without an answer, and how this call relates to it: the same refund, more, or another. */
  | { is: 'same' | 'more' | 'other'; refund: Refund }
);

/**
 * Refunds an approved payment at its provider; the provider's answer changes the payment's state.
 * @param requestKey identifies a repeated call: a hash of its caller and Idempotency-Key; null without the header
 * @throws notFound (404); AppError 409 conflict, or idempotency_conflict when the key was used for another amount;
 * invalid (400) on `amount`; AppError 503 when the provider cannot be reached
 */
export async function refundPayment(
  context: AppContext,
  id: number,
  { amount }: PaymentRefund,
  requestKey: string | null,
): Promise<void> {
  for (let isCurrent = false; ; isCurrent = true) {
    const claim = await claimRefund(context, id, { amount, requestKey, isCurrent });
    if (claim.is === 'done') return;
    const provider = await providerOf(context, claim.payment);
    if (claim.is !== 'new') await provider.update();
    if (claim.is === 'outdated') continue;
    const state = await stateOf(context, claim.refund.id);
    if (state === 'asked') {
      if (claim.is === 'other') throw conflict(PAYMENT_MESSAGES.refundWaits);
      await provider.refund(claim.refund);
    } else if (state === 'refused' && claim.is !== 'other' && claim.is !== 'more') {
      // A concurrent call for the same refund was refused.
      throw conflict(PAYMENT_MESSAGES.refundRefused);
    }
    if (claim.is === 'new' || claim.is === 'same') return;
    // The earlier refund has its answer now, so what is left decides about this call.
  }
}

/** What refunding needs of the provider of a payment. */
type Refunder = {
  /** Stores what the provider reports about the payment; refunds that are part of it are done. */
  update: () => Promise<void>;
  /** Makes a refund and stores what the provider reports after it. The refund has no answer before that is stored. */
  refund: (refund: Refund) => Promise<void>;
};

/** @throws AppError 409 conflict if the account was removed; its functions throw AppError 409 conflict and 503 */
async function providerOf(context: AppContext, payment: PaymentRow): Promise<Refunder> {
  const { provider, currency } = payment;
  if (provider === 'demo') return trialRefunder(context, payment);
  const account = isAccountProvider(provider)
    ? openAccount(context, (await readAccounts(context.db))[provider])
    : null;
  if (!isAccountProvider(provider) || !account) throw conflict(PAYMENT_MESSAGES.notRefundable);
  const source = payment.source ?? '';
  const update = async () => {
    const { reported } = await orConflict(() => PROVIDERS[provider].fetch(account, source));
    if (reported) await storeAnswer(context, { id: payment.request_id }, provider, account, reported);
  };
  return {
    update,
    refund: async ({ id, amount_cents, provider_key }) => {
      const known = { source, providerId: payment.provider_id ?? source, currency };
      await orConflict(
        () => PROVIDERS[provider].refund(account, known, amount_cents, provider_key),
        () => endRefund(context, id, 'refused'),
      );
      await update();
      await endRefund(context, id, 'done');
    },
  };
}

/**
 * Calls a provider.
 * @param onRefusal runs if the provider refuses
 * @throws AppError 409 conflict if the provider refuses, 503 if it cannot be reached
 */
async function orConflict<Answer>(
  call: () => Promise<Answer>,
  onRefusal: () => Promise<void> = async () => {},
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderAway) throw awayError();
    if (!(error instanceof ProviderRefused)) throw error;
    await onRefusal();
    throw conflict(PAYMENT_MESSAGES.refundRefused);
  }
}

/** The providers that can refund; 'Pago de prueba' only in demo mode. */
const mayRefund = (provider: PaymentRow['provider'], { demo }: Pick<AppContext['config'], 'demo'>): boolean =>
  isAccountProvider(provider) || (provider === 'demo' && demo);

/** 'Pago de prueba' refunds at once, without money, so that the whole process can be tried (PAY-03). */
const trialRefunder = (context: AppContext, { id, request_id }: PaymentRow): Refunder => ({
  update: async () => {},
  refund: async ({ amount_cents, refunded_before }) => {
    const { demo } = context.config;
    await inScope(context, { actor: providerActor('demo') }, async (scope) => {
      const { request } = mustExist(
        await lockRequestWithLines(scope, request_id),
        `payment request ${request_id}`,
      );
      const payment = mustExist(await lockPayment(scope.tx, id), `payment ${id}`);
      // Concurrent calls can make the same refund, which counts once.
      const refunded = Math.max(payment.refunded_cents, refunded_before + amount_cents);
      const state = refunded >= payment.amount_cents ? 'refunded' : 'approved';
      const reported = {
        ...demoPayment(request, state, scope.now, mustExist(payment.source, `source of payment ${id}`)),
        amount: payment.amount_cents,
        refunded,
        createdAt: payment.created_at,
        paidAt: payment.paid_at,
      };
      await storeReport(scope, request.id, 'demo', reported, { demo, account: null });
    });
  },
});

const stateOf = async ({ db }: AppContext, id: number): Promise<Refund['state']> => {
  const refund = db.selectFrom('payment_refunds').select('state').where('id', '=', id);
  return (await refund.executeTakeFirstOrThrow()).state;
};

/** Stores the provider's answer; a refund that was made stays done. */
async function endRefund({ db }: AppContext, id: number, state: 'done' | 'refused'): Promise<void> {
  const refund = db.updateTable('payment_refunds').set({ state }).where('id', '=', id);
  await refund.where('state', '<>', 'done').execute();
}

/** A call that requests a refund. */
type RefundCall = {
  amount: number | undefined;
  requestKey: string | null;
  /** Whether the provider was asked for what it refunded. */
  isCurrent: boolean;
};

/** Stores the requested refund, or finds what must be done before. */
function claimRefund(
  context: AppContext,
  id: number,
  { amount, requestKey, isCurrent }: RefundCall,
): Promise<Claim> {
  return inScope(context, { actor: SYSTEM }, async (scope) => {
    const payment = await lockPayment(scope.tx, id);
    if (!payment) throw notFound(PAYMENT_MESSAGES.paymentNotFound);
    const requested = amount === undefined ? undefined : inMinorUnits(amount, payment.currency);
    const known = requestKey === null ? undefined : await findByKey(scope.tx, id, requestKey);
    if (known) return claimAgain(payment, known, requested);
    if (!mayRefund(payment.provider, context.config) || payment.state !== 'approved') {
      throw conflict(PAYMENT_MESSAGES.notRefundable);
    }
    const call = { payment_id: id, request_key: requestKey };
    const lost = await findLost(scope.tx, id);
    if (lost) {
      const is = relationTo(lost, payment, requested);
      if (is === 'same' && requestKey !== null) {
        const { amount_cents, refunded_before } = lost;
        await store(scope, { ...call, amount_cents, refunded_before, state: 'repeated', repeats: lost.id });
      }
      return { is, payment, refund: lost };
    }
    if (!isCurrent) return { is: 'outdated', payment };
    const refund = await store(scope, {
      ...call,
      amount_cents: amountToRefund(payment, requested),
      refunded_before: payment.refunded_cents,
      state: 'asked',
      repeats: null,
    });
    return { is: 'new', payment, refund };
  });
}

/** @throws AppError 409 conflict if the provider refused it, or idempotency_conflict if it has another amount */
function claimAgain(payment: PaymentRow, refund: Refund, requested: number | undefined): Claim {
  if (relationTo(refund, payment, requested) !== 'same') throw new AppError(409, 'idempotency_conflict');
  if (refund.state === 'refused') throw conflict(PAYMENT_MESSAGES.refundRefused);
  return refund.state === 'asked' ? { is: 'same', payment, refund } : { is: 'done', payment };
}

const store = (
  { tx, now }: Scope,
  row: Omit<Refund, 'id' | 'provider_key' | 'created_at'>,
): Promise<Refund> =>
  tx
    .insertInto('payment_refunds')
    .values({
      ...row,
      provider_key: `refund-${randomBytes(18).toString('base64url')}`,
      created_at: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** The refund of a payment that has no answer yet; there is at most one. */
const findLost = (tx: Db, payment: number): Promise<Refund | undefined> =>
  tx
    .selectFrom('payment_refunds')
    .selectAll()
    .where('payment_id', '=', payment)
    .where('state', '=', 'asked')
    .executeTakeFirst();

/** The refund that a key was used for, also if that call only repeated an earlier one. */
async function findByKey(tx: Db, payment: number, key: string): Promise<Refund | undefined> {
  const refunds = tx.selectFrom('payment_refunds').selectAll().where('payment_id', '=', payment);
  const found = await refunds.where('request_key', '=', key).executeTakeFirst();
  return found?.repeats ? refunds.where('id', '=', found.repeats).executeTakeFirst() : found;
}

/**
 * How a call relates to an earlier refund.
 * @param requested in minor units; undefined for everything that is left
 */
function relationTo(
  earlier: Refund,
  payment: PaymentRow,
  requested: number | undefined,
): 'same' | 'more' | 'other' {
  const isEverything = earlier.refunded_before + earlier.amount_cents >= payment.amount_cents;
  if (requested === undefined) return isEverything ? 'same' : 'more';
  return requested === earlier.amount_cents ? 'same' : 'other';
}

/**
 * The amount to refund, in minor units.
 * @param requested undefined for everything that is left
 * @throws invalid (400) on `amount`; AppError 409 conflict
 */
function amountToRefund({ amount_cents, refunded_cents }: PaymentRow, requested: number | undefined): number {
  const left = amount_cents - refunded_cents;
  const amount = requested ?? left;
  if (amount > left) throw invalid({ amount: [fault('out_of_range', PAYMENT_MESSAGES.refundTooMuch)] });
  if (amount <= 0) throw conflict(PAYMENT_MESSAGES.notRefundable);
  return amount;
}

/** @throws invalid (400) on `amount` if the currency cannot express it */
function inMinorUnits(amount: number, currency: string): number {
  if (!isKnown(currency)) return Math.round(amount * 100);
  const errors = amountErrors(currency, { amount });
  if (errors.amount) throw invalid(faultsOf('invalid', errors));
  return toMinorUnits(amount, currency);
}

/** Identifies a repeated call: a hash of its caller, payment and Idempotency-Key. */
export const refundKeyOf = (userId: number, payment: number, header: unknown): string | null =>
  typeof header === 'string' && header !== ''
    ? createHash('sha256')
        .update(JSON.stringify([userId, payment, header]))
        .digest('hex')
    : null;
