import type { ExpressionBuilder } from 'kysely';
import { EMBEDDED_ROWS } from '../../../contract/base/limits.ts';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { daysRemaining, isExpired } from '../../../contract/base/time.ts';
import type { EmailStatus } from '../../../contract/licenses/licenses.fields.ts';
import { isLicenseActive, type License, type LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { EmailTransport } from '../../../contract/mail/email-transport.ts';
import { lettersOfKey, normalizeLicenseKey } from '../../../contract/reading/license-keys.ts';
import { mailShown } from '../../../contract/reading/mail-addresses.ts';
import { foldCode, searchTextOf } from '../../../contract/reading/search-folding.ts';
import { isAmong } from '../../db/dialect.ts';
import { readFeatures, readMeters, readTags } from '../../db/features.ts';
import { prepared } from '../../db/prepared.ts';
import { LICENSE_COLUMNS } from '../../db/tables/records.ts';
import type { Db, LicenseRecord, Tables } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { importedIdsByLetters } from '../../rules/license-keys.ts';
import { newestInstallations } from '../programs/installation-list.ts';

/** The columns of a licence that a save may change: without key, counters and record dates. */
export type LicenseColumns = Omit<
  LicenseRecord,
  | 'id'
  | 'license_key'
  | 'current_installations'
  | 'issued_date'
  | 'suspended_at'
  | 'suspended_from'
  | 'released_month'
  | 'released_in_month'
  | 'trial_email'
  | 'maintenance_cents'
  | 'maintenance_currency'
  | 'bought_seats'
  | 'search_text'
  | 'created_at'
  | 'updated_at'
>;

/** Licences joined with client, software and licence type. */
function joined(db: Db) {
  return db
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('license_types', 'license_types.id', 'licenses.license_type_id');
}

const COLUMNS = [
  ...LICENSE_COLUMNS.map((column) => `licenses.${column}` as const),
  'clients.name as client_name',
  'clients.email as client_email',
  'clients.phone as client_phone',
  'clients.company as client_company',
  'software.name as software_name',
  'software.version as software_version',
  'software.description as software_description',
  'license_types.name as license_type_name',
] as const;

/**
 * The delivery status of the latest mail about the licence to its client that was not cancelled. For a sent mail it is the
 * transport, if that is known.
 */
const latestMail = (eb: ExpressionBuilder<Tables, 'licenses'>) =>
  eb
    .selectFrom('outbox')
    .select((mail) =>
      mail.fn
        .coalesce('outbox.transport', 'outbox.status')
        .$castTo<EmailStatus | EmailTransport>()
        .as('mail'),
    )
    .whereRef('outbox.license_id', '=', 'licenses.id')
    .where('outbox.status', '!=', 'cancelled')
    .where('outbox.is_contact', '=', false)
    .orderBy('outbox.id', 'desc')
    .limit(1)
    .as('latest_mail');

/** Licences with all columns of an answer. */
export const completeLicenses = (db: Db) => joined(db).select(COLUMNS).select(latestMail);

type JoinedLicense = Pick<LicenseRecord, (typeof LICENSE_COLUMNS)[number]> & {
  client_name: string;
  client_email: string;
  client_phone: string;
  client_company: string;
  software_name: string;
  software_version: string;
  software_description: string;
  license_type_name: string | null;
  latest_mail: EmailStatus | EmailTransport | null;
};

/**
 * Converts a row to its answer: ids and nested objects (D092), money as amounts in their currency, and the values
 * computed for the present time.
 */
export function toLicense(row: JoinedLicense, now: Date, timeZone: string): LicenseRow {
  const {
    client_id,
    client_company,
    software_id,
    license_type_id,
    price_cents,
    original_price_cents,
    features,
    meters,
    tags,
    latest_mail,
    ...same
  } = row;
  const { email_shown } = mailShown(row.client_email);
  const email_transport = latest_mail === 'smtp' || latest_mail === 'folder' ? latest_mail : null;
  return {
    ...same,
    email_status: latest_mail === 'smtp' || latest_mail === 'folder' ? 'sent' : latest_mail,
    email_transport,
    features: readFeatures(features),
    meters: readMeters(meters),
    tags: readTags(tags),
    license_type_config: license_type_id,
    ...(email_shown !== undefined && { client_email_shown: email_shown }),
    client: {
      id: client_id,
      name: row.client_name,
      email: row.client_email,
      ...(email_shown !== undefined && { email_shown }),
      company: client_company,
    },
    software: {
      id: software_id,
      name: row.software_name,
      version: row.software_version,
      description: row.software_description,
    },
    price: fromMinorUnits(price_cents, row.currency),
    original_price: original_price_cents === null ? null : fromMinorUnits(original_price_cents, row.currency),
    remaining_installations: Math.max(0, row.max_installations - row.current_installations),
    pending_start: row.activate_by !== null,
    days_remaining: daysRemaining(row.expiry_date, now, timeZone),
    is_active: isLicenseActive(row, now),
    is_expired: isExpired(row.expiry_date, now),
  };
}

const licenseOfId = prepared((db, { id }: { id: number }) =>
  completeLicenses(db).where('licenses.id', '=', id),
);

export async function findLicenseRow(
  db: Db,
  id: number,
  now: Date,
  timeZone: string,
): Promise<LicenseRow | undefined> {
  const [row] = await licenseOfId(db, { id });
  return row && toLicense(row, now, timeZone);
}

/** Several licences, in the order of their ids. */
export async function listLicenseRows(
  db: Db,
  ids: number[],
  now: Date,
  timeZone: string,
): Promise<LicenseRow[]> {
  const rows = await completeLicenses(db)
    .where((eb) => isAmong(db, eb.ref('licenses.id'), ids))
    .orderBy('licenses.id')
    .execute();
  return rows.map((row) => toLicense(row, now, timeZone));
}

/** One licence with its newest installations. */
export async function findLicense(
  db: Db,
  id: number,
  now: Date,
  timeZone: string,
): Promise<License | undefined> {
  const row = await findLicenseRow(db, id, now, timeZone);
  return row && withInstallations(db, row, now, timeZone);
}

/** A licence with its newest installations. */
export async function withInstallations(
  db: Db,
  license: LicenseRow,
  now: Date,
  timeZone: string,
): Promise<License> {
  const { id, current_installations: count } = license;
  return {
    ...license,
    installations: await newestInstallations(db, { license: id }, count, { now, timeZone }),
  };
}

/** One licence; throws if it does not exist. */
export async function getLicenseRow(db: Db, id: number, now: Date, timeZone: string): Promise<LicenseRow> {
  return mustExist(await findLicenseRow(db, id, now, timeZone), `license ${id}`);
}

const newestOfClient = prepared((db, { clientId }: { clientId: number }) =>
  completeLicenses(db)
    // An index finds these ids in order. Without the inner limit all licences of the client would be read and sorted.
    .where('licenses.id', 'in', (eb) =>
      eb
        .selectFrom('licenses as newest')
        .select('newest.id')
        .where('newest.client_id', '=', clientId)
        .orderBy('newest.created_at', 'desc')
        .orderBy('newest.id', 'desc')
        .limit(EMBEDDED_ROWS),
    )
    .orderBy('licenses.created_at', 'desc')
    .orderBy('licenses.id', 'desc'),
);

/** The newest licences of a client, at most {@link EMBEDDED_ROWS}. */
export async function newestLicensesOf(
  db: Db,
  clientId: number,
  now: Date,
  timeZone: string,
): Promise<LicenseRow[]> {
  const rows = await newestOfClient(db, { clientId });
  return rows.map((row) => toLicense(row, now, timeZone));
}

/**
 * Finds licences by typed keys, all at once.
 * @returns a function from a typed key to the id of its licence
 */
export async function findLicensesByKey(
  db: Db,
  typed: string[],
): Promise<(key: string) => number | undefined> {
  if (typed.length === 0) return () => undefined;
  const rows = await db
    .selectFrom('licenses')
    .select(['id', 'license_key'])
    .where('license_key', 'in', typed.map(normalizeLicenseKey))
    .execute();
  const ids = new Map(rows.map(({ id, license_key }) => [license_key, id]));
  const imported = await importedIdsByLetters(db, typed.map(lettersOfKey));
  return (key) => ids.get(normalizeLicenseKey(key)) ?? imported.get(lettersOfKey(key));
}

/** The currency of each of some licences, by id. */
export async function currenciesOfLicenses(db: Db, ids: readonly number[]): Promise<Map<number, Currency>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('licenses').select(['id', 'currency']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

/** The text that searches look through. */
export const licenseText = (license: { license_key: string; external_id?: string | null }) =>
  searchTextOf([foldCode(license.license_key), license.external_id ?? '']).trimEnd();

/** A licence to store. */
export type NewLicense = { licenseKey: string; columns: LicenseColumns; issuedDate: string };

function newRow({ licenseKey, columns, issuedDate }: NewLicense, now: Date) {
  const stamp = now.toISOString();
  return {
    ...columns,
    license_key: licenseKey,
    search_text: licenseText({ ...columns, license_key: licenseKey }),
    current_installations: 0,
    issued_date: issuedDate,
    created_at: stamp,
    updated_at: stamp,
  };
}

const insert = prepared((db, row: ReturnType<typeof newRow>) =>
  db.insertInto('licenses').values(row).returning('id'),
);

/** Stores a new licence and returns its id. */
export async function insertLicense(db: Db, license: NewLicense, now: Date): Promise<number> {
  const [row] = await insert(db, newRow(license, now));
  return row!.id;
}

/**
 * Stores new licences.
 * @returns the ids by key; a licence whose key is taken is missing
 */
export async function insertLicenses(
  db: Db,
  licenses: NewLicense[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('licenses')
    .values(licenses.map((license) => newRow(license, now)))
    .onConflict((conflict) => conflict.column('license_key').doNothing())
    .returning(['id', 'license_key'])
    .execute();
  return new Map(rows.map(({ id, license_key }) => [license_key, id]));
}

export async function updateLicense(
  db: Db,
  id: number,
  terms: Partial<Omit<LicenseRecord, 'id'>>,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('licenses')
    .set({ ...terms, updated_at: updatedAt })
    .where('id', '=', id)
    .execute();
}
