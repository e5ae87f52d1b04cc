import { COUNT_MAX, MONEY_MAX } from '../../../contract/base/limits.ts';
import { amountErrors, type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { NUMBER_MESSAGES } from '../../../contract/base/numbers.ts';
import { daysBetween, daysRemaining, localDay } from '../../../contract/base/time.ts';
import type { SeatsPreview } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { SEATS_MESSAGES } from '../../../contract/licenses/verbs/add-seats.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { fault, faultsOf, invalid, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { seatsPrice } from '../../rules/seat-prices.ts';
import type { Scope } from '../../scope.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { licenseRecord } from './license.record.ts';
import { actOnLicense, requireAction, type Verb } from './license-actions.ts';
import { findLastTerm } from './license-terms.queries.ts';
import { type Plan, type PlanScope, storePlan } from './renew-license.ts';
import { notifyClient } from './send-license-mail.ts';

type SeatsInput = Pick<ActionFields<'add_seats'>, 'quantity' | 'price'>;

/** Until when the seats are sold: the end of the licence, null if it has none. */
export type SeatsPlan = Omit<Plan, 'until'> & { until: string | null };

/**
 * Computes the sale of more seats of a locked licence until its end (MONEY-08). Like a maintenance, its term has no
 * `ends`, so it is no term of the licence's own.
 * @throws invalid (400) for too many seats, and without a price where none is found
 */
export async function planSeats(
  scope: PlanScope,
  license: LicenseRecord,
  { quantity, price }: SeatsInput,
): Promise<SeatsPlan> {
  const { now, timeZone } = scope;
  const max_installations = license.max_installations + quantity;
  if (max_installations > COUNT_MAX) {
    throw invalid({ quantity: [fault('out_of_range', SEATS_MESSAGES.tooMany)] });
  }
  const { license_type_id, expiry_date } = license;
  return {
    license: { max_installations, bought_seats: license.bought_seats + quantity },
    term: {
      kind: 'seats',
      license_type_id,
      starts: now.toISOString(),
      ends: null,
      ...(expiry_date !== null && { covers_until: localDay(expiry_date, timeZone) }),
      ...(await priceOf(scope, license, { quantity, price })),
      promotion_name: '',
      complimentary: false,
    },
    until: expiry_date,
  };
}

/** A sent price is in the licence's currency; one that is found in that of its type (MONEY-01). */
async function priceOf(
  scope: PlanScope,
  license: LicenseRecord,
  { quantity, price }: SeatsInput,
): Promise<{ price_cents: number; currency: Currency }> {
  const { tx } = scope;
  if (price !== undefined) {
    const { currency } = license;
    const errors = faultsOf('invalid', amountErrors(currency, { price }));
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return { price_cents: toMinorUnits(price, currency), currency };
  }
  const { license_type_id } = license;
  const type = license_type_id === null ? undefined : await findLicenseType(tx, license_type_id);
  if (!type) throw invalid({ price: [fault('required', SEATS_MESSAGES.price)] });
  const { currency } = type;
  const sold = { cents: toMinorUnits(type.base_price, currency), seats: type.max_installations };
  const price_cents = seatsPrice(sold, quantity, await daysOf(scope, license));
  if (price_cents === 0) throw invalid({ price: [fault('required', LICENSE_MESSAGES.price)] });
  if (price_cents > toMinorUnits(MONEY_MAX, currency)) {
    throw invalid({ price: [fault('out_of_range', NUMBER_MESSAGES.tooLarge)] });
  }
  return { price_cents, currency };
}

/** The days that are left, and those of the current term: from its start to its end, as they are now. */
async function daysOf(
  { tx, now, timeZone }: PlanScope,
  { id, issued_date, expiry_date }: LicenseRecord,
): Promise<{ left: number; ofTerm: number } | null> {
  if (expiry_date === null) return null;
  const term = await findLastTerm(tx, id);
  const days = daysBetween(localDay(term?.starts ?? issued_date, timeZone), localDay(expiry_date, timeZone));
  return { left: daysRemaining(expiry_date, now, timeZone) ?? 0, ofTerm: Math.max(1, days) };
}

/**
 * Sells more seats until the end of a licence (MONEY-08).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition, not_renewable; invalid (400)
 */
export async function addSeats(
  scope: Scope,
  id: number,
  { notify, ...input }: ActionFields<'add_seats'>,
): Promise<License> {
  const changed = await actOnLicense(scope, id, 'add_seats', { notify: false }, async (row, version) =>
    storePlan(scope, row, await planSeats(scope, row, input), version),
  );
  if (!notify) return changed;
  return notifyClient(scope, changed, 'license_renewed', { seatsAdded: input.quantity });
}

export const addSeatsVerb: Verb<'add_seats'> = {
  summary: 'Agregar lugares hasta el vencimiento',
  event: { when: 'More seats were sold until the end', changes: '`max_installations`' },
  run: addSeats,
};

/** The seats of a paid request: quantity and price are as requested (PAY-01). */
export type PaidSeats = { quantity: number; price: number; currency: Currency; isTest: boolean };

/**
 * Adds paid seats. It queues no mail, because the receipt of the payment lists them (PAY-05).
 * @returns the id, start and end of their term
 * @throws as {@link addSeats}
 */
export async function addPaidSeats(
  scope: Scope,
  id: number,
  { quantity, price, currency, isTest }: PaidSeats,
): Promise<{ term: number; starts: string; ends: string | null }> {
  let stored: { term: number; starts: string; ends: string | null } | undefined;
  await actOnLicense(scope, id, 'add_seats', { notify: false }, async (row, version) => {
    // The currency is the requested one, also if that of the licence has changed since.
    const { license, term, until } = await planSeats(scope, { ...row, currency }, { quantity, price });
    const sold = await storePlan(scope, row, { license, term }, version, isTest);
    stored = { term: sold, starts: term.starts, ends: until };
  });
  return mustExist(stored, `term of license ${id}`);
}

/**
 * Computes the sale of more seats without storing anything.
 * @throws as {@link addSeats}
 */
export async function previewSeats(scope: Scope, id: number, input: SeatsInput): Promise<SeatsPreview> {
  const [row] = await licenseRecord.lock(scope.tx, [id]);
  if (!row) throw notFound(LICENSE_MESSAGES.notFound);
  await requireAction(scope, 'add_seats', row);
  const { license, term, until } = await planSeats(scope, row, input);
  return {
    starts: term.starts,
    ends: until,
    price: fromMinorUnits(term.price_cents, term.currency),
    currency: term.currency,
    max_installations: mustExist(license.max_installations, `seats of license ${id}`),
  };
}
