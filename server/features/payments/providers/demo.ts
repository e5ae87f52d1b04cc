import { randomBytes } from 'node:crypto';
import type { PaymentState } from '../../../../contract/payments/payment-words.ts';
import type { Seen } from './provider.ts';

/**
 * 'Pago de prueba': a provider without an account and without money, in demo mode alone, so that the whole way can be tried
 * (PAY-03). What its page says happens at once, so there is nothing to ask for later.
 */

/** A payment as this provider would describe it. */
export const demoPayment = (
  request: { reference: string; amount_cents: number; currency: string },
  state: PaymentState,
  now: Date,
  source = `demo_${randomBytes(12).toString('base64url')}`,
): Seen => ({
  source,
  providerId: source,
  reference: request.reference,
  account: null,
  state,
  amount: request.amount_cents,
  refunded: 0,
  currency: request.currency,
  method: 'other',
  isTest: true,
  createdAt: now.toISOString(),
  paidAt: state === 'approved' ? now.toISOString() : null,
  dispute: null,
});
