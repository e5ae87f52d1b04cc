/** The timeouts of a connection, in milliseconds. */
export type Timeouts = {
  /** For getting a connection: a new one, or one that another caller still uses. */
  connectMs: number;
  /** For a statement. The database server then cancels it, and the connection stays usable. */
  statementMs: number;
  /**
   * For the answer to a statement, measured in this process. It is longer than {@link Timeouts.statementMs}, because
   * the connection is closed after it.
   */
  answerMs: number;
  /**
   * For the next statement of a transaction, measured by the database server: a lost connection must not hold its
   * locks for long.
   */
  idleInTransactionMs: number;
};

/**
 * If the database stops answering, a call is answered within 10 s (promises: Under load). Where a call waits several
 * times, the time left to the call (server/lib/call-time.ts) shortens these timeouts. `connectMs` is the longest,
 * because under load many calls wait for a connection.
 */
export const REQUEST_TIMEOUTS: Timeouts = {
  connectMs: 7000,
  statementMs: 5000,
  answerMs: 6000,
  idleInTransactionMs: 5000,
};

/**
 * For migrations, copies of a whole database and housekeeping: no request waits for them, so a statement may take 15
 * minutes.
 */
export const LONG_WORK_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  statementMs: 15 * 60_000,
  answerMs: 15 * 60_000 + 5000,
  idleInTransactionMs: 15 * 60_000,
};
