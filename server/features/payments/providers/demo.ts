import { randomBytes } from 'node:crypto';
import type { PaymentState } from '../../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow } from '../../../db/tables.ts';
import { leftOf } from '../../payment-requests/close-request.ts';
import type { ProviderPayment } from './provider.ts';

/**
 * 'Pago de prueba': a provider without an account and without money, only in demo mode, so that the whole process can
 * be tried (PAY-03). The choice on its page takes effect at once, so there is nothing to look up later.
 */

/** A payment of all that is left of a request, in the form in which providers report one. */
export const demoPayment = (
  request: Pick<
    PaymentRequestRow,
    'reference' | 'amount_cents' | 'paid_cents' | 'withheld_cents' | 'currency'
  >,
  state: PaymentState,
  now: Date,
  source = `demo_${randomBytes(12).toString('base64url')}`,
): ProviderPayment => ({
  source,
  providerId: source,
  reference: request.reference,
  account: null,
  state,
  amount: leftOf(request),
  refunded: 0,
  currency: request.currency,
  method: 'other',
  isTest: true,
  createdAt: now.toISOString(),
  paidAt: state === 'approved' ? now.toISOString() : null,
  dispute: null,
});
