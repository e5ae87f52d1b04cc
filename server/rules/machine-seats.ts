import { type Compilable, type Expression, type SqlBool, sql } from 'kysely';
import { machineKey } from '../../contract/reading/machine-ids.ts';
import type { Db } from '../db/tables.ts';
import { askTogether } from '../db/together.ts';
import { byTypedKey } from './license-keys.ts';

const KEYED = { license_key: 'text', machine_key: 'text' } as const;

/**
 * Makes the query of a call by licence key: the licence, and the seat of the calling machine if it has one. The machine
 * is found by the key of its id (INPUT-09, docs/decisions/133-machines-go-by-a-folded-key.md).
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
  const ask = askTogether(KEYED, (db, { license_key, machine_key }) =>
    build(
      db,
      license_key,
      sql<SqlBool>`installations.license_id = licenses.id and installations.machine_key = ${machine_key}`,
    ),
  );
  return (db, typedKey, machineId) => {
    const machine_key = machineKey(machineId);
    return byTypedKey(db, typedKey, (license_key) => ask(db, { license_key, machine_key }));
  };
}
