import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { LICENSE_DEFAULTS } from '../../../contract/base/limits.ts';
import { amountErrors, type Currency, toMinorUnits } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type {
  License,
  LicenseRow,
  licenseBatch,
  licenseCreate,
  licenseGenerate,
} from '../../../contract/licenses/licenses.ts';
import { SEAT_DEFAULTS, seatErrors, seatTerms } from '../../../contract/licenses/seats.ts';
import { LICENSE_KEY_ALPHABET } from '../../../contract/reading/license-keys.ts';
import { AppError, fault, faultsOf, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { createCode } from '../../lib/secret.ts';
import { eachOrRefusal } from '../../records/each-or-refusal.ts';
import { type NewEvent, record, recordAll } from '../../records/record-event.ts';
import { refuseTakenColumn } from '../../records/refuse-taken.ts';

import type { Scope } from '../../scope.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { settleTags } from '../tags/settle-tags.ts';
import { marksOf } from './courtesy-terms.ts';
import { licenseRecord } from './license.record.ts';
import { unknownAmong, unknownReferences } from './license-references.ts';
import { insertTerm, insertTerms, type NewTerm } from './license-terms.queries.ts';
import {
  getLicenseRow,
  insertLicense,
  insertLicenses,
  listLicenseRows,
  type NewLicense,
} from './licenses.queries.ts';
import { startOfNew, updatesOfNew } from './new-start.ts';
import { queueLicenseMail } from './send-license-mail.ts';

/** The values of a new licence. Its payment is no part of them (features/sales). */
export type NewLicenseValues =
  | Omit<z.output<typeof licenseCreate>, 'payment'>
  | Omit<z.output<typeof licenseGenerate>, 'payment'>;

const KEY_TAKEN = { license_key: [fault('taken', LICENSE_MESSAGES.keyTaken)] };
const refuseTakenValue = refuseTakenColumn({
  ...KEY_TAKEN,
  external_id: [fault('taken', LICENSE_MESSAGES.externalIdTaken)],
});

/** Creates a key: 25 characters out of 32, 125 random bits (D083). */
export const createLicenseKey = () => createCode(LICENSE_KEY_ALPHABET, 5, 5);

/** Facts about a licence that was issued elsewhere: by an import, in sample data, or by a program. */
export type IssuedElsewhere = {
  licenseKey?: string;
  /** When it was issued, an instant. */
  issuedDate?: string;
  /** False: the client gets no message. */
  notify?: boolean;
  /** True if a licence that starts with its first activation may have started already: it has if an end is given. */
  mayRun?: boolean;
  /** True if nobody pays for the first term, so that it is no revenue. */
  isFree?: boolean;
};

/** The records to which a new licence refers, looked up before it is stored. */
type Found = {
  /** An error for each record that does not exist. */
  unknown: FieldFaults;
  type: LicenseType | undefined;
  currency: () => Promise<Currency>;
  /** What the column `tags` of a licence holds. */
  tags: (tags?: readonly string[]) => string;
};

/**
 * The row of a new licence.
 * @throws invalid (400), as {@link issueLicense} does
 */
async function planLicense(
  { now, timeZone }: Scope,
  values: NewLicenseValues,
  elsewhere: IssuedElsewhere,
  found: Found,
): Promise<NewLicense> {
  const issuedDate = elsewhere.issuedDate ?? now.toISOString();
  const {
    client,
    software,
    license_type_config,
    price: sentPrice,
    currency: sentCurrency,
    original_price,
    ...same
  } = values;
  const { unknown, type: terms } = found;
  // If no price is sent, the type is required and its price is used (licenseGenerate). A courtesy has none (MONEY-09).
  const price = values.complimentary ? 0 : (sentPrice ?? terms?.base_price);
  const currency = sentCurrency ?? terms?.currency ?? (await found.currency());
  const seats = seatTerms(values, terms ?? SEAT_DEFAULTS);
  const known = { type: terms, issuedDate, timeZone, mayRun: elsewhere.mayRun ?? false };
  const { errors: startErrors, ...start } = startOfNew(values, known);
  const errors = {
    ...unknown,
    ...faultsOf('invalid', amountErrors(currency, { price, original_price })),
    ...faultsOf('required', seatErrors(seats)),
    ...startErrors,
  };
  if (price === undefined || Object.keys(errors).length > 0) throw invalid(errors);
  return {
    licenseKey: elsewhere.licenseKey ?? createLicenseKey(),
    issuedDate,
    columns: {
      ...same,
      client_id: client,
      software_id: software,
      license_type_id: license_type_config ?? null,
      license_type: values.license_type ?? LICENSE_DEFAULTS.license_type,
      price_cents: toMinorUnits(price, currency),
      currency,
      original_price_cents: original_price === null ? null : toMinorUnits(original_price, currency),
      max_installations:
        values.max_installations ?? terms?.max_installations ?? LICENSE_DEFAULTS.max_installations,
      grace_days: values.grace_days ?? terms?.grace_days ?? LICENSE_DEFAULTS.grace_days,
      offline_days: values.offline_days ?? terms?.offline_days ?? LICENSE_DEFAULTS.offline_days,
      features: JSON.stringify(values.features ?? terms?.features ?? {}),
      meters: JSON.stringify(values.meters ?? terms?.meters ?? {}),
      tags: found.tags(values.tags),
      ...seats,
      external_id: values.external_id ?? null,
      ...updatesOfNew(values, terms, start.activate_by === null ? localDay(issuedDate, timeZone) : null),
      ...start,
    },
  };
}

const firstTerm = (license: LicenseRow, { columns, issuedDate }: NewLicense, isFree = false): NewTerm => ({
  is_free: isFree,
  is_trial: isTrial(license),
  ...marksOf(license.complimentary),
  created_at: issuedDate,
  license_id: license.id,
  kind: 'issue',
  license_type_id: license.license_type_config,
  // Null while the licence waits for its start.
  starts: license.pending_start ? null : issuedDate,
  ends: license.expiry_date,
  months: columns.expiry_months,
  price_cents: columns.price_cents,
  currency: columns.currency,
  promotion_name: license.promotion_name,
  software_id: columns.software_id,
  is_counted: license.status !== 'cancelled' && !isFree && !license.complimentary,
});

const issued = (license: LicenseRow): NewEvent => ({
  type: 'license.issued',
  ...licenseRecord.about(license),
});

/**
 * Issues a licence: stores it, its event, and the message to its client. Terms that are not sent come from the
 * licence type, else from the defaults (D125); the currency from the type, else from the settings (MONEY-01).
 * @param elsewhere facts about a licence that was issued elsewhere
 * @throws invalid (400) for a key or an external_id that another licence has, a client, software or type that does
 * not exist, an amount that the currency cannot express, and floating seats without a lease
 */
export async function issueLicense(
  scope: Scope,
  values: NewLicenseValues,
  elsewhere: IssuedElsewhere = {},
): Promise<License> {
  const { tx, now, timeZone } = scope;
  const { license_type_config: type } = values;
  const planned = await planLicense(scope, values, elsewhere, {
    unknown: await unknownReferences(tx, values),
    type: type ? await findLicenseType(tx, type) : undefined,
    currency: async () => (await readSettings(tx)).currency,
    tags: await settleTags(tx, [values.tags]),
  });
  const id = await insertLicense(tx, planned, now).catch(refuseTakenValue);
  // A new licence has no installations.
  const license = { ...(await getLicenseRow(tx, id, now, timeZone)), installations: [] };
  await insertTerm(scope, firstTerm(license, planned, elsewhere.isFree));
  await record(scope, issued(license));
  return elsewhere.notify === false ? license : queueLicenseMail(scope, license);
}

/**
 * Stores planned licences with their terms and events; licences whose key is taken are left out.
 * @returns their rows
 */
async function storePlanned(scope: Scope, planned: NewLicense[]): Promise<LicenseRow[]> {
  const { tx, now, timeZone } = scope;
  if (planned.length === 0) return [];
  const ids = await insertLicenses(tx, planned, now).catch(refuseTakenValue);
  if (ids.size === 0) return [];
  const rows = await listLicenseRows(tx, [...ids.values()], now, timeZone);
  const planOf = new Map(planned.map((plan) => [plan.licenseKey, plan]));
  await insertTerms(
    scope,
    rows.map((row) => firstTerm(row, mustExist(planOf.get(row.license_key), row.license_key))),
  );
  await recordAll(scope, rows.map(issued));
  return rows;
}

/**
 * The number of licences that are stored before other requests run; the transaction of a batch has several such
 * parts.
 */
const BATCH_PART = 50;

/**
 * Issues many licences with the same terms and different keys, like {@link issueLicense}, for one mail with all keys,
 * which the caller queues (SELL-05).
 * @returns the licences in the order of the mail
 * @throws invalid (400) as {@link issueLicense}
 */
export async function issueBatch(
  scope: Scope,
  { quantity, ...values }: Omit<z.output<typeof licenseBatch>, 'payment'>,
): Promise<LicenseRow[]> {
  const { tx } = scope;
  const { license_type_config: type } = values;
  const planned = await planLicense(
    scope,
    values,
    {},
    {
      unknown: await unknownReferences(tx, values),
      type: type ? await findLicenseType(tx, type) : undefined,
      currency: async () => (await readSettings(tx)).currency,
      tags: await settleTags(tx, [values.tags]),
    },
  );
  const rows: LicenseRow[] = [];
  while (rows.length < quantity) {
    const part = Array.from({ length: Math.min(BATCH_PART, quantity - rows.length) }, () => ({
      ...planned,
      licenseKey: createLicenseKey(),
    }));
    // If a generated key is taken (extremely unlikely), that licence is missing here and the loop generates another
    // key for it.
    rows.push(...(await storePlanned(scope, part)));
    await letOthersRun();
  }
  return rows;
}

/** A licence of an import. */
export type ImportedLicense = { values: NewLicenseValues; elsewhere: IssuedElsewhere };

/**
 * Issues licences with different keys, like {@link issueLicense}, with a few statements for all of them.
 * @returns for each licence, in order, its id, or the refusal if it cannot be issued
 * @throws invalid (400) for all of them when the external_id of one is taken
 */
export async function issueLicenses(
  scope: Scope,
  licenses: ImportedLicense[],
): Promise<(number | AppError)[]> {
  const { tx } = scope;
  const unknown = await unknownAmong(
    tx,
    licenses.map(({ values }) => values),
  );
  const types = new Map<number, LicenseType | undefined>();
  for (const id of new Set(licenses.flatMap(({ values }) => values.license_type_config ?? []))) {
    types.set(id, await findLicenseType(tx, id));
  }
  const { currency } = await readSettings(tx);
  const tags = await settleTags(
    tx,
    licenses.map(({ values }) => values.tags),
  );
  const plans = await eachOrRefusal(licenses, ({ values, elsewhere }) =>
    planLicense(scope, values, elsewhere, {
      unknown: unknown(values),
      type: types.get(values.license_type_config ?? 0),
      currency: async () => currency,
      tags,
    }),
  );
  const planned = plans.flatMap((plan) => (plan instanceof AppError ? [] : plan));
  const rows = await storePlanned(scope, planned);
  const notified = new Set(
    licenses.flatMap(({ elsewhere }, index) => {
      const plan = plans[index]!;
      return elsewhere.notify === false || plan instanceof AppError ? [] : plan.licenseKey;
    }),
  );
  for (const row of rows) {
    if (notified.has(row.license_key)) await queueLicenseMail(scope, { ...row, installations: [] });
  }
  const ids = new Map(rows.map(({ id, license_key }) => [license_key, id]));
  return plans.map((plan) =>
    plan instanceof AppError ? plan : (ids.get(plan.licenseKey) ?? invalid(KEY_TAKEN)),
  );
}
