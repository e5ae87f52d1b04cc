import { setImmediate as letOthersRun } from 'node:timers/promises';
import { BYTE_ORDER_MARK, type CsvCell, csvLine } from '../../contract/base/csv-cell.ts';

/** Characters that are written before other requests have their turn: a few milliseconds, whatever they are. */
const SLICE = 100_000;

export type CsvColumn<Row> = { header: string; value: (row: Row) => CsvCell };

/**
 * A CSV file in chunks: UTF-8 with a byte order mark for Excel, a header line, then the rows, of which others wait for
 * a slice at most. Only one batch is in memory.
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
