import type Database from 'better-sqlite3';
import type { QueryResult } from 'kysely';
import { isDamage } from '../trouble.ts';

/**
 * The cache of prepared statements is limited, because statement texts vary with the number of list parameters. The
 * oldest entry is dropped.
 */
const STATEMENTS_MAX = 500;

type Prepared = { statement: Database.Statement; booleans: string[] };

/** A connection of better-sqlite3 with a cache of prepared statements by text. */
export class Connection {
  readonly #database: Database.Database;
  readonly #booleanColumns: ReadonlySet<string>;
  readonly #prepared = new Map<string, Prepared>();
  /** The first error that reported a damaged file. */
  damage: unknown = null;

  constructor(database: Database.Database, booleanColumns: ReadonlySet<string>) {
    this.#database = database;
    this.#booleanColumns = booleanColumns;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** Runs a statement without parameters, such as `begin`; it is cached like the others. */
  exec(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  isReadOnly(sql: string): boolean {
    return this.#prepare(sql).statement.readonly;
  }

  run<R>(sql: string, values: readonly unknown[]): QueryResult<R> {
    try {
      return this.#run<R>(sql, values);
    } catch (error) {
      if (this.damage === null && isDamage(error)) this.damage = error;
      throw error;
    }
  }

  #run<R>(sql: string, values: readonly unknown[]): QueryResult<R> {
    const { statement, booleans } = this.#prepare(sql);
    const parameters = values.map(toSqlite);
    if (!statement.reader) {
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    const rows = statement.all(parameters) as Record<string, unknown>[];
    if (booleans.length > 0) {
      for (const row of rows) {
        for (const column of booleans) {
          if (row[column] !== null) row[column] = row[column] !== 0;
        }
      }
    }
    return { rows: rows as R[] };
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const booleans = statement.reader
      ? statement
          .columns()
          .map((column) => column.name)
          .filter((name) => this.#booleanColumns.has(name))
      : [];
    if (this.#prepared.size >= STATEMENTS_MAX) {
      this.#prepared.delete(this.#prepared.keys().next().value!);
    }
    const prepared = { statement, booleans };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Converts values that better-sqlite3 cannot bind: booleans, undefined, and lists, which become JSON for json_each. */
function toSqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return JSON.stringify(value);
  return value === undefined ? null : value;
}
