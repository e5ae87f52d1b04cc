import { setImmediate as letOthersRun } from 'node:timers/promises';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import type { Db, ImportRow } from '../../db/tables.ts';
import { findClientsByEmail } from '../clients/clients.queries.ts';
import type { Plan } from './import-rows.ts';
import { readChunks } from './imports.queries.ts';
import { type Reading, readRow, textOf } from './row-values.ts';

/** Chunks that are read at a time; the number of addresses is far below the parameters of one statement. */
const CHUNKS_AT_ONCE = 20;

/**
 * How many clients the licences of a checked file will make (INPUT-20). A check takes each part of the file back, so it
 * cannot count them on the way: two parts may name the same address.
 */
export async function countNewClients(db: Db, row: ImportRow, plan: Plan): Promise<number> {
  if (!plan.createClients) return 0;
  const isClient = ({ field }: { field: { name: string } }) => field.name === 'client';
  const ofClients: Reading = {
    of: plan.reading.of,
    columns: Number.POSITIVE_INFINITY,
    filled: plan.reading.filled.filter(isClient),
    constants: plan.reading.constants.filter(isClient),
  };
  const refused = await refusedRows(db, row.id);
  const missing = new Set<string>();
  for (let from = 0; from < row.total; ) {
    const chunks = await readChunks(db, row, from, CHUNKS_AT_ONCE);
    const rows = chunks.flatMap((chunk) => chunk.rows);
    if (rows.length === 0) break;
    const keys = rows.flatMap((sheetRow) => {
      const address = refused.has(sheetRow[0]) ? undefined : textOf(readRow(ofClients, sheetRow), 'client');
      return address === undefined ? [] : mailKey(address);
    });
    const asked = [...new Set(keys)].filter((key) => !missing.has(key));
    const known = await findClientsByEmail(db, asked);
    for (const key of asked) if (!known.has(key)) missing.add(key);
    from += rows.length;
    await letOthersRun();
  }
  return missing.size;
}

async function refusedRows(db: Db, id: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('import_errors')
    .select('row')
    .distinct()
    .where('import_id', '=', id)
    .execute();
  return new Set(rows.map(({ row }) => row));
}
