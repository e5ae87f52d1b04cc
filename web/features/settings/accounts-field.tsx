import { useState } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { CardList } from '../../components/record/card-list.tsx';
import { CURRENCY_LABELS } from '../../text/es-settings.ts';
import { accountTexts as texts } from '../../text/es-transfers.ts';
import { vendorCurrency } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { type AccountLine, accountErrors, readTransfer, warningOf, writeTransfer } from './account-lines.ts';

interface AccountsFieldProps {
  /** Bank, holder and accounts as one text, the form's value. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Where clients transfer to: the bank, the holder, and the accounts by currency (MONEY-11). */
export function AccountsField({ value, onChange, error }: AccountsFieldProps) {
  // Errors are shown from the first attempt to save. Mending one account does not hide the errors of others.
  const [isChecked, setChecked] = useState(false);
  if (error !== undefined && !isChecked) setChecked(true);
  const transfer = readTransfer(value);
  const { accounts } = transfer;
  const faults = isChecked ? accountErrors(accounts) : [];
  const change = (part: Partial<typeof transfer>) => onChange(writeTransfer({ ...transfer, ...part }));

  return (
    <div className="space-y-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={texts.bank}>
          <TextInput
            value={transfer.bank}
            maxLength={PAYMENT_LIMITS.bank}
            onChange={({ target }) => change({ bank: target.value })}
            autoComplete="off"
          />
        </Field>
        <Field label={texts.holder}>
          <TextInput
            value={transfer.holder}
            maxLength={PAYMENT_LIMITS.bank}
            onChange={({ target }) => change({ holder: target.value })}
            autoComplete="off"
          />
        </Field>
      </div>
      <CardList
        items={accounts}
        onChange={(all) => change({ accounts: all })}
        max={PAYMENT_LIMITS.accounts}
        blank={() => ({ label: '', number: '', currency: vendorCurrency() })}
        texts={{ ...texts, title: texts.accounts }}
        nameOf={({ label }) => label}
        focused="[data-account-number]"
        error={error}
      >
        {(account, index, onPart) => (
          <AccountInputs
            account={account}
            number={index + 1}
            errors={faults[index] ?? {}}
            onChange={onPart}
          />
        )}
      </CardList>
    </div>
  );
}

interface AccountInputsProps {
  account: AccountLine;
  number: number;
  errors: { label?: string; number?: string };
  onChange: (part: Partial<AccountLine>) => void;
}

function AccountInputs({ account, number, errors, onChange }: AccountInputsProps) {
  // Only after the field was left: while somebody types, every number is too short.
  const [isLeft, setLeft] = useState(account.number !== '');
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <Field
        label={texts.ofAccount(texts.number, number)}
        required
        error={errors.number}
        warning={isLeft ? warningOf(account) : null}
        wide
      >
        <TextInput
          data-account-number
          value={account.number}
          onChange={({ target }) => {
            setLeft(false);
            onChange({ number: target.value });
          }}
          onBlur={() => setLeft(true)}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <Field label={texts.ofAccount(texts.label, number)} error={errors.label}>
        <TextInput
          value={account.label}
          placeholder="CLABE"
          onChange={({ target }) => onChange({ label: target.value })}
          autoComplete="off"
        />
      </Field>
      <Field label={texts.ofAccount(texts.currency, number)}>
        <Select
          value={account.currency}
          // The choices are the currencies.
          onChange={({ target }) => onChange({ currency: target.value as Currency })}
          choices={Object.entries(CURRENCY_LABELS)}
        />
      </Field>
    </div>
  );
}
