import type { Activation, Installation } from '../../../contract/installations.ts';
import { INSTALLATION_MESSAGES } from '../../../contract/installations.ts';
import { licenseRefusal, normalizeLicenseKey } from '../../../contract/licenses.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { InstallationRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { getInstallation, searchTextOf } from './installations.queries.ts';
import { limitMachine } from './license-key-guard.ts';

const lockLicense = prepared((db, { licenseKey }: { licenseKey: string }) =>
  lockRows(
    db,
    db
      .selectFrom('licenses')
      .select(['id', 'status', 'expiry_date', 'max_installations', 'current_installations'])
      .where('license_key', '=', licenseKey),
  ),
);

const findSeat = prepared((db, { licenseId, machineId }: { licenseId: number; machineId: string }) =>
  db
    .selectFrom('installations')
    .select(['id', 'machine_name', 'mac_address', 'ip_address', 'notes'])
    .where('license_id', '=', licenseId)
    .where('machine_id', '=', machineId),
);

const takeSeat = prepared((db, seat: Omit<InstallationRow, 'id'>) =>
  db.insertInto('installations').values(seat).returning('id'),
);

const countSeat = prepared((db, { licenseId, change }: { licenseId: number; change: number }) =>
  db
    .updateTable('licenses')
    .set((eb) => ({ current_installations: eb('current_installations', '+', change) }))
    .where('id', '=', licenseId),
);

export type ActivationResult = { installation: Installation; isNew: boolean };

/**
 * Takes a seat of a licence for a machine. The licence's row is locked while its seats are counted, so that any
 * number of machines at once take exactly as many as there are (D119); a machine that has a seat keeps that one.
 * @returns null when the key is unknown
 * @throws AppError 403 with the code that validation would give, 409 installation_limit, 429 rate_limited
 */
export async function activateInstallation(
  context: AppContext,
  activation: Activation,
): Promise<ActivationResult | null> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const [license] = await lockLicense(tx, { licenseKey: normalizeLicenseKey(activation.license_key) });
    if (!license) return null;
    limitMachine(context, license.id, activation.machine_id);

    const refusal = licenseRefusal(license, now);
    if (refusal) throw new AppError(403, refusal);

    const [seat] = await findSeat(tx, { licenseId: license.id, machineId: activation.machine_id });
    if (seat) {
      const machine = refreshed(activation, seat);
      await tx.updateTable('installations').set(machine).where('id', '=', seat.id).execute();
      return { installation: await getInstallation(tx, seat.id, now), isNew: false };
    }
    if (license.current_installations >= license.max_installations) {
      throw new AppError(409, 'installation_limit', {
        errors: { license_key: [INSTALLATION_MESSAGES.limit] },
      });
    }
    const { license_key: _key, machine_id, ...said } = activation;
    const machine = refreshed(activation, { ...said, machine_name: said.machine_name || machine_id });
    const [taken] = await takeSeat(tx, {
      ...machine,
      license_id: license.id,
      machine_id,
      installation_date: now.toISOString(),
      last_heartbeat: null,
    });
    await countSeat(tx, { licenseId: license.id, change: 1 });
    return { installation: await getInstallation(tx, taken!.id, now), isNew: true };
  });
}

/** What a machine says of itself. */
type Machine = Pick<Activation, 'machine_name' | 'mac_address' | 'ip_address' | 'notes'>;

/** A machine that activates again may have another name or address by now; what it does not say is kept. */
function refreshed(said: Activation, known: Machine): Machine & { search_text: string } {
  const machine_name = said.machine_name || known.machine_name;
  const mac_address = said.mac_address || known.mac_address;
  return {
    machine_name,
    mac_address,
    ip_address: said.ip_address || known.ip_address,
    notes: said.notes || known.notes,
    search_text: searchTextOf({ machine_id: said.machine_id, machine_name, mac_address }),
  };
}

/** Gives a seat back. @returns false when there is no such installation */
export async function removeInstallation(context: AppContext, id: number): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const installation = await tx
      .selectFrom('installations')
      .select('license_id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!installation) return false;
    // The licence first, as activation does: two that lock in the same order never wait for each other.
    await lockRows(
      tx,
      tx.selectFrom('licenses').select('id').where('id', '=', installation.license_id),
    ).execute();
    const { numDeletedRows } = await tx.deleteFrom('installations').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await countSeat(tx, { licenseId: installation.license_id, change: -1 });
    return true;
  });
}
