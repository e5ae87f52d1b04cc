import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { VALIDITY_DAYS_MAX } from '../../../contract/base/limits.ts';
import { amountErrors, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { endAfterMonths } from '../../../contract/base/months.ts';
import { NUMBER_MESSAGES } from '../../../contract/base/numbers.ts';
import { COMPLIMENTARY_MESSAGES, priceFaults } from '../../../contract/licenses/complimentary.ts';
import type { MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { License, licenseBulkUpdate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { seatErrors, seatTerms } from '../../../contract/licenses/seats.ts';
import { readTags } from '../../db/features.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { fault, faultsOf, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import { refuseTakenColumn } from '../../records/refuse-taken.ts';
import { saveRecord, saveRecords } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { cancelRequestOf, cancelSales } from '../payment-requests/close-request.ts';
import { releaseLapsed } from '../programs/lapsed-seats.ts';
import { settledTags, type TagChange } from '../tags/settle-tags.ts';
import { changedStart, hasStarted, startErrors } from './changed-start.ts';
import { licenseRecord } from './license.record.ts';
import { changesMonths } from './license-expiry.ts';
import { unknownReferences } from './license-references.ts';
import { findLastTerm, updateTerm } from './license-terms.queries.ts';
import { type LicenseColumns, licenseText, updateLicense } from './licenses.queries.ts';
import { presentMonths, termSpansOf } from './months-anchor.ts';

type Changes = Omit<z.output<typeof licenseUpdate>, 'updated_at'>;

const TAKEN = { external_id: [fault('taken', LICENSE_MESSAGES.externalIdTaken)] };

function changedAmounts(record: LicenseRecord, { price, original_price, currency }: Changes) {
  const before = (minorUnits: number) => fromMinorUnits(minorUnits, record.currency);
  const original = record.original_price_cents;
  return {
    currency: currency ?? record.currency,
    price: price ?? before(record.price_cents),
    original_price:
      original_price === undefined ? (original === null ? null : before(original)) : original_price,
  };
}

/** The changed amounts in their stored form. */
function storedAmounts(record: LicenseRecord, sent: Changes) {
  const { currency, price, original_price } = changedAmounts(record, sent);
  return {
    currency,
    price_cents: toMinorUnits(price, currency),
    original_price_cents: original_price === null ? null : toMinorUnits(original_price, currency),
  };
}

/** The given fields in their stored form; the others keep their value (D091). */
function changedColumns(
  record: LicenseRecord,
  sent: Omit<Changes, 'tags'>,
  timeZone: string,
  term?: MonthsFrom,
): Partial<LicenseColumns> {
  const {
    client,
    software,
    license_type_config,
    price: _price,
    currency: _currency,
    original_price: _original,
    features,
    meters,
    expiry_days: _days,
    expiry_date: _date,
    expiry_months: _months,
    ...same
  } = sent;
  return {
    ...same,
    ...storedAmounts(record, sent),
    ...(features !== undefined && { features: JSON.stringify(features) }),
    ...(meters !== undefined && { meters: JSON.stringify(meters) }),
    ...(client !== undefined && { client_id: client }),
    ...(software !== undefined && { software_id: software }),
    ...(license_type_config !== undefined && { license_type_id: license_type_config }),
    ...seatTerms(sent, record),
    ...changedStart(record, sent, timeZone, term),
  };
}

/**
 * Stores changed values of a licence, and updates its last term accordingly (LIFE-01). A change of the status also
 * begins or ends a suspension.
 */
async function storeChange(
  scope: Scope,
  row: LicenseRecord,
  changes: Partial<LicenseColumns>,
  version: string,
) {
  const { tx, now } = scope;
  const after = { ...row, ...changes };
  const isTaken = after.status === 'cancelled' && row.status !== 'cancelled';
  // The open payment request is cancelled, as after a cancellation or a transfer by their own calls (PAY-01).
  if (isTaken || after.client_id !== row.client_id) await cancelRequestOf(scope, row.id);
  if (isTaken) await cancelSales(scope, ['license_id', row.id]);
  const found = changes.external_id === undefined ? {} : { search_text: licenseText(after) };
  const stored = { ...changes, ...found, ...seatsTaken(row, after), ...suspensionOf(row, after.status, now) };
  await updateLicense(tx, row.id, stored, version).catch(refuseTakenColumn(TAKEN));
  const isCorrected = (
    ['price_cents', 'currency', 'expiry_date', 'expiry_months', 'license_type_id', 'promotion_name'] as const
  ).some((field) => after[field] !== row[field]);
  const term = isCorrected ? await findLastTerm(tx, row.id) : undefined;
  if (!term) return;
  const { price_cents, currency, expiry_date, license_type_id, promotion_name } = after;
  const ends = {
    ends: expiry_date,
    months: after.expiry_months,
    ...(expiry_date !== row.expiry_date && { moved_days: 0 }),
  };
  const starts = hasStarted(row, after) ? { starts: row.issued_date } : {};
  await updateTerm(tx, term.id, {
    price_cents,
    currency,
    license_type_id,
    promotion_name,
    ...ends,
    ...starts,
  });
}

/** Seats that are taken away by hand are first those that were bought: no renewal asks for them (MONEY-08). */
function seatsTaken(row: LicenseRecord, { max_installations }: LicenseColumns) {
  const taken = row.max_installations - max_installations;
  return taken > 0 && row.bought_seats > 0 ? { bought_seats: Math.max(0, row.bought_seats - taken) } : {};
}

/** A courtesy stays one, at no price; any other licence keeps a price (MONEY-09). */
function courtesyErrors(row: LicenseRecord, { complimentary, price }: Changes): FieldFaults {
  const wrong = priceFaults({ price, complimentary: row.complimentary }, LICENSE_MESSAGES.price).price;
  const isOther = complimentary !== undefined && complimentary !== row.complimentary;
  return {
    ...(wrong && {
      price: row.complimentary ? [fault('not_allowed', COMPLIMENTARY_MESSAGES.stays)] : wrong,
    }),
    ...(isOther && { complimentary: [fault('not_allowed', COMPLIMENTARY_MESSAGES.notByEdit)] }),
  };
}

/** The columns of a suspension after a change of status; empty if the status is unchanged. */
export function suspensionOf(row: LicenseRecord, status: LicenseRecord['status'], now: Date) {
  if (status === row.status) return {};
  if (status === 'suspended') return { suspended_at: now.toISOString(), suspended_from: row.status };
  return { suspended_at: null, suspended_from: null };
}

/**
 * Changes the given fields of a licence. Every status may be set after any other (SEED-4-10).
 * @throws notFound (404), stale (412) with the current record, invalid (400) for unknown references, a taken
 * external_id, changed days out of range, another start of a licence that has started, floating seats without a
 * lease, amounts that the currency cannot express, a price of a courtesy, and another flag of it
 */
export async function changeLicense(
  scope: Scope,
  id: number,
  { updated_at: _read, tags, ...sent }: z.output<typeof licenseUpdate>,
): Promise<License> {
  const tagged = tags && { tags: await settledTags(scope.tx, tags) };
  return saveRecord(scope, licenseRecord, id, async (row, version) => {
    const { currency, price, original_price } = changedAmounts(row, sent);
    const errors = {
      ...(await unknownReferences(scope.tx, sent)),
      ...courtesyErrors(row, sent),
      ...faultsOf('invalid', amountErrors(currency, { price, original_price })),
      ...faultsOf('required', seatErrors(seatTerms(sent, row))),
      ...startErrors(row, sent),
    };
    const days = sent.expiry_days;
    if (typeof days === 'number' && days !== row.expiry_days) {
      if (days < 1) errors.expiry_days = [fault('out_of_range', LICENSE_MESSAGES.expiryDays)];
      if (days > VALIDITY_DAYS_MAX) errors.expiry_days = [fault('out_of_range', NUMBER_MESSAGES.tooLarge)];
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const term = await changedTerm(scope, row, sent);
    const changed = { ...changedColumns(row, sent, scope.timeZone, term), ...tagged };
    await settleSeats(scope, row, changed);
    await storeChange(scope, row, changed, version);
    if (hasStarted(row, changed)) await recordStart(scope, id);
  });
}

/**
 * Gives a licence and its terms the values that they had before a change (INPUT-07).
 * @param before the columns that the change set, with their earlier values
 * @param terms the same of its terms, each with its id
 * @throws notFound (404), invalid (400) when another licence has the earlier external_id
 */
export async function restoreLicense(
  scope: Scope,
  id: number,
  before: Partial<LicenseColumns>,
  terms: { id: number }[],
): Promise<License> {
  // The spelling of its tags may be another one since.
  const tagged = before.tags !== undefined && {
    tags: await settledTags(scope.tx, readTags(before.tags)),
  };
  return saveRecord(scope, licenseRecord, id, async (row, version) => {
    const after = { ...row, ...before };
    await settleSeats(scope, row, before);
    if (after.client_id !== row.client_id) await cancelRequestOf(scope, id);
    const stored = { ...before, ...tagged, search_text: licenseText(after) };
    await updateLicense(scope.tx, id, stored, version).catch(refuseTakenColumn(TAKEN));
    for (const { id: term, ...values } of terms) await updateTerm(scope.tx, term, values);
  });
}

/**
 * Changes the tags of a licence.
 * @throws notFound (404), and what `change` throws
 */
export const changeLicenseTags = (scope: Scope, id: number, change: TagChange): Promise<License> =>
  saveRecord(scope, licenseRecord, id, (row, version) =>
    updateLicense(scope.tx, id, { tags: change(row.tags) }, version),
  );

/** Writes the event that a licence has started, in addition to the event of the change. */
async function recordStart(scope: Scope, id: number): Promise<void> {
  const license = mustExist(await licenseRecord.find(scope, id), `license ${id}`);
  await record(scope, { type: 'license.started', ...licenseRecord.about(license) });
}

/**
 * Releases seats whose lease has ended, before the seat mode or the lease changes: a longer lease must not make them
 * valid again (PROG-05). Machines whose seat is valid keep it.
 */
async function settleSeats(scope: Scope, row: LicenseRecord, { lease_minutes }: Partial<LicenseColumns>) {
  if (row.lease_minutes === null || lease_minutes === undefined || row.lease_minutes === lease_minutes)
    return;
  await releaseLapsed(scope, { id: row.id, lease_minutes: row.lease_minutes });
}

/**
 * Changes many licences. Changed days count from the day of issue of each licence, months from its present term.
 * @returns the ids that exist
 */
export function changeLicenses(
  scope: Scope,
  { ids, updates }: z.output<typeof licenseBulkUpdate>,
): Promise<number[]> {
  return saveRecords(scope, licenseRecord, ids, async (row, version) => {
    const term = await changedTerm(scope, row, updates);
    await storeChange(scope, row, changedColumns(row, updates, scope.timeZone, term), version);
  });
}

/**
 * Where the present term of a licence began that gets other months; undefined if its months stay (MONEY-10).
 * @throws invalid (400) for an end after the year 9999
 */
async function changedTerm(
  { tx, timeZone }: Scope,
  row: LicenseRecord,
  sent: Pick<Changes, 'expiry_months'>,
): Promise<MonthsFrom | undefined> {
  if (!changesMonths(row, sent)) return undefined;
  const term = presentMonths(await termSpansOf(tx, row.id), timeZone);
  if (!term) return undefined;
  // The text of an end after the year 9999 begins with '+', which sorts before every digit.
  if (endAfterMonths(term.from, sent.expiry_months, timeZone, term.anchor).startsWith('+')) {
    throw invalid({ expiry_months: [fault('out_of_range', LICENSE_MESSAGES.expiryDate)] });
  }
  return term;
}
