import type { ExpressionBuilder } from 'kysely';
import type { Software, SoftwareValues } from '../../../contract/software.ts';
import { normalizeForSearch, textOrder } from '../../../contract/text.ts';
import { countOfActive } from '../../db/active-licenses.ts';
import type { Db, SoftwareRow, Tables } from '../../db/tables.ts';

/** The comparison key of name and version, ignoring case (D098). Neither can contain a line break. */
const identityKey = ({ name, version }: Pick<SoftwareValues, 'name' | 'version'>) =>
  `${name}\n${version}`.toLowerCase();

function searchTextOf({ name, version, description }: SoftwareValues): string {
  return [name, version, description].map(normalizeForSearch).join('\n');
}

/** Counts the active licences (D066, D123). */
function activeLicenses(eb: ExpressionBuilder<Tables, 'software'>, now: Date) {
  const licenses = eb.selectFrom('licenses').whereRef('licenses.software_id', '=', 'software.id');
  return countOfActive(licenses, now.toISOString()).as('active_licenses_count');
}

/** Converts a row to its answer, without derived columns. */
export function toSoftware(row: SoftwareRow & { active_licenses_count: number }): Software {
  const { identity_key: _key, name_order: _order, search_text: _text, ...software } = row;
  return software;
}

/** Software with all columns of an answer. */
export const completeSoftware = (db: Db, now: Date) =>
  db
    .selectFrom('software')
    .selectAll('software')
    .select((eb) => activeLicenses(eb, now));

export async function findSoftware(db: Db, id: number, now: Date): Promise<Software | undefined> {
  const row = await completeSoftware(db, now).where('software.id', '=', id).executeTakeFirst();
  return row && toSoftware(row);
}

/** A software that must exist: the transaction wrote or locked it. */
export async function getSoftware(db: Db, id: number, now: Date): Promise<Software> {
  return toSoftware(await completeSoftware(db, now).where('software.id', '=', id).executeTakeFirstOrThrow());
}

/** The software with this name and version, ignoring case. */
export async function findSoftwareLike(
  db: Db,
  identity: Pick<SoftwareValues, 'name' | 'version'>,
  now: Date,
): Promise<Software | undefined> {
  const row = await completeSoftware(db, now)
    .where('software.identity_key', '=', identityKey(identity))
    .executeTakeFirst();
  return row && toSoftware(row);
}

/** The software with this name, in any version, ignoring case and accents. */
export const findSoftwareByName = (db: Db, name: string): Promise<{ id: number; version: string }[]> =>
  db
    .selectFrom('software')
    .select(['id', 'version'])
    .where('name_order', '=', textOrder(name))
    .orderBy('id')
    .execute();

/** Stores a new software; undefined when its name and version are taken. */
export async function insertSoftware(
  db: Db,
  values: SoftwareValues,
  created: Date,
  updated: Date,
): Promise<number | undefined> {
  const row = await db
    .insertInto('software')
    .values({
      ...values,
      identity_key: identityKey(values),
      name_order: textOrder(values.name),
      search_text: searchTextOf(values),
      created_at: created.toISOString(),
      updated_at: updated.toISOString(),
    })
    .onConflict((conflict) => conflict.column('identity_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Stores changed values of a locked software with a new version. A taken name and version fails as a unique
 * violation.
 */
export async function updateSoftware(
  db: Db,
  row: SoftwareRow,
  changes: Partial<SoftwareValues>,
  updatedAt: string,
): Promise<void> {
  const values = { ...row, ...changes };
  await db
    .updateTable('software')
    .set({
      ...changes,
      identity_key: identityKey(values),
      name_order: textOrder(values.name),
      search_text: searchTextOf(values),
      updated_at: updatedAt,
    })
    .where('id', '=', row.id)
    .execute();
}

export async function deleteSoftware(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom('software').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** The number of all licences of a software, in any state. */
export async function countLicensesOfSoftware(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('licenses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('software_id', '=', id)
    .executeTakeFirstOrThrow();
  return row.count;
}
