import { type SqlBool, sql } from 'kysely';

/**
 * Clients are also found by the beginning of their tax id, with or without separators (MONEY-02). An index holds each
 * tax id without separators; it is an expression of the column, so that no row needs to be written for it
 * (docs/decisions/043-tax-ids.md).
 */

/** The indexed expression of migration 024, letter by letter: another form of it would not use the index. */
const TAX_KEY = sql<string>`replace(replace(replace(replace(replace(replace(replace(lower(clients.tax_id), 'Ñ', 'n'), 'ñ', 'n'), ' ', ''), '-', ''), '.', ''), '–', ''), '/', '')`;

/** With a shorter beginning too many numbers begin. */
const SHORTEST = 6;

/**
 * The beginning of a tax id that a normalized word of a search may be, without separators; null for a word that is
 * none. A tax id has digits, letters and perhaps '&'.
 */
export function taxKeyOf(word: string): string | null {
  const key = word.replace(/[-.–/]/g, '');
  return key.length >= SHORTEST && /\d/.test(key) && /^[a-z\d&]+$/.test(key) ? key : null;
}

/** A condition for clients whose tax id begins so. */
export const hasTaxKey = (key: string) =>
  sql<SqlBool>`(clients.tax_id <> '' and ${TAX_KEY} like ${`${key}%`})`;

/** The same on SQLite by the index, which `like` does not use there. */
export const hasTaxKeyInIndex = (key: string) =>
  sql<SqlBool>`(clients.tax_id <> '' and ${TAX_KEY} >= ${key} and ${TAX_KEY} < ${`${key}{`})`;
