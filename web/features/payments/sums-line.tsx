import type { RequestedPaymentSum } from '../../../contract/payments/payment-requests.ts';
import type { PaymentSum } from '../../../contract/payments/payments.ts';
import { formatPaid } from '../../components/payment/paid-amount.ts';
import { sumTexts as texts } from './payments-texts.ts';

type Sum = RequestedPaymentSum | PaymentSum;

interface SumsLineProps {
  /** What the list sums: null where its rows are too many, undefined while it loads. */
  sums: readonly Sum[] | null | undefined;
  /** Said below the sums. */
  note?: string | undefined;
}

/** What the filter of a list sums to, in words, one line for each currency (MONEY-13). */
export function SumsLine({ sums, note }: SumsLineProps) {
  if (sums === null) return <p className="text-muted">{texts.tooMany}</p>;
  return (
    <div className="min-h-5">
      {sums?.map((sum) => (
        <p key={sum.currency}>
          <strong className="font-semibold whitespace-nowrap">{formatPaid(sum.amount, sum.currency)}</strong>{' '}
          {'due' in sum ? (
            <>
              {texts.requested(sum.count)}
              <Part label={texts.due} amount={sum.due} currency={sum.currency} />
            </>
          ) : (
            <>
              {texts.received(sum.count)}
              <Part label={texts.refunded} amount={sum.refunded_amount} currency={sum.currency} />
            </>
          )}
        </p>
      ))}
      {note !== undefined && (sums?.length ?? 0) > 0 && <p className="text-xs text-muted">{note}</p>}
    </div>
  );
}

/** A part of the sum, whose amount stays on one line; nothing where there is none. */
const Part = ({ label, amount, currency }: { label: string; amount: number; currency: Sum['currency'] }) =>
  amount > 0 && (
    <>
      {label} <span className="whitespace-nowrap">{formatPaid(amount, currency)}</span>
    </>
  );
