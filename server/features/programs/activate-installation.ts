import { refusalOf } from '../../../contract/licenses/license-state.ts';
import { hasLapsed, leaseUntil } from '../../../contract/licenses/seats.ts';
import type { Activation, Installation } from '../../../contract/programs/installations.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { lockRowsOf } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, InstallationRow } from '../../db/tables.ts';
import { record } from '../../records/record-event.ts';
import { byTypedKey } from '../../rules/license-keys.ts';
import type { Scope } from '../../scope.ts';
import { isOtherSoftware } from '../software/asked-software.ts';
import { aboutInstallation } from './about-installation.ts';
import { countSeat } from './count-seat.ts';
import { freeAt, seatsTaken } from './free-seats.ts';
import { getInstallation, machineText, toInstallation } from './installations.queries.ts';
import { signalDay, storeLastSignal } from './last-signals.ts';
import { latestEnd, tokenUntil } from './released-seats.ts';
import { type Answered, ProgramRefusal } from './signed-answers.ts';
import { endNow, startNow, storeStart } from './start-license.ts';

/** A licence with all data for its answers, locked until the transaction ends. */
const lockedLicense = (db: Db) =>
  lockRowsOf(
    db,
    db
      .selectFrom('licenses')
      .innerJoin('software', 'software.id', 'licenses.software_id')
      .innerJoin('clients', 'clients.id', 'licenses.client_id')
      .select([
        'licenses.id',
        'licenses.license_key',
        'licenses.license_type',
        'licenses.client_id',
        'licenses.software_id',
        'licenses.status',
        'licenses.expiry_date',
        'licenses.grace_days',
        'licenses.updates_until',
        'licenses.activate_by',
        'licenses.pending_updates_days',
        'licenses.issued_date',
        'licenses.expiry_days',
        'licenses.expiry_months',
        'licenses.updated_at',
        'licenses.max_installations',
        'licenses.current_installations',
        'licenses.offline_days',
        'licenses.features',
        'licenses.meters',
        'licenses.lease_minutes',
        'licenses.self_release',
        'licenses.releases_per_month',
        'licenses.released_month',
        'licenses.released_in_month',
        'software.code as software_code',
        'software.name as software_name',
        'software.version as software_version',
        'clients.name as client_name',
        'clients.is_system',
        'clients.email_verified',
      ]),
    'licenses',
  );

const lockLicense = prepared((db, { licenseKey }: { licenseKey: string }) =>
  lockedLicense(db).where('licenses.license_key', '=', licenseKey),
);

/** Locks and reads the licence with a typed key, in any spelling (API-02). */
export const lockTypedLicense = (tx: Db, typed: string) =>
  byTypedKey(tx, typed, async (licenseKey) => {
    const [license] = await lockLicense(tx, { licenseKey });
    return license;
  });

/** Locks and reads a licence by its id, for calls by staff. */
export const lockLicenseOfId = prepared((db, { id }: { id: number }) =>
  lockedLicense(db).where('licenses.id', '=', id),
);

const seats = (db: Db) =>
  db
    .selectFrom('installations')
    .select([
      'id',
      'machine_name',
      'mac_address',
      'ip_address',
      'notes',
      'app_version',
      'os',
      'installation_date',
      'last_heartbeat',
      'machine_id',
      'token_until',
      'file_until',
    ]);

const seatOfKey = prepared((db, { licenseId, key }: { licenseId: number; key: string }) =>
  seats(db).where('license_id', '=', licenseId).where('machine_key', '=', key),
);

/** The seat of a machine, in any spelling of its id, even if its lease has ended. */
export async function findSeat(
  db: Db,
  { licenseId, machineId }: { licenseId: number; machineId: string },
): Promise<Seat | undefined> {
  return (await seatOfKey(db, { licenseId, key: machineKey(machineId) }))[0];
}

/**
 * The seat of the calling machine, whatever the state of its licence.
 * @throws ProgramRefusal wrong_software; not_activated without a seat, or if its lease has ended
 */
export async function ownSeat(
  { tx, now, timeZone }: Scope,
  { machine_id, software }: { machine_id: string; software?: string | undefined },
  license: LockedLicense,
) {
  const isOther = await isOtherSoftware(tx, software, license);
  const seat = await findSeat(tx, { licenseId: license.id, machineId: machine_id });
  const hasSeat = seat !== undefined && !hasLapsed(license, seat, now);
  const refusal = refusalOf({ isOther, hasSeat, require_seat: true }, now, timeZone);
  if (refusal) throw new ProgramRefusal(refusal, license);
  return seat!;
}

/** A seat by its id. */
export const findSeatOfId = prepared((db, { id }: { id: number }) => seats(db).where('id', '=', id));
export type Seat = Awaited<ReturnType<typeof findSeatOfId>>[number];

/** Inserts a seat. */
export const takeSeat = prepared((db, seat: Omit<InstallationRow, 'id'>) =>
  db.insertInto('installations').values(seat).returning('id'),
);

/** The locked licence of an activation. */
export type LockedLicense = Awaited<ReturnType<typeof lockLicense>>[number];

/** A seat that was taken or found, and its licence after that. */
type Taken = { installation: Installation; isNew: boolean; license: LockedLicense };

/**
 * Takes a seat of a licence for a machine. The licence is locked while its seats are counted, so concurrent machines
 * never take more seats than there are (D119). A machine that has a seat keeps it.
 * @throws ProgramRefusal with the reason of a validation
 */
export async function activateInstallation(
  scope: Scope,
  activation: Activation,
  license: LockedLicense,
): Promise<Answered<Taken>> {
  const { tx, now, timeZone } = scope;
  const isOther = await isOtherSoftware(tx, activation.software, license);
  const { released_on } = activation;
  const ends = { ...license, expiry_date: endNow(license, scope) };
  const refusal = refusalOf({ license: ends, isOther, released_on }, now, timeZone);
  if (refusal) throw new ProgramRefusal(refusal, license);
  const answer = await takeSeatOf(scope, license, activation);
  const { lease_until } = answer.installation;
  const verdict = { license: answer.license, reason: null, hasSeat: true, leaseUntil: lease_until };
  return { answer, verdict, checked: license };
}

/**
 * Takes a seat of a locked, usable licence, or finds the machine's existing seat. A seat whose lease has ended counts
 * as free (PROG-05). The first seat starts a licence that waits for its first activation (SELL-01).
 * @throws ProgramRefusal 409 installation_limit
 */
export async function takeSeatOf(
  scope: Scope,
  locked: LockedLicense,
  activation: Machine & { machine_id: string; nonce?: string | undefined },
): Promise<Taken> {
  const { tx, now, timeZone } = scope;
  const start = startNow(locked, scope);
  const license = { ...locked, ...start?.started };
  const at = now.toISOString();
  const { nonce, machine_id } = activation;
  const lease = leaseUntil(license, { installation_date: at, last_heartbeat: null });
  const token_until = tokenUntil(license, { nonce, leaseUntil: lease }, scope);

  const seat = await findSeat(tx, { licenseId: license.id, machineId: machine_id });
  if (seat && !hasLapsed(license, seat, now)) {
    const machine = refreshed(activation, seat);
    const isRespelled = machine_id !== seat.machine_id;
    const isChanged = isRespelled || SAID.some((fact) => machine[fact] !== seat[fact]);
    const stored = {
      ...machine,
      ...(isRespelled && { machine_id }),
      ...(isChanged && { changed_at: at }),
      ...(license.lease_minutes !== null && { last_heartbeat: at, heard_on: signalDay(at) }),
      // A heartbeat, which locks no licence, may have given a later token meanwhile.
      ...(token_until !== null && { token_until: latestEnd(token_until) }),
    };
    await tx.updateTable('installations').set(stored).where('id', '=', seat.id).execute();
    return { installation: await getInstallation(tx, seat.id, now), isNew: false, license: locked };
  }
  const taken = await seatsTaken(scope, license, { machineId: machine_id, own: seat?.id });
  const refusal = refusalOf({ seats: { taken, max: license.max_installations } }, now, timeZone);
  if (refusal) throw new ProgramRefusal(refusal, license, license, await freeAt(scope, license, machine_id));
  const machine = refreshed(activation, {
    ...activation,
    machine_name: activation.machine_name || machine_id,
  });
  const newSeat = {
    ...machine,
    license_id: license.id,
    machine_id,
    machine_key: machineKey(machine_id),
    installation_date: at,
    last_heartbeat: null,
    heard_on: signalDay(at),
    changed_at: null,
    token_until,
    file_until: null,
  };
  const [added] = await takeSeat(tx, newSeat);
  await countSeat(tx, license.id, 1);
  await storeLastSignal(tx, license.id, at);
  const { search_text: _text, machine_key: _key, token_until: _end, heard_on: _day, ...row } = newSeat;
  const { license_key, license_type, lease_minutes, software_name, software_version, client_name } = license;
  const names = { license_key, license_type, lease_minutes, software_name, software_version, client_name };
  const installation = toInstallation({ id: added!.id, ...row, ...names }, now);
  await record(scope, { type: 'installation.activated', ...aboutInstallation(installation, license) });
  if (start) await storeStart(scope, locked, start);
  return { installation, isNew: true, license };
}

/** The data that a machine reports about itself. */
const SAID = ['machine_name', 'mac_address', 'ip_address', 'notes', 'app_version', 'os'] as const;
type Machine = Pick<Activation, (typeof SAID)[number]>;

/** The data after a repeated activation: sent fields replace the stored ones, absent fields stay. */
function refreshed(
  said: Machine & { machine_id: string },
  known: Machine,
): Machine & { search_text: string } {
  const machine_name = said.machine_name || known.machine_name;
  const mac_address = said.mac_address || known.mac_address;
  return {
    machine_name,
    mac_address,
    ip_address: said.ip_address || known.ip_address,
    notes: said.notes || known.notes,
    app_version: said.app_version || known.app_version,
    os: said.os || known.os,
    search_text: machineText({ machine_id: said.machine_id, machine_name, mac_address }),
  };
}
