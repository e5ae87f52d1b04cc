import type { CSSProperties, ReactNode } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import type { PayReceipt } from '../../../contract/payments/pay-page.ts';
import { PAYMENT_METHOD_LABELS, PAYMENT_PROVIDER_LABELS } from '../../../contract/payments/payment-words.ts';
import { payTexts, receiptTexts as texts } from '../../text/es-pay.ts';
import { formatDate, formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Sum } from './sum.tsx';

/** The id of the heading. */
export const RECEIPT_HEADING = 'recibo';

/** The receipt of a payment. Printed, it is light also in the dark theme (MONEY-12, styles/print.css). */
export function ReceiptSheet({ receipt }: { receipt: PayReceipt }) {
  const { vendor, lines, tax_rate, subtotal, tax, total, request_currency, tax_id } = receipt;
  const accent: CSSProperties & Record<'--accent', string> = { '--accent': vendor.accent_color };
  const asked = (amount: number) => formatPrice(amount, request_currency);
  const paid = (amount: number) => formatPaidIn(amount, receipt.currency);
  return (
    <article
      aria-labelledby={RECEIPT_HEADING}
      style={accent}
      className="rounded-xl border border-border bg-surface p-5 text-text shadow-edge sm:p-10 print:rounded-none print:border-0 print:p-0 print:shadow-none"
    >
      <header className="flex flex-wrap items-start justify-between gap-4 border-b-4 border-(--accent) pb-5">
        <div className="min-w-0 space-y-0.5">
          {vendor.logo !== null && (
            <img src={vendor.logo} alt="" className="mb-2 max-h-16 max-w-48 rounded-md bg-white p-1" />
          )}
          <p className="text-lg font-semibold wrap-anywhere">
            <bdi>{vendor.legal_name || vendor.name}</bdi>
          </p>
          {vendor.legal_name !== '' && vendor.legal_name !== vendor.name && (
            <p className="wrap-anywhere">{vendor.name}</p>
          )}
          {vendor.tax_id !== '' && <p className="text-muted wrap-anywhere">{vendor.tax_id}</p>}
          {vendor.address !== '' && <p className="text-muted wrap-anywhere">{vendor.address}</p>}
        </div>
        <div className="min-w-0 sm:text-end print:text-end">
          <h1 id={RECEIPT_HEADING} tabIndex={-1} className="text-2xl font-semibold outline-none">
            {texts.title}
          </h1>
          <p translate="no" className="font-mono wrap-anywhere">
            {receipt.number}
          </p>
        </div>
      </header>
      <ReceiptWarnings receipt={receipt} paid={paid} />
      <dl className="mt-6 grid gap-x-8 gap-y-4 sm:grid-cols-2 print:grid-cols-2">
        <Line label={texts.from}>
          <bdi>{receipt.client_name}</bdi>
          {tax_id !== null && <span className="block font-normal">{tax_id}</span>}
        </Line>
        <Line label={texts.paidOn}>{formatDate(receipt.paid_at)}</Line>
        <Line label={texts.method}>{methodOf(receipt)}</Line>
        {receipt.reference !== '' && <Line label={texts.reference}>{receipt.reference}</Line>}
        <Line label={texts.concept}>{receipt.concept}</Line>
        {vendor.support_email !== '' && <Line label={texts.support}>{vendor.support_email}</Line>}
      </dl>
      <ul aria-label={texts.detail} className="mt-6 divide-y divide-border border-y border-border">
        {lines.map(({ description, starts, ends, amount }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may read alike, and none changes its place
          <li key={place} className="flex items-start justify-between gap-4 py-3">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{description}</p>
              <p className="text-muted">{payTexts.period(starts, ends)}</p>
            </div>
            <p className="shrink-0 whitespace-nowrap">{asked(amount)}</p>
          </li>
        ))}
      </ul>
      <dl className="mt-3 space-y-1">
        {tax_rate > 0 && (
          <>
            <Sum label={payTexts.subtotal} amount={asked(subtotal)} />
            <Sum label={payTexts.tax(tax_rate)} amount={asked(tax)} />
          </>
        )}
        <Sum label={payTexts.total} amount={asked(total)} />
        {receipt.withheld > 0 && <Sum label={texts.withheld} amount={paid(receipt.withheld)} />}
        <Sum label={texts.received} amount={paid(receipt.amount)} isLast />
        {receipt.refunded_amount > 0 && <Sum label={texts.refunded} amount={paid(receipt.refunded_amount)} />}
      </dl>
      <p className="mt-8 border-t border-border pt-4 text-muted">{texts.noTax}</p>
    </article>
  );
}

/** A payment may have come in a currency that the requests do not know. */
const formatPaidIn = (amount: number, currency: string) => formatPrice(amount, currency as Currency);

const methodOf = ({ provider, method }: PayReceipt): string => {
  const how = method === null ? [] : [PAYMENT_METHOD_LABELS[method]];
  if (provider === 'manual') return how.join('');
  // 'Otro' beside the name of a provider says nothing.
  return [PAYMENT_PROVIDER_LABELS[provider], ...(method === 'other' ? [] : how)].join(' · ');
};

/** What is no usual receipt: a test, money that went back, a client whose data were erased. */
function ReceiptWarnings({ receipt, paid }: { receipt: PayReceipt; paid: (amount: number) => string }) {
  const { state, refunded_amount, test, erased } = receipt;
  const back =
    state === 'charged_back'
      ? texts.chargedBack
      : state === 'refunded'
        ? texts.refundedAll
        : refunded_amount > 0
          ? texts.refundedPart(paid(refunded_amount))
          : null;
  const said = [test ? texts.test : null, back, erased ? texts.erased : null].filter((one) => one !== null);
  if (said.length === 0) return null;
  return (
    <div className="mt-5 space-y-2">
      {said.map((title) => (
        <Banner key={title} tone="warning" title={title} announce="note" />
      ))}
    </div>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="mt-0.5 text-base font-medium wrap-anywhere">{children}</dd>
  </div>
);
