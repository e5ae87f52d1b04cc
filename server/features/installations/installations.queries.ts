import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Installation } from '../../../contract/installations.ts';
import { normalizeLicenseKey } from '../../../contract/licenses.ts';
import { HEARTBEAT_WINDOW_MS } from '../../../contract/limits.ts';
import { normalizeForSearch } from '../../../contract/text.ts';
import { isInstallationActive } from '../../../contract/time.ts';
import { containsWord, searchWords } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, InstallationRow, Tables } from '../../db/tables.ts';
import { offsetOf, type PageRequest } from '../../lib/paging.ts';

/** Installations with what their licence, software and client say of them. */
function joined(db: Db) {
  return db
    .selectFrom('installations')
    .innerJoin('licenses', 'licenses.id', 'installations.license_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .innerJoin('clients', 'clients.id', 'licenses.client_id');
}

const COLUMNS = [
  'installations.id',
  'installations.license_id',
  'installations.machine_id',
  'installations.machine_name',
  'installations.mac_address',
  'installations.ip_address',
  'installations.installation_date',
  'installations.last_heartbeat',
  'installations.notes',
  'licenses.license_key',
  'licenses.license_type',
  'software.name as software_name',
  'software.version as software_version',
  'clients.name as client_name',
] as const;

type JoinedInstallation = Omit<InstallationRow, 'search_text'> &
  Omit<Installation, keyof InstallationRow | 'license' | 'is_active'>;

function toInstallation({ license_id, ...row }: JoinedInstallation, now: Date): Installation {
  return { ...row, license: license_id, is_active: isInstallationActive(row.last_heartbeat, now) };
}

export type InstallationListQuery = {
  search?: string | undefined;
  license?: number | undefined;
  client?: number | undefined;
  software?: number | undefined;
  is_active?: boolean | undefined;
};

function filtered(db: Db, query: InstallationListQuery, now: Date) {
  let rows = joined(db);
  if (query.license !== undefined) rows = rows.where('installations.license_id', '=', query.license);
  if (query.client !== undefined) rows = rows.where('licenses.client_id', '=', query.client);
  if (query.software !== undefined) rows = rows.where('licenses.software_id', '=', query.software);
  if (query.is_active !== undefined) {
    const since = new Date(now.getTime() - HEARTBEAT_WINDOW_MS).toISOString();
    rows = query.is_active
      ? rows.where('installations.last_heartbeat', '>', since)
      : rows.where((eb) =>
          eb.or([
            eb('installations.last_heartbeat', 'is', null),
            eb('installations.last_heartbeat', '<=', since),
          ]),
        );
  }
  for (const word of searchWords(query.search ?? '')) {
    rows = rows.where((eb) => mentions(db, eb, word));
  }
  return rows;
}

/** A word is looked for in what the machine says of itself, in the licence's key, and in what is known of the client. */
function mentions(db: Db, eb: ExpressionBuilder<Tables, 'installations'>, word: string): Expression<SqlBool> {
  const clients = eb
    .selectFrom('clients')
    .select('clients.id')
    .where(containsWord(db, 'clients', word));
  const licenses = eb
    .selectFrom('licenses')
    .select('licenses.id')
    .where((of) => of.or([containsWord(db, 'licenses', word), of('licenses.client_id', 'in', clients)]));
  return eb.or([containsWord(db, 'installations', word), eb('installations.license_id', 'in', licenses)]);
}

/** What a search looks through. */
export const searchTextOf = (machine: { machine_id: string; machine_name: string; mac_address: string }) =>
  [machine.machine_name, machine.machine_id, machine.mac_address].map(normalizeForSearch).join('\n');

/** How many installations match, on all pages. */
export async function countInstallations(db: Db, query: InstallationListQuery, now: Date): Promise<number> {
  const { search, license, client, software, is_active } = query;
  if ([search, license, client, software, is_active].every((value) => value === undefined)) {
    return countKept(db, { table: 'installations' });
  }
  const row = await filtered(db, query, now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** One page of installations, the latest first. */
export async function listInstallations(
  db: Db,
  query: InstallationListQuery,
  page: PageRequest,
  now: Date,
): Promise<Installation[]> {
  const rows = await filtered(db, query, now)
    .select(COLUMNS)
    .orderBy('installations.installation_date', 'desc')
    .orderBy('installations.id', 'desc')
    .limit(page.pageSize)
    .offset(offsetOf(page))
    .execute();
  return rows.map((row) => toInstallation(row, now));
}

/** All installations of some licences, the latest first. */
export async function listInstallationsOfLicenses(
  db: Db,
  licenseIds: number[],
  now: Date,
): Promise<Installation[]> {
  if (licenseIds.length === 0) return [];
  const rows = await joined(db)
    .select(COLUMNS)
    .where('installations.license_id', 'in', licenseIds)
    .orderBy('installations.installation_date', 'desc')
    .orderBy('installations.id', 'desc')
    .execute();
  return rows.map((row) => toInstallation(row, now));
}

/** One installation that is known to be there. */
export async function getInstallation(db: Db, id: number, now: Date): Promise<Installation> {
  const row = await joined(db).select(COLUMNS).where('installations.id', '=', id).executeTakeFirstOrThrow();
  return toInstallation(row, now);
}

export async function findInstallation(db: Db, id: number, now: Date): Promise<Installation | undefined> {
  const row = await joined(db).select(COLUMNS).where('installations.id', '=', id).executeTakeFirst();
  return row && toInstallation(row, now);
}

const machineOfKey = prepared((db, { licenseKey, machineId }: { licenseKey: string; machineId: string }) =>
  db
    .selectFrom('licenses')
    .leftJoin('installations', (join) =>
      join
        .onRef('installations.license_id', '=', 'licenses.id')
        .on('installations.machine_id', '=', machineId),
    )
    .where('licenses.license_key', '=', licenseKey)
    .select([
      'licenses.id as license_id',
      'licenses.status',
      'licenses.expiry_date',
      'installations.id as installation_id',
      'installations.last_heartbeat',
      'installations.ip_address',
    ]),
);

/** The licence and, if it has a seat, the machine that a heartbeat speaks of. */
export async function findMachine(db: Db, licenseKey: string, machineId: string) {
  const [machine] = await machineOfKey(db, { licenseKey: normalizeLicenseKey(licenseKey), machineId });
  return machine;
}

const stamp = prepared((db, { id, at, ipAddress }: { id: number; at: string; ipAddress: string }) =>
  db.updateTable('installations').set({ last_heartbeat: at, ip_address: ipAddress }).where('id', '=', id),
);

export async function stampHeartbeat(
  db: Db,
  installationId: number,
  heartbeat: { at: string; ipAddress: string },
): Promise<void> {
  await stamp(db, { id: installationId, ...heartbeat });
}
