import type { z } from 'zod';
import { LICENSE_DEFAULTS, MONEY_MAX } from '../../../contract/base/limits.ts';
import { amountErrors, toMinorUnits } from '../../../contract/base/money.ts';
import { endAfterMonths } from '../../../contract/base/months.ts';
import { NUMBER_MESSAGES } from '../../../contract/base/numbers.ts';
import { addDays, daysBetween, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { COMPLIMENTARY_MESSAGES, priceFaults } from '../../../contract/licenses/complimentary.ts';
import { countsFrom, isTrial, type TermKind } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { type licenseRenewalPreview, RENEWAL_MESSAGES } from '../../../contract/licenses/verbs/renew.ts';
import type { LicenseRecord, LicenseTermRow } from '../../db/tables.ts';
import { fault, faultsOf, invalid } from '../../errors.ts';
import { laterUpdates, updatesFrom } from '../../rules/updates.ts';
import { NO_PROMOTION, priceOfRenewal, priceToday } from '../license-types/price-today.ts';
import { anchorOf, type TermSpan } from './months-anchor.ts';

export type RenewalInput = z.output<typeof licenseRenewalPreview>;

type Price = Pick<
  LicenseRecord,
  | 'price_cents'
  | 'currency'
  | 'complimentary'
  | 'original_price_cents'
  | 'discount_percentage'
  | 'promotion_name'
  | 'promotion_description'
>;

/** The values that a renewal stores, of the licence and of its new term. */
export type Renewal = {
  kind: TermKind;
  starts: string;
  ends: string;
  license: Price &
    Pick<
      LicenseRecord,
      | 'status'
      | 'license_type'
      | 'license_type_id'
      | 'max_installations'
      | 'expiry_days'
      | 'expiry_months'
      | 'updates_until'
      | 'bought_seats'
    > & { expiry_date: string };
};

type Known = {
  license: Omit<LicenseRecord, 'expiry_date'> & { expiry_date: string };
  last: LicenseTermRow | undefined;
  /** All its terms, newest first; only a term in months asks for them (MONEY-10). */
  terms?: readonly TermSpan[] | undefined;
  /** The type in the call, or else the licence's own; undefined if there is neither. */
  type: LicenseType | undefined;
  now: Date;
  timeZone: string;
};

/**
 * Computes a renewal (LIFE-02). Terms that are not sent come from the licence type (with its promotion if that runs),
 * else from the last term. A new term begins at the licence's end, so renewing early loses no day. If the licence has
 * expired, it begins now, so no day without service is paid. A price is in the currency of its source (MONEY-01).
 * @throws invalid (400) for a trial without a type, for a price above 0 of a courtesy, for a term after a courtesy that
 * names neither type nor price and is no courtesy, for an end that is not after the start, and for a price that its
 * currency cannot express
 */
export function renewalTerms(
  input: Omit<RenewalInput, 'kind'>,
  { license, last, terms = [], type, now, timeZone }: Known,
): Renewal {
  const trial = isTrial(license);
  if (trial && input.license_type_config === undefined) {
    throw invalid({ license_type_config: [fault('required', RENEWAL_MESSAGES.typeForTrial)] });
  }
  const begins = { expiry: license.expiry_date, today: now.toISOString() };
  const starts = input.from === undefined ? countsFrom(license, now) : begins[input.from];
  const firstDay = localDay(starts, timeZone);
  const months = renewalMonths(input, type, last);
  const days = input.expiry_days ?? type?.validity_days ?? lengthOf(last, timeZone);
  const ends =
    months === null
      ? endOfLocalDay(input.expiry_date ?? addDays(firstDay, days), timeZone)
      : endAfterMonths(starts, months, timeZone, anchorOf(starts, terms, timeZone));
  refuseEnd(input, { starts, ends });

  const isOther = input.license_type_config !== undefined && type?.id !== license.license_type_id;
  // Who renews with the same type keeps the seats that were bought, and pays them.
  const bought_seats = isOther || trial ? 0 : license.bought_seats;
  return {
    kind: isOther ? 'upgrade' : 'renewal',
    starts,
    ends,
    license: {
      ...priceOf(input, type, license, { isSame: !isOther && !trial, today: localDay(now, timeZone) }),
      status: 'active',
      license_type: input.license_type ?? (trial ? 'premium' : license.license_type),
      license_type_id: type?.id ?? null,
      max_installations:
        input.license_type_config === undefined || !type
          ? license.max_installations
          : type.max_installations + bought_seats,
      bought_seats,
      expiry_date: ends,
      // Counted from the day of issue, as always (D071).
      expiry_days: daysBetween(localDay(license.issued_date, timeZone), localDay(ends, timeZone)),
      expiry_months: months,
      updates_until: type
        ? laterUpdates(license.updates_until, updatesFrom(firstDay, type))
        : license.updates_until,
    },
  };
}

/** @throws invalid (400) for an end after the year 9999, and for one that is not after the start */
function refuseEnd(
  { expiry_months }: Pick<RenewalInput, 'expiry_months'>,
  { starts, ends }: Pick<Renewal, 'starts' | 'ends'>,
): void {
  // The text of an end after the year 9999 begins with '+', which sorts before every digit.
  if (ends.startsWith('+')) {
    const field = expiry_months === undefined ? 'expiry_days' : 'expiry_months';
    throw invalid({ [field]: [fault('out_of_range', LICENSE_MESSAGES.expiryDate)] });
  }
  if (ends <= starts)
    throw invalid({ expiry_date: [fault('out_of_range', RENEWAL_MESSAGES.endBeforeStart)] });
}

/**
 * The length of a renewal in months; null where it is in days, or ends on a date. As with days, what the call says
 * comes first, then the type, then the last term (MONEY-10).
 */
export function renewalMonths(
  sent: Pick<RenewalInput, 'expiry_date' | 'expiry_days' | 'expiry_months'>,
  type: Pick<LicenseType, 'validity_months'> | undefined,
  last: Pick<LicenseTermRow, 'months'> | undefined,
): number | null {
  if (sent.expiry_date !== undefined) return null;
  if (sent.expiry_months !== undefined) return sent.expiry_months;
  if (sent.expiry_days !== undefined) return null;
  return type ? type.validity_months : (last?.months ?? null);
}

/** The number of days for which a term was sold; for a term without an end, the default of a licence. */
function lengthOf(last: LicenseTermRow | undefined, timeZone: string): number {
  if (!last || last.starts === null || last.ends === null) return LICENSE_DEFAULTS.expiry_days;
  const days = daysBetween(localDay(last.starts, timeZone), localDay(last.ends, timeZone));
  return Math.max(1, days - last.moved_days);
}

/**
 * A price from the licence type is in the type's currency. A sent price without a currency is in the currency of the
 * sent type, else of the licence: `{price: 60}` for a licence in dollars means dollars.
 * @param moment `isSame`: whether it is the type that the licence has
 */
function priceOf(
  sent: Pick<RenewalInput, 'price' | 'currency' | 'license_type_config' | 'complimentary'>,
  type: LicenseType | undefined,
  license: LicenseRecord,
  { isSame, today }: { isSame: boolean; today: string },
): Price {
  const { complimentary = false } = sent;
  const price = complimentary ? 0 : sent.price;
  if (price !== undefined) {
    const named = sent.license_type_config === undefined ? undefined : type?.currency;
    const currency = sent.currency ?? named ?? license.currency;
    const errors = {
      ...faultsOf('invalid', amountErrors(currency, { price })),
      ...priceFaults(sent, LICENSE_MESSAGES.price),
    };
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return { ...NO_PROMOTION, price_cents: toMinorUnits(price, currency), currency, complimentary };
  }
  // A courtesy says nothing about the price of the next term, nor that this one is none (MONEY-09).
  if (license.complimentary && sent.license_type_config === undefined) {
    throw invalid({ price: [fault('required', COMPLIMENTARY_MESSAGES.next)] });
  }
  const currency = type?.currency ?? license.currency;
  // A price in another currency must be sent explicitly.
  if (sent.currency !== undefined && sent.currency !== currency) {
    throw invalid({ price: [fault('required', LICENSE_MESSAGES.price)] });
  }
  if (!type) return { ...NO_PROMOTION, price_cents: license.price_cents, currency, complimentary };
  const found = isSame ? priceOfRenewal(type, today, license.bought_seats) : priceToday(type, today);
  if (found.price_cents > toMinorUnits(MONEY_MAX, currency)) {
    throw invalid({ price: [fault('out_of_range', NUMBER_MESSAGES.tooLarge)] });
  }
  return { ...found, currency, complimentary };
}
