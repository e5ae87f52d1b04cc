import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { PORTAL_LINK, PORTAL_PATH } from '../../../contract/portal/portal-words.ts';
import { PAY_STATES, type PayState, payTexts as texts } from '../../text/es-pay.ts';
import { Banner, Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { asCallError } from '../call.ts';
import { Page } from '../page.tsx';
import { useWork } from '../use-work.ts';
import { receiptPath } from './pay-address.ts';
import { PayDetail } from './pay-detail.tsx';
import { TransferCard } from './transfer-card.tsx';
import { GivenNotice, TransferNotice } from './transfer-notice.tsx';
import { payCall, type ReturnState, type usePay } from './use-pay.ts';

interface PayRequestProps {
  code: string;
  answer: PayPage;
  pay: ReturnType<typeof usePay>;
}

const stateOf = ({ state, pending }: PayPage): PayState => (state === 'open' && pending ? 'pending' : state);

/** A payment request in each of its states: message, details and buttons (PAY-02). */
export function PayRequest({ code, answer, pay }: PayRequestProps) {
  const state = stateOf(answer);
  const { title, lead } = PAY_STATES[state];
  const isPart = state === 'open' && answer.due < answer.amount;
  return (
    <Page key={state} title={title} lead={isPart ? texts.partLead : lead(answer.expires_at)}>
      <ReturnBanner returned={pay.returned} />
      <GivenNotice given={state === 'open' || state === 'pending' ? answer.transfer_notice : null} />
      <PayDetail answer={answer} isPaid={state === 'paid'} />
      {/* A client who has just paid is not asked to pay again while the payment is being confirmed. */}
      {state === 'open' && pay.returned !== 'confirming' && (
        <Ways code={code} answer={answer} reload={pay.reload} />
      )}
      {state === 'pending' && <Pending code={code} answer={answer} reload={pay.reload} check={pay.check} />}
      <Receipts code={code} count={answer.receipts} />
      {answer.portal && (
        <p>
          <a href={PORTAL_PATH} className={LINK}>
            {PORTAL_LINK}
          </a>
        </p>
      )}
    </Page>
  );
}

const LINK = 'inline-flex min-h-11 items-center font-medium text-brand-text underline underline-offset-2';

/** The receipts of what was paid so far (MONEY-12). */
function Receipts({ code, count }: { code: string; count: number }) {
  if (count === 0) return null;
  return (
    <ul aria-label={texts.receipts} className="flex flex-wrap gap-x-5">
      {Array.from({ length: count }, (_, place) => place + 1).map((number) => (
        <li key={number}>
          <a href={receiptPath(code, number)} className={LINK}>
            {count === 1 ? texts.receipt : texts.receiptOf(number)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/**
 * The message about the payment after a return. The live region always exists, so that screen readers announce a
 * change.
 */
const ReturnBanner = ({ returned }: { returned: ReturnState }) => (
  <div role="status" className="empty:hidden">
    {returned === 'confirming' && <Banner tone="info">{texts.confirming}</Banner>}
    {returned === 'missing' && (
      <Banner tone="warning" title={texts.missing}>
        {texts.missingText}
      </Banner>
    )}
    {returned === 'failed' && (
      <Banner tone="warning" title={texts.failed}>
        {texts.failedText}
      </Banner>
    )}
  </div>
);

interface WaysProps {
  code: string;
  answer: PayPage;
  /** Refetches the request, if it changed meanwhile. */
  reload: () => Promise<void>;
}

/**
 * Shown while a payment is pending: a button to check again, and another way to pay for clients who lost the voucher.
 */
function Pending({ check, ...ways }: WaysProps & { check: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const { busy, run } = useWork();
  return (
    <>
      <div className="flex flex-col gap-2.5">
        <Button size="lg" variant="primary" busy={busy} busyLabel={texts.checking} onClick={() => run(check)}>
          {texts.check}
        </Button>
        {!isOpen && (
          <Button size="lg" onClick={() => setOpen(true)}>
            {texts.otherWay}
          </Button>
        )}
      </div>
      {isOpen && <Ways {...ways} takesFocus />}
    </>
  );
}

/** A button for each provider, the accounts and instructions for bank transfers, and the notice of one. */
function Ways({ code, answer, reload, takesFocus = false }: WaysProps & { takesFocus?: boolean }) {
  const { providers, instructions, transfer } = answer;
  const isTransfer = instructions !== '' || transfer !== null;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) place.current?.focus();
  }, [takesFocus]);
  if (providers.length === 0 && !isTransfer) {
    return (
      <Banner tone="info" title={texts.noWay}>
        {texts.noWayText}
      </Banner>
    );
  }
  return (
    <div ref={place} tabIndex={-1} className="space-y-5 outline-none">
      {providers.length > 0 && <Providers code={code} answer={answer} reload={reload} />}
      {transfer !== null && <TransferCard transfer={transfer} answer={answer} />}
      {instructions !== '' && (
        <Card title={transfer === null ? texts.transfer : texts.instructions}>
          <p className="text-base whitespace-pre-line wrap-anywhere">{instructions}</p>
          {transfer === null && <p className="mt-3 text-muted">{texts.transferText}</p>}
        </Card>
      )}
      {isTransfer && <TransferNotice code={code} answer={answer} reload={reload} />}
    </div>
  );
}

function Providers({ code, answer, reload }: WaysProps) {
  const { providers, instructions, transfer } = answer;
  const [opening, setOpening] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // A browser may restore the page from its cache after Back; then no provider is being opened any more.
  useEffect(() => {
    const shown = () => setOpening(null);
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, []);
  const open = async ({ id, label }: PayPage['providers'][number]) => {
    if (opening !== null) return;
    setOpening(id);
    setFailure(null);
    try {
      const { url } = await payCall<{ url: string }>(code, 'checkout', { provider: id });
      // The button stays busy until the other page opens.
      window.location.assign(url);
    } catch (thrown) {
      const error = asCallError(thrown);
      // Busy until the page shows what has changed; the second of two fast presses would ask again.
      if (error.status === 409 || error.status === 404 || error.status === 400) await reload();
      setOpening(null);
      setFailure(failureOf(error, label, providers.length > 1 || instructions !== '' || transfer !== null));
    }
  };
  return (
    <section aria-label={texts.how} className="space-y-3">
      <div className="flex flex-col gap-2.5">
        {providers.map((provider, place) => (
          <Button
            key={provider.id}
            size="lg"
            // Nobody who said that it transferred is led to pay again.
            variant={place === 0 && answer.transfer_notice === null ? 'primary' : 'secondary'}
            busy={opening === provider.id}
            busyLabel={texts.opening}
            disabled={opening !== null && opening !== provider.id}
            onClick={() => void open(provider)}
            className="h-12 text-base"
          >
            {texts.pay(provider.label)}
          </Button>
        ))}
      </div>
      <Failure text={failure} />
      <p className="text-muted">{texts.leaving}</p>
    </section>
  );
}

function failureOf(
  { status, message }: ReturnType<typeof asCallError>,
  provider: string,
  hasOther: boolean,
): string {
  if (status === 503) return hasOther ? texts.awayOther(provider) : texts.away(provider);
  return message;
}
