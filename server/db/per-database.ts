import type { DialectAdapter } from 'kysely';
import type { Db } from './tables.ts';

/**
 * Something that this process keeps in memory for a database, such as a queue or an answer that was asked for lately.
 * Transactions have that of their database. Only tests have several databases in one process.
 * @param make makes it at the first call
 * @returns a function that returns it
 */
export function perDatabase<Kept extends object, More extends unknown[] = []>(
  make: (db: Db, ...more: More) => Kept,
): (db: Db, ...more: More) => Kept {
  const all = new WeakMap<DialectAdapter, Kept>();
  return (db, ...more) => {
    const { adapter } = db.getExecutor();
    let kept = all.get(adapter);
    if (kept === undefined) {
      kept = make(db, ...more);
      all.set(adapter, kept);
    }
    return kept;
  };
}
