import type pg from 'pg';
import { preparedName } from '../prepared.ts';

/**
 * The connections with PostgreSQL and their timeouts. A connection that the database closes is noticed at once; one
 * that goes silent (a proxy that drops data, a frozen machine) is noticed by a timeout only.
 */

/** The timeouts of a connection, in milliseconds. */
export type Timeouts = {
  /** For a connection: a new one, or one that another caller uses. */
  connectMs: number;
  /** For a statement, on the server, which then cancels it and keeps the connection. */
  statementMs: number;
  /**
   * For the answer to a statement, in this process. It is longer than {@link Timeouts.statementMs}, because the
   * connection is closed after it.
   */
  answerMs: number;
  /** For the next statement of a transaction, on the server: a lost connection must not keep its locks for long. */
  idleInTransactionMs: number;
};

/**
 * A call is answered within 10 s when the database goes silent (promises: Under load): it waits either for a
 * connection or for a statement, and the first timeout ends it. Under load many calls wait for a connection, so that
 * timeout is the longer one.
 */
const REQUEST_TIMEOUTS: Timeouts = {
  connectMs: 7000,
  statementMs: 5000,
  answerMs: 6000,
  idleInTransactionMs: 5000,
};

/**
 * For migrations, copies of a whole database and housekeeping: no request waits for them, so a statement may take a
 * quarter of an hour.
 */
export const LONG_WORK_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  statementMs: 15 * 60_000,
  answerMs: 15 * 60_000 + 5000,
  idleInTransactionMs: 15 * 60_000,
};

/** The idle time after which TCP keep-alive probes a connection. */
const KEEP_ALIVE_MS = 10_000;

/** No answer came in time. The statement may or may not have taken effect. */
export class SilentDatabaseError extends Error {
  override name = 'SilentDatabaseError';
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`PostgreSQL gave no answer within ${milliseconds} ms.`);
  }
}

export async function openPool(
  { url, pool: max, timeouts = REQUEST_TIMEOUTS }: { url: string; pool: number; timeouts?: Timeouts },
  onBackgroundError: (error: unknown) => void,
): Promise<pg.Pool> {
  // Loaded only where it is used: a server on SQLite saves the time and the memory.
  const { default: postgres } = await import('pg');
  const pool = new postgres.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: timeouts.statementMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    application_name: 'license-manager',
    types: { getTypeParser: typeParsersOn(postgres.types) },
  });
  pool.on('error', onBackgroundError);
  // The pool handles errors of idle connections only. An error between two statements of a transaction has no listener
  // and would end the process. With this listener the next statement fails with its own error instead (isUnavailable).
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', (client) => limitAnswers(pool, client, timeouts.answerMs));
  return pool;
}

type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * Limits the time of each statement. A connection without an answer in time is destroyed: its statement fails, and
 * the pool removes it. pg's own `query_timeout` is not used because it leaves the statement running on a connection
 * that the pool hands out again.
 *
 * Prepared queries (prepared.ts) are parsed and planned once per connection, not at each run.
 */
function limitAnswers(pool: pg.Pool, client: pg.PoolClient, limitMs: number): void {
  const query: Query = client.query.bind(client);
  const limited = (text: string, values: unknown, ...rest: unknown[]) => {
    const name = preparedName(text);
    const answer = name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
    let isAnswered = false;
    const giveUp = () => {
      if (isAnswered) return;
      client.connection.stream.destroy(new SilentDatabaseError(limitMs));
      dropIdle(pool);
    };
    // Reads an answer that arrived while this process was busy or frozen, before it destroys the connection.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs);
    const settle = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    answer.then(settle, settle);
    return answer;
  };
  Object.assign(client, { query: limited });
}

/** Closes the idle connections. They are likely silent for the same reason, and each would cost a call its timeout. */
function dropIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
  }
}

const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Converts counts and sums to numbers and instants to ISO 8601 texts, as on SQLite. */
function typeParsersOn(types: typeof pg.types): typeof pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
    return types.getTypeParser(oid, format as 'text');
  };
}
