import { Undo2 } from 'lucide-react';
import type { PaymentRequestDetails } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_METHOD_LABELS, PAYMENT_PROVIDER_LABELS } from '../../../contract/payments/payment-words.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { useOffers } from '../../api/offers.ts';
import { formatPaid } from '../../components/payment/paid-amount.ts';
import { useAction } from '../../components/record/use-action.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { staffReceiptTexts } from '../../text/es-transfers.ts';
import { formatDateTime } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { toasts } from '../../ui/toasts.ts';
import { PaymentBadge } from './payment-badge.tsx';
import { useUndoPaidRenewal } from './payments.api.ts';
import { detailTexts, PAYMENT_STATE_HELP, receivedTexts, undoTexts } from './payments-texts.ts';

/** The payments for a request, newest first (PAY-06). */
export function RequestPayments({ request }: { request: PaymentRequestDetails }) {
  const { payments } = request;
  const isAllBack = request.state === 'paid' && payments.length > 0 && !payments.some(hasMoney);
  return (
    <DialogSection title={detailTexts.payments} columns={1}>
      {isAllBack && <Undo request={request} />}
      {payments.length === 0 ? (
        <p className="text-muted">{detailTexts.noPayments}</p>
      ) : (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {payments.map((payment) => (
            <li key={payment.id} className="px-4 py-3">
              <PaymentLine payment={payment} />
              <ReceiptLink request={request} payment={payment} />
            </li>
          ))}
        </ul>
      )}
    </DialogSection>
  );
}

/** The receipt of a payment: it has the number of its place among those that were approved once (MONEY-12). */
function ReceiptLink({ request, payment }: { request: PaymentRequestDetails; payment: Payment }) {
  const approved = request.payments.filter(({ state }) => state !== 'pending' && state !== 'failed');
  // The newest stands first.
  const place = approved.length - approved.indexOf(payment);
  return (
    approved.includes(payment) && (
      <Link
        to={PATHS.receipt}
        params={{ id: String(request.id) }}
        search={{ payment: place }}
        preload={false}
        className="rounded-sm text-xs text-brand-text underline-offset-2 hover:underline"
      >
        {staffReceiptTexts.open}
      </Link>
    )
  );
}

const hasMoney = ({ state }: Payment) => state !== 'refunded' && state !== 'failed';

function PaymentLine({ payment }: { payment: Payment }) {
  const { provider, method, amount, refunded_amount, withheld, currency, reference } = payment;
  const { paid_at, created_at, state } = payment;
  const how = [
    PAYMENT_PROVIDER_LABELS[provider],
    ...(method === null ? [] : [PAYMENT_METHOD_LABELS[method]]),
    formatDateTime(paid_at ?? created_at),
  ];
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{formatPaid(amount, currency)}</span>
        <PaymentBadge payment={payment} />
      </p>
      <p className="text-xs text-muted">{how.join(' · ')}</p>
      {reference !== '' && (
        <p className="text-xs text-muted wrap-anywhere">{detailTexts.referenceOf(reference)}</p>
      )}
      {withheld > 0 && (
        <p className="text-xs text-muted">{detailTexts.withheldOf(formatPaid(withheld, currency))}</p>
      )}
      {refunded_amount > 0 && (
        <p className="text-xs text-muted">
          {receivedTexts.refundedPart(formatPaid(refunded_amount, currency))}
        </p>
      )}
      {PAYMENT_STATE_HELP[state] && <p className="text-xs text-critical-text">{PAYMENT_STATE_HELP[state]}</p>}
    </div>
  );
}

/** Shown after all payments were refunded: a person decides whether the licence stays renewed (PAY-06). */
function Undo({ request }: { request: PaymentRequestDetails }) {
  const mayRenew = useOffers()('licenses.renew');
  return (
    <Banner
      tone="info"
      title={undoTexts.title}
      action={
        mayRenew && (
          <div className="flex w-full flex-wrap gap-2">
            {request.lines.flatMap(({ license }) =>
              license === null ? [] : [<UndoButton key={license.id} license={license} />],
            )}
          </div>
        )
      }
    >
      {undoTexts.text}
    </Banner>
  );
}

function UndoButton({ license: { id, license_key } }: { license: { id: number; license_key: string } }) {
  const undo = useUndoPaidRenewal();
  const [run, running] = useAction(undoTexts.failed, async () => {
    await undo.mutateAsync(id);
    toasts.success(undoTexts.done, license_key);
  });
  return (
    <Button
      size="sm"
      icon={Undo2}
      busy={running}
      busyLabel={undoTexts.undoing}
      aria-label={undoTexts.undoOf(license_key)}
      onClick={run}
    >
      {undoTexts.undo}
    </Button>
  );
}
