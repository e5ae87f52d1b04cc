import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { startOfLocalDay } from '../../../contract/base/time.ts';
import { IMPORT_FIELDS, type ImportField, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { flagOf, type ImportMapping } from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import { fault, invalid } from '../../errors.ts';
import { faultsIn } from '../../http/validation.ts';
import { cellText, type SheetCell } from '../../lib/workbook/cell-value.ts';
import type { Scope } from '../../scope.ts';
import type { CellFinding } from './findings.ts';
import { type Cell, type ColumnReading, type FileKind, readCell } from './read-cell.ts';
import type { SheetRow } from './read-sheet.ts';

/** The contents of a row's cells, by field. An empty cell has no entry in `values`. */
export type RowValues = {
  /** The value of each cell that has one. */
  values: Record<string, unknown>;
  /** The fields whose cell is '-'. */
  cleared: ReadonlySet<string>;
  /** The fields whose cell is empty, among those that are mapped to a column. */
  left: ReadonlySet<string>;
  /** The errors of cells that cannot be read. */
  errors: FieldFaults;
  /**
   * Amounts that name a currency, as written, of a row that names none: the record's currency decides whether they are
   * amounts of it (INPUT-01).
   */
  signed: { field: ImportField; text: string }[];
  /** What is worth telling about cells that can be read. */
  findings: CellFinding[];
  /** The id of the client that was made for this row (INPUT-20). */
  newClient?: number;
};

/** A mapped column: its field, its position, and how its cells are read. */
export type FilledColumn = { field: ImportField; column: number } & ColumnReading;

/** How the rows of a file are read: the mapped columns, and the fields that have one value for all rows. */
export type Reading = {
  of: FileKind;
  columns: number;
  filled: FilledColumn[];
  /** What the text of each value means (INPUT-20). */
  constants: { field: ImportField; text: string; cell: Cell }[];
};

/** @param values one value for all rows, by field; where a column is mapped to the field, the column counts */
export function readingOf(
  kind: ImportKind,
  of: FileKind,
  columns: readonly string[],
  mapping: ImportMapping,
  values: Readonly<Record<string, string>> = {},
): Reading {
  const filled = columns.flatMap((name, column): FilledColumn[] => {
    const field = IMPORT_FIELDS[kind].find((one) => one.name === mapping[name]);
    return field ? [{ field, column, of, flag: flagOf(field, name) }] : [];
  });
  const constants = IMPORT_FIELDS[kind].flatMap((field) => {
    const text = values[field.name];
    const isMapped = filled.some((one) => one.field === field);
    return text === undefined || isMapped ? [] : [{ field, text, cell: readCell(field, text) }];
  });
  return { of, columns: columns.length, filled, constants };
}

/**
 * Reads the cells of a row.
 * @throws invalid (400) for a row with more cells than headers
 */
export function readRow({ of, columns, filled, constants }: Reading, [, ...cells]: SheetRow): RowValues {
  if (cells.slice(columns).some((cell) => cellText(cell).trim() !== '')) {
    throw invalid({ '': [fault('not_allowed', IMPORT_MESSAGES.extraCells)] });
  }
  const read: RowValues = {
    values: {},
    cleared: new Set(),
    left: new Set(),
    errors: {},
    signed: [],
    findings: [],
  };
  const cleared = new Set<string>();
  const left = new Set<string>();
  const currency = currencyOf({ filled, constants }, cells);
  const take = (field: ImportField, cell: Cell, text: string) => {
    const { name } = field;
    if (cell.kind === 'left') left.add(name);
    else if (cell.kind === 'cleared') cleared.add(name);
    else if (cell.kind === 'wrong') read.errors[name] = [fault(cell.code, cell.message)];
    else {
      read.values[name] = cell.value;
      if (cell.isSigned && field.form === 'amount' && currency === undefined)
        read.signed.push({ field, text });
    }
  };
  for (const { field, column, ...how } of filled) {
    const raw = cells[column] ?? '';
    const text = cellText(raw);
    const cell = readCell(field, raw, { ...how, of, currency });
    take(field, cell, text);
    if (cell.kind === 'value' && cell.found) addFinding(read, { field: field.name, text, ...cell.found });
  }
  for (const { field, text, cell } of constants) {
    // An amount with a sign is one of the row's currency, or an error.
    const isSigned = cell.kind === 'value' && cell.isSigned && currency !== undefined;
    if (cell.kind !== 'left') take(field, isSigned ? readCell(field, text, { currency }) : cell, text);
  }
  return { ...read, cleared, left };
}

/** Adds what was found in a row; a second finding of the same sort and field takes the place of the first. */
export function addFinding({ findings }: Pick<RowValues, 'findings'>, found: CellFinding): void {
  const at = findings.findIndex(({ sort, field }) => sort === found.sort && field === found.field);
  findings.splice(at < 0 ? findings.length : at, at < 0 ? 0 : 1, found);
}

/** The currency that a row names; undefined if it names none, or none that can be read. */
function currencyOf(
  { filled, constants }: Pick<Reading, 'filled' | 'constants'>,
  cells: readonly SheetCell[],
): Currency | undefined {
  const named = filled.find(({ field }) => field.name === 'currency');
  const cell = named
    ? readCell(named.field, cells[named.column] ?? '')
    : constants.find(({ field }) => field.name === 'currency')?.cell;
  return cell?.kind === 'value' ? CURRENCIES.find((code) => code === cell.value) : undefined;
}

/**
 * Reads the signed amounts of a row again, once the currency of its record is known.
 * @param errors gets a message for each that is not of this currency
 */
export function readSigned({ signed }: RowValues, currency: Currency, errors: FieldFaults): void {
  for (const { field, text } of signed) {
    const cell = readCell(field, text, { currency });
    if (cell.kind === 'wrong') errors[field.name] = [fault('invalid', cell.message)];
  }
}

/** The value of a text cell; undefined if it is empty. */
export const textOf = ({ values }: RowValues, field: string): string | undefined =>
  typeof values[field] === 'string' ? values[field] : undefined;

/**
 * Checks values with the schema of the record's own call.
 * @param errors the errors known so far; such a field keeps its message
 * @throws invalid (400) with every wrong field
 */
export function parseValues<Schema extends z.ZodType>(
  schema: Schema,
  values: Record<string, unknown>,
  errors: FieldFaults,
): z.output<Schema> {
  const result = schema.safeParse(values);
  if (result.success && Object.keys(errors).length === 0) return result.data;
  throw invalid({ ...(result.error && faultsIn(result.error.issues, values)), ...errors });
}

/**
 * Reads when a record began, from a day or an instant; undefined if the row does not contain it.
 * @param errors gets a message if the instant is in the future
 */
export function pastInstant(
  row: RowValues,
  field: string,
  { now, timeZone }: Pick<Scope, 'now' | 'timeZone'>,
  errors: FieldFaults,
): Date | undefined {
  const text = textOf(row, field);
  if (text === undefined) return undefined;
  const instant = new Date(isCalendarDay(text) ? startOfLocalDay(text, timeZone) : text);
  if (instant > now) errors[field] = [fault('out_of_range', ROW_MESSAGES.future)];
  return instant;
}

export const ROW_MESSAGES = {
  future: 'La fecha no puede ser futura',
  noClient: 'No hay ningún cliente con este email',
  noSoftware: 'No hay ningún software con este nombre y versión',
  noSoftwareName: 'No hay ningún software con este nombre',
  whichSoftware: 'Hay varios software con este nombre, con otros acentos. Escríbelo igual.',
  noType: 'No hay ningún tipo de licencia con este nombre',
  whichType: 'Hay varios tipos de licencia con este nombre',
  noLicense: 'No hay ninguna licencia con esta clave',
  keyMissing: 'Falta el dato que identifica el registro',
  licenseKey: 'La clave debe tener entre 4 y 100 caracteres, sin espacios ni acentos',
} as const;
