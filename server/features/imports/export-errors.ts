import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { CsvCell } from '../../../contract/base/csv-cell.ts';
import { readWorkbookText } from '../../../contract/base/workbook-cell.ts';
import type { AppContext } from '../../context.ts';
import type { ImportRow } from '../../db/tables.ts';
import { sendCsv } from '../../http/file-reply.ts';
import { cellText } from '../../lib/workbook/cell-value.ts';
import { fileKindOf } from './import-options.ts';
import { listErrors, readChunks } from './imports.queries.ts';
import { labelOf } from './read-sheet.ts';

/** The rows with errors of an import, as a CSV file that can be corrected and imported again (IMPORT-01). */

const ERRORS_AT_ONCE = 500;

type ErrorLine = { row: number; field: string; message: string; cells: string[] };

/** All errors with the cells of their rows, in small parts. */
async function* errorLines({ db }: AppContext, row: ImportRow): AsyncGenerator<ErrorLine[]> {
  const { id, kind } = row;
  let after = 0;
  for (;;) {
    const page = await listErrors(db, id, after, ERRORS_AT_ONCE);
    const isLast = page.length < ERRORS_AT_ONCE;
    // More errors of the last row may be on the next page, so that row is left to it.
    const whole = isLast ? page : page.filter((error) => error.row !== page.at(-1)!.row);
    const rows = new Map<number, string[]>();
    for (const position of new Set(whole.map((error) => error.position))) {
      const [chunk] = await readChunks(db, row, position, 1);
      for (const [number, ...cells] of chunk?.rows ?? []) rows.set(number, cells.map(cellText));
    }
    yield whole.map(({ row: number, field, message }) => ({
      row: number,
      field: field === null ? '' : labelOf(kind, field),
      message,
      cells: rows.get(number) ?? [],
    }));
    if (isLast) return;
    after = whole.at(-1)!.row;
    await letOthersRun();
  }
}

/** A text of a workbook as a cell that is imported with the same meaning: '-' alone clears a field in both. */
const ofWorkbook = (text: string): CsvCell => (text === '-' ? { asRead: text } : readWorkbookText(text));

/** Sends the errors of an import as a CSV file. */
export function sendErrors(context: AppContext, reply: FastifyReply, row: ImportRow): FastifyReply {
  const cellOf = fileKindOf(row) === 'csv' ? (text: string) => ({ asRead: text }) : ofWorkbook;
  const columns = (JSON.parse(row.columns) as string[]).map((header, index) => ({
    header,
    type: 'text' as const,
    value: ({ cells }: ErrorLine): CsvCell => cellOf(cells[index] ?? ''),
  }));
  return sendCsv<ErrorLine>(
    context,
    reply,
    `errores_importacion_${row.id}`,
    [
      { header: 'Fila', type: 'count', value: ({ row: number }) => number },
      { header: 'Campo', type: 'text', value: ({ field }) => field },
      { header: 'Error', type: 'text', value: ({ message }) => message },
      ...columns,
    ],
    errorLines(context, row),
  );
}
