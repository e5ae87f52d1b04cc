import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { localDay } from '../../contract/time.ts';
import type { AppContext } from '../context.ts';
import { type CsvColumn, csvFile } from '../lib/csv.ts';

/**
 * Streams a CSV file; only one batch of rows is in memory.
 * @param name the beginning of the file name; the local day is appended
 */
export function sendCsv<Row>(
  context: AppContext,
  reply: FastifyReply,
  name: string,
  columns: CsvColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): FastifyReply {
  const day = localDay(context.now(), context.config.timeZone);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}_${day}.csv"`)
    .send(Readable.from(csvFile(columns, batches)));
}
