import { type Expression, type ExpressionBuilder, type OrderByItemBuilder, type SqlBool, sql } from 'kysely';
import {
  isLicenseActive,
  LICENSE_ORDERINGS,
  type License,
  type LicenseFilters,
  type LicenseRow,
  normalizeLicenseKey,
} from '../../../contract/licenses.ts';
import { fromCents } from '../../../contract/numbers.ts';
import { daysRemaining, isExpired } from '../../../contract/time.ts';
import { containsWord, inTextOrder, searchWords } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, LicenseRecord, OutboxRow, Tables } from '../../db/tables.ts';
import { readOrdering } from '../../lib/list-query.ts';
import { offsetOf, type PageRequest } from '../../lib/paging.ts';
import { listInstallationsOfLicenses } from '../installations/installations.queries.ts';

/** What is stored of a licence's terms; the key, the counters and the dates of record are not among them. */
export type LicenseTerms = Pick<
  LicenseRecord,
  | 'client_id'
  | 'software_id'
  | 'license_type_id'
  | 'license_type'
  | 'status'
  | 'price_cents'
  | 'original_price_cents'
  | 'discount_percentage'
  | 'promotion_name'
  | 'promotion_description'
  | 'max_installations'
  | 'expiry_days'
  | 'expiry_date'
  | 'notes'
>;

/** Licences with the client, the software and the catalogue type that they name. */
function joined(db: Db) {
  return db
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('license_types', 'license_types.id', 'licenses.license_type_id');
}

const COLUMNS = [
  'clients.name as client_name',
  'clients.email as client_email',
  'clients.company as client_company',
  'software.name as software_name',
  'software.version as software_version',
  'software.description as software_description',
  'license_types.name as license_type_name',
] as const;

/** What became of the latest message about the licence. */
const emailStatus = (eb: ExpressionBuilder<Tables, 'licenses'>) =>
  eb
    .selectFrom('outbox')
    .select('outbox.status')
    .whereRef('outbox.license_id', '=', 'licenses.id')
    .orderBy('outbox.id', 'desc')
    .limit(1)
    .as('email_status');

/** Licences with all that an answer says of them. */
const complete = (db: Db) => joined(db).selectAll('licenses').select(COLUMNS).select(emailStatus);

type JoinedLicense = LicenseRecord & {
  client_name: string;
  client_email: string;
  client_company: string;
  software_name: string;
  software_version: string;
  software_description: string;
  license_type_name: string | null;
  email_status: OutboxRow['status'] | null;
};

/** A row as it is answered: ids and nested objects both (D092), money in pesos, the rules about time applied. */
function toLicense(row: JoinedLicense, now: Date, timeZone: string): LicenseRow {
  return {
    id: row.id,
    license_key: row.license_key,
    status: row.status,
    license_type: row.license_type,
    license_type_config: row.license_type_id,
    license_type_name: row.license_type_name,
    issued_date: row.issued_date,
    expiry_date: row.expiry_date,
    expiry_days: row.expiry_days,
    days_remaining: daysRemaining(row.expiry_date, now, timeZone),
    client: {
      id: row.client_id,
      name: row.client_name,
      email: row.client_email,
      company: row.client_company,
    },
    client_name: row.client_name,
    client_email: row.client_email,
    software: {
      id: row.software_id,
      name: row.software_name,
      version: row.software_version,
      description: row.software_description,
    },
    software_name: row.software_name,
    software_version: row.software_version,
    software_description: row.software_description,
    price: fromCents(row.price_cents),
    original_price: row.original_price_cents === null ? null : fromCents(row.original_price_cents),
    discount_percentage: row.discount_percentage,
    promotion_name: row.promotion_name,
    promotion_description: row.promotion_description,
    current_installations: row.current_installations,
    max_installations: row.max_installations,
    remaining_installations: Math.max(0, row.max_installations - row.current_installations),
    notes: row.notes,
    created_at: row.created_at,
    updated_at: row.updated_at,
    is_active: isLicenseActive(row, now),
    is_expired: isExpired(row.expiry_date, now),
    email_status: row.email_status,
  };
}

export type LicenseListQuery = LicenseFilters & {
  search?: string | undefined;
  ordering?: string | undefined;
};

/** Every filter and every word of the search, as conditions on `licenses` alone: counting needs no join. */
function conditions(db: Db, query: LicenseListQuery, now: Date) {
  return (eb: ExpressionBuilder<Tables, 'licenses'>): Expression<SqlBool> => {
    const all: Expression<SqlBool>[] = [];
    if (query.status !== undefined) all.push(eb('licenses.status', '=', query.status));
    if (typeof query.license_type === 'string')
      all.push(eb('licenses.license_type', '=', query.license_type));
    const typeId = typeof query.license_type === 'number' ? query.license_type : query.license_type_config;
    if (typeId !== undefined) all.push(eb('licenses.license_type_id', '=', typeId));
    if (query.client !== undefined) all.push(eb('licenses.client_id', '=', query.client));
    if (query.software !== undefined) all.push(eb('licenses.software_id', '=', query.software));
    if (query.is_active !== undefined) {
      const active = activeCondition(eb, now);
      all.push(query.is_active ? active : eb.not(active));
    }
    for (const word of searchWords(query.search ?? '')) all.push(mentions(db, eb, word));
    return eb.and(all);
  };
}

/** Status 'active' and not past its date (D067), as the database sees it. */
function activeCondition(eb: ExpressionBuilder<Tables, 'licenses'>, now: Date): Expression<SqlBool> {
  return eb.and([
    eb('licenses.status', '=', 'active'),
    eb.or([eb('licenses.expiry_date', 'is', null), eb('licenses.expiry_date', '>=', now.toISOString())]),
  ]);
}

/** A word is looked for in the key, in what is known of the client, and in the software's name and version. */
function mentions(db: Db, eb: ExpressionBuilder<Tables, 'licenses'>, word: string): Expression<SqlBool> {
  return eb.or([
    containsWord(db, 'licenses', word),
    eb(
      'licenses.client_id',
      'in',
      eb
        .selectFrom('clients')
        .select('clients.id')
        .where(containsWord(db, 'clients', word)),
    ),
    eb(
      'licenses.software_id',
      'in',
      eb
        .selectFrom('software')
        .select('software.id')
        .where(containsWord(db, 'software', word)),
    ),
  ]);
}

/** How many licences match, on all pages. */
export async function countLicenses(db: Db, query: LicenseListQuery, now: Date): Promise<number> {
  const { status, license_type: kind, license_type_config, client, software, is_active, search } = query;
  const others = [license_type_config, client, software, is_active, search];
  if (typeof kind !== 'number' && others.every((value) => value === undefined)) {
    return countKept(db, { table: 'licenses', status, kind });
  }
  const row = await db
    .selectFrom('licenses')
    .where(conditions(db, query, now))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

type Ordering = ReturnType<typeof readOrdering<(typeof LICENSE_ORDERINGS)[number]>>;

/** What each ordering looks at; clients come in the order of their names, whose case and accents make no difference. */
function orderingColumn(db: Db, name: Ordering['name']) {
  if (name === 'client_name') return inTextOrder(db, sql.ref('clients.search_text'));
  if (name === 'price') return sql.ref('licenses.price_cents');
  return sql.ref(`licenses.${name}`);
}

/** A licence that never ends, ends after all others, on either engine. */
function inDirection({ name, descending }: Ordering) {
  return (order: OrderByItemBuilder) => {
    const directed = descending ? order.desc() : order.asc();
    if (name !== 'expiry_date') return directed;
    return descending ? directed.nullsFirst() : directed.nullsLast();
  };
}

/** One page of licences, newest first unless told otherwise (D057). */
export async function listLicenses(
  db: Db,
  query: LicenseListQuery,
  page: PageRequest,
  now: Date,
  timeZone: string,
): Promise<LicenseRow[]> {
  const ordering = readOrdering(query.ordering, LICENSE_ORDERINGS, { name: 'created_at', descending: true });
  const rows = await complete(db)
    .where(conditions(db, query, now))
    .orderBy(orderingColumn(db, ordering.name), inDirection(ordering))
    .orderBy('licenses.id', ordering.descending ? 'desc' : 'asc')
    .limit(page.pageSize)
    .offset(offsetOf(page))
    .execute();
  return rows.map((row) => toLicense(row, now, timeZone));
}

/** The next batch of matching licences after an id, for what reads them all without holding them all. */
export async function listLicensesAfter(
  db: Db,
  query: LicenseListQuery,
  { afterId, limit }: { afterId: number; limit: number },
  now: Date,
  timeZone: string,
): Promise<LicenseRow[]> {
  const rows = await complete(db)
    .where(conditions(db, query, now))
    .where('licenses.id', '>', afterId)
    .orderBy('licenses.id')
    .limit(limit)
    .execute();
  return rows.map((row) => toLicense(row, now, timeZone));
}

export async function findLicenseRow(
  db: Db,
  id: number,
  now: Date,
  timeZone: string,
): Promise<LicenseRow | undefined> {
  const row = await complete(db).where('licenses.id', '=', id).executeTakeFirst();
  return row && toLicense(row, now, timeZone);
}

/** One licence that is known to be there, with its installations. */
export async function getLicense(db: Db, id: number, now: Date, timeZone: string): Promise<License> {
  const row = await complete(db).where('licenses.id', '=', id).executeTakeFirstOrThrow();
  return {
    ...toLicense(row, now, timeZone),
    installations: await listInstallationsOfLicenses(db, [id], now),
  };
}

/** One licence with its installations. */
export async function findLicense(
  db: Db,
  id: number,
  now: Date,
  timeZone: string,
): Promise<License | undefined> {
  const row = await findLicenseRow(db, id, now, timeZone);
  return row && { ...row, installations: await listInstallationsOfLicenses(db, [id], now) };
}

/** All licences of a client, the newest first, each with its installations. */
export async function listLicensesOfClient(
  db: Db,
  clientId: number,
  now: Date,
  timeZone: string,
): Promise<License[]> {
  const rows = await complete(db)
    .where('licenses.client_id', '=', clientId)
    .orderBy('licenses.created_at', 'desc')
    .orderBy('licenses.id', 'desc')
    .execute();
  const withSeats = rows.filter((row) => row.current_installations > 0).map((row) => row.id);
  const installations = Map.groupBy(
    await listInstallationsOfLicenses(db, withSeats, now),
    (installation) => installation.license,
  );
  return rows.map((row) => ({
    ...toLicense(row, now, timeZone),
    installations: installations.get(row.id) ?? [],
  }));
}

const forValidation = prepared((db, { licenseKey, machineId }: { licenseKey: string; machineId: string }) =>
  joined(db)
    .leftJoin('installations', (join) =>
      join
        .onRef('installations.license_id', '=', 'licenses.id')
        .on('installations.machine_id', '=', machineId),
    )
    .where('licenses.license_key', '=', licenseKey)
    .select([
      'licenses.id',
      'licenses.license_key',
      'licenses.status',
      'licenses.license_type',
      'licenses.expiry_date',
      'licenses.max_installations',
      'licenses.current_installations',
      'software.name as software_name',
      'software.version as software_version',
      'clients.name as client_name',
      'installations.id as installation_id',
    ]),
);

/** What validation needs to know of a key: its terms, who it is for, and whether the machine has a seat. */
export async function findForValidation(db: Db, licenseKey: string, machineId: string) {
  const [license] = await forValidation(db, { licenseKey: normalizeLicenseKey(licenseKey), machineId });
  return license;
}

/** Stores a new licence and returns its id. */
export async function insertLicense(
  db: Db,
  licenseKey: string,
  terms: LicenseTerms,
  issuedDate: string,
): Promise<number> {
  const { id } = await db
    .insertInto('licenses')
    .values({
      ...terms,
      license_key: licenseKey,
      search_text: licenseKey.toLowerCase(),
      current_installations: 0,
      issued_date: issuedDate,
      created_at: issuedDate,
      updated_at: issuedDate,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateLicense(
  db: Db,
  id: number,
  terms: Partial<LicenseTerms>,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('licenses')
    .set({ ...terms, updated_at: updatedAt })
    .where('id', '=', id)
    .execute();
}

export async function deleteLicense(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom('licenses').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
