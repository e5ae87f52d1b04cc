import { IMPORT_FIELDS, type ImportField, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMapping } from '../../../contract/imports/import-mapping.ts';

/** What the step 'Columnas' knows of a mapping before the server is asked (IMPORT-03). */

/** The columns that give a field that another column gives as well, each with that field. */
export function fieldsTwice(kind: ImportKind, mapping: ImportMapping): Map<string, ImportField> {
  const twice = new Map<string, ImportField>();
  for (const field of IMPORT_FIELDS[kind]) {
    const columns = Object.keys(mapping).filter((column) => mapping[column] === field.name);
    if (columns.length > 1) for (const column of columns) twice.set(column, field);
  }
  return twice;
}

const SAMPLES = 3;

/** Up to three different values of a column, for a person to recognise it by. */
export function samplesOf(rows: readonly (readonly string[])[], column: number): string[] {
  const values = rows.map((row) => (row[column] ?? '').trim()).filter((value) => value !== '');
  return [...new Set(values)].slice(0, SAMPLES);
}
