import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { startOfLocalDay } from '../../../contract/base/time.ts';
import { IMPORT_FIELDS, type ImportField, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMapping } from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import { fault, invalid } from '../../errors.ts';
import { faultsIn } from '../../http/validation.ts';
import type { Scope } from '../../scope.ts';
import type { CellFinding } from './findings.ts';
import { readCell } from './read-cell.ts';
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
};

/** How the rows of a file are read: the mapped columns, by position. */
export type Reading = { columns: number; filled: { field: ImportField; column: number }[] };

export function readingOf(kind: ImportKind, columns: readonly string[], mapping: ImportMapping): Reading {
  const filled = columns.flatMap((name, column) => {
    const field = IMPORT_FIELDS[kind].find((one) => one.name === mapping[name]);
    return field ? [{ field, column }] : [];
  });
  return { columns: columns.length, filled };
}

/**
 * Reads the cells of a row.
 * @throws invalid (400) for a row with more cells than headers
 */
export function readRow({ columns, filled }: Reading, [, ...cells]: SheetRow): RowValues {
  if (cells.slice(columns).some((cell) => cell.trim() !== '')) {
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
  const currency = currencyOf(filled, cells);
  for (const { field, column } of filled) {
    const text = cells[column] ?? '';
    const cell = readCell(field, text, currency);
    if (cell.kind === 'left') left.add(field.name);
    else if (cell.kind === 'cleared') cleared.add(field.name);
    else if (cell.kind === 'wrong') read.errors[field.name] = [fault('invalid', cell.message)];
    else {
      read.values[field.name] = cell.value;
      if (cell.isGrouped) {
        const value = String(cell.value);
        read.findings.push({ sort: 'grouped', field: field.name, text, value });
      }
      if (cell.isSigned && field.form === 'amount' && currency === undefined)
        read.signed.push({ field, text });
    }
  }
  return { ...read, cleared, left };
}

/** The currency that a row names; undefined if it names none, or none that can be read. */
function currencyOf(filled: Reading['filled'], cells: readonly string[]): Currency | undefined {
  const named = filled.find(({ field }) => field.name === 'currency');
  const cell = named && readCell(named.field, cells[named.column] ?? '');
  return cell?.kind === 'value' ? CURRENCIES.find((code) => code === cell.value) : undefined;
}

/**
 * Reads the signed amounts of a row again, once the currency of its record is known.
 * @param errors gets a message for each that is not of this currency
 */
export function readSigned({ signed }: RowValues, currency: Currency, errors: FieldFaults): void {
  for (const { field, text } of signed) {
    const cell = readCell(field, text, currency);
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
  whichVersion: 'Hay varias versiones de este software. Indica la versión.',
  noType: 'No hay ningún tipo de licencia con este nombre',
  whichType: 'Hay varios tipos de licencia con este nombre',
  noLicense: 'No hay ninguna licencia con esta clave',
  keyMissing: 'Falta el dato que identifica el registro',
  licenseKey: 'La clave debe tener entre 4 y 100 caracteres, sin espacios ni acentos',
} as const;
