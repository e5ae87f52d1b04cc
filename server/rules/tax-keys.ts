import { type SqlBool, sql } from 'kysely';

/**
 * A client can also be found by the beginning of the tax id, with or without separators (MONEY-02). An index contains
 * each tax id without separators. It is an index on an expression, so no row had to be rewritten for it
 * (docs/decisions/043-tax-ids.md).
 */

/** The expression of the index clients_by_tax_key. It must stay identical to it, or the index is not used. */
export const TAX_KEY = sql<string>`replace(replace(replace(replace(replace(replace(replace(lower(clients.tax_id), 'Ñ', 'n'), 'ñ', 'n'), ' ', ''), '-', ''), '.', ''), '–', ''), '/', '')`;

/** A shorter beginning would match too many tax ids. */
const SHORTEST = 6;

/**
 * Returns a normalized search word without separators if it can be the beginning of a tax id (digits, letters and
 * perhaps '&'); null otherwise.
 */
export function taxKeyOf(word: string): string | null {
  const key = word.replace(/[-.–/]/g, '');
  return key.length >= SHORTEST && /\d/.test(key) && /^[a-z\d&]+$/.test(key) ? key : null;
}

/** A condition for clients whose tax id begins with the key. */
export const hasTaxKey = (key: string) =>
  sql<SqlBool>`(clients.tax_id <> '' and ${TAX_KEY} like ${`${key}%`})`;

/** The same condition for SQLite in a form that uses the index; `like` does not use it there. */
export const hasTaxKeyInIndex = (key: string) =>
  sql<SqlBool>`(clients.tax_id <> '' and ${TAX_KEY} >= ${key} and ${TAX_KEY} < ${`${key}{`})`;
