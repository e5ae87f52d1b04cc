import { setImmediate as yieldToRequests } from 'node:timers/promises';

/** The number of rows in memory at a time. */
export const BATCH = 1000;

/**
 * The number of rows of a file that are read and written before other requests run. It is smaller than {@link BATCH},
 * because these are complete rows with long notes.
 */
export const FILE_BATCH = 100;

/**
 * Yields all rows in batches, ordered by id. No transaction stays open between batches, and memory holds only one
 * batch.
 * @param read returns the first `limit` rows with an id above `afterId`, ordered by id
 * @param start rows with greater ids only
 * @param size the number of rows in a batch
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
    // SQLite answers synchronously: without this pause a long file would block all other requests.
    await yieldToRequests();
  }
}

/** Yields ids in small parts, for callers that read complete rows; other requests run between two parts. */
export async function* inParts(ids: number[]): AsyncGenerator<number[]> {
  for (let start = 0; start < ids.length; start += FILE_BATCH) {
    if (start > 0) await yieldToRequests();
    yield ids.slice(start, start + FILE_BATCH);
  }
}
