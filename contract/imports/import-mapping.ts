import { withoutZone } from '../base/file-columns.ts';
import { IMPORT_FIELDS, type ImportField, type ImportKind } from './import-fields.ts';
import { headerKey } from './import-words.ts';
import type { ImportMode } from './imports.ts';

/** Decides which column of a spreadsheet fills which field (IMPORT-01). Pure functions for server and console. */

/** For each column name, the field that the column fills, or null if the column is ignored. */
export type ImportMapping = Record<string, string | null>;

/** The value of a choice that a word means; undefined if the word means none. */
export function choiceOf({ choices = {} }: Pick<ImportField, 'choices'>, text: string): string | undefined {
  const word = headerKey(text.replaceAll('_', ' '));
  return Object.entries(choices).find(([, words]) => words.includes(word))?.[0];
}

/** False if the field is a choice and no cell of the column has one of its words: 'Jalisco' is no status. */
function couldHold(field: ImportField, cells: readonly string[]): boolean {
  if (!field.choices) return true;
  const words = cells.filter((cell) => cell.trim() !== '' && cell.trim() !== '-');
  return words.length === 0 || words.some((word) => choiceOf(field, word) !== undefined);
}

/**
 * The mapping that the headers suggest. Each field gets at most one column, the one with the most certain header. A
 * column that fits no field is ignored.
 * @param columns the names of the columns
 * @param sample some rows; their cells distinguish, for example, a status from a province
 */
export function suggestMapping(
  kind: ImportKind,
  columns: readonly string[],
  sample: readonly (readonly string[])[] = [],
): ImportMapping {
  const byKey = Map.groupBy(columns.keys(), (column) => headerKey(withoutZone(columns[column]!)));
  const cellsOf = (column: number) => sample.map((row) => row[column] ?? '');
  const wishes = IMPORT_FIELDS[kind].flatMap((field) =>
    [headerKey(field.label), ...field.aliases, headerKey(field.name.replaceAll('_', ' '))].flatMap(
      (alias, rank) =>
        (byKey.get(alias) ?? [])
          .filter((column) => couldHold(field, cellsOf(column)))
          .map((column) => ({ field: field.name, column, rank })),
    ),
  );
  const mapping: ImportMapping = Object.fromEntries(columns.map((column) => [column, null]));
  const given = new Set<string>();
  for (const { field, column } of wishes.sort((a, b) => a.rank - b.rank)) {
    const name = columns[column]!;
    if (given.has(field) || mapping[name] !== null) continue;
    mapping[name] = field;
    given.add(field);
  }
  return mapping;
}

/**
 * The required fields that no column fills: the key of an update, or the mandatory fields of a new record. The price
 * of a licence may come from its type.
 */
export function missingFields(kind: ImportKind, mapping: ImportMapping, mode: ImportMode): ImportField[] {
  const filled = new Set(Object.values(mapping));
  return IMPORT_FIELDS[kind].filter((field) => {
    if (filled.has(field.name)) return false;
    if (mode === 'update') return field.key === true;
    return field.required === true && !(field.name === 'price' && filled.has('license_type_config'));
  });
}
