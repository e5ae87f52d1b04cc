import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '../server/db/open.ts';

/**
 * Migrates one SQLite file. Each API test copies it, and each server that a test starts without a DATA_DIR, so that
 * migrations run only once.
 */
export default async function setup(): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'license-manager-template-'));
  const file = join(directory, 'template.sqlite');
  const db = openDatabase({ kind: 'sqlite', file }, () => {});
  await migrate(db);
  // Closing moves the write-ahead log into the file.
  await db.destroy();
  process.env.LM_TEST_SQLITE_TEMPLATE = file;
  return () => {
    delete process.env.LM_TEST_SQLITE_TEMPLATE;
    rmSync(directory, { recursive: true, force: true });
  };
}
