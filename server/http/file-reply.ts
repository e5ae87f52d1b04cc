import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type ExportValues,
  FILE_MESSAGES,
  FILE_TYPES,
  type FileColumn,
  type FileKind,
  inCodes,
  inWords,
  WORKBOOK_ROWS_MAX,
} from '../../contract/base/file-columns.ts';
import { localDay } from '../../contract/base/time.ts';
import type { AppContext } from '../context.ts';
import { fault, invalid } from '../errors.ts';
import { csvFile } from '../lib/csv.ts';
import { maySeeKeys, withoutKeys } from './mask-keys.ts';

/** In which form a caller wants a table. */
export type ExportForm = { file?: FileKind | undefined; values?: ExportValues | undefined };

/** A table that is sent as a file. */
export type Table<Row> = {
  /** The beginning of the file name; the local day is appended. */
  name: string;
  /** The name of a workbook's sheet. */
  title: string;
  columns: readonly FileColumn<Row>[];
  batches: AsyncIterable<Row[]>;
  /** Whether the table has more rows than this. Asked before a workbook is begun, which cannot hold any number. */
  hasMoreThan: (rows: number) => Promise<boolean>;
};

/**
 * Streams a table as CSV or as a workbook; only one batch of rows is in memory. A caller who may not read licences gets
 * no keys. Imported keys are masked here by their column, because in the text of the file they cannot be recognized.
 * @throws invalid (400) on `file` for a workbook with more than {@link WORKBOOK_ROWS_MAX} rows
 */
export async function sendTable<Row>(
  context: AppContext,
  reply: FastifyReply,
  { file, values }: ExportForm,
  { hasMoreThan, ...given }: Table<Row>,
): Promise<FastifyReply> {
  const table = { ...given, columns: columnsIn(context, values, given.columns) };
  if (file !== 'xlsx') return sendCsv(context, reply, table.name, table.columns, table.batches);
  if (await hasMoreThan(WORKBOOK_ROWS_MAX))
    throw invalid({ file: [fault('too_long', FILE_MESSAGES.tooManyRows)] });
  // Loaded at the first workbook, so that a server that sends none does not hold the code.
  const { workbookOf } = await import('../lib/workbook/write-workbook.ts');
  const { timeZone } = context.config;
  const batches = shownTo(reply, table.batches);
  return sendFile(context, reply, 'xlsx', table.name, workbookOf({ ...table, batches }, timeZone));
}

/** The columns of an export with the values that the caller wants. */
export const columnsIn = <Row>(
  { config, now }: AppContext,
  values: ExportValues | undefined,
  columns: readonly FileColumn<Row>[],
): FileColumn<Row>[] =>
  values === 'words' ? inWords(columns, { now: now(), timeZone: config.timeZone }) : inCodes(columns);

/** Streams a table as CSV. */
export const sendCsv = <Row>(
  context: AppContext,
  reply: FastifyReply,
  name: string,
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): FastifyReply =>
  sendFile(context, reply, 'csv', name, Readable.from(csvFile(columns, shownTo(reply, batches))));

function sendFile(
  { now, config }: AppContext,
  reply: FastifyReply,
  kind: FileKind,
  name: string,
  content: Readable,
): FastifyReply {
  const day = localDay(now(), config.timeZone);
  return reply
    .type(kind === 'csv' ? `${FILE_TYPES.csv}; charset=utf-8` : FILE_TYPES[kind])
    .header('content-disposition', `attachment; filename="${name}_${day}.${kind}"`)
    .send(content);
}

const shownTo = <Row>({ request }: FastifyReply, batches: AsyncIterable<Row[]>): AsyncIterable<Row[]> =>
  maySeeKeys(request) ? batches : rowsWithoutKeys(batches);

async function* rowsWithoutKeys<Row>(batches: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const rows of batches) yield rows.map(withoutKeys);
}
