import Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/**
 * Kysely on better-sqlite3, with three things its own dialect lacks:
 *
 * - Prepared statements are kept, by their text.
 * - Reads outside a transaction have a connection of their own and never wait for a writer (WAL).
 * - Group commit: transactions that arrive together become one transaction with savepoints, so that they share the
 *   one flush to disk that a commit costs. None is acknowledged before that flush; if it fails, all of them fail.
 */

const MEMBER = 'member';
/** Bounds how much one commit holds, and so how long the event loop waits for it. */
const GROUP_SIZE_MAX = 64;
/** Statement texts vary with the number of list parameters; the cache is bounded, oldest first. */
const STATEMENTS_MAX = 500;

export type SqliteOptions = { file: string; booleanColumns: ReadonlySet<string> };

/** The dialect of kysely for one SQLite file, opened with WAL and synchronous=FULL. */
export function sqliteDialect(options: SqliteOptions): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(options),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite rolls back schema changes like any other; kysely's own adapter does not count on it. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

type Prepared = { statement: Database.Statement; booleans: string[] };

class Connection {
  readonly #database: Database.Database;
  readonly #booleanColumns: ReadonlySet<string>;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: Database.Database, booleanColumns: ReadonlySet<string>) {
    this.#database = database;
    this.#booleanColumns = booleanColumns;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  isReadOnly(sql: string): boolean {
    return this.#prepare(sql).statement.readonly;
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, booleans } = this.#prepare(query.sql);
    const parameters = query.parameters.map(toSqlite);
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

  *iterate<R>(query: CompiledQuery): Generator<R> {
    const { statement } = this.#prepare(query.sql);
    yield* statement.iterate(query.parameters.map(toSqlite)) as Iterable<R>;
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
      const oldest = this.#prepared.keys().next().value;
      if (oldest !== undefined) this.#prepared.delete(oldest);
    }
    const prepared = { statement, booleans };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** better-sqlite3 binds neither booleans nor undefined. */
function toSqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : value;
}

type Waiter = { resolve: () => void; reject: (error: unknown) => void };

class SqliteDriver implements Driver {
  readonly #options: SqliteOptions;
  #writer!: Connection;
  #reader!: Connection;
  /** Transactions that wait for their turn; one body runs at a time. */
  readonly #queue: (() => void)[] = [];
  #busy = false;
  /** Members of the open group whose bodies are done and that wait for its commit; null when none is open. */
  #group: Waiter[] | null = null;
  #flushScheduled = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { file, booleanColumns } = this.#options;
    const writer = new Database(file, { timeout: 5000 });
    writer.pragma('journal_mode = WAL');
    writer.pragma('synchronous = FULL');
    writer.pragma('foreign_keys = ON');
    writer.pragma('cache_size = -65536');
    const reader = new Database(file, { timeout: 5000, readonly: true });
    reader.pragma('cache_size = -65536');
    reader.pragma('mmap_size = 1073741824');
    this.#writer = new Connection(writer, booleanColumns);
    this.#reader = new Connection(reader, booleanColumns);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteSession(this);
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await this.#turn();
    try {
      if (this.#group === null) {
        this.#writer.exec('begin immediate');
        this.#group = [];
      }
      this.#writer.exec(`savepoint ${MEMBER}`);
    } catch (error) {
      this.#leave();
      throw error;
    }
    asSession(session).inTransaction = true;
  }

  commitTransaction(session: DatabaseConnection): Promise<void> {
    asSession(session).inTransaction = false;
    return new Promise((resolve, reject) => {
      try {
        this.#writer.exec(`release ${MEMBER}`);
        this.#group?.push({ resolve, reject });
      } catch (error) {
        reject(error);
        this.#abandonIfLost(error);
      }
      this.#leave();
    });
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    asSession(session).inTransaction = false;
    try {
      // A full disk or an I/O error ends the whole transaction by itself; then there is no savepoint to return to.
      if (this.#writer.inTransaction) this.#writer.exec(`rollback to ${MEMBER}; release ${MEMBER}`);
      else this.#abandonIfLost(new Error('The transaction was ended by the database.'));
    } finally {
      this.#leave();
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#flush();
    this.#reader?.close();
    this.#writer?.close();
  }

  /** A statement outside a transaction: a read at once, a write as a member of the group. */
  async execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#reader.isReadOnly(query.sql)) return this.#reader.run<R>(query);
    // Pragmas and vacuum cannot be part of a transaction.
    if (/^\s*(pragma|vacuum|attach|detach)\b/i.test(query.sql)) return this.#writer.run<R>(query);
    const session = new SqliteSession(this);
    await this.beginTransaction(session);
    let result: QueryResult<R>;
    try {
      result = this.#writer.run<R>(query);
    } catch (error) {
      await this.rollbackTransaction(session);
      throw error;
    }
    await this.commitTransaction(session);
    return result;
  }

  executeInTransaction<R>(query: CompiledQuery): QueryResult<R> {
    return this.#writer.run<R>(query);
  }

  iterate<R>(query: CompiledQuery, inTransaction: boolean): Generator<R> {
    return (inTransaction ? this.#writer : this.#reader).iterate<R>(query);
  }

  async #turn(): Promise<void> {
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  /** The body that ran is done: the next one joins the group, or the group is committed at the end of this turn. */
  #leave(): void {
    if (this.#group !== null && this.#group.length >= GROUP_SIZE_MAX) this.#flush();
    const next = this.#queue.shift();
    if (next) {
      next();
      return;
    }
    this.#busy = false;
    if (this.#group === null || this.#flushScheduled) return;
    // Requests that are already waiting in their sockets are read before this runs, and share the commit.
    this.#flushScheduled = true;
    setImmediate(() => {
      this.#flushScheduled = false;
      if (!this.#busy) this.#flush();
    });
  }

  #flush(): void {
    const members = this.#group;
    if (members === null) return;
    this.#group = null;
    try {
      this.#writer.exec('commit');
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.exec('rollback');
      for (const member of members) member.reject(error);
      return;
    }
    for (const member of members) member.resolve();
  }

  /** When the database has ended the transaction by itself, no member of the group is stored: all are told. */
  #abandonIfLost(error: unknown): void {
    if (this.#writer.inTransaction) return;
    const members = this.#group ?? [];
    this.#group = null;
    for (const member of members) member.reject(error);
  }
}

class SqliteSession implements DatabaseConnection {
  inTransaction = false;
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.inTransaction ? this.#driver.executeInTransaction<R>(query) : this.#driver.execute<R>(query);
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#driver.iterate<R>(query, this.inTransaction)) yield { rows: [row] };
  }
}

function asSession(connection: DatabaseConnection): SqliteSession {
  if (!(connection instanceof SqliteSession)) throw new TypeError('Not a connection of this driver.');
  return connection;
}
