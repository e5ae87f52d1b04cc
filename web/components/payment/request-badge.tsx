import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import {
  PAYMENT_REQUEST_STATE_LABELS,
  type PaymentRequestState,
} from '../../../contract/payments/payment-words.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { isPartial } from './partial.ts';

const TONES: Record<PaymentRequestState, BadgeTone> = {
  open: 'info',
  paid: 'success',
  cancelled: 'secondary',
  expired: 'secondary',
  review: 'warning',
};

/** The state of a payment request; of an open one also that a part came in. A test is labelled as one, so that nobody thinks money arrived. */
export const RequestBadge = ({
  request,
}: {
  request: Pick<PaymentRequest, 'state' | 'test' | 'amount' | 'due'>;
}) => (
  <>
    <Badge tone={TONES[request.state]}>
      {isPartial(request) ? paymentTexts.partial : PAYMENT_REQUEST_STATE_LABELS[request.state]}
    </Badge>
    {request.test && <TestBadge />}
  </>
);

export const TestBadge = () => (
  <Badge tone="neutral" dot={false}>
    {paymentTexts.test}
  </Badge>
);
