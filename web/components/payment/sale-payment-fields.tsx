import { useId, useState } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import {
  MANUAL_METHODS,
  PAYMENT_LIMITS,
  PAYMENT_METHOD_LABELS,
} from '../../../contract/payments/payment-words.ts';
import { salePaymentTexts as texts } from '../../text/es-sale-payment.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import type { SalePaymentValues } from './sale-payment.ts';

const CHOICES = [
  { value: 'none', label: texts.none, text: texts.noneHelp },
  { value: 'paid', label: texts.paid, text: texts.paidHelp },
  { value: 'asked', label: texts.asked, text: texts.askedHelp },
] as const;

export interface SalePaymentFieldsProps {
  value: SalePaymentValues;
  onChange: (value: SalePaymentValues) => void;
  /** The currency of what is sold. */
  currency: Currency;
  error: string | undefined;
}

/** 'Pago': whether what is sold was paid, will be asked for, or neither is noted here (MONEY-05). */
export function SalePaymentFields(props: SalePaymentFieldsProps) {
  const { value, onChange } = props;
  const change = (changes: Partial<SalePaymentValues>) => onChange({ ...value, ...changes });
  return (
    <>
      <PaymentForm value={value.form} onChange={(form) => change({ form })} />
      {value.form === 'paid' && <PaidFields {...props} change={change} />}
      {value.form === 'asked' && <AskedFields {...props} change={change} />}
    </>
  );
}

interface PaymentFormProps {
  value: SalePaymentValues['form'];
  onChange: (form: SalePaymentValues['form']) => void;
}

/** The question: was it paid? Each answer says what it does. */
function PaymentForm({ value, onChange }: PaymentFormProps) {
  const id = useId();
  return (
    <div role="radiogroup" aria-labelledby={id} className="sm:col-span-2">
      <p id={id} className="text-sm font-semibold text-text">
        {texts.title}
      </p>
      {CHOICES.map((choice) => (
        <label key={choice.value} className="mt-1 flex items-start gap-2.5 py-1 pointer-coarse:py-2">
          <input
            type="radio"
            name={id}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="mt-0.5 size-4 shrink-0 accent-brand"
          />
          <span className="min-w-0">
            <span className="font-medium">{choice.label}</span>
            <span className="block text-xs text-muted">{choice.text}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

type PartProps = SalePaymentFieldsProps & { change: (changes: Partial<SalePaymentValues>) => void };

function PaidFields({ value, currency, error, change }: PartProps) {
  const [today] = useState(() => localDay(new Date(), businessTimeZoneInUse()));
  return (
    <>
      <Field label={texts.method} required>
        <Select
          value={value.method}
          // The cast is safe: the choices are these methods.
          onChange={({ target }) => change({ method: target.value as SalePaymentValues['method'] })}
          choices={MANUAL_METHODS.map((method) => [method, PAYMENT_METHOD_LABELS[method]])}
        />
      </Field>
      <Field label={texts.paidOn}>
        <DateInput
          max={today}
          value={value.paid_on || today}
          onChange={({ target }) => change({ paid_on: target.value })}
        />
      </Field>
      <Field label={texts.reference} help={texts.referenceHelp} wide>
        <TextInput
          autoComplete="off"
          maxLength={PAYMENT_LIMITS.reference}
          value={value.reference}
          onChange={({ target }) => change({ reference: target.value })}
        />
      </Field>
      <Field label={texts.amount} help={texts.amountHelp} error={error}>
        <NumberInput
          unit={value.unit ?? currency}
          value={value.amount}
          onChange={({ target }) => change({ amount: target.value, unit: currency })}
        />
      </Field>
      <Field label={texts.withheld} help={texts.withheldHelp}>
        <NumberInput
          unit={value.unit ?? currency}
          value={value.withheld}
          onChange={({ target }) => change({ withheld: target.value, unit: currency })}
        />
      </Field>
    </>
  );
}

const AskedFields = ({ value, error, change }: PartProps) => (
  <>
    <Field label={texts.expires} help={texts.expiresHelp} error={error}>
      <NumberInput
        unit="count"
        min={PAYMENT_LIMITS.daysMin}
        max={PAYMENT_LIMITS.daysMax}
        value={value.expires}
        onChange={({ target }) => change({ expires: target.value })}
      />
    </Field>
    <Checkbox
      className="sm:pt-6.5"
      label={texts.notify}
      help={texts.notifyHelp}
      checked={value.notify}
      onChange={({ target }) => change({ notify: target.checked })}
    />
  </>
);
