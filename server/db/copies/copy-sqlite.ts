import Database from 'better-sqlite3';
import { countRows, type TableCounts } from './try-copy.ts';

/** Pages of a step of SQLite's backup: 4 MB at the usual size. */
const PAGES_AT_ONCE = 1000;

/**
 * Copies a SQLite file with its backup API while a server writes to it. One read transaction holds the moment of the copy
 * and of its counts: writers go on, and no step begins anew because of them.
 * @returns the rows of each table at that moment
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

/** Makes a copy one file, without the write-ahead log that its source has. */
export function closeDraft(draft: string): void {
  const copy = new Database(draft, { fileMustExist: true });
  try {
    copy.pragma('journal_mode = delete');
  } finally {
    copy.close();
  }
}
