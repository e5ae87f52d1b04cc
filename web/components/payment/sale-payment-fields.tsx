import { useState } from 'react';
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
import { RadioChoices } from '../../ui/radio-choices.tsx';
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
      <div className="sm:col-span-2">
        <RadioChoices
          label={texts.title}
          choices={CHOICES}
          value={value.form}
          onChange={(form) => change({ form })}
        />
      </div>
      {value.form === 'paid' && <PaidFields {...props} change={change} />}
      {value.form === 'asked' && <AskedFields {...props} change={change} />}
    </>
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
