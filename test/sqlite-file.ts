import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { type SqliteOptions, sqliteDialect } from '../server/db/sqlite/driver.ts';

/** Opens an empty SQLite file with the product's driver; it is closed and removed when the test ends. */
export function openSqliteFile<Tables>(options: Partial<SqliteOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'license-manager-driver-'));
  const file = join(directory, 'test.sqlite');
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ file, booleanColumns: new Set(), ...options }) });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await db.destroy();
    isOpen = false;
  };
  onTestFinished(async () => {
    await close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { db, file, close };
}
