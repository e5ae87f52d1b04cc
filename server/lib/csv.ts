import { setImmediate as letOthersRun } from 'node:timers/promises';
import { BYTE_ORDER_MARK, type CsvCell, csvLine } from '../../contract/base/csv-cell.ts';

/** The number of characters that are written before other requests run; it takes a few milliseconds. */
const SLICE = 100_000;

export type CsvColumn<Row> = { header: string; value: (row: Row) => CsvCell };

/**
 * A CSV file in chunks: UTF-8 with a byte order mark for Excel, a header line, then the rows. Other requests run
 * after each slice. Only one batch of rows is in memory.
 */
export async function* csvFile<Row>(
  columns: CsvColumn<Row>[],
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
