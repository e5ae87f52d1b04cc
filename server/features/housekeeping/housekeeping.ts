import type { FastifyBaseLogger } from 'fastify';
import type { AppContext } from '../../context.ts';
import { deletePastKeys } from '../../lib/idempotency.ts';
import { deletePastWindows } from '../../lib/throttle.ts';
import { deletePastSessions } from '../auth/auth.queries.ts';

const TURN_MS = 10 * 60_000;

/** Clears away what has had its day: sessions, tokens, windows of counters, kept answers. Safe in many replicas. */
export function startHousekeeping(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): () => void {
  const turn = async () => {
    try {
      await deletePastSessions(db, now());
      await deletePastWindows(db, now());
      await deletePastKeys(db, now());
    } catch (error) {
      log.error({ err: error }, 'la limpieza periódica falló; se reintentará');
    }
  };
  const timer = setInterval(turn, TURN_MS);
  timer.unref();
  return () => clearInterval(timer);
}
