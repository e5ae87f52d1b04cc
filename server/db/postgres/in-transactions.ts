import { PLANNER, settingOf } from './planner.ts';
import type { Timeouts } from './timeouts.ts';

/** Sends a statement and returns its result, or an array of results for a text with several statements. */
export type Send = (text: string, values?: unknown) => Promise<unknown>;

const BEGINS = /^(begin|start transaction)\b/i;
const ENDS = /^(commit|rollback)$/i;

/**
 * Sends each statement inside a transaction that first sets its timeouts and planner settings. A pooler lends a
 * database connection for one transaction. So settings of a session do not last, and the next statement may use
 * another connection (OPS-04). Each statement costs two more round trips to the pooler.
 */
export function inTransactions(
  send: Send,
  { statementMs, idleInTransactionMs }: Pick<Timeouts, 'statementMs' | 'idleInTransactionMs'>,
): Send {
  const settings = settingOf(
    { ...PLANNER, statement_timeout: statementMs, idle_in_transaction_session_timeout: idleInTransactionMs },
    'set local',
  );
  let isOpen = false;

  async function begin(text: string): Promise<unknown> {
    const results = await send(`${text}; ${settings}`);
    isOpen = true;
    return Array.isArray(results) ? results[0] : results;
  }

  async function end(text: string): Promise<unknown> {
    isOpen = false;
    return send(text);
  }

  async function alone(text: string, values: unknown): Promise<unknown> {
    await begin('begin');
    try {
      const result = await send(text, values);
      await end('commit');
      return result;
    } catch (error) {
      // If the connection is lost, its transaction has ended too.
      if (isOpen) await end('rollback').catch(() => {});
      throw error;
    }
  }

  return (text, values) => {
    if (BEGINS.test(text)) return begin(text);
    if (ENDS.test(text)) return end(text);
    return isOpen ? send(text, values) : alone(text, values);
  };
}
