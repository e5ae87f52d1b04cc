import { type Compilable, type Expression, type SqlBool, sql } from 'kysely';
import { machineKey } from '../../contract/reading/machine-ids.ts';
import { isFolded } from '../db/folds.ts';
import type { Db } from '../db/tables.ts';
import { askTogether } from '../db/together.ts';
import { byTypedKey } from './license-keys.ts';

/**
 * Finds the seat of a machine by the key of its id (INPUT-09). While a job fills the keys of older rows, those without
 * one are found by the exact text; of two seats that are one machine, and not merged yet, the one with the exact text
 * comes first, then the one that was heard last (docs/decisions/133-machines-go-by-a-folded-key.md).
 */

const KEYED = { license_key: 'text', machine_key: 'text' } as const;
const EITHER = { ...KEYED, machine_id: 'text' } as const;

type Machine = { machine_key: Expression<string>; machine_id: Expression<string> };

/** Whether a row is of the machine, with or without its key. */
const isOfMachine = (table: string, { machine_key, machine_id }: Machine) => {
  const own = (column: string) => sql.ref(`${table}.${column}`);
  return sql<SqlBool>`(${own('machine_key')} = ${machine_key}
    or ${own('machine_key')} is null and ${own('machine_id')} = ${machine_id})`;
};

/** The id of the seat of a machine, while some rows have no key. */
const eitherSeat = (licenseId: Expression<number>, machine: Machine) => sql<number | null>`
  (select seat.id from installations as seat
  where seat.license_id = ${licenseId} and ${isOfMachine('seat', machine)}
  order by seat.machine_id = ${machine.machine_id} desc, coalesce(seat.last_heartbeat, seat.installation_date) desc
  limit 1)`;

/**
 * Makes the query of a call by licence key: the licence, and the seat of the calling machine if it has one.
 * @param build makes the query from the stored key and the condition under which an installation is that seat, for a
 * left join
 * @returns finds by the key and the id as the program sent them
 */
export function askForMachine<Row>(
  build: (
    db: Db,
    licenseKey: Expression<string>,
    isSeat: Expression<SqlBool>,
  ) => Compilable<Row> & Expression<Row>,
): (db: Db, typedKey: string, machineId: string) => Promise<Row | undefined> {
  const licenseId = sql.ref<number>('licenses.id');
  const keyed = askTogether(KEYED, (db, { license_key, machine_key }) =>
    build(
      db,
      license_key,
      sql<SqlBool>`installations.license_id = ${licenseId} and installations.machine_key = ${machine_key}`,
    ),
  );
  const either = askTogether(EITHER, (db, asked) =>
    build(db, asked.license_key, sql<SqlBool>`installations.id = ${eitherSeat(licenseId, asked)}`),
  );
  return async (db, typedKey, machine_id) => {
    const machine_key = machineKey(machine_id);
    const all = await isFolded(db, 'machine_ids');
    return byTypedKey(db, typedKey, (license_key) =>
      all ? keyed(db, { license_key, machine_key }) : either(db, { license_key, machine_key, machine_id }),
    );
  };
}

/** The id of the seat of a machine, even if its lease has ended, while some rows have no key; undefined without one. */
export async function findUnfoldedSeat(
  db: Db,
  licenseId: number,
  machineId: string,
): Promise<number | undefined> {
  const seat = eitherSeat(sql<number>`${licenseId}`, machineOf(machineId));
  const { rows } = await sql<{ id: number | null }>`select ${seat} as id`.execute(db);
  return rows[0]?.id ?? undefined;
}

const machineOf = (machineId: string): Machine => ({
  machine_key: sql<string>`${machineKey(machineId)}`,
  machine_id: sql<string>`${machineId}`,
});

/** Whether the rows of a table are of a machine: the condition of a filter. */
export const ofMachine = (table: 'installations' | 'trials' | 'released_seats', machineId: string) =>
  isOfMachine(table, machineOf(machineId));
