import { ArrowLeft, MessageCircle } from 'lucide-react';
import { useLayoutEffect } from 'react';
import type { PayReceipt } from '../../../contract/payments/pay-page.ts';
import { RECEIPT_PARAMETER } from '../../../contract/payments/payment-words.ts';
import { receiptTexts as texts } from '../../text/es-pay.ts';
import { setBusinessTimeZone, setFormats } from '../../text/format.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { callAt } from '../call.ts';
import { LoadFailure, Loading, Page } from '../page.tsx';
import { NOBODY, Shell } from '../shell.tsx';
import { useLoaded } from '../use-loaded.ts';
import { payPath, receiptPath } from './pay-address.ts';
import { RECEIPT_HEADING, ReceiptSheet } from './receipt-sheet.tsx';
import { PAY } from './use-pay.ts';

const readReceipt = (code: string, payment: string): Promise<PayReceipt> =>
  callAt(
    `${PAY}${code}/receipt/${payment === '' ? '' : `?${RECEIPT_PARAMETER}=${encodeURIComponent(payment)}`}`,
  );

/** `/pagar/{code}/recibo`: the receipt of a payment, to print and to send on (MONEY-12). */
export function ReceiptScreen({ code, payment }: { code: string; payment: string }) {
  const { loaded, reload } = useLoaded(`receipt ${code} ${payment}`, () => readReceipt(code, payment));
  if (loaded.state !== 'here') {
    return (
      <Shell vendor={NOBODY}>
        {loaded.state === 'loading' && <Loading />}
        {loaded.state === 'failed' &&
          (loaded.error.status === 404 || loaded.error.status === 400 ? (
            <Page title={texts.unknown} lead={texts.unknownText} />
          ) : (
            <LoadFailure error={loaded.error} retry={() => void reload()} />
          ))}
      </Shell>
    );
  }
  return <ReceiptPage code={code} receipt={loaded.data} />;
}

function ReceiptPage({ code, receipt }: { code: string; receipt: PayReceipt }) {
  const { vendor, currency, request_currency, time_zone } = receipt;
  setBusinessTimeZone(time_zone);
  setFormats({ currency: request_currency, locale: currency === 'ARS' ? 'es-AR' : 'es-MX' });
  // The heading gets the focus, so that screen readers start there.
  useLayoutEffect(() => {
    document.title = `${texts.title} ${receipt.number}`;
    document.getElementById(RECEIPT_HEADING)?.focus();
  }, [receipt.number]);
  return (
    <Shell vendor={vendor}>
      <div className="space-y-5">
        <div className="flex flex-wrap items-center justify-between gap-3" data-print="hidden">
          <a
            href={payPath(code)}
            className="inline-flex min-h-11 items-center gap-1.5 font-medium text-brand-text underline-offset-2 hover:underline"
          >
            <ArrowLeft aria-hidden className="size-4" />
            {texts.back}
          </a>
          <div className="flex flex-wrap gap-2">
            <a
              href={shareOf(receipt, `${window.location.origin}${receiptPath(code, receipt.payment)}`)}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass('secondary', 'lg')}
            >
              <MessageCircle aria-hidden className="size-4 shrink-0" />
              {texts.whatsapp}
            </a>
            {/* Without its icon, which the portal loads later, so that it would be a file of its own here. */}
            <Button variant="primary" size="lg" onClick={() => window.print()}>
              {texts.print}
            </Button>
          </div>
        </div>
        <ReceiptSheet receipt={receipt} />
      </div>
    </Shell>
  );
}

/** A chat with whomever the client chooses. */
const shareOf = ({ vendor, number }: PayReceipt, url: string) =>
  `https://wa.me/?text=${encodeURIComponent(texts.whatsappText(vendor.name, number, url).toWellFormed())}`;
