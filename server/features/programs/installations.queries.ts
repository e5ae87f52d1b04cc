import type { z } from 'zod';
import { isInstallationActive } from '../../../contract/base/time.ts';
import { leaseUntil } from '../../../contract/licenses/seats.ts';
import type { heartbeat, Installation } from '../../../contract/programs/installations.ts';
import { searchTextOf } from '../../../contract/reading/search-folding.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, InstallationRow } from '../../db/tables.ts';
import { writeTogether } from '../../db/together.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { askForMachine } from '../../rules/machine-seats.ts';
import { signalDay } from './last-signals.ts';
import { latestEnd } from './released-seats.ts';

/** Installations joined with licence, software and client. */
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
  'installations.changed_at',
  'installations.app_version',
  'installations.os',
  'installations.file_until',
  'licenses.lease_minutes',
  'licenses.license_key',
  'licenses.license_type',
  'software.name as software_name',
  'software.version as software_version',
  'clients.name as client_name',
] as const;

/** Installations with all columns of an answer. */
export const completeInstallations = (db: Db) => joined(db).select(COLUMNS);

type JoinedInstallation = Omit<InstallationRow, 'search_text' | 'token_until' | 'heard_on' | 'machine_key'> &
  Omit<Installation, keyof InstallationRow | 'license' | 'is_active' | 'updated_at' | 'lease_until'> & {
    lease_minutes: number | null;
  };

export function toInstallation(
  { license_id, changed_at, lease_minutes, ...row }: JoinedInstallation,
  now: Date,
): Installation {
  return {
    ...row,
    license: license_id,
    is_active: isInstallationActive(row.last_heartbeat, now),
    updated_at: changed_at ?? row.installation_date,
    lease_until: leaseUntil({ lease_minutes }, row),
  };
}

/** The text that searches look through; the portal searches the first line only. */
export const machineText = (machine: { machine_id: string; machine_name: string; mac_address: string }) =>
  searchTextOf([machine.machine_name, machine.machine_id, machine.mac_address]);

const installationsOfClient = prepared((db, { clientId }: { clientId: number }) =>
  completeInstallations(db)
    .where('licenses.client_id', '=', clientId)
    .orderBy('installations.installation_date', 'desc')
    .orderBy('installations.id', 'desc'),
);

/** All installations of a client's licences, newest first. */
export async function listInstallationsOfClient(
  db: Db,
  clientId: number,
  now: Date,
): Promise<Installation[]> {
  const rows = await installationsOfClient(db, { clientId });
  return rows.map((row) => toInstallation(row, now));
}

/** All installations of a licence, newest first. */
export async function listInstallationsOfLicense(
  db: Db,
  licenseId: number,
  now: Date,
): Promise<Installation[]> {
  const rows = await completeInstallations(db)
    .where('installations.license_id', '=', licenseId)
    .orderBy('installations.installation_date', 'desc')
    .orderBy('installations.id', 'desc')
    .execute();
  return rows.map((row) => toInstallation(row, now));
}

const installationOfId = prepared((db, { id }: { id: number }) =>
  completeInstallations(db).where('installations.id', '=', id),
);

/** One installation; throws if it does not exist. */
export async function getInstallation(db: Db, id: number, now: Date): Promise<Installation> {
  return mustExist(await findInstallation(db, id, now), `installation ${id}`);
}

export async function findInstallation(db: Db, id: number, now: Date): Promise<Installation | undefined> {
  const [row] = await installationOfId(db, { id });
  return row && toInstallation(row, now);
}

const MACHINE_COLUMNS = [
  'licenses.id',
  'licenses.software_id',
  'licenses.status',
  'licenses.expiry_date',
  'licenses.grace_days',
  'licenses.updates_until',
  'licenses.activate_by',
  'licenses.lease_minutes',
  'licenses.max_installations',
  'licenses.issued_date',
  'licenses.meters',
  'installations.id as installation_id',
  'installations.machine_id as known_as',
  'installations.machine_name',
  'installations.last_heartbeat',
  'installations.token_until',
  'installations.ip_address',
  'installations.app_version',
  'installations.os',
] as const;

const TERM_COLUMNS = [
  'licenses.license_key',
  'licenses.license_type',
  'licenses.features',
  'licenses.offline_days',
  'software.code as software_code',
  'software.name as software_name',
] as const;

const machineOf = askForMachine((db, licenseKey, isSeat) =>
  db
    .selectFrom('licenses')
    .leftJoin('installations', (join) => join.on(isSeat))
    .where('licenses.license_key', '=', licenseKey)
    .select(MACHINE_COLUMNS),
);

/** The machine with the columns of its licence that a signed answer and a program that sends its software need. */
const machineWithTerms = askForMachine((db, licenseKey, isSeat) =>
  db
    .selectFrom('licenses')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .leftJoin('installations', (join) => join.on(isSeat))
    .where('licenses.license_key', '=', licenseKey)
    .select([...MACHINE_COLUMNS, ...TERM_COLUMNS]),
);

/**
 * The licence of a heartbeat, and the machine if it has a seat; with more columns of the licence for a program that
 * sends its software or wants a signed answer.
 */
export const findMachine = (
  db: Db,
  { license_key, machine_id, nonce, software }: z.output<typeof heartbeat>,
): Promise<Machine | MachineWithTerms | undefined> =>
  nonce === undefined && software === undefined
    ? machineOf(db, license_key, machine_id)
    : machineWithTerms(db, license_key, machine_id);
type Machine = NonNullable<Awaited<ReturnType<typeof machineOf>>>;
type MachineWithTerms = NonNullable<Awaited<ReturnType<typeof machineWithTerms>>>;

/**
 * Stores the id of a machine as its program last sent it, in another spelling than before (INPUT-09), and its new name
 * (CODE-04). The key stays.
 */
export async function renameMachine(
  db: Db,
  installationId: number,
  said: { machine_id: string; machine_name: string },
  renamedAt: string | null,
): Promise<void> {
  const seat = await db
    .selectFrom('installations')
    .select('mac_address')
    .where('id', '=', installationId)
    .executeTakeFirst();
  if (!seat) return;
  await db
    .updateTable('installations')
    .set({
      ...said,
      search_text: machineText({ ...seat, ...said }),
      ...(renamedAt !== null && { changed_at: renamedAt }),
    })
    .where('id', '=', installationId)
    .execute();
}

const stamp = writeTogether(
  {
    id: 'bigint',
    at: 'timestamptz',
    heard_on: 'text',
    token_until: 'timestamptz',
    ip_address: 'text',
    app_version: 'text',
    os: 'text',
  },
  (db, asked) =>
    db
      .updateTable('installations')
      .set({
        last_heartbeat: asked.at,
        heard_on: asked.heard_on,
        token_until: latestEnd(asked.token_until),
        ip_address: asked.ip_address,
        app_version: asked.app_version,
        os: asked.os,
      })
      .where('installations.id', '=', asked.id),
);

/**
 * SQLite rewrites the index entries of every column in an update, even if the value is unchanged. A heartbeat updates
 * only columns without an index.
 */
const beat = writeTogether({ id: 'bigint', at: 'timestamptz', token_until: 'timestamptz' }, (db, asked) =>
  db
    .updateTable('installations')
    .set({ last_heartbeat: asked.at, token_until: latestEnd(asked.token_until) })
    .where('installations.id', '=', asked.id),
);

/** The stored values of a heartbeat; `tokenUntil` is null if the program wanted no token. */
export type Stamp = {
  at: string;
  tokenUntil: string | null;
  ipAddress: string;
  appVersion: string;
  os: string;
};

/**
 * Stores a heartbeat of a fixed seat that reports nothing new and is not the first of its day (`heard_on`). Resolves
 * when it is on disk.
 */
export async function stampBeat(
  db: Db,
  installationId: number,
  { at, tokenUntil }: Pick<Stamp, 'at' | 'tokenUntil'>,
): Promise<void> {
  await beat(db, { id: installationId, at, token_until: tokenUntil });
}

/** Stores a heartbeat of a fixed seat with the reported values. Resolves when it is on disk. */
export async function stampHeartbeat(
  db: Db,
  installationId: number,
  { at, tokenUntil, ipAddress, appVersion, os }: Stamp,
): Promise<void> {
  await stamp(db, {
    id: installationId,
    at,
    heard_on: signalDay(at),
    token_until: tokenUntil,
    ip_address: ipAddress,
    app_version: appVersion,
    os,
  });
}
