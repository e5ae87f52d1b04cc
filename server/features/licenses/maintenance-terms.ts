import { amountErrors, type Currency, toMinorUnits } from '../../../contract/base/money.ts';
import { NUMBER_MESSAGES } from '../../../contract/base/numbers.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { addDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { priceFaults } from '../../../contract/licenses/complimentary.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { fault, faultsOf, invalid } from '../../errors.ts';
import type { RenewalInput } from './renewal-terms.ts';

/** The days of updates of a maintenance, if neither the call nor the type contains them. */
const DEFAULT_DAYS = 365;

/** The values that a maintenance stores, of the licence and of its term. */
export type Maintenance = {
  kind: 'maintenance';
  starts: string;
  /** The end of the last day that it covers; the licence's own end is unchanged. */
  ends: string;
  covers_until: string;
  price_cents: number;
  currency: Currency;
  license: Pick<LicenseRecord, 'updates_until' | 'maintenance_cents' | 'maintenance_currency'>;
};

type Known = {
  license: Pick<LicenseRecord, 'currency'> & { updates_until: string };
  /** The licence's type; undefined if it has none. */
  type: LicenseType | undefined;
  now: Date;
  timeZone: string;
};

/**
 * Computes a maintenance: it adds days of updates and changes nothing else of the licence (SELL-02). The days count
 * from the last day of updates if that is in the future, so paying early loses no day; otherwise from today.
 * @throws invalid (400) without a price, unless it is a courtesy; for a courtesy with a price above 0, for a price that its
 * currency cannot express, and for a day after the year 9999
 */
export function maintenanceTerms(
  input: Pick<RenewalInput, 'price' | 'currency' | 'updates_days' | 'complimentary'>,
  { license, type, now, timeZone }: Known,
): Maintenance {
  const { currency = license.currency, updates_days } = input;
  const price = input.complimentary ? 0 : input.price;
  if (price === undefined) throw invalid({ price: [fault('required', LICENSE_MESSAGES.price)] });
  const errors = {
    ...faultsOf('invalid', amountErrors(currency, { price })),
    ...priceFaults(input, LICENSE_MESSAGES.price),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const today = localDay(now, timeZone);
  const holds = license.updates_until >= today;
  const days = updates_days ?? type?.updates_days ?? DEFAULT_DAYS;
  const covers_until = addDays(holds ? license.updates_until : today, days);
  if (!isCalendarDay(covers_until)) {
    throw invalid({ updates_days: [fault('out_of_range', NUMBER_MESSAGES.updates)] });
  }
  const price_cents = toMinorUnits(price, currency);
  return {
    kind: 'maintenance',
    starts: holds ? endOfLocalDay(license.updates_until, timeZone) : now.toISOString(),
    ends: endOfLocalDay(covers_until, timeZone),
    covers_until,
    price_cents,
    currency,
    license: { updates_until: covers_until, maintenance_cents: price_cents, maintenance_currency: currency },
  };
}
