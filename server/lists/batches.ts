import { setImmediate as yieldToRequests } from 'node:timers/promises';

/** Rows in memory at a time. */
export const BATCH = 1000;

/**
 * All rows in batches, ordered by id. Between batches there is no open transaction, and memory holds one batch only.
 * @param read returns the first `limit` rows with an id above `afterId`, ordered by id
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
    // SQLite answers synchronously: without this a long file would block all other requests.
    await yieldToRequests();
  }
}
