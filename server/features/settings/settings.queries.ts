import { SETTINGS_DEFAULTS, type Settings, type SettingsValues } from '../../../contract/settings.ts';
import type { Db } from '../../db/tables.ts';

/** The version of settings that nobody has changed. */
const UNCHANGED = '1970-01-01T00:00:00.000Z';

/** The settings in force: those that were changed, and the program's defaults for the others (MAIL-03). */
export async function readSettings(db: Db): Promise<Settings> {
  const row = await db.selectFrom('settings').select(['changed', 'updated_at']).executeTakeFirst();
  if (!row) return { ...SETTINGS_DEFAULTS, updated_at: UNCHANGED };
  return { ...SETTINGS_DEFAULTS, ...JSON.parse(row.changed), updated_at: row.updated_at };
}

/** Stores the settings that differ from the defaults. @param version their new `updated_at` */
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
