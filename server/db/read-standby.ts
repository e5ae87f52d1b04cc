import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Timeouts } from './postgres/timeouts.ts';
import type { Db, Tables } from './tables.ts';

/**
 * Reads from a PostgreSQL standby that may be some seconds old (DATABASE_READ_URL, OPS-05). No call waits for an
 * unreachable standby, and a standby that is far behind is not used (docs/decisions/100-reports-on-a-standby.md).
 */

/**
 * Reads from the standby if it is close enough to the primary, otherwise from the primary.
 * @param work runs again on the primary when it fails on the standby. `asOf`: the rows contain every change up to
 * this instant; null on the primary, which has all changes
 */
export type ReadLately = <Result>(work: (db: Db, asOf: string | null) => Promise<Result>) => Promise<Result>;

export type ReadStandby = { read: ReadLately; close: () => Promise<void> };

/** The interval of the checks of the standby, and how far it may be behind, in milliseconds. */
const EVERY_MS = 5000;
export const BEHIND_MAX_MS = 30_000;
/** A small pool, because few reports are read at once. */
const STANDBY_POOL = 4;

/** Short enough that a call still has time for the primary when the standby does not respond. */
const STANDBY_TIMEOUTS: Timeouts = {
  connectMs: 1000,
  statementMs: 3000,
  answerMs: 3500,
  idleInTransactionMs: 3000,
};

/** The configured standby; null for none. */
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

/**
 * The state of a standby.
 * @property behindMs how far it is behind the primary, by the standby's own clock
 */
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

/**
 * Commits a transaction without changes. The time of the last replayed commit shows how far a standby is; this
 * provides one when nobody else writes.
 */
export const commitNothing = (primary: Kysely<Tables>) =>
  sql`select pg_logical_emit_message(true, 'license-manager', '')`.execute(primary);

export function followStandby(
  primary: Kysely<Tables>,
  standby: Kysely<Tables>,
  { everyMs = EVERY_MS, behindMaxMs = BEHIND_MAX_MS } = {},
): ReadStandby {
  /** The result of the last check; null if the standby must not be used. */
  let checked: { asOf: string; behindMs: number; at: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    try {
      await commitNothing(primary);
      const { isStandby, asOf, behindMs } = await standbyState(standby);
      checked =
        isStandby && asOf !== null && behindMs !== null ? { asOf, behindMs, at: performance.now() } : null;
    } catch {
      checked = null;
    }
    if (isClosed) return;
    timer = setTimeout(look, everyMs);
    timer.unref();
  }
  const looking = look();

  const follows = () =>
    checked !== null && checked.behindMs + performance.now() - checked.at <= behindMaxMs
      ? checked.asOf
      : null;

  return {
    read: async (work) => {
      const asOf = follows();
      if (asOf !== null) {
        try {
          return await work(standby, asOf);
        } catch (error) {
          if (error instanceof AppError) throw error;
          // Any other error leads to the primary: a standby that is behind may lack a column of the last migration. If the
          // statement itself is wrong, the primary throws the error again.
          checked = null;
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
