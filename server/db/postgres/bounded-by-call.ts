import type pg from 'pg';
import { waitAtMost } from '../../lib/call-time.ts';
import { SilentDatabaseError } from './pool.ts';

/**
 * A pool whose callers wait for a connection no longer than their call may: the pool itself has one time for all, and
 * a call that used up its time on statements would wait for that once more.
 */
export function boundedByCall(pool: pg.Pool, connectMs: number) {
  const connect = async (): Promise<pg.PoolClient> => {
    const limitMs = waitAtMost(connectMs);
    // The pool bounds this wait by itself.
    if (limitMs >= connectMs) return pool.connect();
    const client = pool.connect();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new SilentDatabaseError(limitMs)), limitMs);
    });
    try {
      return await Promise.race([client, late]);
    } catch (error) {
      // It may come yet, and nobody waits for it.
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
