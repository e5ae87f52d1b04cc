import type pg from 'pg';
import { preparedName } from '../prepared.ts';

/**
 * The connections with PostgreSQL, and how long they are waited for. A database that ends its connections is noticed at
 * once; one that goes silent (a proxy that swallows data, a machine that is frozen) is noticed by time alone.
 */

/** How long is waited, in milliseconds. */
export type Timeouts = {
  /** For a connection: a new one, or one that others have. */
  connectMs: number;
  /** For a statement, on the server, which then ends it and keeps the connection. */
  statementMs: number;
  /** For any answer to a statement, here: longer than the server takes to end it, since after this the connection is lost. */
  answerMs: number;
  /** For the next statement of a transaction, on the server: a lost connection must not hold its rows for long. */
  idleInTransactionMs: number;
};

/**
 * A call is answered within 10 s when the database goes silent (promises: Under load): it waits for a connection, which
 * nobody gets meanwhile, or for a statement, and ends with the first of them that fails. Under load many wait for the
 * connections that others have, so that is the longer of the two.
 */
export const REQUEST_TIMEOUTS: Timeouts = {
  connectMs: 7000,
  statementMs: 5000,
  answerMs: 6000,
  idleInTransactionMs: 5000,
};

/** Migrations, copies of a whole database, housekeeping: what nobody waits for may take a quarter of an hour a statement. */
export const LONG_WORK_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  statementMs: 15 * 60_000,
  answerMs: 15 * 60_000 + 5000,
  idleInTransactionMs: 15 * 60_000,
};

/** The time after which a connection on which nothing is said is asked whether it is there. */
const KEEP_ALIVE_MS = 10_000;

/** No answer came in time. What the statement did is not known: it may be stored or not. */
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
  // Loaded only where it is used: a server on SQLite neither waits for it nor holds it in memory.
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
  // The pool hears only of idle connections. One that breaks between two statements of a transaction would end the
  // process. With a listener it does not, and the next statement on it fails with an answer of its own (isUnavailable).
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', (client) => limitAnswers(pool, client, timeouts.answerMs));
  return pool;
}

type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * Gives each statement a limit: a connection that does not answer in time is destroyed, which fails what was asked on
 * it, and the pool takes it for what it is. Not pg's own `query_timeout`, which leaves the statement on the connection,
 * to be handed out again.
 *
 * Queries that are prepared (prepared.ts) are parsed and planned once on each connection, not at each run.
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
    // An answer that came while this process was busy or frozen itself is read before the connection is given up.
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

/** What made one connection silent has likely made the others silent too, and each would cost a call its limit. */
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

/** Counts and sums arrive as numbers, instants as ISO 8601 texts, as on the other engine. */
function typeParsersOn(types: typeof pg.types): typeof pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
    return types.getTypeParser(oid, format as 'text');
  };
}
