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
  }
}
