import { createHash, randomBytes } from 'node:crypto';
import { CURRENCIES, type Currency, toMinorUnits } from '../../../contract/base/money.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { PaymentRefund } from '../../../contract/payments/payments.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import { AppError, fault, invalid, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { inScope, SYSTEM } from '../../scope.ts';
import type { PaymentRow } from '../payment-requests/payment-request.queries.ts';
import { storeSeenPayment } from './ask-providers.ts';
import {
  isAccountProvider,
  openAccount,
  PROVIDERS,
  providerActor,
  readAccounts,
} from './payment-accounts.ts';
import { awayError } from './payment-settings.ts';
import { demoPayment } from './providers/demo.ts';
import { ProviderAway, ProviderRefused } from './providers/provider.ts';
import { holdRequest, takePayment } from './take-payment.ts';

/**
 * Refunds payments (PAY-06). The requested refund is stored before the provider is called, together with an
 * idempotency key. So a call that is repeated, by the client or after a lost answer, is the same refund.
 */

type Asked = { id: number; provider_key: string; amount_cents: number };

const conflict = (message: string) => new AppError(409, 'conflict', { message });

/**
 * Refunds an approved payment at its provider; the provider's answer changes the payment's state.
 * @param requestKey identifies a repeated call: a hash of its caller and Idempotency-Key; null without the header
 * @throws notFound (404); AppError 409 conflict; invalid (400) on `amount`; AppError 503 when the provider cannot be
 * reached
 */
export async function refundPayment(
  context: AppContext,
  id: number,
  { amount }: PaymentRefund,
  requestKey: string | null,
): Promise<void> {
  const { payment, asked } = await claimRefund(context, id, amount, requestKey);
  const { provider } = payment;
  if (provider === 'demo') return refundTrial(context, payment, asked);
  const account = isAccountProvider(provider)
    ? openAccount(context, (await readAccounts(context.db))[provider])
    : null;
  if (!isAccountProvider(provider) || !account) throw conflict(PAYMENT_MESSAGES.notRefundable);
  const source = payment.source ?? '';
  const known = { source, providerId: payment.provider_id ?? source, currency: payment.currency };
  try {
    if (asked) {
      await PROVIDERS[provider].refund(account, known, asked.amount_cents, asked.provider_key);
      await endRefund(context, asked.id, 'done');
    }
    const { seen } = await PROVIDERS[provider].fetch(account, source);
    if (seen) await storeSeenPayment(context, { id: payment.request_id }, provider, account, seen);
  } catch (error) {
    if (error instanceof ProviderAway) throw awayError();
    if (!(error instanceof ProviderRefused)) throw error;
    if (asked) await endRefund(context, asked.id, 'refused');
    throw conflict(PAYMENT_MESSAGES.refundRefused);
  }
}

/** The providers that can refund; 'Pago de prueba' only in demo mode. */
const mayRefund = (provider: PaymentRow['provider'], { demo }: Pick<AppContext['config'], 'demo'>): boolean =>
  isAccountProvider(provider) || (provider === 'demo' && demo);

/** 'Pago de prueba' refunds at once, without money, so that the whole process can be tried (PAY-03). */
async function refundTrial(context: AppContext, payment: PaymentRow, asked: Asked | null): Promise<void> {
  if (!asked) return;
  const { demo } = context.config;
  await inScope(context, { actor: providerActor('demo') }, async (scope) => {
    const { request } = mustExist(
      await holdRequest(scope, payment.request_id),
      `payment request ${payment.request_id}`,
    );
    const refunded = payment.refunded_cents + asked.amount_cents;
    const state = refunded >= payment.amount_cents ? 'refunded' : 'approved';
    const seen = {
      ...demoPayment(request, state, scope.now, mustExist(payment.source, `source of payment ${payment.id}`)),
      amount: payment.amount_cents,
      refunded,
      createdAt: payment.created_at,
      paidAt: payment.paid_at,
    };
    await takePayment(scope, request.id, 'demo', seen, { demo, account: null });
    await scope.tx.updateTable('payment_refunds').set({ state: 'done' }).where('id', '=', asked.id).execute();
  });
}

async function endRefund({ db }: AppContext, id: number, state: 'done' | 'refused'): Promise<void> {
  await db.updateTable('payment_refunds').set({ state }).where('id', '=', id).execute();
}

/**
 * Stores the requested refund, or finds an earlier one.
 * @returns `asked` is null for a repeated call whose refund is done
 */
function claimRefund(
  context: AppContext,
  id: number,
  amount: number | undefined,
  requestKey: string | null,
): Promise<{ payment: PaymentRow; asked: Asked | null }> {
  return inScope(context, { actor: SYSTEM }, async ({ tx, now }) => {
    const payment = await lockRows(
      tx,
      tx.selectFrom('payments').selectAll().where('id', '=', id),
    ).executeTakeFirst();
    if (!payment) throw notFound(PAYMENT_MESSAGES.paymentNotFound);
    const earlier = await tx
      .selectFrom('payment_refunds')
      .selectAll()
      .where('payment_id', '=', id)
      .where((eb) => eb.or([eb('state', '=', 'asked'), eb('request_key', '=', requestKey ?? '')]))
      .orderBy('id', 'desc')
      .execute();
    const same = earlier.find(({ request_key }) => requestKey !== null && request_key === requestKey);
    if (same) return { payment, asked: same.state === 'asked' ? same : null };
    if (!mayRefund(payment.provider, context.config) || payment.state !== 'approved') {
      throw conflict(PAYMENT_MESSAGES.notRefundable);
    }
    // An earlier refund without an answer is finished first, because the provider may have made it.
    const [lost] = earlier;
    const wanted = wantedOf(payment, amount, lost);
    if (lost) return { payment, asked: lost };
    const row = {
      payment_id: id,
      request_key: requestKey,
      provider_key: `refund-${randomBytes(18).toString('base64url')}`,
      amount_cents: wanted,
      state: 'asked' as const,
      created_at: now.toISOString(),
    };
    const stored = await tx
      .insertInto('payment_refunds')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    return { payment, asked: { ...row, id: stored.id } };
  });
}

/**
 * The amount to refund, in minor units.
 * @param lost an earlier refund without an answer
 * @throws invalid (400) on `amount`; AppError 409 conflict
 */
function wantedOf(payment: PaymentRow, amount: number | undefined, lost: Asked | undefined): number {
  const left = payment.amount_cents - payment.refunded_cents;
  const wanted = amount === undefined ? (lost?.amount_cents ?? left) : inMinorUnits(amount, payment.currency);
  if (lost && lost.amount_cents !== wanted) throw conflict(PAYMENT_MESSAGES.refundWaits);
  if (lost) return wanted;
  if (wanted > left) throw invalid({ amount: [fault('out_of_range', PAYMENT_MESSAGES.refundTooMuch)] });
  if (wanted <= 0) throw conflict(PAYMENT_MESSAGES.notRefundable);
  return wanted;
}

const inMinorUnits = (amount: number, currency: string): number =>
  (CURRENCIES as readonly string[]).includes(currency)
    ? toMinorUnits(amount, currency as Currency)
    : Math.round(amount * 100);

/** Identifies a repeated call: a hash of its caller, payment and Idempotency-Key. */
export const refundKeyOf = (userId: number, payment: number, header: unknown): string | null =>
  typeof header === 'string' && header !== ''
    ? createHash('sha256')
        .update(JSON.stringify([userId, payment, header]))
        .digest('hex')
    : null;
