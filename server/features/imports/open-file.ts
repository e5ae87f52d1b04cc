import {
  type Encoding,
  IMPORT_CELL_MAX,
  IMPORT_COLUMNS_MAX,
  IMPORT_MESSAGES,
  IMPORT_UNPACKED_MAX,
} from '../../../contract/imports/imports.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { UnreadableCsv } from '../../lib/csv-records.ts';
import { type AsciiBased, readingsOf, textOf, utf16Of } from '../../lib/encodings.ts';
import { readCsv } from '../../lib/read-csv.ts';
import type { SheetFacts } from '../../lib/workbook/read-workbook.ts';
import { UnreadableWorkbook, type WorkbookFault } from '../../lib/workbook/unreadable-workbook.ts';
import type { ImportSource, SheetRow } from './import-source.ts';

/** Opens the file of an import: a workbook or CSV, by its bytes (INPUT-04, INPUT-06). */

/** An opened file. */
export type OpenedFile = Pick<ImportSource, 'kept' | 'encoding' | 'choices' | 'sheets'> & {
  /** The sheets among which one is chosen; null stands for the one of a CSV file. */
  tables: (string | null)[];
  /** The rows of a sheet, in small parts. */
  rows: (table: string | null) => AsyncGenerator<SheetRow[]>;
  /** What to tell about the sheet after its last row. */
  warningsBelow: (headersAt: number) => string[];
};

const hasStart = (bytes: Buffer, hexadecimal: string) =>
  bytes.subarray(0, hexadecimal.length / 2).toString('hex') === hexadecimal;
const ZIP = '504b0304';
const EMPTY_ZIP = '504b0506';
const OLE = 'd0cf11e0';
const PDF = '25504446';
/** Bytes at the beginning of UTF-8 that are no part of the text. */
const BYTE_ORDER_MARK = 'efbbbf';
/** The name of the stream that holds a workbook with a password, in an OLE file. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

const otherType = (message: string) => new AppError(415, 'unsupported_media_type', { message });

/**
 * @param sheet the sheet that the caller named
 * @throws AppError 400, 413 or 415 for a file that cannot be read
 */
export async function openFile(bytes: Buffer, sheet: string | undefined): Promise<OpenedFile> {
  if (hasStart(bytes, ZIP) || hasStart(bytes, EMPTY_ZIP)) return refusing(() => openSheets(bytes, sheet));
  if (hasStart(bytes, OLE))
    throw otherType(bytes.includes(ENCRYPTED) ? IMPORT_MESSAGES.encrypted : IMPORT_MESSAGES.oldExcel);
  if (hasStart(bytes, PDF)) throw otherType(IMPORT_MESSAGES.notText);
  if (sheet !== undefined) throw invalid({ sheet: [fault('unknown_reference', IMPORT_MESSAGES.noSheets)] });
  return openCsv(hasStart(bytes, BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes);
}

const UTF16: { encoding: Encoding; lossless: Encoding; choices: [] } = {
  encoding: 'UTF-16',
  lossless: 'UTF-16',
  choices: [],
};

async function openCsv(bytes: Buffer): Promise<OpenedFile> {
  const utf16 = utf16Of(bytes);
  const { encoding, lossless, choices } = utf16 ? UTF16 : await readingsOf(bytes);
  async function* rows(): AsyncGenerator<SheetRow[]> {
    let number = 0;
    const limits = { cell: IMPORT_CELL_MAX, columns: IMPORT_COLUMNS_MAX };
    for await (const records of readCsv(await textOf(bytes, utf16 ?? (lossless as AsciiBased)), limits)) {
      // NUL is removed: no cell can show it, and PostgreSQL cannot store it.
      yield records.map((cells) => {
        number += 1;
        return [number, ...cells.map((cell) => cell.replaceAll('\0', ''))];
      });
    }
  }
  return {
    kept: lossless,
    encoding,
    choices,
    sheets: [],
    tables: [null],
    rows: () => refusingRows(rows()),
    warningsBelow: () => [],
  };
}

async function openSheets(bytes: Buffer, requested: string | undefined): Promise<OpenedFile> {
  // Loaded at the first workbook, so that a server that gets none does not hold the code.
  const { noFacts, openWorkbook } = await import('../../lib/workbook/read-workbook.ts');
  const { sheets, rows } = await openWorkbook(bytes, {
    unpacked: IMPORT_UNPACKED_MAX,
    cell: IMPORT_CELL_MAX,
    columns: IMPORT_COLUMNS_MAX,
  });
  if (requested !== undefined && !sheets.includes(requested))
    throw new UnreadableWorkbook({ kind: 'no-sheet', sheets });
  let facts = noFacts();
  return {
    kept: null,
    encoding: null,
    choices: [],
    sheets,
    tables: requested === undefined ? sheets : [requested],
    rows: (table) => {
      facts = noFacts();
      return refusingRows(rows(table ?? '', facts));
    },
    warningsBelow: (headersAt) => textsOf(facts, headersAt),
  };
}

function textsOf({ hidden, uncomputed, merged }: SheetFacts, headersAt: number): string[] {
  return [
    hidden > 0 && IMPORT_MESSAGES.hiddenRows(hidden),
    merged > headersAt && IMPORT_MESSAGES.mergedCells,
    uncomputed.count > 0 && IMPORT_MESSAGES.uncomputed(uncomputed.count, uncomputed.first),
  ].filter((text) => text !== false);
}

/** Turns the errors of the readers into answers. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

async function* refusingRows(rows: AsyncGenerator<SheetRow[]>): AsyncGenerator<SheetRow[]> {
  try {
    yield* rows;
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof UnreadableWorkbook) return workbookRefusal(error.fault);
  if (!(error instanceof UnreadableCsv)) return error;
  const { kind, record } = error.fault;
  if (kind === 'open-quote') return invalid({ file: [fault('invalid', IMPORT_MESSAGES.quotes(record))] });
  return limitRefusal(kind, record);
}

function limitRefusal(kind: 'long-cell' | 'many-cells', record: number): AppError {
  const message = kind === 'long-cell' ? IMPORT_MESSAGES.longCell : IMPORT_MESSAGES.tooManyCells;
  return invalid({ file: [fault('too_long', message(record))] });
}

function workbookRefusal(found: WorkbookFault): AppError {
  switch (found.kind) {
    case 'ods':
      return otherType(IMPORT_MESSAGES.openDocument);
    case 'xlsb':
      return otherType(IMPORT_MESSAGES.binaryWorkbook);
    case 'encrypted':
      return otherType(IMPORT_MESSAGES.encrypted);
    case 'other':
      return otherType(IMPORT_MESSAGES.notText);
    case 'broken':
      return invalid({ file: [fault('invalid', IMPORT_MESSAGES.brokenWorkbook)] });
    case 'too-large':
      return new AppError(413, 'too_large', { message: IMPORT_MESSAGES.unpackedTooLarge });
    case 'no-sheet':
      return invalid({ sheet: [fault('unknown_reference', IMPORT_MESSAGES.noSheet(found.sheets))] });
    default:
      return limitRefusal(found.kind, found.record);
  }
}
