import {
  SETTINGS_DEFAULTS,
  type Settings,
  type SettingsValues,
} from '../../../contract/settings/settings.ts';
import { lockRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';

/** The version of settings that were never changed. */
const UNCHANGED = '1970-01-01T00:00:00.000Z';

/** The settings as stored: only those that were changed. */
export type StoredSettings = { changed: Partial<SettingsValues>; updated_at: string };

/** The complete settings of a row: for values that are not stored, the program's defaults (MAIL-03). */
export const completeSettings = ({ changed, updated_at }: StoredSettings): Settings => ({
  ...SETTINGS_DEFAULTS,
  ...changed,
  updated_at,
});

const stored = prepared((db, _none: Record<string, never>) =>
  db.selectFrom('settings').select(['changed', 'updated_at']),
);

/** The present settings: those that were changed, and the program's defaults for the others (MAIL-03). */
export async function readSettings(db: Db): Promise<Settings> {
  const [row] = await stored(db, {});
  return completeSettings({
    changed: JSON.parse(row?.changed ?? '{}'),
    updated_at: row?.updated_at ?? UNCHANGED,
  });
}

/** Whether settings were ever stored. */
export async function hasSettings(db: Db): Promise<boolean> {
  return (await db.selectFrom('settings').select('id').executeTakeFirst()) !== undefined;
}

/** Reads the settings and locks them until the transaction ends. The row is inserted if there is none yet. */
export async function lockSettings(tx: Db): Promise<StoredSettings> {
  await tx
    .insertInto('settings')
    .values({ id: 1, changed: '{}', updated_at: UNCHANGED })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const row = await lockRows(
    tx,
    tx.selectFrom('settings').select(['changed', 'updated_at']),
  ).executeTakeFirstOrThrow();
  return { changed: JSON.parse(row.changed), updated_at: row.updated_at };
}

/**
 * Stores settings.
 * @param changed all settings that were ever changed: a value equal to today's default also stays when the default
 * changes in a later version
 * @param version their new `updated_at`
 */
export async function writeSettings(
  db: Db,
  changed: Partial<SettingsValues>,
  version: string,
): Promise<void> {
  const row = { changed: JSON.stringify(changed), updated_at: version };
  await db
    .insertInto('settings')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}
