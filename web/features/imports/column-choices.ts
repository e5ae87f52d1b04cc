import { IMPORT_FIELDS, type ImportField, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, missingFields } from '../../../contract/imports/import-mapping.ts';
import type { ImportMode, ImportUpload } from '../../../contract/imports/imports.ts';

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
 * True if a file of new records needs no choices: it can be read in one way only, each column fills a different known
 * field, and no required field is missing.
 */
export const isClear = (
  kind: ImportKind,
  {
    columns,
    mapping,
    warnings,
    encodings,
  }: Pick<ImportUpload, 'columns' | 'mapping' | 'warnings' | 'encodings'>,
): boolean =>
  columns.every((column) => mapping[column]) &&
  warnings.length === 0 &&
  encodings.length === 0 &&
  fieldsTwice(kind, mapping).size === 0 &&
  missingFields(kind, mapping, 'create').length === 0;

/** Fields that are not required, but for which one value helps where the file has no column. */
const WORTH_ASKING: Record<ImportKind, readonly string[]> = {
  // It says of which country the telephones and tax ids are.
  clients: ['country'],
  software: [],
  // A type gives the price, among other things; a courtesy has none (MONEY-09).
  licenses: ['license_type_config', 'complimentary'],
};

/**
 * The fields without a column for which one value for all rows is asked: those that a new record needs, and those that
 * say more about others.
 */
export function fieldsForAll(kind: ImportKind, mapping: ImportMapping, mode: ImportMode): ImportField[] {
  if (mode === 'update') return [];
  const needed = missingFields(kind, mapping, mode);
  const mapped = new Set(Object.values(mapping));
  const isAsked = ({ name }: ImportField) =>
    !mapped.has(name) &&
    (needed.some((field) => field.name === name) ||
      (WORTH_ASKING[kind].includes(name) && (kind === 'clients' || !mapped.has('price'))));
  return IMPORT_FIELDS[kind].filter(isAsked);
}

/** The column that fills a field; undefined if none does. */
export const columnOf = (mapping: ImportMapping, field: string | null): string | undefined =>
  field === null ? undefined : Object.keys(mapping).find((column) => mapping[column] === field);

const SAMPLES = 3;

/** Up to three different values of a column, so that a person recognises it. */
export function samplesOf(rows: readonly (readonly string[])[], column: number): string[] {
  const values = rows.map((row) => (row[column] ?? '').trim()).filter((value) => value !== '');
  return [...new Set(values)].slice(0, SAMPLES);
}
