import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import { perDatabase } from './per-database.ts';
import type { Db, Tables } from './tables.ts';

/**
 * Columns that a later version added and that a job fills for older rows, beside a working server
 * (docs/decisions/132-stored-rows-are-folded-by-a-job.md). Until it has ended, both readings are asked: the rows with
 * the column by it, those without it as before.
 */

/** An index to make, unique unless it is `plain`; or one to drop, which only the reading of older rows needed. */
type Index = { name: string; on: string; plain?: true } | { name: string; drop: true };

/** What is folded, and what becomes of its indexes after all rows have their value. */
const FOLDS = {
  machine_ids: [
    {
      name: 'installations_by_machine_key',
      on: 'installations (machine_key, license_id) where machine_key is not null',
    },
    { name: 'trials_by_machine_key', on: 'trials (code, machine_key) where machine_key is not null' },
    // For rows that an older program still writes: it is empty, so an activation has no more indexes than before.
    {
      name: 'installations_without_key',
      on: 'installations (machine_id) where machine_key is null',
      plain: true,
    },
    { name: 'installations_by_machine', drop: true },
  ],
  search_texts: [],
  payment_texts: [],
} as const satisfies Record<string, readonly Index[]>;

export type FoldName = keyof typeof FOLDS;

/** Until a fold has ended it is asked for again after this time; the reading of both forms stays right meanwhile. */
const ASK_MS = 5000;

/** When each fold is asked for again; never, once it has ended. */
const askAgainOf = perDatabase(() => new Map<FoldName, number>());

/**
 * Whether all rows have their value. Cheap enough for each call: the answer is kept in memory, and while it is no, the
 * database is asked once in some seconds. A later version asks it before it drops the reading of rows without the
 * value.
 */
export async function isFolded(db: Db, name: FoldName): Promise<boolean> {
  const known = askAgainOf(db);
  const askAgain = known.get(name) ?? 0;
  if (askAgain === Number.POSITIVE_INFINITY) return true;
  if (performance.now() < askAgain) return false;
  const row = await stateOf(db, name);
  const hasEnded = row !== undefined && row.ended_at !== null;
  known.set(name, hasEnded ? Number.POSITIVE_INFINITY : performance.now() + ASK_MS);
  return hasEnded;
}

const stateOf = (db: Db, name: FoldName) =>
  db.selectFrom('folds').select(['clean_at', 'ended_at']).where('name', '=', name).executeTakeFirst();

/** When the last pass over the rows found none without the value, null if it found some; and when the fold ended. */
export const foldState = async (
  db: Db,
  name: FoldName,
): Promise<{ clean_at: string | null; ended_at: string | null }> =>
  (await stateOf(db, name)) ?? { clean_at: null, ended_at: null };

/** Stores when a pass found no row without the value; null after one that found some. */
export async function noteClean(db: Db, name: FoldName, clean_at: string | null): Promise<void> {
  await db
    .insertInto('folds')
    .values({ name, clean_at, ended_at: null })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ clean_at }))
    .execute();
}

/**
 * Makes and drops the indexes of a fold and stores that it has ended.
 * @throws the engine's error if two rows have the same value ({@link isUniqueViolation})
 */
export async function endFold(db: Db, name: FoldName, at: string): Promise<void> {
  for (const index of FOLDS[name]) await settleIndex(db, index);
  await db
    .insertInto('folds')
    .values({ name, clean_at: at, ended_at: at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ ended_at: at }))
    .execute();
  askAgainOf(db).delete(name);
}

/** Ends all folds of a database that this version has made: no row in it is older, and no older program writes it. */
export async function endFoldsOfNew(tx: Db, at: string): Promise<void> {
  for (const name of Object.keys(FOLDS) as FoldName[]) await endFold(tx, name, at);
}

/** Makes or drops an index unless that is done; on PostgreSQL beside writers, unless it is part of a transaction. */
async function settleIndex(db: Db, index: Index): Promise<void> {
  const { name } = index;
  const isBeside = isPostgres(db) && !db.isTransaction;
  const beside = isBeside ? 'concurrently' : '';
  if ('drop' in index) {
    await sql.raw(`drop index ${beside} if exists ${name}`).execute(db);
    return;
  }
  if (isBeside) await dropInvalid(db, name);
  const kind = index.plain ? 'index' : 'unique index';
  await sql.raw(`create ${kind} ${beside} if not exists ${name} on ${index.on}`).execute(db);
}

/** A build that was killed or met duplicates leaves an index that PostgreSQL does not use. */
async function dropInvalid(db: Kysely<Tables> | Db, name: string): Promise<void> {
  const { rows } =
    await sql`select 1 from pg_index where not indisvalid and indexrelid = to_regclass(${name})`.execute(db);
  if (rows.length > 0) await sql.raw(`drop index concurrently if exists ${name}`).execute(db);
}
