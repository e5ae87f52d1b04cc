import { z } from 'zod';
import {
  HOLDING_STATUSES,
  LICENSE_DEFAULTS,
  VALIDITY_DAYS_MAX,
  VALIDITY_MONTHS_MAX,
} from '../../../contract/base/limits.ts';
import { amountErrors, type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { endAfterMonths } from '../../../contract/base/months.ts';
import { positiveCount, reference } from '../../../contract/base/numbers.ts';
import { endAfterDays, isExpired } from '../../../contract/base/time.ts';
import { priceRules } from '../../../contract/licenses/complimentary.ts';
import type { MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES, type LicenseCategory } from '../../../contract/licenses/licenses.fields.ts';
import { type LicenseRow, licenseBatch, licenseCreate } from '../../../contract/licenses/licenses.ts';
import type { StartMode } from '../../../contract/licenses/start.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { featureErrors } from '../../components/license/feature-lines.ts';
import { meterErrors } from '../../components/license/meter-lines.ts';
import { seatFormErrors, seatPayload } from '../../components/license/seat-values.ts';
import { monthsTyped } from '../../components/license/term-length.ts';
import { NO_SALE_PAYMENT, salePaymentBody } from '../../components/payment/sale-payment.ts';
import { bodyOf, numberErrors } from '../../components/record/form-fields.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { checkTogether } from '../../components/record/spanning-rules.ts';
import { licenseRecordTexts as texts } from '../../text/es-license.ts';
import { LICENSE_FORM, LICENSE_INPUTS, type LicenseFormValues } from './licenses.form.tsx';

/**
 * The request body (SEED-5.3-08 to -12).
 * @param license the licence to edit, null for a new one
 */
export function toLicensePayload(form: LicenseFormValues, license: LicenseRow | null) {
  // A new licence has the category premium, independent of its type; an existing one keeps its category (D059).
  const category: LicenseCategory = license?.license_type ?? LICENSE_DEFAULTS.license_type;
  return {
    ...bodyOf(LICENSE_INPUTS, form, license),
    license_type: category,
    ...expiryTerms(form, license),
    ...seatPayload(form, license),
    ...(license === null && quantityOf(form)),
    // Nothing is paid for a courtesy.
    ...(license === null && !form.complimentary && salePaymentBody(form.payment ?? NO_SALE_PAYMENT)),
  };
}

/** A single licence is issued with the call for one licence, which has no `quantity`. */
const quantityOf = ({ quantity }: Pick<LicenseFormValues, 'quantity'>): { quantity?: number | null } =>
  numberOf(quantity, 'count') === 1 ? {} : { quantity: numberOf(quantity, 'count') };

/**
 * Unchanged terms are not sent, so that editing a note never moves a date (D071). Null for both fields means no expiry
 * (D070). A length by the calendar is sent as months alone; days say of a licence in months that days count now
 * (MONEY-10).
 */
function expiryTerms(
  form: Pick<LicenseFormValues, 'expiry_days' | 'expiry_months' | 'no_expiry'>,
  license: LicenseRow | null,
): { expiry_days?: number | null; expiry_date?: null; expiry_months?: number | null } {
  if (license !== null) {
    const read = LICENSE_FORM.toForm(license);
    if (TERM_FIELDS.every((name) => read[name] === form[name])) return {};
  }
  if (form.no_expiry) return { expiry_days: null, expiry_date: null };
  // A blank number of months or years is an error; blank days are those of a licence.
  if (form.expiry_months !== 'days')
    return { expiry_months: monthsTyped(form.expiry_days, form.expiry_months) ?? 0 };
  const days = numberOf(form.expiry_days, 'count');
  return {
    expiry_days: days === null ? LICENSE_DEFAULTS.expiry_days : Math.trunc(days),
    ...(license?.expiry_months && { expiry_months: null }),
  };
}

const TERM_FIELDS = ['expiry_days', 'expiry_months', 'no_expiry'] as const;

/** The fields that decide when a licence ends. */
type TermsTyped = Pick<LicenseFormValues, 'status' | (typeof TERM_FIELDS)[number]>;

/**
 * The past date on which the licence would have ended if the form were saved now. Null if it would not have ended, if
 * the fields that decide it are unchanged, or if the days are invalid. Changed days count from the day of issue
 * (D071), changed months from where the present term does (MONEY-10), and a past date takes precedence over any status
 * (D066). A new licence cannot have ended: its days count from today and are at least 1.
 * @param term from where its months count; null while the server has not said it
 */
export function endedAlready(
  form: TermsTyped,
  license: LicenseRow | null,
  now: Date,
  timeZone: string,
  term: MonthsFrom | null = null,
): string | null {
  // A licence that waits for its first activation has no end date yet.
  if (license === null || license.pending_start) return null;
  const { expiry_days, expiry_months } = expiryTerms(form, license);
  if (typeof expiry_months === 'number' && expiry_months !== license.expiry_months) {
    const ends = expiryAfterMonths(term, expiry_months, timeZone);
    return ends !== undefined && isExpired(ends, now) ? ends : null;
  }
  const isRevived =
    form.status !== license.status && HOLDING_STATUSES.some((status) => status === form.status);
  if (expiry_days === undefined && !isRevived) return null;
  const expiry = expiryAfter(license, expiry_days, timeZone);
  return isExpired(expiry, now) ? expiry : null;
}

/**
 * True if the licence will wait for its first activation if the form is saved now (SELL-01).
 * @param type the chosen type: its value applies if a new licence does not set one
 */
export function willWait(
  { start_mode, no_expiry }: Pick<LicenseFormValues, 'start_mode' | 'no_expiry'>,
  license: LicenseRow | null,
  type: { start_mode?: StartMode } | undefined,
): boolean {
  if (license !== null && !license.pending_start) return false;
  return !no_expiry && (start_mode || type?.start_mode) === 'first_activation';
}

/**
 * The date on which the licence ends if the form is saved now; null without expiry, undefined while the days are
 * invalid. Days count from today for a new licence, from its day of issue for an existing one (D071). Changed months of
 * an existing one count from the start of its present term.
 * @param term where that is; null while the server has not said it
 */
export function resultingExpiry(
  form: Pick<LicenseFormValues, (typeof TERM_FIELDS)[number]>,
  license: LicenseRow | null,
  now: Date,
  timeZone: string,
  term: MonthsFrom | null = null,
): string | null | undefined {
  const { expiry_days: days, expiry_months: months } = expiryTerms(form, license);
  if (typeof months === 'number') {
    if (license !== null && months === license.expiry_months) return license.expiry_date;
    return expiryAfterMonths(license === null ? { from: now.toISOString() } : term, months, timeZone);
  }
  if (typeof days === 'number' && !(days >= 1 && days <= VALIDITY_DAYS_MAX)) return undefined;
  if (license !== null) return expiryAfter(license, days, timeZone);
  return typeof days === 'number' ? endAfterDays(now.toISOString(), days, timeZone) : null;
}

/** The end after so many months; undefined while they are invalid, or where they count from is not known. */
function expiryAfterMonths(
  term: (Pick<MonthsFrom, 'from'> & Partial<MonthsFrom>) | null,
  months: number,
  timeZone: string,
): string | undefined {
  const isMonths = Number.isInteger(months) && months >= 1 && months <= VALIDITY_MONTHS_MAX;
  return term !== null && isMonths ? endAfterMonths(term.from, months, timeZone, term.anchor) : undefined;
}

/** Like the server: if the days are absent or unchanged, the date stays. */
function expiryAfter(license: LicenseRow, days: number | null | undefined, timeZone: string): string | null {
  if (days === undefined || days === license.expiry_days) return license.expiry_date;
  const isDays = days !== null && days >= 1 && days <= VALIDITY_DAYS_MAX;
  return isDays ? endAfterDays(license.issued_date, days, timeZone) : null;
}

/**
 * Compares values as they will be sent: a client by its id, numbers as numbers, days only with an expiry. Dates are
 * not fields of the form, because the server computes them from the days (D071).
 */
export const LICENSE_MERGING: MergeRules<LicenseFormValues> = {
  comparable: (form) => ({ ...toLicensePayload(form, null), no_expiry: form.no_expiry }),
  switches: { no_expiry: ['expiry_days', 'expiry_months'] },
};

/** The contract's rules. In addition, this form requires a type and a number of seats (SEED-5.3-02, -03). */
const licensePayload = z
  .object({
    ...licenseCreate.shape,
    // Sent by a courtesy alone, so that a server without the field does not get it.
    complimentary: z.boolean().optional(),
    license_type_config: reference(LICENSE_MESSAGES.type).nullable(),
    max_installations: positiveCount(LICENSE_MESSAGES.maxInstallations),
    quantity: licenseBatch.shape.quantity.optional(),
  })
  .check(...priceRules(LICENSE_MESSAGES.price, { needsPrice: true }));

/** The schema: form texts in, request body out. Messages of the contract are shown at the form's fields. */
export const licenseFormSchema = (license: LicenseRow | null) =>
  z.custom<LicenseFormValues>().transform((form, context) => {
    const payload = toLicensePayload(form, license);
    const { currency, price, original_price } = payload;
    const spanning = {
      ...numberErrors(LICENSE_INPUTS, form),
      ...amountErrors(currency, { price, original_price }),
      ...featureErrors(form.features),
      ...meterErrors(form.meters),
      ...seatFormErrors(form),
      ...('quantity' in payload && form.external_id.trim() !== '' && { external_id: [texts.oneExternalId] }),
    };
    return checkTogether(licensePayload, payload, spanning, context);
  });

/**
 * The final price after the discount; null if there is nothing to suggest (D063). The price is replaced only if the
 * user accepts it.
 */
export function suggestedPrice(
  originalPrice: string,
  discountPercentage: string,
  currency: Currency,
): number | null {
  const original = numberOf(originalPrice, currency);
  const discount = numberOf(discountPercentage, 'percent');
  // NaN, for a text that is no number, is not above 0.
  if (original === null || discount === null || !(original > 0 && discount > 0 && discount < 100))
    return null;
  const suggested = fromMinorUnits(toMinorUnits((original * (100 - discount)) / 100, currency), currency);
  return suggested > 0 ? suggested : null;
}
