import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { CURRENCY_LABELS } from '../../text/es-settings.ts';
import { accountTexts as texts } from '../../text/es-transfers.ts';
import { vendorCurrency } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorText, Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { type AccountLine, accountErrors, oddityOf, readTransfer, writeTransfer } from './account-lines.ts';

interface AccountsFieldProps {
  /** Bank, holder and accounts as one text, the form's value. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Where clients transfer to: the bank, the holder, and the accounts by currency (MONEY-11). */
export function AccountsField({ value, onChange, error }: AccountsFieldProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const [errorId, helpId] = [useId(), useId()];
  // Errors are shown from the first attempt to save. Mending one account does not hide the errors of others.
  const [isChecked, setChecked] = useState(false);
  if (error !== undefined && !isChecked) setChecked(true);
  const transfer = readTransfer(value);
  const { accounts } = transfer;
  const faults = isChecked ? accountErrors(accounts) : [];
  const change = (part: Partial<typeof transfer>) => onChange(writeTransfer({ ...transfer, ...part }));

  /** Focuses an account after it is rendered; without accounts the button that adds one. */
  const focusAccount = (index: number) =>
    requestAnimationFrame(() => {
      const numbers = group.current?.querySelectorAll<HTMLInputElement>('[data-account-number]');
      const target = numbers?.[Math.min(index, numbers.length - 1)];
      (target ?? group.current?.querySelector('button'))?.focus();
    });

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
      <fieldset
        ref={group}
        aria-describedby={[error && errorId, helpId].filter(Boolean).join(' ')}
        className="min-w-0 space-y-3"
      >
        <legend className="text-sm font-semibold text-text">{texts.accounts}</legend>
        <p id={helpId} className="text-xs text-muted">
          {texts.help}
        </p>
        {accounts.map((account, index) => (
          <AccountCard
            // biome-ignore lint/suspicious/noArrayIndexKey: accounts have no id, and their inputs are controlled
            key={index}
            account={account}
            number={index + 1}
            errors={faults[index] ?? {}}
            onChange={(part) =>
              change({
                accounts: accounts.map((other, at) => (at === index ? { ...other, ...part } : other)),
              })
            }
            onRemove={() => {
              change({ accounts: accounts.filter((_account, at) => at !== index) });
              focusAccount(index);
            }}
          />
        ))}
        {accounts.length < PAYMENT_LIMITS.accounts ? (
          <Button
            size="sm"
            icon={Plus}
            onClick={() => {
              change({ accounts: [...accounts, { label: '', number: '', currency: vendorCurrency() }] });
              focusAccount(accounts.length);
            }}
          >
            {texts.add}
          </Button>
        ) : (
          <p className="text-xs text-muted">{texts.full(PAYMENT_LIMITS.accounts)}</p>
        )}
        {error && <ErrorText id={errorId}>{error}</ErrorText>}
      </fieldset>
    </div>
  );
}

interface AccountCardProps {
  account: AccountLine;
  number: number;
  errors: { label?: string; number?: string };
  onChange: (part: Partial<AccountLine>) => void;
  onRemove: () => void;
}

function AccountCard({ account, number, errors, onChange, onRemove }: AccountCardProps) {
  // Only after the field was left: while somebody types, every number is too short.
  const [isLeft, setLeft] = useState(account.number !== '');
  return (
    <fieldset className="min-w-0 rounded-lg border border-border p-3">
      <legend className="sr-only">{texts.one(number)}</legend>
      <div className="mb-2 flex items-center justify-between gap-2">
        <span aria-hidden className="text-xs font-medium text-muted">
          {texts.one(number)}
        </span>
        <button
          type="button"
          aria-label={texts.remove(account.label.trim(), number)}
          onClick={onRemove}
          className="-m-2 inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:text-text pointer-coarse:size-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field
          label={texts.ofAccount(texts.number, number)}
          required
          error={errors.number}
          warning={isLeft ? oddityOf(account) : null}
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
    </fieldset>
  );
}
