import type { AppContext } from '../context.ts';
import { clockOffset } from '../db/dialect.ts';

/** How often the database's clock is asked for. */
const ASK_MS = 60_000;

/**
 * The clock of leases: that of the database, which all replicas share. By its own clock a replica that is a minute
 * ahead would take over what another one holds, and mail it again.
 * @returns the present moment; a promise, since the database is asked at first and then once a minute
 */
export function leaseClock({ db, now }: Pick<AppContext, 'db' | 'now'>): () => Promise<Date> {
  let offset = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const ask = async () => {
    try {
      offset = await clockOffset(db);
      askedAt = performance.now();
    } finally {
      asking = undefined;
    }
  };
  return async () => {
    if (performance.now() - askedAt > ASK_MS) {
      asking ??= ask();
      await asking;
    }
    return new Date(now().getTime() + offset);
  };
}
