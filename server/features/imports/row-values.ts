import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { startOfLocalDay } from '../../../contract/base/time.ts';
import { IMPORT_FIELDS, type ImportField, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMapping } from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import { fault, invalid } from '../../errors.ts';
import { faultsIn } from '../../http/validation.ts';
import { cellText } from '../../lib/workbook/cell-value.ts';
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
  /** What is worth telling about cells that can be read. */
  findings: CellFinding[];
};

/** How the rows of a file are read: the kind of file, and the mapped columns, by position. */
export type Reading = {
  of: 'csv' | 'workbook';
  columns: number;
  filled: { field: ImportField; column: number }[];
};

export function readingOf(
  kind: ImportKind,
  of: Reading['of'],
  columns: readonly string[],
  mapping: ImportMapping,
): Reading {
  const filled = columns.flatMap((name, column) => {
    const field = IMPORT_FIELDS[kind].find((one) => one.name === mapping[name]);
    return field ? [{ field, column }] : [];
  });
  return { of, columns: columns.length, filled };
}

/**
 * Reads the cells of a row.
 * @throws invalid (400) for a row with more cells than headers
 */
export function readRow({ of, columns, filled }: Reading, [, ...cells]: SheetRow): RowValues {
  if (cells.slice(columns).some((cell) => cellText(cell).trim() !== '')) {
    throw invalid({ '': [fault('not_allowed', IMPORT_MESSAGES.extraCells)] });
  }
  const read: RowValues = { values: {}, cleared: new Set(), left: new Set(), errors: {}, findings: [] };
  const cleared = new Set<string>();
  const left = new Set<string>();
  for (const { field, column } of filled) {
    const cell = readCell(field, cells[column] ?? '', of);
    if (cell.kind === 'left') left.add(field.name);
    else if (cell.kind === 'cleared') cleared.add(field.name);
    else if (cell.kind === 'wrong') read.errors[field.name] = [fault('invalid', cell.message)];
    else read.values[field.name] = cell.value;
  }
  return { ...read, cleared, left };
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
