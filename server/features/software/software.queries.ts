import type { ExpressionBuilder } from 'kysely';
import { textOrder } from '../../../contract/base/text.ts';
import { searchTextOf } from '../../../contract/reading/search-folding.ts';
import type { Software, SoftwareValues } from '../../../contract/software/software.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, SoftwareRow, Tables } from '../../db/tables.ts';
import { compareVersions } from '../../lib/compare-versions.ts';
import { countOfActive } from '../../rules/active-licenses.ts';
import { FOREVER } from '../figures/day-facts.ts';
import { countBySoftware } from '../figures/sum-facts.ts';
import { codeForName } from './software-code.ts';

/** The key for comparing name and version, ignoring case (D098). Neither can contain a line break. */
export const identityKey = ({ name, version }: Pick<SoftwareValues, 'name' | 'version'>) =>
  `${name}\n${version}`.toLowerCase();

/** The text that searches look through; the portal searches the first two lines only. */
const softwareText = ({
  name,
  version,
  description,
}: Pick<SoftwareValues, 'name' | 'version' | 'description'>): string =>
  searchTextOf([name, version, description]);

/** Counts the active licences of a software (D066, D123). */
function activeLicenses(eb: ExpressionBuilder<Tables, 'software'>, now: Date) {
  const licenses = eb.selectFrom('licenses').whereRef('licenses.software_id', '=', 'software.id');
  return countOfActive(licenses, now.toISOString()).as('active_licenses_count');
}

/** Converts a row to its answer, without derived columns. */
function toSoftware(
  row: SoftwareRow & { active_licenses_count: number; trial_type_name: string | null },
): Software {
  const { identity_key: _key, name_order: _order, search_text: _text, trial_type_id, ...software } = row;
  return { ...software, trial_type: trial_type_id };
}

/** Values in their stored form. */
function storedOf<Values extends Partial<SoftwareValues>>({ trial_type, ...same }: Values) {
  return { ...same, ...(trial_type !== undefined && { trial_type_id: trial_type }) };
}

const withTrialType = (db: Db) =>
  db
    .selectFrom('software')
    .leftJoin('license_types', 'license_types.id', 'software.trial_type_id')
    .selectAll('software')
    .select('license_types.name as trial_type_name');

const completeSoftware = (db: Db, now: Date) => withTrialType(db).select((eb) => activeLicenses(eb, now));

/**
 * Several software records, in any order. Their numbers of active licences come from the sums by day, which read few
 * rows even for many licences.
 */
export async function softwareOf(db: Db, ids: number[], now: Date): Promise<Software[]> {
  const rows = await withTrialType(db)
    .where((eb) => isAmong(db, eb.ref('software.id'), ids))
    .execute();
  const period = { since: now.toISOString(), until: FOREVER };
  const active = await countBySoftware(db, 'end.active', period, ids);
  return rows.map((row) => toSoftware({ ...row, active_licenses_count: active.get(row.id) ?? 0 }));
}

export async function findSoftware(db: Db, id: number, now: Date): Promise<Software | undefined> {
  const row = await completeSoftware(db, now).where('software.id', '=', id).executeTakeFirst();
  return row && toSoftware(row);
}

/** A software that must exist, because this transaction wrote or locked it. */
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

/** The ids of the software with the given names and versions, by {@link identityKey}. */
export async function findSoftwareLikeAny(
  db: Db,
  identities: Pick<SoftwareValues, 'name' | 'version'>[],
): Promise<Map<string, number>> {
  if (identities.length === 0) return new Map();
  const rows = await db
    .selectFrom('software')
    .select(['id', 'identity_key'])
    .where('identity_key', 'in', identities.map(identityKey))
    .execute();
  return new Map(rows.map(({ id, identity_key }) => [identity_key, id]));
}

/** A software as people write it; without a version, any of its versions. */
export type SoftwareName = { name: string; version?: string | undefined };

/**
 * The software to which a name refers. `ids` has all that could be meant: with a version one or none, else the versions
 * in use, the newest first, then the others. `isOne` is false if they have different names.
 */
export type SoftwareFound = { ids: number[]; isOne: boolean };

/** Versions in use before others, newer before older, of the same number the one that was added last. */
function newestFirst(rows: readonly { id: number; version: string; is_active: boolean }[]): number[] {
  return rows
    .toSorted(
      (one, other) =>
        Number(other.is_active) - Number(one.is_active) ||
        compareVersions(other.version, one.version) ||
        other.id - one.id,
    )
    .map(({ id }) => id);
}

/**
 * Finds the software to which several names refer, with one statement.
 * @returns a function from a name to the software with exactly this name (ignoring case), else to those whose name
 * differs only in case or accents
 */
export async function findSoftwareNamed(
  db: Db,
  names: SoftwareName[],
): Promise<(name: SoftwareName) => SoftwareFound> {
  if (names.length === 0) return () => ({ ids: [], isOne: true });
  const rows = await db
    .selectFrom('software')
    .select(['id', 'name', 'version', 'is_active', 'name_order', 'identity_key'])
    .where('name_order', 'in', [...new Set(names.map(({ name }) => textOrder(name)))])
    .orderBy('id')
    .execute();
  const byName = Map.groupBy(rows, (row) => row.name_order);
  return ({ name, version }) => {
    const alike = byName.get(textOrder(name)) ?? [];
    if (version === undefined) {
      const same = alike.filter((row) => row.name.toLowerCase() === name.toLowerCase());
      const meant = same.length > 0 ? same : alike;
      const isOne = new Set(meant.map((row) => row.name.toLowerCase())).size < 2;
      return { ids: newestFirst(meant), isOne };
    }
    const exact = alike.find((row) => row.identity_key === identityKey({ name, version }));
    if (exact) return { ids: [exact.id], isOne: true };
    const isIts = (row: { version: string }) => row.version.toLowerCase() === version.toLowerCase();
    const ids = alike.filter(isIts).map(({ id }) => id);
    return { ids, isOne: ids.length < 2 };
  };
}

/** Stores a new software, with its code; undefined when its name and version are taken. */
export async function insertSoftware(
  db: Db,
  values: SoftwareValues,
  created: Date,
  updated: Date,
): Promise<number | undefined> {
  const row = await db
    .insertInto('software')
    .values({
      ...storedOf(values),
      code: await codeForName(db, values.name),
      identity_key: identityKey(values),
      name_order: textOrder(values.name),
      search_text: softwareText(values),
      created_at: created.toISOString(),
      updated_at: updated.toISOString(),
    })
    .onConflict((conflict) => conflict.column('identity_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Stores changed values of a locked software, with a new version. A name and version that are taken violate a unique
 * index.
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
      ...storedOf(changes),
      identity_key: identityKey(values),
      name_order: textOrder(values.name),
      search_text: softwareText(values),
      updated_at: updatedAt,
    })
    .where('id', '=', row.id)
    .execute();
}
