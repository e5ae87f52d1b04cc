import { type DialectAdapter, sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { tryRoom } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { within } from '../../lib/within.ts';

/** Who asks must not be kept waiting by a database that hangs. */
export const DATABASE_TIMEOUT_MS = 2000;

const underWay = new WeakMap<DialectAdapter, Promise<boolean>>();

/**
 * Whether the database answers within two seconds; never rejects. Whoever asks while a question is under way gets its
 * answer: a balancer that asks every half second must not take all connections of a database that hangs.
 */
export function isDatabaseUp(db: Db): Promise<boolean> {
  const { adapter } = db.getExecutor();
  const current = underWay.get(adapter);
  if (current) return current;
  const answer = within(DATABASE_TIMEOUT_MS, sql`select 1`.execute(db))
    .catch(() => false)
    .finally(() => underWay.delete(adapter));
  underWay.set(adapter, answer);
  return answer;
}

/** How long the outcome of a write is good, however many ask. */
const WRITE_CHECK_MS = 3000;
/** The row that is written. It lies among the counters, whose past windows housekeeping takes away. */
const WRITTEN_KEY = 'health';

/**
 * Whether the database takes a write: a disk that is full is read as well as ever. One try at a time; one that takes
 * longer than {@link DATABASE_TIMEOUT_MS} is not waited for, and what the last one said counts until it is done.
 */
export function createWriteCheck({ db, now }: Pick<AppContext, 'db' | 'now'>): () => Promise<boolean> {
  let isWritable = true;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let current: Promise<void> | undefined;

  const tryToWrite = async () => {
    try {
      await tryRoom(db);
      await writeRow(db, now());
      isWritable = true;
    } catch {
      isWritable = false;
    }
    checkedAt = performance.now();
    current = undefined;
  };

  return async () => {
    if (!current && performance.now() - checkedAt > WRITE_CHECK_MS) current = tryToWrite();
    if (current) await within(DATABASE_TIMEOUT_MS, current);
    return isWritable;
  };
}

/** The same row each time: the database does not grow with it. */
async function writeRow(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('throttles')
    .values({ key: WRITTEN_KEY, count: 0, window_ends_at: now.toISOString() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ window_ends_at: eb.ref('excluded.window_ends_at') })),
    )
    .execute();
}
