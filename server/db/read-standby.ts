import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Timeouts } from './postgres/timeouts.ts';
import type { Db, Tables } from './tables.ts';

/**
 * A standby of PostgreSQL that answers what may be some seconds old (DATABASE_READ_URL, OPS-05): no call waits for one
 * that is away, and one that is far behind is not asked (docs/decisions/100-reports-on-a-standby.md).
 */

/**
 * Reads on the standby where it follows, otherwise on the primary.
 * @param work runs anew on the primary when the standby fails meanwhile. `asOf`: everything up to this instant is in the
 * rows; null on the primary, which has everything
 */
export type ReadLately = <Result>(work: (db: Db, asOf: string | null) => Promise<Result>) => Promise<Result>;

export type ReadStandby = { read: ReadLately; close: () => Promise<void> };

/** How often the standby is looked at, and how far behind it may be, in milliseconds. */
const EVERY_MS = 5000;
export const BEHIND_MAX_MS = 30_000;
/** Few, since reports are few. */
const STANDBY_POOL = 4;

/** A standby that stands still leaves a call the time to ask the primary. */
const STANDBY_TIMEOUTS: Timeouts = {
  connectMs: 1000,
  statementMs: 3000,
  answerMs: 3500,
  idleInTransactionMs: 3000,
};

/** The standby of a configuration; null where none is named. */
export const standbyEngine = ({ databaseReadUrl, databasePooler }: StandbyConfig) =>
  databaseReadUrl === null
    ? null
    : {
        kind: 'postgres' as const,
        url: databaseReadUrl,
        pool: STANDBY_POOL,
        pooler: databasePooler,
        timeouts: STANDBY_TIMEOUTS,
      };

type StandbyConfig = Pick<Config, 'databaseReadUrl' | 'databasePooler'>;

/** How far a standby is. @property behindMs by the standby's own clock */
export type StandbyState = { isStandby: boolean; asOf: string | null; behindMs: number | null };

export async function standbyState(standby: Kysely<Tables>): Promise<StandbyState> {
  const { rows } = await sql<{ is_standby: boolean; as_of: string | null; behind: number | null }>`
    select pg_is_in_recovery() as is_standby, pg_last_xact_replay_timestamp() as as_of,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000 as behind`.execute(
    standby,
  );
  const { is_standby, as_of, behind } = rows[0]!;
  return { isStandby: is_standby, asOf: as_of, behindMs: behind };
}

/** A commit that changes nothing: a standby shows by its last commit how far it is, also where nobody else writes. */
export const commitNothing = (primary: Kysely<Tables>) =>
  sql`select pg_logical_emit_message(true, 'license-manager', '')`.execute(primary);

export function followStandby(
  primary: Kysely<Tables>,
  standby: Kysely<Tables>,
  { everyMs = EVERY_MS, behindMaxMs = BEHIND_MAX_MS } = {},
): ReadStandby {
  /** What was seen last; null where the standby is not to be asked. */
  let seen: { asOf: string; behindMs: number; at: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    try {
      await commitNothing(primary);
      const { isStandby, asOf, behindMs } = await standbyState(standby);
      seen =
        isStandby && asOf !== null && behindMs !== null ? { asOf, behindMs, at: performance.now() } : null;
    } catch {
      seen = null;
    }
    if (isClosed) return;
    timer = setTimeout(look, everyMs);
    timer.unref();
  }
  const looking = look();

  const follows = () =>
    seen !== null && seen.behindMs + performance.now() - seen.at <= behindMaxMs ? seen.asOf : null;

  return {
    read: async (work) => {
      const asOf = follows();
      if (asOf !== null) {
        try {
          return await work(standby, asOf);
        } catch (error) {
          if (error instanceof AppError) throw error;
          // Whatever it was: one that is behind may lack a column of the last migration. What is wrong on both the primary says.
          seen = null;
        }
      }
      return work(primary, null);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await standby.destroy();
    },
  };
}
