import type { AppContext } from '../context.ts';
import { clockOffset } from '../db/dialect.ts';

/** The interval between two reads of the database's clock. */
const ASK_MS = 60_000;

/**
 * The clock for leases is the database's clock, which all replicas share. With its own clock, a replica that is a
 * minute ahead would take over a held job and send the same mail again.
 * @returns the present moment; a promise, because the database's clock is read at first and then once a minute
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
