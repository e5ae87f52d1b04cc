import { setImmediate as letOthersRun } from 'node:timers/promises';
import { BYTE_ORDER_MARK, csvLine } from '../../contract/base/csv-cell.ts';
import type { FileColumn } from '../../contract/base/file-columns.ts';

/** The number of characters that are written before other requests run; it takes a few milliseconds. */
const SLICE = 100_000;

/**
 * A CSV file in chunks: UTF-8 with a byte order mark for Excel, a header line, then the rows. Other requests run
 * after each slice. Only one batch of rows is in memory.
 */
export async function* csvFile<Row>(
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => column.header));
  for await (const rows of batches) {
    let slice = '';
    for (const row of rows) {
      slice += csvLine(columns.map((column) => column.value(row)));
      if (slice.length < SLICE) continue;
      yield slice;
      slice = '';
      await letOthersRun();
    }
    if (slice !== '') yield slice;
  }
}
