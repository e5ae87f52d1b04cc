import { type FormEvent, useEffect, useRef, useState } from 'react';
import { addDays, localDay } from '../../../contract/base/time.ts';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { payTexts } from '../../text/es-pay.ts';
import { portalTexts } from '../../text/es-portal.ts';
import { Banner, Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import { Submit } from '../submit.tsx';
import { useWork } from '../use-work.ts';
import { payCall } from './use-pay.ts';

const texts = payTexts.notice;

interface TransferNoticeProps {
  code: string;
  answer: PayPage;
  /** Refetches the request. */
  reload: () => Promise<void>;
}

/** The id of what the client said so far. */
const SAID = 'aviso';

/**
 * What the client said so far. It is on top of the page, because whoever comes back after a transfer looks for it
 * before anything else (MONEY-11). The live region always exists.
 */
export const GivenNotice = ({ given }: { given: PayPage['transfer_notice'] }) => (
  <div id={SAID} role="status" tabIndex={-1} className="outline-none empty:hidden">
    {given !== null && (
      <Banner tone="success" title={texts.given(given.paid_on)}>
        {texts.givenText(given.reference)}
      </Banner>
    )}
  </div>
);

/** 'Ya hice la transferencia': tells the vendor to look for the money (MONEY-11). */
export function TransferNotice({ code, answer, reload }: TransferNoticeProps) {
  const { transfer_notice: given } = answer;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** What was said gets the focus, so that it is read. */
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    if (isSent) document.getElementById(SAID)?.focus();
  }, [isSent]);
  return (
    <div>
      {isOpen ? (
        <NoticeForm
          code={code}
          answer={answer}
          onSent={async () => {
            await reload();
            setOpen(false);
            setSent(true);
          }}
          onStale={reload}
          onClose={() => {
            setOpen(false);
            requestAnimationFrame(() => button.current?.focus());
          }}
        />
      ) : (
        <Button
          ref={button}
          size="lg"
          variant={given === null && answer.providers.length === 0 ? 'primary' : 'secondary'}
          className="w-full text-base"
          onClick={() => {
            setSent(false);
            setOpen(true);
          }}
        >
          {given === null ? texts.open : texts.again}
        </Button>
      )}
    </div>
  );
}

interface NoticeFormProps {
  code: string;
  answer: PayPage;
  onSent: () => Promise<void>;
  /** The request is not open any more. */
  onStale: () => Promise<void>;
  onClose: () => void;
}

function NoticeForm({ code, answer, onSent, onStale, onClose }: NoticeFormProps) {
  const { transfer_notice: given, time_zone } = answer;
  const [today] = useState(() => localDay(new Date(), time_zone));
  const [paidOn, setPaidOn] = useState(given?.paid_on ?? today);
  const [reference, setReference] = useState(given?.reference ?? '');
  const { busy, error, run } = useWork();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await payCall(code, 'notice', { reference, ...(paidOn !== '' && { paid_on: paidOn }) });
      await onSent();
    });
  };
  const isStale = error?.status === 409 || error?.status === 404;
  useEffect(() => {
    if (isStale) void onStale();
  }, [isStale, onStale]);
  const errorOf = (field: string) => error?.fieldErrors[field]?.[0];
  const isOfField = errorOf('paid_on') !== undefined || errorOf('reference') !== undefined;
  return (
    <Card title={texts.open}>
      <form noValidate onSubmit={send} className="space-y-4">
        <p className="text-muted">{texts.lead}</p>
        <Field label={texts.paidOn} error={errorOf('paid_on')}>
          <DateInput
            ref={first}
            value={paidOn}
            min={addDays(today, -PAYMENT_LIMITS.noticeDays)}
            max={today}
            onChange={({ target }) => setPaidOn(target.value)}
          />
        </Field>
        <Field label={texts.reference} help={texts.referenceHelp} error={errorOf('reference')}>
          <TextInput
            value={reference}
            maxLength={PAYMENT_LIMITS.reference}
            autoComplete="off"
            onChange={({ target }) => setReference(target.value)}
          />
        </Field>
        <Failure
          text={
            error === null || isOfField ? null : error.code === 'rate_limited' ? texts.tooMany : error.message
          }
        />
        <div className="flex flex-col gap-2">
          <Submit busy={busy} busyLabel={texts.busy}>
            {texts.submit}
          </Submit>
          <Button size="lg" onClick={onClose} className="w-full">
            {portalTexts.back}
          </Button>
        </div>
      </form>
    </Card>
  );
}
