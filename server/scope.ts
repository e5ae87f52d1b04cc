import type { ActorKind } from '../contract/system/events.ts';
import type { Config } from './config.ts';
import type { AppContext } from './context.ts';
import type { Db } from './db/tables.ts';

/** Who acts, as an event names it. */
export type Actor = { kind: ActorKind; id: number | null; name: string };

/** The origin of a request; nulls for work without a request. */
export type Origin = { ip: string | null; requestId: string | null };

/**
 * The first argument of every action: its transaction, the actor, the time and the calendar. The caller of an action
 * creates the scope: a route ({@link inRequest} in http/request-scope.ts), a job, an import, the command line.
 */
export type Scope = Pick<Config, 'timeZone' | 'mailFrom' | 'publicUrl' | 'clientUrl'> & {
  tx: Db;
  actor: Actor;
  origin: Origin;
  now: Date;
  /** The versions of a record that the caller has read, of which it must have one; null where none is named (D091). */
  expected: readonly string[] | null;
  /** Encrypts what the database must keep secret and readable. */
  secrets: AppContext['secrets'];
  /** Writes the messages of an event for webhooks, in the same transaction. */
  publish: AppContext['publish'];
  /** Runs work after the commit, and not after a rollback; registering the same work again has no effect. */
  afterCommit: (work: () => void) => void;
  /** After the commit, tells the job runner that there are jobs of a kind. */
  nudgeJobs: (kind: string) => void;
};

/** Who acts, and from where, as the tables of events and of work for later store it. */
export const actorColumns = ({ actor, origin }: Pick<Scope, 'actor' | 'origin'>) => ({
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  ip: origin.ip,
  request_id: origin.requestId,
});

/** The actor from such a row: a job acts for the person who asked for it. */
export const storedActor = (row: ReturnType<typeof actorColumns>): { actor: Actor; origin: Origin } => ({
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  origin: { ip: row.ip, requestId: row.request_id },
});

/** The actor of jobs and of the start. */
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'Sistema' };
const NOWHERE: Origin = { ip: null, requestId: null };

/**
 * Runs actions in one transaction.
 * @param by who acts, from where, and on which versions of a record
 * @returns what `work` returns
 */
export async function inScope<Result>(
  context: Pick<AppContext, 'config' | 'db' | 'now' | 'nudgeJobs' | 'publish' | 'secrets'>,
  {
    actor,
    origin = NOWHERE,
    expected = null,
  }: { actor: Actor; origin?: Origin; expected?: Scope['expected'] },
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  const { timeZone, mailFrom, publicUrl, clientUrl } = context.config;
  const following = new Set<() => void>();
  const kinds = new Set<string>();
  const result = await context.db.transaction().execute((tx) =>
    work({
      tx,
      actor,
      origin,
      now: context.now(),
      expected,
      timeZone,
      mailFrom,
      publicUrl,
      clientUrl,
      secrets: context.secrets,
      publish: context.publish,
      afterCommit: (run) => following.add(run),
      nudgeJobs: (kind) => kinds.add(kind),
    }),
  );
  for (const run of following) run();
  for (const kind of kinds) context.nudgeJobs(kind);
  return result;
}
