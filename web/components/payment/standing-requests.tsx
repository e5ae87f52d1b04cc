import { useQuery } from '@tanstack/react-query';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { paymentTexts as texts } from '../../text/es-payments.ts';
import { formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { isPartial } from './partial.ts';
import { standingRequestsQuery } from './payment.api.ts';
import { PaymentLinkButtons } from './payment-link.tsx';
import { RegisterLink } from './register-link.tsx';
import { RequestBadge } from './request-badge.tsx';
import { RequestLink } from './request-link.tsx';

type Of = { license: number } | { client: number };

interface StandingRequestsProps {
  of: Of;
  /** The client's phone. */
  phone: string;
}

/**
 * The open payment requests of a licence or a client, and those that need a review (PAY-07). Renders nothing if there
 * are none.
 */
export function StandingRequests({ of, phone }: StandingRequestsProps) {
  const mayRead = useMay()('payments:read');
  const { data } = useQuery({ ...standingRequestsQuery(of), enabled: mayRead });
  if (!mayRead || data === undefined || data.length === 0) return null;
  return (
    <DialogSection title={texts.title} columns={1}>
      <ul className="divide-y divide-border rounded-lg border border-border">
        {data.map((request) => (
          <li
            key={request.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3"
          >
            <Standing request={request} />
            {request.state === 'open' && (
              <div className="flex flex-wrap gap-2">
                <RegisterLink id={request.id} />
                <PaymentLinkButtons request={request} phone={phone} size="sm" />
              </div>
            )}
          </li>
        ))}
      </ul>
    </DialogSection>
  );
}

const Standing = ({ request }: { request: PaymentRequest }) => (
  <div className="min-w-0">
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="font-medium">
        <RequestLink id={request.id}>{formatPrice(request.amount, request.currency)}</RequestLink>
      </span>
      <RequestBadge request={request} />
    </p>
    <p className="text-xs text-muted">{standingText(request)}</p>
  </div>
);

function standingText(request: PaymentRequest): string {
  if (request.pending) return texts.pending;
  if (request.transfer_notice !== null) return texts.notified;
  return isPartial(request)
    ? texts.left(formatPrice(request.due, request.currency))
    : texts.until(request.expires_at);
}

/**
 * Warns in a dialog that its action will cancel the open payment request of a licence (PAY-01), or will be refused
 * because a part of the request came in (MONEY-06).
 * @param takesBack true if it also takes back what was sold, whose requests other actions leave (MONEY-05)
 */
export function CancelsRequest({ license, takesBack }: { license: number; takesBack: boolean }) {
  const mayRead = useMay()('payments:read');
  const { data = [] } = useQuery({ ...standingRequestsQuery({ license }), enabled: mayRead });
  const open = data.filter(({ state }) => state === 'open');
  const blocking = open.find(({ lines }) => lines.some(({ kind }) => kind !== 'sold'));
  const ended = blocking ?? (takesBack ? open[0] : undefined);
  if (ended === undefined) return null;
  if (blocking && isPartial(blocking)) {
    return (
      <Banner
        tone="critical"
        announce="note"
        action={
          <RequestLink id={blocking.id} look="button">
            {texts.see_one}
          </RequestLink>
        }
      >
        {texts.holdsPart(formatPrice(blocking.due, blocking.currency))}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" announce="note">
      {texts.cancelsOpen(formatPrice(ended.amount, ended.currency))}
    </Banner>
  );
}

/** 'Ver cobros': the link to the payment requests of a client or a licence. */
export const PaymentsLink = ({ of, className }: { of: Of; className?: string }) =>
  useMay()('payments:read') && (
    <Link
      to={PATHS.payments}
      search={of}
      preload={false}
      className={`rounded-sm text-brand-text underline-offset-2 hover:underline ${className ?? ''}`}
    >
      {texts.see}
    </Link>
  );
