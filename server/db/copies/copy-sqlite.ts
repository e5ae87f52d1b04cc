import Database from 'better-sqlite3';
import { countRows, type TableCounts } from './try-copy.ts';

/** The pages in one step of SQLite's backup: 4 MB at the usual page size. */
const PAGES_AT_ONCE = 1000;

/**
 * Copies a SQLite file with its backup API while a server writes to it. One read transaction fixes the moment of the
 * copy and of the row counts. Writers continue, and the backup does not start again because of them.
 * @returns the number of rows of each table at that moment
 */
export async function copySqlite(source: string, draft: string): Promise<TableCounts> {
  const database = new Database(source, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    database.exec('begin');
    const counts = countRows(database);
    await database.backup(draft, { progress: () => PAGES_AT_ONCE });
    return counts;
  } finally {
    database.close();
  }
}

/** Turns off the write-ahead log of a copy, so that it is a single file. */
export function closeDraft(draft: string): void {
  const copy = new Database(draft, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = delete');
  } finally {
    copy.close();
  }
}
