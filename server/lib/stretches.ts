import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Db } from '../db/tables.ts';

/** Rows that one statement looks at, at most: SQLite has one thread, and requests wait while it reads. */
const STRIDE = 10_000;

/** Ids from `after`, excluded, to `upTo`, included. */
export type Stretch = { after: number; upTo: number };

/** The tables that may be too long to be read in one statement. */
export type LongTable = 'clients' | 'licenses' | 'installations';

/**
 * Stretches of ids that together hold every id of a table. Between two of them whoever waits is served.
 * @param stride ids in one stretch; smaller where each row costs more
 */
export async function* idStretches(db: Db, table: LongTable, stride = STRIDE): AsyncGenerator<Stretch> {
  const { highest } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.max<number | null>('id').as('highest'))
    .executeTakeFirstOrThrow();
  for (let after = 0; after < (highest ?? 0); after += stride) {
    await letOthersRun();
    yield { after, upTo: after + stride };
  }
}
