import { type RawBuilder, sql } from 'kysely';
import { lettersOfKey, licenseKeyIn, normalizeLicenseKey } from '../../contract/reading/license-keys.ts';
import { prepared } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';

/**
 * Finds licences by keys as people type them (API-02). Keys that this product made have one form and are found by
 * `license_key`. Imported keys can have any form; a separate index finds them without their hyphens.
 */

/** Imported keys: the same condition as in the index licenses_by_foreign_key. `letters` is a key without hyphens. */
const isImportedKey = sql<boolean>`licenses.license_key not like '_____-_____-_____-_____-_____'`;
const letters = sql<string>`replace(licenses.license_key, '-', '')`;

/**
 * The id for `min`. With the bare id PostgreSQL would read all licences in the order of ids and not use the index,
 * because it expects to find a match soon.
 */
const firstId = sql<number>`licenses.id + 0`;

const keyOfLetters = prepared((db, asked: { letters: string }) =>
  db
    .selectFrom('licenses')
    .select('license_key')
    .where(isImportedKey)
    .where(letters, '=', asked.letters)
    .orderBy(firstId)
    .limit(1),
);

/**
 * Looks for a licence by a typed key: first by the key as stored; if no licence has it, among the imported keys with
 * the same letters, and then by the key of this product that stands in the text (INPUT-10).
 * @param find looks up a stored key
 */
export async function byTypedKey<Found>(
  db: Db,
  typed: string,
  find: (key: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find(normalizeLicenseKey(typed));
  if (found !== undefined) return found;
  const [imported] = await keyOfLetters(db, { letters: lettersOfKey(typed) });
  if (imported) return find(imported.license_key);
  const pasted = pastedKeyIn(typed);
  return pasted === null ? undefined : find(pasted);
}

/** The key in a text with more than the key; null if there is none, or if the text is the key. */
function pastedKeyIn(typed: string): string | null {
  const key = licenseKeyIn(typed);
  return key === normalizeLicenseKey(typed) ? null : key;
}

/**
 * The ids of licences with imported keys, by the letters of the key. If several licences have the same letters, the
 * oldest is taken.
 */
export async function importedIdsByLetters(db: Db, requested: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('licenses')
    .select(['id', letters.as('letters')])
    .where(isImportedKey)
    .where(letters, 'in', requested)
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.letters, row.id]));
}

/** An expression for the id of the licence with a typed key, issued or imported; null if there is none. */
export function idOfTypedKey(typed: string): RawBuilder<number | null> {
  const idOf = (key: string) => sql`(select licenses.id from licenses where licenses.license_key = ${key})`;
  const pasted = pastedKeyIn(typed);
  const ids = [
    idOf(normalizeLicenseKey(typed)),
    sql`(select min(${firstId}) from licenses where ${isImportedKey} and ${letters} = ${lettersOfKey(typed)})`,
    ...(pasted === null ? [] : [idOf(pasted)]),
  ];
  return sql`coalesce(${sql.join(ids)})`;
}
