import { type RawBuilder, sql } from 'kysely';
import { lettersOfKey, normalizeLicenseKey } from '../../contract/licenses/license-key.ts';
import { prepared } from '../db/prepared.ts';
import type { Db } from '../db/tables.ts';

/**
 * Finds licences by keys as people type them (API-02). The product's own keys have one form, so they are found by
 * license_key. Imported keys have any form, and an index of those alone finds them without their hyphens.
 */

/** Keys in another form than ours, as the condition of the index licenses_by_foreign_key says it, and the keys in it without their hyphens. */
const isImportedKey = sql<boolean>`licenses.license_key not like '_____-_____-_____-_____-_____'`;
const letters = sql<string>`replace(licenses.license_key, '-', '')`;

/**
 * For the first of several. The bare id would let PostgreSQL walk all licences by their ids instead of using the index:
 * it believes that one is found soon.
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
 * Looks for a licence by a typed key: as it is stored, and only where no licence has that key among the keys of other
 * programs with the same letters.
 * @param find the look-up by a stored key
 */
export async function byTypedKey<Found>(
  db: Db,
  typed: string,
  find: (key: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find(normalizeLicenseKey(typed));
  if (found !== undefined) return found;
  const [imported] = await keyOfLetters(db, { letters: lettersOfKey(typed) });
  return imported && find(imported.license_key);
}

/** The ids of the licences with keys of other programs, by the letters of the key; the oldest where several have them. */
export async function importedIdsByLetters(db: Db, wanted: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('licenses')
    .select(['id', letters.as('letters')])
    .where(isImportedKey)
    .where(letters, 'in', wanted)
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.letters, row.id]));
}

/** The same as the id of the licence in a statement; null where there is none. */
export const idOfTypedKey = (typed: string): RawBuilder<number | null> => sql`coalesce(
  (select licenses.id from licenses where licenses.license_key = ${normalizeLicenseKey(typed)}),
  (select min(${firstId}) from licenses where ${isImportedKey} and ${letters} = ${lettersOfKey(typed)}))`;
