import migrateFile from '../../test/sqlite-template.ts';

/** Migrates one SQLite file, with which the servers of browser tests start; Playwright calls this once for a run. */
export default async function setup(): Promise<() => void> {
  const remove = await migrateFile();
  process.env.LM_E2E_SQLITE_FILE = process.env.LM_TEST_SQLITE_TEMPLATE;
  return remove;
}
