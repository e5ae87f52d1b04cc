import type pg from 'pg';
import type { Config } from '../../config.ts';
import { waitAtMost } from '../../lib/call-time.ts';
import { preparedName } from '../prepared.ts';
import { countGivenUp } from './connection-count.ts';
import { inTransactions, type Send } from './in-transactions.ts';
import { PLANNER, settingOf } from './planner.ts';
import { REQUEST_TIMEOUTS, type Timeouts } from './timeouts.ts';

/**
 * The connections to PostgreSQL and their timeouts. A connection that the database closes is noticed at once. A
 * connection that no longer answers (a proxy that drops data, a frozen machine) is noticed only by a timeout.
 */

/** The kind of pooler between this process and PostgreSQL: one that lends a connection for one transaction. */
export type Pooler = NonNullable<Config['databasePooler']>;

/** The idle time after which TCP keep-alive probes a connection. */
const KEEP_ALIVE_MS = 10_000;

/** No answer came in time. The statement may have been executed or not. */
export class SilentDatabaseError extends Error {
  override name = 'SilentDatabaseError';
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`PostgreSQL gave no answer within ${milliseconds} ms.`);
  }
}

/** The limit for asking PostgreSQL which connections still exist; the pool does not wait for it. */
const ASK_TIMEOUT_MS = 5000;

type PoolOptions = { url: string; pool: number; timeouts?: Timeouts; pooler?: Pooler | null };

export async function openPool(
  { url, pool: max, timeouts = REQUEST_TIMEOUTS, pooler = null }: PoolOptions,
  onBackgroundError: (error: unknown) => void,
): Promise<pg.Pool> {
  // Loaded only here, so that a server on SQLite saves the time and the memory.
  const { default: postgres } = await import('pg');
  const pool = new postgres.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // A pooler refuses settings of a session, or loses them after the transaction.
    ...(pooler === null && {
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    }),
    application_name: APPLICATION_NAME,
    types: { getTypeParser: typeParsersOn(postgres.types) },
  });
  pool.on('error', onBackgroundError);
  // The pool handles only errors of idle connections. An error between two statements of a transaction would have no
  // listener and end the process. With this listener, the next statement fails with its own error instead
  // (isUnavailable).
  pool.on('connect', (client) => client.on('error', () => {}));

  const whichLive = async (pids: number[]): Promise<number[]> => {
    const options = { connectionTimeoutMillis: ASK_TIMEOUT_MS, query_timeout: ASK_TIMEOUT_MS };
    const asker = new postgres.Client({ connectionString: url, ...options });
    asker.on('error', () => {});
    try {
      await asker.connect();
      const { rows } = await asker.query<{ pid: number }>(
        'select pid from pg_stat_activity where pid = any($1) and application_name = $2',
        [pids, APPLICATION_NAME],
      );
      return rows.map(({ pid }) => pid);
    } finally {
      await asker.end();
    }
  };
  // With a pooler the process ids are the pooler's, not those of PostgreSQL, and the pooler limits the number of
  // connections.
  const giveUp = pooler === null ? countGivenUp(pool, whichLive) : () => {};
  pool.on('connect', (client) => {
    const send = limitAnswers(pool, client, { limitMs: timeouts.answerMs, pooler, giveUp });
    Object.assign(client, { query: pooler === null ? afterSettings(send) : inTransactions(send, timeouts) });
  });
  return pool;
}

/** The name of this program in PostgreSQL's list of connections. */
const APPLICATION_NAME = 'license-manager';

/**
 * Sends the statements of a new connection after its planner settings. If these fail, statements are only planned
 * less well.
 */
function afterSettings(send: Send): Send {
  const set = send(settingOf(PLANNER, 'set')).catch(() => {});
  return async (text, values) => {
    await set;
    return send(text, values);
  };
}

type Query = (...args: unknown[]) => Promise<unknown>;

type Limits = { limitMs: number; pooler: Pooler | null; giveUp: (pid: number | null) => void };

/**
 * Limits the time of each statement. A connection without an answer in time is destroyed: its statement fails, and
 * the pool removes it. pg's own `query_timeout` is not used, because it leaves the statement running on a connection
 * that the pool then gives to another caller.
 *
 * Prepared queries (prepared.ts) are parsed and planned once per connection, not at each run. With a pooler they are
 * sent without a name, because the next statement may use a connection on which that name is not prepared.
 */
function limitAnswers(pool: pg.Pool, client: pg.PoolClient, { limitMs, pooler, giveUp }: Limits): Send {
  const query: Query = client.query.bind(client);
  return (text, given) => {
    const values = Array.isArray(given) ? given.map(listAsText) : given;
    const name = pooler === null ? preparedName(text) : undefined;
    const answer = name === undefined ? query(text, values) : query({ name, text, values });
    let isAnswered = false;
    const destroy = (reason: Error) => {
      client.connection.stream.destroy(reason);
      dropIdle(pool);
    };
    const onSilence = () => {
      if (isAnswered) return;
      giveUp(processOf(client));
      destroy(new SilentDatabaseError(limitMs));
    };
    // Before the connection is destroyed, `setImmediate` lets an answer be read that arrived while this process was
    // busy or frozen.
    const timer = setTimeout(() => setImmediate(onSilence), waitAtMost(limitMs));
    const settle = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    answer.then(settle, (error: unknown) => {
      settle();
      // The connection leads to a former primary; by now the address leads to another server.
      if (isReadOnly(error)) destroy(error as Error);
    });
    return answer;
  };
}

/** A list of numbers as one text. pg would quote each member, which takes longer than finding the rows. */
const listAsText = (value: unknown): unknown =>
  Array.isArray(value) && value.every((member) => typeof member === 'number')
    ? `{${value.join(',')}}`
    : value;

/** The id of PostgreSQL's process that serves a connection; pg's types lack the property. */
const processOf = (client: pg.PoolClient): number | null =>
  (client as { processID?: number | null }).processID ?? null;

/** True for the error of a read-only database. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006';

/** Closes the idle connections. They probably do not answer either, and each would cost a call its timeout. */
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

/** Converts counts and sums to numbers, and instants to ISO 8601 texts, as the SQLite driver does. */
function typeParsersOn(types: typeof pg.types): typeof pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
    return types.getTypeParser(oid, format as 'text');
  };
}
