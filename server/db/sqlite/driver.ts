import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { Connection } from './connection.ts';
import { type Upkeep, UpkeepPlan } from './upkeep.ts';

/**
 * Kysely on better-sqlite3, with five things its own dialect lacks:
 *
 * - Prepared statements are kept, by their text.
 * - Reads outside a transaction have a connection of their own and never wait for a writer (WAL).
 * - Group commit: transactions that arrive together become one transaction with savepoints, so that they share the
 *   one flush to disk that a commit costs. None is acknowledged before that flush; if it fails, all of them fail.
 * - Another process that writes is waited for without holding up the event loop, and so the reads.
 * - Upkeep: what written rows leave to be done later is done between two transactions, for many rows at a time.
 *
 * One body runs at a time, as SQLite has one writer: what a body awaits besides the database, all others wait for.
 */

const MEMBER = 'member';
/** Bounds how much one commit holds, and so how long the event loop waits for it. */
const GROUP_SIZE_MAX = 64;
const BUSY_MS = 5000;
const BUSY_RETRY_MS = 20;
/** More than a few rows need, which may still find room in the write-ahead log. */
const ROOM_BYTES = 128 * 1024;

export type SqliteOptions = {
  file: string;
  booleanColumns: ReadonlySet<string>;
  /** How long another process may hold the file before a transaction gives up with SQLITE_BUSY; 5 seconds. */
  busyMs?: number;
  upkeep?: Upkeep;
};

/** The dialect of kysely for one SQLite file, opened with WAL and synchronous=FULL. */
export function sqliteDialect(options: SqliteOptions): Dialect {
  const driver = new SqliteDriver(options);
  return {
    createAdapter: () => new GroupingSqliteAdapter(driver),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SteadyQueryCompiler(),
  };
}

/**
 * Parameters are written `+?`, which means the same to SQLite but for one thing: it does not look at what is bound
 * while it plans. After a plain `?` that a join or a `limit` compares with, better-sqlite3 (which clears what was
 * bound after each run) makes SQLite compile the statement anew every time: 39 µs instead of 8 for a licence with its
 * names. The price: a partial index is found only where its condition is written into the statement.
 */
class SteadyQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

export class GroupingSqliteAdapter extends SqliteAdapter {
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    super();
    this.#driver = driver;
  }

  /**
   * The rows of a statement outside any transaction: to ask kysely for a connection takes longer than many a statement.
   * @returns a read's at once, a write's when it is on disk; undefined while the file is not open, for kysely to open it
   */
  runDirectly<R>(sql: string, parameters: readonly unknown[]): R[] | Promise<R[]> | undefined {
    return this.#driver.runDirectly<R>(sql, parameters);
  }

  /** Takes some room beside the file for a moment. @throws ENOSPC and the like when there is none */
  tryRoom(): Promise<void> {
    return this.#driver.tryRoom();
  }

  /** Else kysely hands out one connection at a time: transactions would never meet, and reads wait for writes. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite rolls back schema changes like any other; kysely's own adapter does not count on it. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

type Waiter = { resolve: () => void; reject: (error: unknown) => void };

class SqliteDriver implements Driver {
  readonly #options: SqliteOptions;
  #writer!: Connection;
  #reader!: Connection;
  #isOpen = false;
  /** Transactions that wait for their turn; one body runs at a time. */
  readonly #queue: (() => void)[] = [];
  #busy = false;
  /** Members of the open group whose bodies are done and that wait for its commit; null when none is open. */
  #group: Waiter[] | null = null;
  /** Why the database ended the group by itself while a body was running; what that body still does must fail. */
  #loss: { error: unknown } | null = null;
  #flushScheduled = false;
  /** Set once the database is being closed; called when the last body is done. */
  #whenIdle: (() => void) | null = null;
  readonly #upkeep: UpkeepPlan | null;

  constructor(options: SqliteOptions) {
    this.#options = options;
    const { upkeep } = options;
    this.#upkeep = upkeep ? new UpkeepPlan(() => this.#keepUp(upkeep), upkeep.onError) : null;
  }

  async init(): Promise<void> {
    const { file, booleanColumns } = this.#options;
    const writer = new Database(file, { timeout: BUSY_MS });
    writer.pragma('journal_mode = WAL');
    writer.pragma('synchronous = FULL');
    writer.pragma('foreign_keys = ON');
    writer.pragma('cache_size = -65536');
    // What a savepoint may have to take back is held in memory: more than 64 KB of it would go to a file of its own.
    writer.pragma('temp_store = MEMORY');
    // From here on the driver waits by itself; SQLite would put the whole process to sleep.
    writer.pragma('busy_timeout = 0');
    const reader = new Database(file, { timeout: BUSY_MS, readonly: true });
    reader.pragma('cache_size = -65536');
    reader.pragma('mmap_size = 1073741824');
    this.#writer = new Connection(writer, booleanColumns);
    this.#reader = new Connection(reader, booleanColumns);
    this.#isOpen = true;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteSession(this);
  }

  async beginTransaction(session: DatabaseConnection): Promise<void> {
    await this.#enter();
    try {
      this.#writer.exec(`savepoint ${MEMBER}`);
    } catch (error) {
      this.#leave();
      throw error;
    }
    asSession(session).inTransaction = true;
  }

  async commitTransaction(session: DatabaseConnection): Promise<void> {
    asSession(session).inTransaction = false;
    try {
      this.#refuseIfLost();
      this.#writer.exec(`release ${MEMBER}`);
    } catch (error) {
      this.#undo();
      this.#leave();
      throw error;
    }
    return this.#joinGroup();
  }

  async rollbackTransaction(session: DatabaseConnection): Promise<void> {
    const own = asSession(session);
    // Kysely rolls back after a failed commit too; by then the file is in other hands.
    if (!own.inTransaction) return;
    own.inTransaction = false;
    this.#undo();
    this.#leave();
  }

  async releaseConnection(): Promise<void> {}

  async tryRoom(): Promise<void> {
    const file = `${this.#options.file}.room`;
    try {
      await writeFile(file, Buffer.alloc(ROOM_BYTES));
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Lets the transactions that were begun or are waiting finish, and closes the file. */
  async destroy(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenIdle = resolve;
    if (this.#busy) await promise;
    this.#isOpen = false;
    this.#flush();
    this.#upkeep?.finish();
    this.#reader.close();
    this.#writer.close();
  }

  /** A statement outside a transaction: a read at once, a write as a member of the group. */
  async execute<R>(query: Statement): Promise<QueryResult<R>> {
    if (this.#reader.isReadOnly(query.sql)) return this.#reader.run<R>(query.sql, query.parameters);
    await this.#enter();
    let result: QueryResult<R>;
    try {
      // Without a savepoint: SQLite takes back what a statement that fails has done, and no more.
      result = this.executeInTransaction<R>(query);
    } catch (error) {
      this.#leave();
      throw error;
    }
    await this.#joinGroup();
    return result;
  }

  runDirectly<R>(sql: string, parameters: readonly unknown[]): R[] | Promise<R[]> | undefined {
    if (!this.#isOpen) return undefined;
    if (this.#reader.isReadOnly(sql)) return this.#reader.run<R>(sql, parameters).rows;
    return this.execute<R>({ sql, parameters }).then(({ rows }) => rows);
  }

  executeInTransaction<R>(query: Statement): QueryResult<R> {
    this.#refuseIfLost();
    try {
      const result = this.#writer.run<R>(query.sql, query.parameters);
      this.#upkeep?.wrote(Number(result.numAffectedRows ?? result.rows.length));
      return result;
    } catch (error) {
      // A full disk or an I/O error may end the whole transaction; no member of the group is stored then.
      if (!this.#writer.inTransaction) this.#abandon(error);
      throw error;
    }
  }

  /** Waits for a turn to write, in the open group or in a new one; it ends with {@link #leave}. */
  async #enter(): Promise<void> {
    const deadline = Date.now() + (this.#options.busyMs ?? BUSY_MS);
    await this.#turn();
    try {
      if (this.#group === null) {
        await this.#begin(deadline);
        this.#group = [];
      }
      this.#loss = null;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Ends the turn of a body that did its work; resolves when the group is on disk. */
  #joinGroup(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#group?.push({ resolve, reject });
    this.#leave();
    return promise;
  }

  async #turn(): Promise<void> {
    if (this.#whenIdle) throw new Error('The database is closed.');
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  async #begin(deadline: number): Promise<void> {
    for (;;) {
      try {
        this.#writer.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() >= deadline) throw error;
        await sleep(BUSY_RETRY_MS);
      }
    }
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
    this.#whenIdle?.();
    if (this.#group === null || this.#flushScheduled) return;
    // Requests that are already waiting in their sockets are read before this runs, and share the commit.
    this.#flushScheduled = true;
    setImmediate(() => {
      this.#flushScheduled = false;
      if (!this.#busy) this.#flush();
    });
  }

  #flush(): void {
    if (this.#group === null) return;
    try {
      this.#writer.exec('commit');
    } catch (error) {
      this.#abandon(error);
      return;
    }
    const members = this.#group;
    this.#group = null;
    for (const member of members) member.resolve();
    this.#upkeep?.committed();
  }

  #keepUp(upkeep: Upkeep): boolean | 'busy' {
    // A group is open: its commit asks again.
    if (this.#writer.inTransaction) return 'busy';
    try {
      this.#writer.exec('begin immediate');
      const isMore = upkeep.step((sql) => Number(this.#writer.run(sql, []).numAffectedRows));
      this.#writer.exec('commit');
      return isMore;
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.exec('rollback');
      if (isBusy(error)) return 'busy';
      throw error;
    }
  }

  /** Takes back what the running body did, and only that. */
  #undo(): void {
    if (this.#loss) return;
    try {
      this.#writer.exec(`rollback to ${MEMBER}`);
      this.#writer.exec(`release ${MEMBER}`);
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** Ends the group without a commit: no member of it is stored, and all are told. */
  #abandon(error: unknown): void {
    const members = this.#group ?? [];
    this.#group = null;
    this.#loss = { error };
    for (const member of members) member.reject(error);
    if (this.#writer.inTransaction) this.#writer.exec('rollback');
  }

  #refuseIfLost(): void {
    if (this.#loss) throw this.#loss.error;
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

  /** An open cursor would hold up every write; lists are read in batches by id instead. */
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('This driver does not stream.');
  }
}

function asSession(connection: DatabaseConnection): SqliteSession {
  if (!(connection instanceof SqliteSession)) throw new TypeError('Not a connection of this driver.');
  return connection;
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
