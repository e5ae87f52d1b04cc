import type pg from 'pg';
import type { Config } from '../../config.ts';
import { waitAtMost } from '../../lib/call-time.ts';
import { preparedName } from '../prepared.ts';
import { countGivenUp } from './connection-count.ts';
import { inTransactions, type Send } from './in-transactions.ts';
import { PLANNER, settingOf } from './planner.ts';
import { REQUEST_TIMEOUTS, type Timeouts } from './timeouts.ts';

/**
 * The connections with PostgreSQL and their timeouts. A connection that the database closes is noticed at once; one
 * that goes silent (a proxy that drops data, a frozen machine) is noticed by a timeout only.
 */

/** What may stand between this process and PostgreSQL: one that lends a connection for a transaction at a time. */
export type Pooler = NonNullable<Config['databasePooler']>;

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

/** How long PostgreSQL is asked which connections live; the pool waits for nothing of it. */
const ASK_TIMEOUT_MS = 5000;

type PoolOptions = { url: string; pool: number; timeouts?: Timeouts; pooler?: Pooler | null };

export async function openPool(
  { url, pool: max, timeouts = REQUEST_TIMEOUTS, pooler = null }: PoolOptions,
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
    // A pooler refuses settings of a session, or forgets them with the transaction.
    ...(pooler === null && {
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    }),
    application_name: APPLICATION_NAME,
    types: { getTypeParser: typeParsersOn(postgres.types) },
  });
  pool.on('error', onBackgroundError);
  // The pool handles errors of idle connections only. An error between two statements of a transaction has no listener
  // and would end the process. With this listener the next statement fails with its own error instead (isUnavailable).
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
  // Behind a pooler the process has numbers of the pooler's own, and the pooler bounds the connections.
  const giveUp = pooler === null ? countGivenUp(pool, whichLive) : () => {};
  pool.on('connect', (client) => {
    const send = limitAnswers(pool, client, { limitMs: timeouts.answerMs, pooler, giveUp });
    Object.assign(client, { query: pooler === null ? afterSettings(send) : inTransactions(send, timeouts) });
  });
  return pool;
}

/** How PostgreSQL lists the connections of this program. */
const APPLICATION_NAME = 'license-manager';

/** Sends the statements of a new connection after its settings. Without them a statement is planned badly, no more. */
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
 * the pool removes it. pg's own `query_timeout` is not used because it leaves the statement running on a connection
 * that the pool hands out again.
 *
 * Prepared queries (prepared.ts) are parsed and planned once per connection, not at each run. Behind a pooler they have
 * no name, since the next one may meet a connection that does not know it.
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
    // Reads an answer that arrived while this process was busy or frozen, before it destroys the connection.
    const timer = setTimeout(() => setImmediate(onSilence), waitAtMost(limitMs));
    const settle = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    answer.then(settle, (error: unknown) => {
      settle();
      // A primary that was: the address leads to another one by now.
      if (isReadOnly(error)) destroy(error as Error);
    });
    return answer;
  };
}

/** A list of numbers as one text. pg quotes each member of a list, which takes longer than to find the rows. */
const listAsText = (value: unknown): unknown =>
  Array.isArray(value) && value.every((member) => typeof member === 'number')
    ? `{${value.join(',')}}`
    : value;

/** PostgreSQL's process that serves a connection; the types of pg leave it out. */
const processOf = (client: pg.PoolClient): number | null =>
  (client as { processID?: number | null }).processID ?? null;

/** True for the error of a database that only reads. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006';

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
