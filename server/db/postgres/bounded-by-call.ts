import type pg from 'pg';
import { waitAtMost } from '../../lib/call-time.ts';
import { SilentDatabaseError } from './pool.ts';

/**
 * Wraps a pool so that a caller waits for a connection no longer than its call may take. The pool itself has one
 * limit for all callers: a call that has used its time on statements would wait for the whole limit again.
 */
export function boundedByCall(pool: pg.Pool, connectMs: number) {
  const connect = async (): Promise<pg.PoolClient> => {
    const limitMs = waitAtMost(connectMs);
    // This wait is not longer than the pool's own limit.
    if (limitMs >= connectMs) return pool.connect();
    const client = pool.connect();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new SilentDatabaseError(limitMs)), limitMs);
    });
    try {
      return await Promise.race([client, late]);
    } catch (error) {
      // The connection may still arrive, but nobody waits for it any more.
      client.then(
        (unused) => unused.release(),
        () => {},
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { connect, end: () => pool.end(), options: pool.options };
}
