import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, suggestMapping } from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES, IMPORT_ROWS_MAX, IMPORT_SAMPLE_ROWS } from '../../../contract/imports/imports.ts';
import { fault, invalid } from '../../errors.ts';
import { cellText, type SheetCell } from '../../lib/workbook/cell-value.ts';
import { cleanText } from './clean-text.ts';
import { BrokenRows, type ImportSource, readerOf, readRows, type SheetRow } from './import-source.ts';
import { type OpenedFile, openFile } from './open-file.ts';

export type { SheetRow };

/** The result of reading the headers and the first rows. */
export type SheetHead = {
  columns: string[];
  sample: string[][];
  mapping: ImportMapping;
  /** What to tell about the headers. */
  warnings: string[];
};

/** The headers are searched for in this many rows, because titles and merged cells may be above them. */
const HEADERS_WITHIN = 20;
/** Of a workbook so many sheets are looked at for one with headers. */
const SHEETS_LOOKED_AT = 20;

const isBlank = (cells: readonly SheetCell[]) =>
  cells.every((cell) => typeof cell === 'string' && cell.trim() === '');
const tidy = (cells: readonly string[]) => cells.map((cell) => cleanText(cell).replace(/\s+/g, ' ').trim());
const textsOf = ([, ...cells]: SheetRow) => cells.map(cellText);

/** The number of fields whose names the cells contain as headers. */
const namedFields = (kind: ImportKind, cells: readonly string[]) =>
  Object.values(suggestMapping(kind, [...new Set(tidy(cells))])).filter((field) => field !== null).length;

/**
 * The position of the headers among rows that are not blank: the row that contains the names of most fields, or the
 * first.
 * @returns also how many fields it names
 */
function findHeaders(kind: ImportKind, rows: readonly SheetRow[]): { at: number; named: number } {
  const named = rows.slice(0, HEADERS_WITHIN).map((row) => namedFields(kind, textsOf(row)));
  const most = Math.max(0, ...named);
  // A row with the name of only one field may be data.
  return most >= 2 ? { at: named.indexOf(most), named: most } : { at: 0, named: 0 };
}

/** Headers that a mapping cannot contain: empty ones, and keys that a JSON body may not have (http/json-body.ts). */
const NO_NAME = /^(?:|__proto__|constructor)$/;

/** The columns by their headers. A column without a header gets a name, and a repeated header gets a number. */
function nameColumns(cells: readonly string[]): Pick<SheetHead, 'columns' | 'warnings'> {
  const headers = tidy(cells);
  const last = headers.findLastIndex((header) => header !== '');
  const columns = new Set<string>();
  const warnings: string[] = [];
  for (const [index, header] of headers.slice(0, last + 1).entries()) {
    const title = (NO_NAME.test(header) ? `Columna ${index + 1}` : header).slice(0, 100);
    let name = title;
    for (let count = 2; columns.has(name); count += 1) name = `${title} (${count})`;
    if (name !== title)
      warnings.push(`El encabezado «${title}» se repite: esa columna se llama aquí «${name}».`);
    columns.add(name);
  }
  return { columns: [...columns], warnings };
}

/**
 * The head of a sheet.
 * @param headers the cells of its headers, and `rows` its first rows, both as they are read
 */
export function headOf(kind: ImportKind, headers: readonly string[], rows: readonly SheetRow[]): SheetHead {
  const { columns, warnings } = nameColumns(headers);
  const sample = rows.slice(0, IMPORT_SAMPLE_ROWS).map(([, ...cells]) =>
    columns.map((_, n) =>
      cleanText(cellText(cells[n] ?? ''))
        .trim()
        .slice(0, 200),
    ),
  );
  return { columns, warnings, sample, mapping: suggestMapping(kind, columns, sample) };
}

/** What to tell about a file: about its headers, its rows, and its letters in the encoding in use. */
export function warningsOf(source: ImportSource, ofHeaders: readonly string[]): string[] {
  const broken = source.encoding === null ? source.broken['UTF-8'] : source.broken[source.encoding];
  return [
    ...ofHeaders,
    ...source.notes,
    ...(broken ? [IMPORT_MESSAGES.broken(broken.rows, broken.count, broken.word)] : []),
  ];
}

/** The rows that are not blank, in small parts. */
async function* filledRows(parts: AsyncIterable<SheetRow[]>): AsyncGenerator<SheetRow[]> {
  for await (const rows of parts) yield rows.filter(([, ...cells]) => !isBlank(cells));
}

/** The first rows of a sheet that are not blank: enough to find the headers, and those of the sample. */
async function startOf(file: OpenedFile, table: string | null): Promise<SheetRow[]> {
  const start: SheetRow[] = [];
  for await (const rows of filledRows(file.rows(table))) {
    start.push(...rows);
    if (start.length >= HEADERS_WITHIN) break;
  }
  return start;
}

/** The sheet whose headers name the most fields; if none names two, the first that has rows. */
async function chooseTable(kind: ImportKind, file: OpenedFile): Promise<string | null> {
  const [only, ...others] = file.tables;
  if (others.length === 0) return only ?? null;
  const found: { table: string | null; named: number }[] = [];
  for (const table of file.tables.slice(0, SHEETS_LOOKED_AT)) {
    const start = await startOf(file, table);
    if (start.length > 0) found.push({ table, named: findHeaders(kind, start).named });
  }
  const [best] = found.toSorted((one, other) => other.named - one.named);
  return best?.table ?? only ?? null;
}

const empty = () => invalid({ file: [fault('required', IMPORT_MESSAGES.empty)] });

/** What is read of a file, in this order; `end` has what is known only after the last row. */
export type SheetPart =
  | { head: SheetHead; source: ImportSource }
  | { rows: SheetRow[] }
  | { end: Pick<ImportSource, 'broken' | 'notes'> };

/**
 * Reads the rows of a file, in small parts.
 * @param asked.sheet the sheet of a workbook that the caller named
 * @yields rows that are not blank, as they are kept (ImportSource), after the head of the sheet
 * @throws AppError 400, 413 or 415 for a file that cannot be read, is empty or has too many rows or columns
 */
export async function* readSheet(
  kind: ImportKind,
  bytes: Buffer,
  asked: { sheet?: string | undefined } = {},
): AsyncGenerator<SheetPart> {
  const file = await openFile(bytes, asked.sheet);
  const { kept, encoding, choices, sheets } = file;
  const sheet = await chooseTable(kind, file);
  const read = await readerOf(file);
  const broken = await brokenRowsOf(file);
  const notes: string[] = [];
  let headersAt = 0;
  let total = 0;
  const counted = (rows: SheetRow[]): SheetRow[] => {
    total += rows.length;
    if (total > IMPORT_ROWS_MAX) throw invalid({ file: [fault('too_long', IMPORT_MESSAGES.tooManyRows)] });
    broken.add(rows);
    return rows;
  };
  function* open(start: SheetRow[]): Generator<SheetPart> {
    const shown = readRows(start, read);
    const { at } = findHeaders(kind, shown);
    const headers = start[at];
    if (!headers) throw empty();
    headersAt = headers[0];
    if (at > 0)
      notes.push(`Los encabezados están en la fila ${headersAt}; lo que está arriba no se importa.`);
    const head = headOf(kind, textsOf(shown[at]!), shown.slice(at + 1));
    const source = { kept, encoding, choices, broken: {}, headers: textsOf(headers), notes, sheets, sheet };
    broken.add([headers]);
    yield { head, source };
    yield { rows: counted(start.slice(at + 1)) };
  }
  let start: SheetRow[] | null = [];
  for await (const rows of filledRows(file.rows(sheet))) {
    if (!start) yield { rows: counted(rows) };
    else {
      start.push(...rows);
      if (start.length < HEADERS_WITHIN + IMPORT_SAMPLE_ROWS) continue;
      yield* open(start);
      start = null;
    }
  }
  if (start) yield* open(start);
  if (total === 0) throw empty();
  yield { end: { broken: broken.found, notes: [...notes, ...file.warningsBelow(headersAt)] } };
}

async function brokenRowsOf({ kept, encoding, choices }: OpenedFile): Promise<BrokenRows> {
  const encodings = choices.length > 0 ? choices.map((choice) => choice.encoding) : [encoding ?? 'UTF-8'];
  const readers = encodings.map(async (one) => ({
    encoding: one,
    read: await readerOf({ kept, encoding: one }),
  }));
  return new BrokenRows(await Promise.all(readers));
}

/** The label of a field, for messages. */
export const labelOf = (kind: ImportKind, name: string): string =>
  IMPORT_FIELDS[kind].find((field) => field.name === name)?.label ?? name;
