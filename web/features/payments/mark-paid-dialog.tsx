import { useState } from 'react';
import { localDay } from '../../../contract/base/time.ts';
import { type PaymentRequest, paymentRequestPaid } from '../../../contract/payments/payment-requests.ts';
import {
  MANUAL_METHODS,
  PAYMENT_MESSAGES,
  PAYMENT_METHOD_LABELS,
} from '../../../contract/payments/payment-words.ts';
import { numberOf, plainText } from '../../../contract/reading/numbers.ts';
import { paidAtOf } from '../../components/payment/paid-at.ts';
import { isPartial } from '../../components/payment/partial.ts';
import { useMarkPaid } from '../../components/payment/request-call.ts';
import { ActionDialog, type FieldMessages, messagesOf } from '../../components/record/action-dialog.tsx';
import { businessTimeZoneInUse, formatPrice } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { rounded } from './amounts.ts';
import { requestActions as texts } from './payments-texts.ts';

interface MarkPaidDialogProps {
  request: PaymentRequest;
  onClose: () => void;
}

const WORDS = { title: texts.payTitle, submit: texts.paySubmit, busy: texts.paying, failed: texts.payFailed };

type Values = {
  amount: string;
  /** Whether the amount is all the rest, because nobody typed another one. */
  isRest: boolean;
  withheld: string;
  method: string;
  reference: string;
  paid_at: string;
};

/** What the fields say, as the call takes it; an empty amount is all that is due. */
function bodyOf({ amount, withheld, method, reference }: Values, { currency }: PaymentRequest) {
  const came = numberOf(amount, currency);
  const kept = numberOf(withheld, currency);
  return {
    method: MANUAL_METHODS.find((word) => word === method),
    reference,
    ...(came !== null && { amount: came }),
    ...(kept !== null && { withheld: kept }),
  };
}

/** What stays due after what is typed; NaN while something typed is no number. */
function leftAfter(values: Values, request: PaymentRequest): number {
  const { amount, withheld = 0 } = bodyOf(values, request);
  const left = rounded(request.due - withheld);
  return amount === undefined ? Math.min(left, 0) : rounded(left - amount);
}

function faultsOf(values: Values, request: PaymentRequest): FieldMessages {
  const body = bodyOf(values, request);
  const found = messagesOf(paymentRequestPaid.safeParse(body).error);
  if (found.method) found.method = texts.chooseMethod;
  if (body.amount === 0 && !body.withheld) found.amount ??= PAYMENT_MESSAGES.nothingPaid;
  if (leftAfter(values, request) < 0) {
    found.amount ??= body.withheld ? PAYMENT_MESSAGES.moreThanDueWithTax : PAYMENT_MESSAGES.moreThanDue;
  }
  return found;
}

/** The change of a typed tax: an amount that is all the rest makes room for it. */
function withTax({ isRest }: Values, withheld: string, request: PaymentRequest): Partial<Values> {
  const rest = rounded(request.due - (numberOf(withheld, request.currency) ?? 0));
  return isRest && rest >= 0 ? { withheld, amount: plainText(rest) } : { withheld };
}

/**
 * 'Registrar pago': records a payment that came in another way, or a part of it, and renews the licences when nothing
 * is due (PAY-01, MONEY-06).
 */
export function MarkPaidDialog({ request, onClose }: MarkPaidDialogProps) {
  const [today] = useState(() => localDay(new Date(), businessTimeZoneInUse()));
  const markPaid = useMarkPaid(request.id);
  const { currency, due } = request;
  const blank: Values = {
    amount: plainText(due),
    isRest: true,
    withheld: '',
    method: '',
    reference: '',
    paid_at: today,
  };
  return (
    <ActionDialog
      onClose={onClose}
      size="sm"
      words={WORDS}
      asksToDiscard={false}
      blank={blank}
      check={(values) => faultsOf(values, request)}
      send={async (values) => {
        const { method, ...body } = bodyOf(values, request);
        if (method === undefined) return;
        const done = await markPaid.mutateAsync({ ...body, method, ...paidAtOf(values.paid_at, today) });
        onClose();
        if (done.state === 'review') toasts.error(texts.paidReview);
        else if (done.state === 'open') toasts.success(texts.paidPart(formatPrice(done.due, currency)));
        else toasts.success(texts.paid, request.client.name);
      }}
      preview={(values) => <Outcome left={leftAfter(values, request)} request={request} />}
    >
      {({ values, errors, change, field }) => (
        <>
          <div>
            <p className="text-2xl font-semibold">{formatPrice(due, currency)}</p>
            {isPartial(request) && (
              <p className="text-muted">{texts.ofTotal(formatPrice(request.amount, currency))}</p>
            )}
          </div>
          <p className="text-muted">{texts.payLead}</p>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label={texts.cameIn} error={errors.amount}>
              <NumberInput
                unit={currency}
                min={0}
                value={values.amount}
                onChange={({ target }) => change({ amount: target.value, isRest: false })}
              />
            </Field>
            <Field label={texts.withheld} help={texts.withheldHelp} error={errors.withheld}>
              <NumberInput
                unit={currency}
                min={0}
                value={values.withheld}
                onChange={({ target }) => change(withTax(values, target.value, request))}
              />
            </Field>
          </div>
          <Field label={texts.method} required error={errors.method}>
            <Select
              value={values.method}
              onChange={({ target }) => change({ method: target.value })}
              none={texts.chooseMethod}
              choices={MANUAL_METHODS.map((method) => [method, PAYMENT_METHOD_LABELS[method]])}
            />
          </Field>
          <Field label={texts.reference} help={texts.referenceHelp} error={errors.reference}>
            <TextInput autoComplete="off" {...field('reference')} />
          </Field>
          <Field label={texts.paidOn} error={errors.paid_at}>
            <DateInput max={today} {...field('paid_at')} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}

/** What the payment will do: renew, or leave the rest to be paid. */
const Outcome = ({ left, request: { currency, lines } }: { left: number; request: PaymentRequest }) => (
  <p role="status" className={`text-sm empty:hidden ${left < 0 ? 'text-critical-text' : 'text-muted'}`}>
    {left > 0 && texts.leaves(formatPrice(left, currency))}
    {left === 0 && texts.settles(lines.map(({ kind }) => kind))}
    {left < 0 && texts.over(formatPrice(-left, currency))}
  </p>
);
