import { sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { fileTrouble, tryRoom } from '../../../db/dialect.ts';
import { perDatabase } from '../../../db/per-database.ts';
import type { Db } from '../../../db/tables.ts';
import type { Trouble } from '../../../db/trouble.ts';
import { within } from '../../../lib/within.ts';

/** A health check must not wait for a database that does not answer. */
export const DATABASE_TIMEOUT_MS = 2000;

const underWay = perDatabase((): { answer?: Promise<boolean> } => ({}));

/**
 * Whether the database answers within two seconds; never rejects. Concurrent calls share one query, so that a load
 * balancer that checks every half second does not use up the connections of a database that does not answer.
 */
export function isDatabaseUp(db: Db): Promise<boolean> {
  const check = underWay(db);
  check.answer ??= within(DATABASE_TIMEOUT_MS, sql`select 1`.execute(db))
    .catch(() => false)
    .finally(() => void delete check.answer);
  return check.answer;
}

/** How long the result of a write check is cached. */
const WRITE_CHECK_MS = 3000;
/** The row that the check writes, in the table `throttles`; housekeeping deletes it with expired windows. */
const WRITTEN_KEY = 'health';

/**
 * Whether the database accepts writes.
 * @property trouble why a SQLite file accepts none, if known
 */
export type Writable = { takesWrites: boolean; trouble: Trouble | null };

/**
 * Checks whether the database accepts a write, because a full disk can still be read. Only one write runs at a time.
 * The caller waits at most {@link DATABASE_TIMEOUT_MS}; until the write has ended, the previous result is used.
 */
export function createWriteCheck({ db, now }: Pick<AppContext, 'db' | 'now'>): () => Promise<Writable> {
  let result: Writable = { takesWrites: true, trouble: null };
  let checkedAt = Number.NEGATIVE_INFINITY;
  let current: Promise<void> | undefined;

  const tryToWrite = async () => {
    try {
      await tryRoom(db);
      await writeRow(db, now());
      result = { takesWrites: true, trouble: null };
    } catch (error) {
      result = { takesWrites: false, trouble: fileTrouble(db, error) };
    }
    checkedAt = performance.now();
    current = undefined;
  };

  return async () => {
    if (!current && performance.now() - checkedAt > WRITE_CHECK_MS) current = tryToWrite();
    if (current) await within(DATABASE_TIMEOUT_MS, current);
    return result;
  };
}

/** Always the same row, so that the database does not grow. */
async function writeRow(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('throttles')
    .values({ key: WRITTEN_KEY, count: 0, window_ends_at: now.toISOString() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ window_ends_at: eb.ref('excluded.window_ends_at') })),
    )
    .execute();
}
