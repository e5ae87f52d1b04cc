import Database from 'better-sqlite3';

/** The number of rows of each table. */
export type TableCounts = [table: string, rows: number][];

/**
 * The tables with data: without SQLite's internal tables and without the search index, whose content comes from other
 * tables.
 */
export const dataTables = (database: Database.Database): string[] =>
  database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and name not like '%\\_search' escape '\\' and name not like '%\\_search\\_%' escape '\\' order by name`,
    )
    .pluck()
    .all() as string[];

/** Counts the rows of all tables; within a transaction, all at the same moment. */
export const countRows = (database: Database.Database): TableCounts =>
  dataTables(database).map((table) => [
    table,
    database.prepare(`select count(*) from "${table}"`).pluck().get() as number,
  ]);

/** The copy is incomplete or damaged. The message has the reason, in Spanish. */
export class BadCopyError extends Error {
  override name = 'BadCopyError';
}

/**
 * Verifies a copy: opens it, lets SQLite check every page and index, and counts the rows of every table.
 * @param expected the rows of the source at the moment of the copy
 * @throws BadCopyError
 */
export function tryCopy(file: string, expected: TableCounts): void {
  let counts: TableCounts;
  try {
    const copy = new Database(file, { readonly: true, fileMustExist: true });
    try {
      const [first] = copy.pragma('integrity_check(1)') as { integrity_check: string }[];
      if (first?.integrity_check !== 'ok') {
        throw new BadCopyError(`La copia está dañada: ${first?.integrity_check.slice(0, 200)}`);
      }
      counts = countRows(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError)
      throw new BadCopyError(`La copia está dañada: ${error.message}`);
    throw error;
  }
  const found = new Map(counts);
  for (const [table, rows] of expected) {
    const here = found.get(table);
    if (here !== rows) {
      throw new BadCopyError(
        `La copia no está completa: ${table} tiene ${here ?? 'ninguna'} de ${rows} filas.`,
      );
    }
  }
}
