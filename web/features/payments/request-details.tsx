import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Ban, CircleCheck, Send, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { PaymentRequestDetails } from '../../../contract/payments/payment-requests.ts';
import { LINE_KIND_LABELS, REVIEW_REASON_LABELS } from '../../../contract/payments/payment-words.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { useMayRegister } from '../../components/payment/may-register.ts';
import { NoticeBanner } from '../../components/payment/notice-banner.tsx';
import { formatPaid } from '../../components/payment/paid-amount.ts';
import { isPartial } from '../../components/payment/partial.ts';
import { PaymentLink } from '../../components/payment/payment-link.tsx';
import { RequestBadge } from '../../components/payment/request-badge.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { DetailsDialog, Moment } from '../../components/record/details-dialog.tsx';
import { LicenseLink, RecordLink } from '../../components/record/record-links.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { paymentTexts, REVIEW_ADVICE } from '../../text/es-payments.ts';
import { formatMoney, formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { isRefundable, leftOf } from './amounts.ts';
import { CancelPartialDialog, CancelQuestion } from './cancel-request-dialog.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { requestQuery, useSendRequest } from './payments.api.ts';
import { detailTexts, refundTexts, requestActions, requestTexts } from './payments-texts.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { RequestPayments } from './request-payments.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

interface RequestDetailsDialogProps {
  id: number;
  onClose: () => void;
}

/** The details of a payment request: its lines, its payments, and the possible actions (PAY-01, PAY-05, PAY-06). */
export function RequestDetailsDialog({ id, onClose }: RequestDetailsDialogProps) {
  const query = useQuery(requestQuery(id));
  const mayWrite = useMay()('payments:write');
  const hasActions = ({ state, payments }: PaymentRequestDetails) =>
    mayWrite && (state === 'open' || state === 'review' || payments.some(isRefundable));
  return (
    <DetailsDialog
      query={query}
      size="place"
      texts={requestTexts}
      nameOf={({ client }) => `${requestTexts.nameOf(id)} · ${client.name}`}
      subject={(request) => ({
        name: formatPrice(request.amount, request.currency),
        state: <RequestBadge request={request} />,
        note: requestTexts.nameOf(request.id),
        // If no action is possible, there is no column for actions.
        ...(hasActions(request) && { actions: <RequestActions request={request} /> }),
      })}
      onClose={onClose}
    >
      {(found) => <RequestContent request={found} />}
    </DetailsDialog>
  );
}

function RequestContent({ request }: { request: PaymentRequestDetails }) {
  const { review_reason: why } = request;
  return (
    <>
      {request.state === 'review' && why !== null && (
        <Banner tone="warning" title={REVIEW_REASON_LABELS[why]} announce="note">
          {REVIEW_ADVICE[why]}
        </Banner>
      )}
      {request.state === 'open' && request.pending && (
        <Banner tone="info" title={detailTexts.pendingTitle}>
          {detailTexts.pendingText}
        </Banner>
      )}
      <NoticeBanner request={request} />
      {request.state === 'open' && <LinkSection request={request} />}
      <Lines request={request} />
      <RequestPayments request={request} />
      <Facts columns={3}>
        <Fact label={detailTexts.client}>
          <RecordLink kind="clients" id={request.client.id}>
            {request.client.name}
          </RecordLink>
        </Fact>
        {/* Once it is paid or cancelled, its end means nothing. */}
        {(request.state === 'open' || request.state === 'expired') && (
          <Fact label={detailTexts.expires}>
            {isPartial(request) ? detailTexts.noEnd : <Moment value={request.expires_at} />}
          </Fact>
        )}
        {request.paid_at !== null && (
          <Fact label={detailTexts.paid}>
            <Moment value={request.paid_at} />
          </Fact>
        )}
        <Fact label={detailTexts.created}>
          <Moment value={request.created_at} />
          {request.actor.name !== '' && (
            <span className="block text-xs text-muted">{detailTexts.by(request.actor.name)}</span>
          )}
        </Fact>
        {request.note !== '' && (
          <Fact label={detailTexts.note} wide>
            <span className="whitespace-pre-line">{request.note}</span>
          </Fact>
        )}
      </Facts>
    </>
  );
}

/** The link to the payment page, with the client's current phone number for WhatsApp. */
function LinkSection({ request }: { request: PaymentRequestDetails }) {
  const mayRead = useMay()('clients:read');
  const { data: client } = useQuery({ ...clientQuery(request.client.id), enabled: mayRead });
  return (
    <DialogSection title={paymentTexts.link} columns={1}>
      <PaymentLink request={request} phone={client?.phone ?? ''} />
    </DialogSection>
  );
}

/** The lines of the request, and the total with tax. */
function Lines({ request }: { request: PaymentRequestDetails }) {
  const { lines, subtotal, tax_rate, tax, amount, currency } = request;
  return (
    <DialogSection title={detailTexts.lines} columns={1}>
      <ul className="divide-y divide-border border-y border-border">
        {lines.map(({ license, kind, description, starts, ends, amount: price }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may read alike, and none changes its place
          <li key={place} className="flex items-start justify-between gap-4 py-2.5">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{description}</p>
              <p className="text-xs text-muted">
                {[LINE_KIND_LABELS[kind], detailTexts.period(starts, ends)].filter(Boolean).join(' · ')}
              </p>
              <p className="text-xs">
                {license === null ? (
                  <span className="text-muted">{detailTexts.deletedLicense}</span>
                ) : (
                  <LicenseLink id={license.id} licenseKey={license.license_key} />
                )}
              </p>
            </div>
            <span className="shrink-0 whitespace-nowrap">{formatMoney(price, currency)}</span>
          </li>
        ))}
      </ul>
      <dl className="space-y-1">
        {tax_rate > 0 && (
          <>
            <Sum label={paymentTexts.subtotal} amount={formatMoney(subtotal, currency)} />
            <Sum label={paymentTexts.tax(tax_rate)} amount={formatMoney(tax, currency)} />
          </>
        )}
        <Sum label={paymentTexts.total} amount={formatPrice(amount, currency)} isLast />
        <Received request={request} />
      </dl>
    </DialogSection>
  );
}

/** What came in, what was withheld and what is still due, where that is not simply the total (MONEY-06). */
function Received({ request }: { request: PaymentRequestDetails }) {
  const { amount, paid_amount, due, currency, payments } = request;
  const withheld = payments
    .filter(({ state }) => state === 'approved')
    .reduce((sum, payment) => sum + payment.withheld, 0);
  if (paid_amount === amount || (paid_amount === 0 && withheld === 0)) return null;
  return (
    <>
      <Sum label={detailTexts.received} amount={formatPrice(paid_amount, currency)} />
      {withheld > 0 && <Sum label={detailTexts.withheld} amount={formatPrice(withheld, currency)} />}
      {isPartial(request) && <Sum label={detailTexts.due} amount={formatPrice(due, currency)} isLast />}
    </>
  );
}

const Sum = ({ label, amount, isLast = false }: { label: string; amount: string; isLast?: boolean }) => (
  <div className={`flex justify-between gap-4 ${isLast ? 'font-semibold' : 'text-muted'}`}>
    <dt>{label}</dt>
    <dd className="whitespace-nowrap">{amount}</dd>
  </div>
);

type Asked = { what: 'cancel' | 'pay' | 'resolve' } | { what: 'refund'; payment: Payment };

/** The actions that the person may use on the request. */
function useActionsOf(request: PaymentRequestDetails) {
  const isOffered = useOffers();
  const mayRegister = useMayRegister();
  const isOpen = request.state === 'open';
  return {
    resolves: request.state === 'review' && isOffered('payment_requests.resolve'),
    pays: isOpen && mayRegister,
    sends: isOpen && isOffered('payment_requests.send'),
    cancels: isOpen && isOffered('payment_requests.cancel'),
    refunds: isOffered('payments.refund') ? request.payments.filter(isRefundable) : [],
  };
}

/** The actions that the state allows; the next step is the filled button. */
function RequestActions({ request }: { request: PaymentRequestDetails }) {
  const { resolves, pays, sends, cancels, refunds } = useActionsOf(request);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {resolves && (
        <Button size="sm" variant="primary" icon={CircleCheck} onClick={() => setAsked({ what: 'resolve' })}>
          {requestActions.resolve}
        </Button>
      )}
      {pays && (
        <Button size="sm" variant="primary" icon={BadgeCheck} onClick={() => setAsked({ what: 'pay' })}>
          {requestActions.pay}
        </Button>
      )}
      {sends && <SendButton request={request} />}
      {cancels && (
        <Button size="sm" icon={Ban} onClick={() => setAsked({ what: 'cancel' })}>
          {requestActions.cancel}
        </Button>
      )}
      {refunds.map((payment) => (
        <Button key={payment.id} size="sm" icon={Undo2} onClick={() => setAsked({ what: 'refund', payment })}>
          {refunds.length === 1
            ? refundTexts.action
            : refundTexts.of(formatPaid(leftOf(payment), payment.currency))}
        </Button>
      ))}
      <DialogPlace open={asked !== null && (asked.what !== 'cancel' || isPartial(request))}>
        {asked?.what === 'pay' && <MarkPaidDialog request={request} onClose={close} />}
        {asked?.what === 'resolve' && <ResolveDialog request={request} onClose={close} />}
        {asked?.what === 'refund' && <RefundDialog payment={asked.payment} onClose={close} />}
        {asked?.what === 'cancel' && isPartial(request) && (
          <CancelPartialDialog request={request} onClose={close} />
        )}
      </DialogPlace>
      {asked?.what === 'cancel' && !isPartial(request) && (
        <CancelQuestion request={request} onClose={close} />
      )}
    </>
  );
}

function SendButton({ request }: { request: PaymentRequestDetails }) {
  const again = useSendRequest(request.id);
  const [send, sending] = useAction(requestActions.sendFailed, async () => {
    await again.mutateAsync({});
    toasts.success(requestActions.sent, request.client.name);
  });
  return (
    <Button size="sm" icon={Send} busy={sending} busyLabel={requestActions.sending} onClick={send}>
      {requestActions.send}
    </Button>
  );
}
