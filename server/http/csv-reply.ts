import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { localDay } from '../../contract/base/time.ts';
import type { AppContext } from '../context.ts';
import { type CsvColumn, csvFile } from '../lib/csv.ts';
import { maySeeKeys, withoutKeys } from './mask-keys.ts';

/**
 * Streams a CSV file; only one batch of rows is in memory. A caller who may not read licences gets no keys. Imported
 * keys are masked here by their column, because in the text of the file they cannot be recognized.
 * @param name the beginning of the file name; the local day is appended
 */
export function sendCsv<Row>(
  context: AppContext,
  reply: FastifyReply,
  name: string,
  columns: CsvColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): FastifyReply {
  const shown = maySeeKeys(reply.request) ? batches : rowsWithoutKeys(batches);
  const day = localDay(context.now(), context.config.timeZone);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}_${day}.csv"`)
    .send(Readable.from(csvFile(columns, shown)));
}

async function* rowsWithoutKeys<Row>(batches: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const rows of batches) yield rows.map(withoutKeys);
}
