import { withoutZone } from '../base/file-columns.ts';
import { readFlag } from '../reading/flags.ts';
import { headerForms, nameKey } from './header-names.ts';
import { type FlagMeaning, IMPORT_FIELDS, type ImportField, type ImportKind } from './import-fields.ts';
import { headerKey, words } from './import-words.ts';
import type { ImportMode } from './imports.ts';

/** Decides which column of a spreadsheet fills which field (IMPORT-01, INPUT-20). Pure functions for server and console. */

/** For each column name, the field that the column fills, or null if the column is ignored. */
export type ImportMapping = Record<string, string | null>;

/** The value of a choice that a word means; undefined if the word means none. */
export function choiceOf({ choices = {} }: Pick<ImportField, 'choices'>, text: string): string | undefined {
  const word = headerKey(text.replaceAll('_', ' '));
  return Object.entries(choices).find(([, words]) => words.includes(word))?.[0];
}

/** What Sí and No in a column mean for the choice that it fills, by its header; undefined for other columns. */
export function flagOf({ flags = {} }: Pick<ImportField, 'flags'>, header: string): FlagMeaning | undefined {
  const key = nameKey(header);
  return Object.entries(flags).find(([name]) => nameKey(name) === key)?.[1];
}

/** Words around the name of a field, which say whose or which of several it is. */
const QUALIFIERS: Record<ImportKind, ReadonlySet<string>> = {
  clients: new Set(
    words(`
      billing, mailing, business, work, default, primary, main, preferred, customer, client, buyer, address, value,
      cliente, principal, trabajo, facturacion, fiscal`),
  ),
  software: new Set(words('product, software, producto')),
  licenses: new Set(words('license, licence, lic, licencia')),
};

/** A name that may mean a field. */
type Name = { field: number; rank: number; isWeak: boolean };

/** The names of a kind's fields, by their form. */
function namesOf(kind: ImportKind): Map<string, Name[]> {
  const names = new Map<string, Name[]>();
  for (const [field, { label, name, aliases, weakAliases = [], flags = {} }] of IMPORT_FIELDS[
    kind
  ].entries()) {
    const strong = [label, ...aliases, name];
    const all = [...strong, ...weakAliases, ...Object.keys(flags)];
    for (const [rank, alias] of all.entries()) {
      const key = nameKey(alias);
      names.set(key, [...(names.get(key) ?? []), { field, rank, isWeak: rank >= strong.length }]);
    }
  }
  return names;
}

const known = new Map<ImportKind, Map<string, Name[]>>();

function knownNames(kind: ImportKind): Map<string, Name[]> {
  const names = known.get(kind) ?? namesOf(kind);
  known.set(kind, names);
  return names;
}

/** A column that could fill a field. The rank is lower the more certain its header is. */
type Candidate = { field: number; column: number; rank: number; isWeak: boolean; filled: number };

/** More than the number of names of any field, so that a less certain form of the header never ranks better. */
const FORM_STEP = 1000;

/** False if no cell of the column can be a value of the field: 'Jalisco' is no status, 'Ana' no mail address. */
function fits(field: ImportField, { isWeak }: Name, header: string, cells: readonly string[]): boolean {
  const written = cells.filter((cell) => cell.trim() !== '' && cell.trim() !== '-');
  if (written.length === 0) return true;
  if (field.choices) {
    const isFlag = flagOf(field, header) !== undefined;
    return written.some((cell) => choiceOf(field, cell) !== undefined || (isFlag && readFlag(cell) !== null));
  }
  // A header 'Contactos' of another program may be a count or a name.
  const isDoubted = isWeak || field.form === 'contacts';
  return !isDoubted || !field.couldHold || written.some(field.couldHold);
}

/** The columns that could fill each field, by position of the field. */
function candidatesOf(
  kind: ImportKind,
  columns: readonly string[],
  cellsOf: (column: number) => string[],
  filledOf: (column: number) => number,
): Candidate[][] {
  const names = knownNames(kind);
  const fields = IMPORT_FIELDS[kind];
  const candidates: Candidate[][] = fields.map(() => []);
  for (const [column, header] of columns.entries()) {
    const cells = cellsOf(column);
    for (const [certainty, { key, isBare }] of headerForms(withoutZone(header), QUALIFIERS[kind]).entries()) {
      for (const name of names.get(key) ?? []) {
        const known = candidates[name.field]!;
        if (known.some((one) => one.column === column) || !fits(fields[name.field]!, name, header, cells))
          continue;
        known.push({
          ...{ field: name.field, column, filled: filledOf(column) },
          rank: certainty * FORM_STEP + name.rank,
          isWeak: name.isWeak || isBare,
        });
      }
    }
  }
  return candidates;
}

/** The columns of a field, the best first: the fuller of those with a certain name, then those with a weak one. */
function bestFirst(candidates: readonly Candidate[]): Candidate[] {
  const most = Math.max(...candidates.map(({ filled }) => filled));
  // A column that is nearly empty beside another is not the one that people fill.
  const isSparse = ({ filled }: Candidate) => Number(filled * 2 < most);
  return candidates.toSorted(
    (one, other) =>
      isSparse(one) - isSparse(other) ||
      Number(one.isWeak) - Number(other.isWeak) ||
      other.filled - one.filled ||
      one.rank - other.rank,
  );
}

/** Names of a column that has first and last name together. */
const FULL_NAMES = new Set(
  words(`
    nombre completo, nombre y apellido, nombre y apellidos, full name, display name, client name, customer name,
    nombre del cliente`).map(nameKey),
);
const GIVEN_NAMES = new Set(words('first name, given name, nombre de pila, first').map(nameKey));

/** True if the column of the name has the last name too, so that adding it would repeat it. */
function isFullName(column: string, columns: readonly string[]): boolean {
  const key = nameKey(column);
  return (
    FULL_NAMES.has(key) || (!GIVEN_NAMES.has(key) && columns.some((one) => GIVEN_NAMES.has(nameKey(one))))
  );
}

/**
 * The mapping that the headers suggest. Each field gets at most one column; of several that could fill it the one that
 * has more cells, then the one with the most certain header. A column that fits no field is ignored.
 * @param columns the names of the columns
 * @param sample some rows; their cells distinguish, for example, a status from a province
 * @param filled how many cells each column has in the whole file; default: in the sample
 */
export function suggestMapping(
  kind: ImportKind,
  columns: readonly string[],
  sample: readonly (readonly string[])[] = [],
  filled?: readonly number[],
): ImportMapping {
  const fields = IMPORT_FIELDS[kind];
  const cellsOf = (column: number) => sample.map((row) => row[column] ?? '');
  const filledOf = (column: number) =>
    filled?.[column] ?? cellsOf(column).filter((cell) => cell.trim() !== '').length;
  const wishes = candidatesOf(kind, columns, cellsOf, filledOf).map(bestFirst);
  const isNeeded = ({ field }: Candidate) =>
    Number(fields[field]!.required ?? fields[field]!.expected ?? false);
  // A column goes first to a field that every record needs, then to the one that its header names best.
  const suits = (one: Candidate, other: Candidate) =>
    isNeeded(other) - isNeeded(one) ||
    Number(one.isWeak) - Number(other.isWeak) ||
    one.rank - other.rank ||
    one.field - other.field;
  const given = new Map<number, Candidate>();
  // Each field asks for its best column; a field that loses one to a better suited field asks for its next.
  const asking = fields.map((_, field) => field);
  for (let field = asking.shift(); field !== undefined; field = asking.shift()) {
    const wish = wishes[field]!.shift();
    if (!wish) continue;
    const rival = given.get(wish.column);
    if (rival && suits(rival, wish) <= 0) asking.unshift(field);
    else {
      given.set(wish.column, wish);
      if (rival) asking.unshift(rival.field);
    }
  }
  const mapping: ImportMapping = Object.fromEntries(
    columns.map((name, column) => [name, fields[given.get(column)?.field ?? -1]?.name ?? null]),
  );
  return withoutRepeatedName(columns, mapping);
}

function withoutRepeatedName(columns: readonly string[], mapping: ImportMapping): ImportMapping {
  const columnOf = (field: string) => columns.find((column) => mapping[column] === field);
  const [name, lastName] = [columnOf('name'), columnOf('last_name')];
  if (name === undefined || lastName === undefined || !isFullName(name, columns)) return mapping;
  return { ...mapping, [lastName]: null };
}

/**
 * The required fields that neither a column nor a value for all rows fills: the key of an update, or the mandatory
 * fields of a new record. The price of a licence may come from its type, and a courtesy has none (MONEY-09).
 * @param values one value for all rows, by field (INPUT-20)
 */
export function missingFields(
  kind: ImportKind,
  mapping: ImportMapping,
  mode: ImportMode,
  values: Readonly<Record<string, string>> = {},
): ImportField[] {
  const given = Object.keys(values).filter((field) => values[field]!.trim() !== '');
  const filled = new Set([...Object.values(mapping), ...given]);
  const mayBeCourtesy =
    Object.values(mapping).includes('complimentary') || readFlag(values.complimentary ?? '') === true;
  return IMPORT_FIELDS[kind].filter((field) => {
    if (filled.has(field.name)) return false;
    if (mode === 'update') return field.key === true;
    const isPriced = filled.has('license_type_config') || mayBeCourtesy;
    return field.required === true && !(field.name === 'price' && isPriced);
  });
}

/** A mapping whose columns without a field get the one that another mapping suggests, unless a column fills that. */
export function filledFrom(mapping: ImportMapping, suggested: ImportMapping): ImportMapping {
  const used = new Set(Object.values(mapping));
  return Object.fromEntries(
    Object.entries(mapping).map(([column, field]) => {
      const other = suggested[column] ?? null;
      return [column, field ?? (other !== null && !used.has(other) ? other : null)];
    }),
  );
}
