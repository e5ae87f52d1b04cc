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
 * Kysely on better-sqlite3, with five additions to kysely's own dialect:
 *
 * - Prepared statements are cached by their text.
 * - Reads outside a transaction use a separate connection and never wait for a writer (WAL).
 * - Group commit: transactions that arrive together become one transaction with savepoints, so that they share one
 *   flush to disk. No transaction succeeds before that flush; if it fails, all of them fail.
 * - Waiting for another process that writes does not block the event loop, so reads continue.
 * - Upkeep: work that writes postpone, such as index updates, runs between two transactions for many rows at once.
 *
 * Only one transaction body runs at a time, because SQLite has one writer. If a body awaits anything except the
 * database, all others wait too.
 */

const MEMBER = 'member';
/** Limits the size of a commit, and with it the time for which the commit blocks the event loop. */
const GROUP_SIZE_MAX = 64;
const BUSY_MS = 5000;
const BUSY_RETRY_MS = 20;
/** More than a few rows need, because a few rows may still fit into the write-ahead log when the disk is full. */
const ROOM_BYTES = 128 * 1024;

/**
 * The number of pages in the write-ahead log after which they are copied into the file: 16 MB instead of SQLite's
 * default of 4 MB. A page that many commits change is then copied only once.
 */
const CHECKPOINT_PAGES = 4000;

export type SqliteOptions = {
  file: string;
  booleanColumns: ReadonlySet<string>;
  /** How long another process may lock the file before a transaction fails with SQLITE_BUSY. Default: 5 seconds. */
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
 * Writes parameters as `+?`. For SQLite this means the same as `?`, but the planner ignores the bound value. With a
 * plain `?` in a join condition or a `limit`, SQLite would compile the statement again at each run, because
 * better-sqlite3 clears the bindings after each run: 39 µs instead of 8 for a licence with its names. The
 * disadvantage: a partial index is used only if its condition is literally in the statement.
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
   * Runs a statement outside any transaction and without a kysely connection, because getting one takes longer than
   * many statements.
   * @returns the rows: of a read at once, of a write when it is on disk; undefined while the file is not open, so
   * that kysely opens it
   */
  runDirectly<R>(sql: string, parameters: readonly unknown[]): R[] | Promise<R[]> | undefined {
    return this.#driver.runDirectly<R>(sql, parameters);
  }

  /** The first error that reported a damaged file; null for none. */
  get damage(): unknown {
    return this.#driver.damage;
  }

  /**
   * Writes some data beside the file for a moment.
   * @throws ENOSPC or a similar error when the disk is full
   */
  tryRoom(): Promise<void> {
    return this.#driver.tryRoom();
  }

  /**
   * True, so that kysely gives out several connections. With only one, transactions could not form a group, and reads
   * would wait for writes.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite can roll back schema changes; kysely's own adapter does not use this. */
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
  /** Queued transactions; one body runs at a time. */
  readonly #queue: (() => void)[] = [];
  #busy = false;
  /** The transactions of the open group that have run and wait for its commit; null when no group is open. */
  #group: Waiter[] | null = null;
  /**
   * The error with which the database ended the group while a body was running. Later statements of that body must
   * fail.
   */
  #loss: { error: unknown } | null = null;
  #flushScheduled = false;
  /** Set while the database closes; called when the last body has ended. */
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
    writer.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // Keeps the undo data of savepoints in memory: above 64 KB it would go to a temporary file.
    writer.pragma('temp_store = MEMORY');
    // The driver itself waits and retries; SQLite's busy handler would block the whole process.
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
    // Kysely also rolls back after a failed commit; by then another transaction may be running.
    if (!own.inTransaction) return;
    own.inTransaction = false;
    this.#undo();
    this.#leave();
  }

  async releaseConnection(): Promise<void> {}

  get damage(): unknown {
    return this.#isOpen ? (this.#writer.damage ?? this.#reader.damage) : null;
  }

  async tryRoom(): Promise<void> {
    const file = `${this.#options.file}.room`;
    try {
      await writeFile(file, Buffer.alloc(ROOM_BYTES));
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Waits for the running and queued transactions, then closes the file. */
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

  /** Runs a statement outside a transaction: a read at once, a write as part of a group. */
  async execute<R>(query: Statement): Promise<QueryResult<R>> {
    if (this.#reader.isReadOnly(query.sql)) return this.#reader.run<R>(query.sql, query.parameters);
    await this.#enter();
    let result: QueryResult<R>;
    try {
      // No savepoint is needed: SQLite itself rolls back a failed statement.
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
      // A full disk or an I/O error may end the whole transaction; then no transaction of the group is stored.
      if (!this.#writer.inTransaction) this.#abandon(error);
      throw error;
    }
  }

  /** Waits until this transaction may write, in the open group or in a new one. Call {@link #leave} after it. */
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

  /** Ends a body that succeeded; resolves when the group is on disk. */
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

  /**
   * Called after a body: the next body joins the group; without one, the group is committed at the end of this event
   * loop turn.
   */
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
    // Requests that already wait in the sockets are read before this callback runs, and share the commit.
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
    // A group is open. Its commit will start the upkeep again.
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

  /** Rolls back only the running body. */
  #undo(): void {
    if (this.#loss) return;
    try {
      this.#writer.exec(`rollback to ${MEMBER}`);
      this.#writer.exec(`release ${MEMBER}`);
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** Ends the group without a commit: none of its transactions is stored, and all are rejected. */
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

  /** Not supported: an open cursor would block every write. Lists are read in batches by id instead. */
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
