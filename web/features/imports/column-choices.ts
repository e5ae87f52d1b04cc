import { IMPORT_FIELDS, type ImportField, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, missingFields } from '../../../contract/imports/import-mapping.ts';
import type { ImportUpload } from '../../../contract/imports/imports.ts';

/** Checks of a mapping that the step 'Columnas' can do without the server (IMPORT-03). */

/** The columns mapped to a field that another column is also mapped to, each with that field. */
export function fieldsTwice(kind: ImportKind, mapping: ImportMapping): Map<string, ImportField> {
  const twice = new Map<string, ImportField>();
  for (const field of IMPORT_FIELDS[kind]) {
    const columns = Object.keys(mapping).filter((column) => mapping[column] === field.name);
    if (columns.length > 1) for (const column of columns) twice.set(column, field);
  }
  return twice;
}

/**
 * True if a file of new records needs no choices: each column fills a different known field, and no required field is
 * missing.
 */
export const isClear = (
  kind: ImportKind,
  { columns, mapping, warnings }: Pick<ImportUpload, 'columns' | 'mapping' | 'warnings'>,
): boolean =>
  columns.every((column) => mapping[column]) &&
  warnings.length === 0 &&
  fieldsTwice(kind, mapping).size === 0 &&
  missingFields(kind, mapping, 'create').length === 0;

const SAMPLES = 3;

/** Up to three different values of a column, so that a person recognises it. */
export function samplesOf(rows: readonly (readonly string[])[], column: number): string[] {
  const values = rows.map((row) => (row[column] ?? '').trim()).filter((value) => value !== '');
  return [...new Set(values)].slice(0, SAMPLES);
}
