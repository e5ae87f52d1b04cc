import type { ActorKind } from '../contract/events.ts';
import type { Config } from './config.ts';
import type { AppContext } from './context.ts';
import type { Db } from './db/tables.ts';

/** Who acts, as an event names it. */
export type Actor = { kind: ActorKind; id: number | null; name: string };

/** From where somebody acts; nulls for what no request asked for. */
export type Origin = { ip: string | null; requestId: string | null };

/**
 * What every verb takes first: the transaction that it writes in, who acts, when, and by which calendar. Whoever starts a
 * verb makes one: a route ({@link inRequest} in http/request-scope.ts), a job, an import, the command line.
 */
export type Scope = Pick<Config, 'timeZone' | 'mailFrom'> & {
  tx: Db;
  actor: Actor;
  origin: Origin;
  now: Date;
  /** Runs some work once the transaction is stored, and not at all when it is taken back; the same work once. */
  afterCommit: (work: () => void) => void;
  /** Tells the runner that there are jobs; for {@link Scope.afterCommit}. */
  nudgeJobs: () => void;
};

/** The system itself: its jobs and what it does at its start. */
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'Sistema' };
const NOWHERE: Origin = { ip: null, requestId: null };

/**
 * Runs verbs in one transaction: all that they write is stored, or nothing.
 * @param actor who acts
 * @returns what `work` returns
 */
export async function inScope<Result>(
  context: AppContext,
  { actor, origin = NOWHERE }: { actor: Actor; origin?: Origin },
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  const { timeZone, mailFrom } = context.config;
  const following = new Set<() => void>();
  const result = await context.db.transaction().execute((tx) =>
    work({
      tx,
      actor,
      origin,
      now: context.now(),
      timeZone,
      mailFrom,
      afterCommit: (run) => following.add(run),
      nudgeJobs: context.nudgeJobs,
    }),
  );
  for (const run of following) run();
  return result;
}
