import { type CsvCell, csvText, readCsvCell } from '../../../contract/base/csv-cell.ts';
import { type FileColumn, inWords } from '../../../contract/base/file-columns.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import { EXPORT_COLUMNS, IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { Software } from '../../../contract/software/software.ts';
import type { Db } from '../../db/tables.ts';
import { cellText, type SheetCell } from '../../lib/workbook/cell-value.ts';
import type { Moment } from '../../lists/filters.ts';
import type { Scope } from '../../scope.ts';
import { clientList } from '../clients/client-list.ts';
import { licenseList } from '../licenses/license-list.ts';
import { softwareList } from '../software/software-list.ts';
import type { SheetRow } from './import-source.ts';
import type { Reading, RowValues } from './row-values.ts';

/**
 * A cell that is exactly what an export would write for its record today leaves the field (INPUT-15). So an exported
 * file comes back without a change, although its days say no time, its words no code, and its numbers may be read in
 * other ways; and where one cell of a row was changed, no other one changes the record.
 */

/** A record as its exports see it. */
type Exported = Client | Software | LicenseRow;

/** What the columns of a field write for a record, in each form of an export. */
type Forms = ReadonlyMap<string, readonly ((record: Exported) => CsvCell)[]>;

function formsOf(kind: ImportKind, moment: Moment): Forms {
  // The compiler cannot tell which kind of record a kind in a variable has.
  const columns = EXPORT_COLUMNS[kind] as unknown as (FileColumn<Exported> & { name: string })[];
  const words = inWords(columns, moment);
  return new Map(columns.map(({ name, value }, index) => [name, [value, words[index]!.value]]));
}

/** Spreadsheets write the ends of lines in a cell in their own way. */
const inLines = (text: string) => text.replaceAll('\r\n', '\n');

/** Whether a cell is what a column writes. A workbook has texts without the apostrophe of CSV, and numbers as such. */
function isWritten(cell: SheetCell, of: 'csv' | 'workbook', written: CsvCell): boolean {
  if (of === 'csv') return inLines(cellText(cell)) === inLines(csvText(written));
  if (typeof cell === 'number') return written === cell;
  return inLines(cell) === inLines(typeof written === 'string' ? written : csvText(written));
}

/** Fields that are read together: none of them is left alone. */
const TOGETHER: Record<ImportKind, readonly (readonly string[])[]> = {
  clients: [['name', 'last_name']],
  software: [],
  licenses: [['software', 'software_version']],
};

/** The rows of a file with the record that each changes. */
export type FoundRow = { id: number; row: RowValues; cells: SheetRow };

/** Takes out of rows the values of cells that an export writes so. Keys stay, because they identify the record. */
export async function leaveUnchanged(
  { tx, now, timeZone }: Scope,
  kind: ImportKind,
  reading: Reading,
  rows: readonly FoundRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const moment = { now, timeZone };
  const records = await recordsOf(tx, kind, rows, moment);
  const forms = formsOf(kind, moment);
  for (const { id, row, cells } of rows) {
    const record = records.get(id);
    if (record) leave(kind, row, sameCells(kind, reading, forms, cells, record));
  }
}

async function recordsOf(tx: Db, kind: ImportKind, rows: readonly FoundRow[], moment: Moment) {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const records = new Map<number, Exported>();
  const lists = { clients: clientList, software: softwareList, licenses: licenseList };
  for await (const found of lists[kind].export(tx, { ids }, moment))
    for (const record of found) records.set(record.id, record);
  return records;
}

/** The fields of a row whose cells say nothing new. */
function sameCells(
  kind: ImportKind,
  { filled }: Reading,
  forms: Forms,
  [, ...cells]: SheetRow,
  record: Exported,
): Set<string> {
  const same = new Set<string>();
  const others = new Set<string>();
  for (const { field, column, of = 'csv' } of filled) {
    const cell = cells[column] ?? '';
    if (cell === '') continue;
    const isSame = forms.get(field.name)?.some((value) => isWritten(cell, of, value(record)));
    (isSame ? same : others).add(field.name);
  }
  for (const group of TOGETHER[kind])
    if (group.some((name) => others.has(name))) for (const name of group) same.delete(name);
  return same;
}

const keysOf = (kind: ImportKind) => IMPORT_FIELDS[kind].filter(({ key }) => key).map(({ name }) => name);

/** From now on the cells of these fields count as empty; a key keeps its value. */
function leave(kind: ImportKind, row: RowValues, same: ReadonlySet<string>): void {
  const keys = keysOf(kind);
  for (const name of same) {
    delete row.errors[name];
    if (!keys.includes(name)) delete row.values[name];
  }
  row.cleared = new Set([...row.cleared].filter((name) => !same.has(name)));
  row.left = new Set([...row.left, ...[...same].filter((name) => !keys.includes(name))]);
  row.signed = row.signed.filter(({ field }) => !same.has(field.name));
  row.findings = row.findings.filter(({ field }) => !same.has(field));
}

/**
 * A row with its keys as they are written, where they cannot be read: an older record may have such a key, which then is
 * no error.
 */
export function withWrittenKeys(
  kind: ImportKind,
  { filled }: Reading,
  row: RowValues,
  [, ...cells]: SheetRow,
): RowValues {
  const wrong = keysOf(kind).filter((name) => row.errors[name]);
  if (wrong.length === 0) return row;
  const written = filled
    .filter(({ field }) => wrong.includes(field.name))
    .map(({ field, column }) => [field.name, readCsvCell(cellText(cells[column] ?? '')).trim()]);
  return { ...row, values: { ...row.values, ...Object.fromEntries(written) } };
}
