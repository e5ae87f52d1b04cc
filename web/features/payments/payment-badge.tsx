import { PAYMENT_STATE_LABELS, type PaymentState } from '../../../contract/payments/payment-words.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { TestBadge } from '../../components/payment/request-badge.tsx';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const TONES: Record<PaymentState, BadgeTone> = {
  pending: 'info',
  failed: 'secondary',
  approved: 'success',
  refunded: 'secondary',
  charged_back: 'danger',
};

/** The state of a payment. */
export const PaymentBadge = ({ payment: { state, test } }: { payment: Pick<Payment, 'state' | 'test'> }) => (
  <>
    <Badge tone={TONES[state]}>{PAYMENT_STATE_LABELS[state]}</Badge>
    {test && <TestBadge />}
  </>
);
