import type { Currency } from '../../../contract/base/money.ts';
import { fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { chargeTexts } from '../../text/es-payments.ts';

/** Which licences a payment request can contain, and its total (PAY-01). */

/** Why these licences cannot be charged together; null if they can (PAY-07). */
export function chargeRefusal(licenses: readonly LicenseRow[]): string | null {
  const differ = (of: (license: LicenseRow) => unknown) => new Set(licenses.map(of)).size > 1;
  if (differ(({ client }) => client.id)) return chargeTexts.clients;
  if (differ(({ currency }) => currency)) return chargeTexts.currencies;
  if (licenses.length > PAYMENT_LIMITS.lines) return chargeTexts.tooMany(PAYMENT_LIMITS.lines);
  return licenses.length > 1 && licenses.some(isTrial) ? chargeTexts.trials : null;
}

export interface Totals {
  subtotal: number;
  tax: number;
  total: number;
}

/** The tax is computed once, on the subtotal, and rounded to the smallest amount of the currency. */
export function totalsOf(amounts: readonly number[], taxRate: number, currency: Currency): Totals {
  const subtotal = amounts.reduce((sum, amount) => sum + toMinorUnits(amount, currency), 0);
  const tax = Math.round((subtotal * taxRate) / 100);
  const money = (units: number) => fromMinorUnits(units, currency);
  return { subtotal: money(subtotal), tax: money(tax), total: money(subtotal + tax) };
}
