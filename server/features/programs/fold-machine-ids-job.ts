import { sql } from 'kysely';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import type { AppContext } from '../../context.ts';
import { isAmong, lockFreeRows, lockRows, lockTrials } from '../../db/dialect.ts';
import { givenRows } from '../../db/given-rows.ts';
import type { Db } from '../../db/tables.ts';
import { defineFoldJob, type FoldedColumn, foldedText } from '../../jobs/fold-job.ts';
import { recordAll } from '../../records/record-event.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { aboutInstallation } from './about-installation.ts';
import { countSeat } from './count-seat.ts';

/**
 * Rows of older versions get the key of their machine (INPUT-09). Seats of one licence that turn out to be one machine
 * become one, trials too (docs/decisions/133-machines-go-by-a-folded-key.md).
 */

const SAME_MACHINE = 'Mismo equipo';

const SEAT = [
  'id',
  'license_id',
  'machine_id',
  'machine_name',
  'machine_key',
  'installation_date',
  'last_heartbeat',
  'token_until',
  'file_until',
] as const;

const seatRows = (tx: Db) => tx.selectFrom('installations').select(SEAT);
type Seat = Awaited<ReturnType<ReturnType<typeof seatRows>['execute']>>[number];

/** The licences of seats, locked: until the transaction ends, no machine takes a seat of them. */
async function lockLicensesOf(tx: Db, ids: number[]) {
  const rows = await lockRows(
    tx,
    tx
      .selectFrom('licenses')
      .select(['id', 'license_key', 'client_id', 'software_id'])
      .where((eb) => isAmong(tx, eb.ref('id'), ids))
      .orderBy('id'),
  ).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

const KEYED = { license_id: 'bigint', machine_key: 'text' } as const;

/** The seats that have one of the keys already. */
async function seatsOfKeys(tx: Db, keys: { license_id: number; machine_key: string }[]): Promise<Seat[]> {
  const { rows } = await sql<{ id: number }>`select installations.id from ${givenRows(tx, KEYED, keys)}
    inner join installations on installations.license_id = given.license_id
      and installations.machine_key = given.machine_key`.execute(tx);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  return seatRows(tx)
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .execute();
}

const fillSeats: FoldedColumn['fill'] = async (scope, { after, upTo }) => {
  const { tx } = scope;
  const lacking = () =>
    seatRows(tx).where('id', '>', after).where('id', '<=', upTo).where('machine_key', 'is', null);
  const unkeyed = await lacking().execute();
  if (unkeyed.length === 0) return;
  const licenses = await lockLicensesOf(tx, [...new Set(unkeyed.map(({ license_id }) => license_id))]);
  // Read again, because a machine may have left before the lock. A heartbeat that runs now leaves its row to the next
  // pass: whoever waits for one while holding others could wait in a circle.
  const seats = (await lockFreeRows(tx, lacking()).execute())
    .filter(({ license_id }) => licenses.has(license_id))
    .map((seat) => ({ ...seat, machine_key: machineKey(seat.machine_id) }));
  if (seats.length === 0) return;
  const known = await seatsOfKeys(tx, seats);
  await mergeSeats(scope, [...seats, ...known]);
  await sql`update installations set machine_key = given.machine_key
    from ${givenRows(tx, { id: 'bigint', machine_key: 'text' }, seats)}
    where installations.id = given.id`.execute(tx);
};

const lastSignalOf = ({ last_heartbeat, installation_date }: Seat) => last_heartbeat ?? installation_date;
const laterOf = (ends: (string | null)[]): string | null =>
  ends.reduce((one, other) => ((other ?? '') > (one ?? '') ? other : one), null);

/**
 * Of seats of one licence and machine the one that called last stays, with the later end of token and file. The
 * others are released, each with an event of the system; no webhook hears of it, because no machine left.
 * @param seats with their keys, of locked licences
 */
async function mergeSeats(scope: Scope, seats: readonly Seat[]): Promise<void> {
  const { tx } = scope;
  const machines = [
    ...Map.groupBy(seats, ({ license_id, machine_key }) => `${license_id} ${machine_key}`).values(),
  ];
  const gone: Seat[] = [];
  for (const same of machines) {
    if (same.length === 1) continue;
    const [stays, ...others] = same.sort((a, b) =>
      lastSignalOf(a) < lastSignalOf(b) ? 1 : lastSignalOf(a) > lastSignalOf(b) ? -1 : b.id - a.id,
    );
    const ends = {
      token_until: laterOf(same.map(({ token_until }) => token_until)),
      file_until: laterOf(same.map(({ file_until }) => file_until)),
    };
    await tx.updateTable('installations').set(ends).where('id', '=', stays!.id).execute();
    gone.push(...others);
  }
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  const named = await tx
    .selectFrom('installations')
    .innerJoin('licenses', 'licenses.id', 'installations.license_id')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .where((eb) => isAmong(tx, eb.ref('installations.id'), ids))
    .select(['installations.id', 'installations.machine_name', 'installations.license_id'])
    .select([
      'licenses.license_key',
      'licenses.client_id',
      'licenses.software_id',
      'clients.name as client_name',
    ])
    .orderBy('installations.id')
    .execute();
  await recordAll(
    { ...scope, publish: async () => {} },
    named.map((seat) => ({
      type: 'installation.released',
      ...aboutInstallation(seat, { ...seat, id: seat.license_id }),
      reason: SAME_MACHINE,
    })),
  );
  await tx
    .deleteFrom('installations')
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .execute();
  for (const [license, left] of Map.groupBy(gone, ({ license_id }) => license_id)) {
    await countSeat(tx, license, -left.length);
  }
}

/** Of trials of one software and machine the older stays; the licence of the other stays too, as a licence. */
const fillTrials: FoldedColumn['fill'] = async ({ tx }, { after, upTo }) => {
  // Nobody starts a trial meanwhile.
  await lockTrials(tx);
  const rows = await tx
    .selectFrom('trials')
    .select(['code', 'machine_id', 'license_id'])
    .where('license_id', '>', after)
    .where('license_id', '<=', upTo)
    .where('machine_key', 'is', null)
    .orderBy('license_id')
    .execute();
  for (const { code, machine_id, license_id } of rows) {
    const machine_key = machineKey(machine_id);
    const same = await tx
      .selectFrom('trials')
      .select(['machine_id', 'license_id'])
      .where('code', '=', code)
      .where('machine_key', '=', machine_key)
      .executeTakeFirst();
    const one = (machineId: string) => sql<boolean>`code = ${code} and machine_id = ${machineId}`;
    if (same && same.license_id <= license_id) {
      await tx.deleteFrom('trials').where(one(machine_id)).execute();
      continue;
    }
    if (same) await tx.deleteFrom('trials').where(one(same.machine_id)).execute();
    await tx.updateTable('trials').set({ machine_key }).where(one(machine_id)).execute();
  }
};

/** Merges seats that have the same key: only an index that was being made beside writers can find such. */
async function settle(context: AppContext): Promise<void> {
  const twice = await context.db
    .selectFrom('installations')
    .select('license_id')
    .where('machine_key', 'is not', null)
    .groupBy(['license_id', 'machine_key'])
    .having((eb) => eb(eb.fn.countAll<number>(), '>', 1))
    .execute();
  for (const license_id of new Set(twice.map((row) => row.license_id))) {
    await inScope(context, { actor: SYSTEM }, async (scope) => {
      await lockLicensesOf(scope.tx, [license_id]);
      const seats = await seatRows(scope.tx)
        .where('license_id', '=', license_id)
        .where('machine_key', 'is not', null)
        .execute();
      await mergeSeats(scope, seats);
    });
  }
}

export const foldMachineIdsJob = defineFoldJob({
  name: 'machine_ids',
  label: 'Identificadores de equipos de antes',
  columns: [
    { table: 'installations', by: 'id', column: 'machine_key', fill: fillSeats },
    foldedText({
      table: 'released_seats',
      read: ['machine_id'],
      column: 'machine_key',
      value: ({ machine_id }) => machineKey(machine_id!),
    }),
    { table: 'trials', by: 'license_id', column: 'machine_key', fill: fillTrials },
  ],
  settle,
});
