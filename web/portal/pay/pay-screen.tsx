import { type ReactNode, useState } from 'react';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { payTexts as texts } from '../../text/es-pay.ts';
import { setBusinessTimeZone, setFormats } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { LoadFailure, Loading, Page } from '../page.tsx';
import { NOBODY, Shell } from '../shell.tsx';
import { payAddress } from './pay-address.ts';
import { PayRequest } from './pay-request.tsx';
import { ReceiptScreen } from './receipt-screen.tsx';
import { TrialPayment } from './trial-payment.tsx';
import { usePay } from './use-pay.ts';

/** `/pagar/{code}`: a payment request, and the ways to pay it (PAY-02), or a receipt (MONEY-12). */
export function PayScreen() {
  const [{ code, isTrial, isReceipt, payment }] = useState(() => payAddress(window.location));
  return isReceipt ? (
    <ReceiptScreen code={code} payment={payment} />
  ) : (
    <RequestScreen code={code} isTrial={isTrial} />
  );
}

function RequestScreen({ code, isTrial }: { code: string; isTrial: boolean }) {
  const pay = usePay(code);
  const { loaded } = pay;
  if (loaded.state === 'here') {
    return (
      <PayShell answer={loaded.data}>
        {isTrial ? (
          <TrialPayment code={code} answer={loaded.data} />
        ) : (
          <PayRequest code={code} answer={loaded.data} pay={pay} />
        )}
      </PayShell>
    );
  }
  return (
    <Shell vendor={NOBODY}>
      {loaded.state === 'loading' && <Loading />}
      {loaded.state === 'failed' &&
        (loaded.error.status === 404 ? (
          <Page title={texts.unknown} lead={texts.unknownText} />
        ) : (
          <LoadFailure error={loaded.error} retry={() => void pay.reload()} />
        ))}
    </Shell>
  );
}

/** What the banner of test mode says: which providers charge nothing, if others do; null if all charge. */
function testBandOf({ test, providers }: PayPage): string | null {
  if (!test) return null;
  const tests = providers.filter((provider) => provider.test);
  return tests.length === providers.length
    ? texts.testBand
    : texts.testBandOf(tests.map(({ label }) => label));
}

/** The vendor's frame. In test mode a banner at the top says that nothing is charged. */
function PayShell({ answer, children }: { answer: PayPage; children: ReactNode }) {
  const { vendor, currency, time_zone } = answer;
  const testBand = testBandOf(answer);
  setBusinessTimeZone(time_zone);
  // All amounts on the page have the same currency, so they are shown without its code.
  setFormats({ currency, locale: currency === 'ARS' ? 'es-AR' : 'es-MX' });
  return (
    <Shell vendor={vendor}>
      {testBand !== null && <Banner tone="warning" title={testBand} announce="note" className="mb-5" />}
      {children}
    </Shell>
  );
}
