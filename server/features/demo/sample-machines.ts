import type { Db } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { activateInstallation, lockTypedLicense } from '../programs/activate-installation.ts';
import { signalDay } from '../programs/last-signals.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * The name of a computer in capitals, as operating systems give it. The names in the sample have no spaces or accents
 * to remove.
 */
const nameOf = (machine: string) => machine.toUpperCase();

/** The versions and systems that the programs report. */
const PROGRAMS = [
  { app_version: '4.2.1', os: 'Windows 11' },
  { app_version: '4.2.1', os: 'Windows 10' },
  { app_version: '4.1.0', os: 'Debian 13' },
];

/**
 * Takes a seat for a machine, as its program would.
 * @param number a different number for each machine of the sample data
 */
export async function install(
  scope: Scope,
  license_key: string,
  machine_id: string,
  number: number,
): Promise<void> {
  const machine_name = nameOf(machine_id);
  await activateInstallation(
    { ...scope, actor: { kind: 'machine', id: null, name: machine_name } },
    {
      license_key,
      machine_id,
      machine_name,
      mac_address: `02:00:5E:10:00:${number.toString(16).padStart(2, '0').toUpperCase()}`,
      ip_address: `192.0.2.${number + 10}`,
      notes: '',
      ...PROGRAMS[number % PROGRAMS.length]!,
    },
    mustExist(await lockTypedLicense(scope.tx, license_key), `license ${license_key}`),
  );
}

/** Sets the last heartbeats of the machines: most within a day, every fourth some days ago, and one without any. */
export async function beatHearts(tx: Db, now: Date): Promise<void> {
  const machines = await tx
    .selectFrom('installations')
    .select(['id', 'installation_date'])
    .orderBy('id')
    .execute();
  for (const [index, { id, installation_date }] of machines.entries()) {
    if (index === 6) continue;
    const silentDays = index % 4 === 3 ? index + 1 : 0;
    const at = new Date(now.getTime() - (silentDays * 24 + (index % 20)) * HOUR_MS).toISOString();
    const last_heartbeat = at < installation_date ? installation_date : at;
    await tx
      .updateTable('installations')
      .set({ last_heartbeat, heard_on: signalDay(last_heartbeat) })
      .where('id', '=', id)
      .execute();
  }
}

/** The id of the installation of a machine on a licence. */
export async function installationOf(tx: Db, licenseId: number, machine_id: string): Promise<number> {
  const { id } = await tx
    .selectFrom('installations')
    .select('id')
    .where('license_id', '=', licenseId)
    .where('machine_id', '=', machine_id)
    .executeTakeFirstOrThrow();
  return id;
}
