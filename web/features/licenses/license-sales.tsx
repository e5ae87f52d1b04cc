import { useQuery } from '@tanstack/react-query';
import { LABELS } from '../../../contract/base/labels.ts';
import type { LicenseTerm, TermKind } from '../../../contract/licenses/license-lifecycle.ts';
import {
  LINE_KIND_LABELS,
  TERM_PAYMENT_LABELS,
  type TermPaymentState,
} from '../../../contract/payments/payment-words.ts';
import { useMay } from '../../api/permissions.ts';
import { termsQuery } from '../../components/license/lifecycle.api.ts';
import { RequestLink } from '../../components/payment/request-link.tsx';
import { salePaymentTexts as texts } from '../../text/es-sale-payment.ts';
import { formatDate, formatPrice } from '../../text/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { DialogSection } from '../../ui/dialog.tsx';

const KINDS: Readonly<Record<TermKind, string>> = { issue: texts.issue, ...LINE_KIND_LABELS };

const TONES: Record<TermPaymentState, BadgeTone> = {
  none: 'neutral',
  open: 'warning',
  partial: 'warning',
  paid: 'success',
  refunded: 'secondary',
};

/** A courtesy has no price, and nothing of it is paid (MONEY-09). */
const priceOf = ({ complimentary, price, currency }: LicenseTerm): string =>
  complimentary ? LABELS.complimentary : formatPrice(price, currency);

/** 'Ventas': the terms of a licence, newest first, each with what became of its money (MONEY-05). */
export function LicenseSales({ license }: { license: number }) {
  const { data = [] } = useQuery(termsQuery(license));
  if (data.length === 0) return null;
  return (
    <DialogSection title={texts.sales} columns={1}>
      <ul className="divide-y divide-border rounded-lg border border-border">
        {data.map((term) => (
          <li
            key={term.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5"
          >
            <div className="min-w-0">
              <p className="font-medium">{`${KINDS[term.kind]}: ${priceOf(term)}`}</p>
              <p className="text-xs text-muted">
                {[formatDate(term.created_at), term.ends && texts.until(term.ends)]
                  .filter(Boolean)
                  .join(', ')}
              </p>
            </div>
            {!term.complimentary && <TermPayment payment={term.payment} />}
          </li>
        ))}
      </ul>
    </DialogSection>
  );
}

/** The state of a term's payment, which leads to its request for those who may see it. */
function TermPayment({ payment: { state, request } }: Pick<LicenseTerm, 'payment'>) {
  const mayRead = useMay()('payments:read');
  if (state === 'none') return <span className="text-xs text-muted">{texts.none}</span>;
  const badge = <Badge tone={TONES[state]}>{TERM_PAYMENT_LABELS[state]}</Badge>;
  return request === null || !mayRead ? badge : <RequestLink id={request}>{badge}</RequestLink>;
}
