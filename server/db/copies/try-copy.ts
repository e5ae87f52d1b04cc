import Database from 'better-sqlite3';

/** The rows of each table by its name. */
export type TableCounts = [table: string, rows: number][];

/** The tables that hold data: not SQLite's own, and not those of the search, which hold what others hold. */
export const dataTables = (database: Database.Database): string[] =>
  database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and name not like '%\\_search' escape '\\' and name not like '%\\_search\\_%' escape '\\' order by name`,
    )
    .pluck()
    .all() as string[];

/** Counts the rows of all tables; in a transaction those of one moment. */
export const countRows = (database: Database.Database): TableCounts =>
  dataTables(database).map((table) => [
    table,
    database.prepare(`select count(*) from "${table}"`).pluck().get() as number,
  ]);

/** A copy that would not bring everything back. The message says why, in Spanish. */
export class BadCopyError extends Error {
  override name = 'BadCopyError';
}

/**
 * Tries a copy: opens it, lets SQLite check every page and index, and counts the rows of every table.
 * @param expected the rows of its source at the moment of the copy
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
