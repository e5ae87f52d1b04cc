import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Rows of a database that are held in memory at a time. */
export const BATCH = 1000;

/**
 * All rows, a batch at a time, in the order of their ids. Between batches nothing is held: neither a transaction nor
 * more memory than one batch takes, however many rows there are.
 * @param read answers the first `limit` rows whose id is above `afterId`, in the order of their ids
 * @param start the id after which the rows begin
 */
export async function* inBatches<Row extends { id: number }>(
  read: (afterId: number, limit: number) => Promise<Row[]>,
  start = 0,
): AsyncGenerator<Row[]> {
  let afterId = start;
  for (;;) {
    const rows = await read(afterId, BATCH);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    afterId = rows.at(-1)!.id;
    // SQLite answers at once: without this a long file would be made in one turn, and everybody else would wait.
    await letOthersRun();
  }
}
