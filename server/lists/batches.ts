import { setImmediate as yieldToRequests } from 'node:timers/promises';

/** Rows in memory at a time. */
export const BATCH = 1000;

/** Rows of a file that are read and written before others have their turn: complete ones, with long notes. */
export const FILE_BATCH = 100;

/**
 * All rows in batches, ordered by id. Between batches there is no open transaction, and memory holds one batch only.
 * @param read returns the first `limit` rows with an id above `afterId`, ordered by id
 * @param start the id after which the rows begin
 * @param size the rows of a batch
 */
export async function* inBatches<Row extends { id: number }>(
  read: (afterId: number, limit: number) => Promise<Row[]>,
  start = 0,
  size = BATCH,
): AsyncGenerator<Row[]> {
  let afterId = start;
  for (;;) {
    const rows = await read(afterId, size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    afterId = rows.at(-1)!.id;
    // SQLite answers synchronously: without this a long file would block all other requests.
    await yieldToRequests();
  }
}

/** Ids in parts of a few, whose rows are read completely; others run in between. */
export async function* inParts(ids: number[]): AsyncGenerator<number[]> {
  for (let start = 0; start < ids.length; start += FILE_BATCH) {
    if (start > 0) await yieldToRequests();
    yield ids.slice(start, start + FILE_BATCH);
  }
}
