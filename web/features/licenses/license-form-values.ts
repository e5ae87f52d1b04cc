import { z } from 'zod';
import {
  DEFAULT_CURRENCY,
  HOLDING_STATUSES,
  LICENSE_DEFAULTS,
  VALIDITY_DAYS_MAX,
} from '../../../contract/base/limits.ts';
import { amountErrors, type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { positiveCount, reference } from '../../../contract/base/numbers.ts';
import { endAfterDays, isExpired } from '../../../contract/base/time.ts';
import type { Features } from '../../../contract/licenses/features.ts';
import {
  LICENSE_MESSAGES,
  type LicenseCategory,
  type LicenseRow,
  licenseCreate,
} from '../../../contract/licenses/licenses.ts';
import {
  featureErrors,
  featuresOf,
  featuresToForm,
  NO_FEATURES,
} from '../../components/license/feature-lines.ts';
import {
  SEATS_OF_TYPE,
  type SeatFormValues,
  seatFormErrors,
  seatPayload,
  seatsToForm,
} from '../../components/license/seat-values.ts';
import type { PickedClient } from '../../components/record/catalogue-queries.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { checkTogether } from '../../components/record/spanning-rules.ts';

/** The form's values, as typed texts. */
export type LicenseFormValues = {
  client: PickedClient | null;
  software: string;
  license_type_config: string;
  price: string;
  currency: Currency;
  original_price: string;
  discount_percentage: string;
  promotion_name: string;
  promotion_description: string;
  status: string;
  max_installations: string;
  expiry_days: string;
  no_expiry: boolean;
  grace_days: string;
  offline_days: string;
  /** Lines as a text (feature-lines.ts). */
  features: string;
  notes: string;
  external_id: string;
} & SeatFormValues;

/** The option of a licence whose catalogue type was deleted: its terms stay (D013). */
export const WITHOUT_TYPE = 'none';

/** The values of a new licence (SEED-4-20, SEED-9-07). */
export const BLANK_LICENSE: LicenseFormValues = {
  client: null,
  software: '',
  license_type_config: '',
  price: String(LICENSE_DEFAULTS.price),
  currency: DEFAULT_CURRENCY,
  original_price: '',
  discount_percentage: String(LICENSE_DEFAULTS.discount_percentage),
  promotion_name: '',
  promotion_description: '',
  status: LICENSE_DEFAULTS.status,
  max_installations: String(LICENSE_DEFAULTS.max_installations),
  expiry_days: String(LICENSE_DEFAULTS.expiry_days),
  no_expiry: false,
  // As the type says.
  grace_days: '',
  offline_days: '',
  features: NO_FEATURES,
  ...SEATS_OF_TYPE,
  notes: '',
  external_id: '',
};

export function toLicenseForm(license: LicenseRow): LicenseFormValues {
  return {
    client: license.client,
    software: String(license.software.id),
    license_type_config:
      license.license_type_config === null ? WITHOUT_TYPE : String(license.license_type_config),
    price: String(license.price),
    currency: license.currency,
    original_price: license.original_price === null ? '' : String(license.original_price),
    discount_percentage: String(license.discount_percentage),
    promotion_name: license.promotion_name,
    promotion_description: license.promotion_description,
    status: license.status,
    max_installations: String(license.max_installations),
    expiry_days: license.expiry_days === null ? '' : String(license.expiry_days),
    no_expiry: license.expiry_date === null,
    grace_days: String(license.grace_days),
    offline_days: String(license.offline_days ?? LICENSE_DEFAULTS.offline_days),
    features: featuresToForm(license.features),
    ...seatsToForm(license),
    notes: license.notes,
    external_id: license.external_id ?? '',
  };
}

/** The number in a text, null when there is none. */
export const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

const idOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));

/**
 * The payload (SEED-5.3-08 to -12). Blank seats stay undefined, which is an error; 0 and less become 1 (D078).
 * @param license the licence that is edited, null for a new one
 */
export function toLicensePayload(form: LicenseFormValues, license: LicenseRow | null) {
  const seats = numberOf(form.max_installations);
  // A new licence is premium whatever its type; an edited one keeps its category (D059).
  const category: LicenseCategory = license?.license_type ?? LICENSE_DEFAULTS.license_type;
  return {
    client: form.client?.id,
    software: idOf(form.software),
    license_type_config: form.license_type_config === WITHOUT_TYPE ? null : idOf(form.license_type_config),
    license_type: category,
    status: form.status,
    price: numberOf(form.price),
    currency: form.currency,
    original_price: numberOf(form.original_price),
    discount_percentage: numberOf(form.discount_percentage) ?? LICENSE_DEFAULTS.discount_percentage,
    promotion_name: form.promotion_name,
    promotion_description: form.promotion_description,
    max_installations: seats === null ? undefined : Math.max(1, Math.trunc(seats)),
    ...expiryTerms(form, license),
    ...graceTerms(form, license),
    ...programTerms(form, license),
    ...seatPayload(form, license),
    notes: form.notes,
    // A licence without one sends none.
    ...((license?.external_id ?? '') !== form.external_id.trim() && { external_id: form.external_id }),
  };
}

/** Unchanged terms are not sent, so that editing a note never moves a date (D071); two nulls mean no expiry (D070). */
function expiryTerms(
  form: Pick<LicenseFormValues, 'expiry_days' | 'no_expiry'>,
  license: LicenseRow | null,
): { expiry_days?: number | null; expiry_date?: null } {
  if (license !== null) {
    const read = toLicenseForm(license);
    if (read.expiry_days === form.expiry_days && read.no_expiry === form.no_expiry) return {};
  }
  if (form.no_expiry) return { expiry_days: null, expiry_date: null };
  const days = numberOf(form.expiry_days);
  return { expiry_days: days === null ? LICENSE_DEFAULTS.expiry_days : Math.trunc(days) };
}

/** Unchanged days are not sent. A blank is that of the type for a new licence, and none for an edited one. */
function graceTerms({ grace_days }: LicenseFormValues, license: LicenseRow | null): { grace_days?: number } {
  const days = numberOf(grace_days) ?? (license === null ? null : 0);
  return days === null || days === license?.grace_days ? {} : { grace_days: days };
}

/** Unchanged terms of the program are not sent. Blank ones are those of the type for a new licence. */
function programTerms(
  form: Pick<LicenseFormValues, 'offline_days' | 'features'>,
  license: LicenseRow | null,
): { offline_days?: number; features?: Features } {
  const days = numberOf(form.offline_days) ?? (license === null ? null : 0);
  const isChanged = form.features !== featuresToForm(license?.features);
  return {
    ...(days !== null && days !== license?.offline_days && { offline_days: days }),
    ...(isChanged && { features: featuresOf(form.features) }),
  };
}

/** The fields that decide when a licence ends. */
type TermsTyped = Pick<LicenseFormValues, 'status' | 'expiry_days' | 'no_expiry'>;

/**
 * The past date on which the licence would have ended if the form were saved now. Null when it would not have ended,
 * when the fields that decide it are unchanged, or when the days are invalid. Changed days count from the day of issue
 * (D071), and a past date overrides any status (D066). A new licence cannot have ended: its days count from today and
 * are at least 1.
 */
export function endedAlready(
  form: TermsTyped,
  license: LicenseRow | null,
  now: Date,
  timeZone: string,
): string | null {
  if (license === null) return null;
  const { expiry_days } = expiryTerms(form, license);
  const isRevived =
    form.status !== license.status && HOLDING_STATUSES.some((status) => status === form.status);
  if (expiry_days === undefined && !isRevived) return null;
  const expiry = expiryAfter(license, expiry_days, timeZone);
  return isExpired(expiry, now) ? expiry : null;
}

/**
 * The date on which the licence ends if the form is saved now: null without expiry, undefined while the days are
 * invalid. Days count from today for a new licence, from its day of issue for an edited one (D071).
 */
export function resultingExpiry(
  form: Pick<LicenseFormValues, 'expiry_days' | 'no_expiry'>,
  license: LicenseRow | null,
  now: Date,
  timeZone: string,
): string | null | undefined {
  const { expiry_days: days } = expiryTerms(form, license);
  if (typeof days === 'number' && (days < 1 || days > VALIDITY_DAYS_MAX)) return undefined;
  if (license !== null) return expiryAfter(license, days, timeZone);
  return typeof days === 'number' ? endAfterDays(now.toISOString(), days, timeZone) : null;
}

/** As on the server: days that are not sent or unchanged keep the date. */
function expiryAfter(license: LicenseRow, days: number | null | undefined, timeZone: string): string | null {
  if (days === undefined || days === license.expiry_days) return license.expiry_date;
  const isDays = days !== null && days >= 1 && days <= VALIDITY_DAYS_MAX;
  return isDays ? endAfterDays(license.issued_date, days, timeZone) : null;
}

/**
 * Compares the values as sent: a client by its id, numbers as numbers, days only with an expiry. Dates are no field of
 * the form: the server computes them from the days (D071).
 */
export const LICENSE_MERGING: MergeRules<LicenseFormValues> = {
  comparable: (form) => ({ ...toLicensePayload(form, null), no_expiry: form.no_expiry }),
  switches: { no_expiry: ['expiry_days'] },
};

/** The contract's rules; in addition this form requires a catalogue type and a number of seats (SEED-5.3-02, -03). */
const licensePayload = z.object({
  ...licenseCreate.shape,
  license_type_config: reference(LICENSE_MESSAGES.type).nullable(),
  max_installations: positiveCount(LICENSE_MESSAGES.maxInstallations),
});

/** Form texts in, payload out, with the contract's messages on the form's fields. */
export const licenseFormSchema = (license: LicenseRow | null) =>
  z.custom<LicenseFormValues>().transform((form, context) => {
    const payload = toLicensePayload(form, license);
    const { currency, price, original_price } = payload;
    const spanning = {
      ...amountErrors(currency, { price, original_price }),
      ...featureErrors(form.features),
      ...seatFormErrors(form),
    };
    return checkTogether(licensePayload, payload, spanning, context);
  });

/**
 * The final price after the discount; null when there is nothing to suggest (D063). It never overwrites the price by
 * itself.
 */
export function suggestedPrice(
  originalPrice: string,
  discountPercentage: string,
  currency: Currency,
): number | null {
  const original = numberOf(originalPrice);
  const discount = numberOf(discountPercentage);
  if (original === null || discount === null || original <= 0 || discount <= 0 || discount >= 100)
    return null;
  const suggested = fromMinorUnits(toMinorUnits((original * (100 - discount)) / 100, currency), currency);
  return suggested > 0 ? suggested : null;
}
