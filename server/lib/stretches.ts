import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Rows that one statement looks at, at most: SQLite has one thread, and requests wait while it reads. */
const STRIDE = 10_000;

/** Ids from `after`, excluded, to `upTo`, included. */
export type Stretch = { after: number; upTo: number };

/**
 * Stretches of ids that together hold every id up to the highest. Between two of them whoever waits is served.
 * @param stride ids in one stretch; smaller where each row costs more
 */
export async function* idStretches(highestId: number, stride = STRIDE): AsyncGenerator<Stretch> {
  for (let after = 0; after < highestId; after += stride) {
    await letOthersRun();
    yield { after, upTo: after + stride };
  }
}
