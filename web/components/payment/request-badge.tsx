import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import {
  PAYMENT_REQUEST_STATE_LABELS,
  type PaymentRequestState,
} from '../../../contract/payments/payment-words.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const TONES: Record<PaymentRequestState, BadgeTone> = {
  open: 'info',
  paid: 'success',
  cancelled: 'secondary',
  expired: 'secondary',
  review: 'warning',
};

/** The state of a payment request. A test is labelled as one, so that nobody thinks money arrived. */
export const RequestBadge = ({
  request: { state, test },
}: {
  request: Pick<PaymentRequest, 'state' | 'test'>;
}) => (
  <>
    <Badge tone={TONES[state]}>{PAYMENT_REQUEST_STATE_LABELS[state]}</Badge>
    {test && <TestBadge />}
  </>
);

export const TestBadge = () => (
  <Badge tone="neutral" dot={false}>
    {paymentTexts.test}
  </Badge>
);
