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
 * A call is answered within 10 s when the database goes silent (promises: Under load): the call's time (server/lib/call-time.ts) shortens
 * these where a call waits several times. Under load many calls wait for a connection, so that timeout is the longer
 * one.
 */
export const REQUEST_TIMEOUTS: Timeouts = {
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
