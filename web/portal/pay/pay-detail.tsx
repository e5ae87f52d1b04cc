import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { payTexts as texts } from '../../text/es-pay.ts';
import { formatMoney, formatPrice } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Sum } from './sum.tsx';

/** The lines of the payment request, the client, and the amount with tax, of which the rest is asked (PAY-02). */
export function PayDetail({ answer, isPaid }: { answer: PayPage; isPaid: boolean }) {
  const { client_name, lines, subtotal, tax, tax_rate, amount, due, currency, note, state } = answer;
  const isOpen = state === 'open';
  const toPay = due < amount ? texts.restToPay : texts.toPay;
  const total = isPaid ? texts.paidTotal : isOpen ? toPay : texts.total;
  return (
    <Card>
      <p className="text-muted">{total}</p>
      <p className="text-3xl/9 font-semibold tracking-tight wrap-anywhere">
        {formatPrice(isOpen ? due : amount, currency)}
      </p>
      <p className="mt-1 text-muted">
        {`${texts.client}: `}
        <span className="font-medium text-text">
          <bdi>{client_name}</bdi>
        </span>
      </p>
      <ul aria-label={texts.detail} className="mt-4 divide-y divide-border border-y border-border">
        {lines.map(({ description, starts, ends, amount: price }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may read alike, and none changes its place
          <li key={place} className="flex items-start justify-between gap-4 py-3">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{description}</p>
              <p className="text-muted">{texts.period(starts, ends)}</p>
            </div>
            <p className="shrink-0 whitespace-nowrap">{formatMoney(price, currency)}</p>
          </li>
        ))}
      </ul>
      <dl className="mt-3 space-y-1">
        {tax_rate > 0 && (
          <>
            <Sum label={texts.subtotal} amount={formatMoney(subtotal, currency)} />
            <Sum label={texts.tax(tax_rate)} amount={formatMoney(tax, currency)} />
          </>
        )}
        <Sum label={texts.total} amount={formatPrice(amount, currency)} isLast />
        <Received answer={answer} />
      </dl>
      {note !== '' && (
        <div className="mt-4 rounded-lg bg-sunken px-4 py-3">
          <p className="text-muted">{texts.note}</p>
          <p className="mt-0.5 whitespace-pre-line wrap-anywhere">{note}</p>
        </div>
      )}
    </Card>
  );
}

/** What already came in, and what was withheld, of a request that is paid in parts (MONEY-06). */
function Received({ answer }: { answer: PayPage }) {
  const { paid_amount, withheld, due, currency, state } = answer;
  const isPart = withheld > 0 || (paid_amount > 0 && state !== 'paid');
  if (!isPart) return null;
  return (
    <>
      {paid_amount > 0 && <Sum label={texts.received} amount={formatPrice(paid_amount, currency)} />}
      {withheld > 0 && <Sum label={texts.withheld} amount={formatPrice(withheld, currency)} />}
      {state === 'open' && <Sum label={texts.restToPay} amount={formatPrice(due, currency)} isLast />}
    </>
  );
}
