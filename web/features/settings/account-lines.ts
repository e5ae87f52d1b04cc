import { paymentSettingsUpdate, type TransferAccounts } from '../../../contract/payments/payment-settings.ts';
import { accountWarning, cleanAccountNumber } from '../../../contract/reading/bank-accounts.ts';
import { special } from '../../components/record/form-fields.ts';
import { accountTexts } from '../../text/es-transfers.ts';

/**
 * Converts the accounts for transfers between the editor, the form's value and the API (MONEY-11). The form's value is
 * one text with all of them, so that it is compared, and asked about in a conflict, as one field.
 */

export type AccountLine = TransferAccounts['accounts'][number];

// The cast is safe: these texts are written only by writeTransfer().
export const readTransfer = (text: string): TransferAccounts => JSON.parse(text) as TransferAccounts;
export const writeTransfer = (transfer: TransferAccounts): string => JSON.stringify(transfer);

/** The errors of each account by input; an empty object for one without errors. */
export function accountErrors(accounts: readonly AccountLine[]): { label?: string; number?: string }[] {
  const checked = paymentSettingsUpdate.shape.transfer.safeParse({ accounts });
  const errors: { label?: string; number?: string }[] = accounts.map(() => ({}));
  for (const { path, message } of checked.error?.issues ?? []) {
    const [, at, field] = path;
    const line = typeof at === 'number' ? errors[at] : undefined;
    if (line && (field === 'label' || field === 'number')) line[field] ??= message;
  }
  return errors;
}

/** Whether an account cannot be stored; its own input says why. */
export const hasFaults = (accounts: readonly AccountLine[]): boolean =>
  accountErrors(accounts).some((errors) => Object.keys(errors).length > 0);

/** What is odd about the number of an account; null for nothing. */
export const warningOf = ({ number, currency }: AccountLine): string | null =>
  accountWarning({ number: cleanAccountNumber(number), currency });

/** The form field; `AccountsField` renders it. */
export const transferIn = (label: string) =>
  special<string, TransferAccounts>(label, {
    blank: writeTransfer({ bank: '', holder: '', accounts: [] }),
    read: ({ transfer }: { transfer: TransferAccounts }) => writeTransfer(transfer),
    write: readTransfer,
    words: (text) => accountTexts.inWords(readTransfer(String(text)).accounts.map(({ number }) => number)),
  });
