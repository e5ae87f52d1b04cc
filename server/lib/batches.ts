import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Db } from '../db/tables.ts';
import { idStretches, type LongTable, type Stretch } from './stretches.ts';

/** Rows of a database that are held in memory at a time. */
const BATCH = 1000;

/**
 * All rows, a batch at a time, in the order of their ids. Between batches nothing is held: neither a transaction nor
 * more memory than one batch takes, however many rows there are.
 * @param read answers the first `limit` rows whose id is above `afterId`, in the order of their ids
 */
export async function* inBatches<Row extends { id: number }>(
  read: (afterId: number, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let afterId = 0;
  for (;;) {
    const rows = await read(afterId, BATCH);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    afterId = rows.at(-1)!.id;
    // SQLite answers at once: without this a long file would be made in one turn, and everybody else would wait.
    await letOthersRun();
  }
}

/**
 * The same, for rows that are found by looking at each: a stretch of ids at a time, however few of them match.
 * @param read answers the rows whose id lies in the stretch, in the order of their ids
 */
export async function* inStretches<Row>(
  db: Db,
  table: LongTable,
  read: (stretch: Stretch) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for await (const stretch of idStretches(db, table, BATCH)) {
    const rows = await read(stretch);
    if (rows.length > 0) yield rows;
  }
}
