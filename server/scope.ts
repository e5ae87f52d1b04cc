import type { ActorKind } from '../contract/system/events.ts';
import type { Config } from './config.ts';
import type { AppContext } from './context.ts';
import type { Db } from './db/tables.ts';
import { knownSender } from './mail-server.ts';

/** Who acts, as stored in an event. */
export type Actor = { kind: ActorKind; id: number | null; name: string };

/** Where a request came from; nulls for work without a request. */
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
  /**
   * The versions of the record that the caller has read: the stored version must be one of them. Null when the caller
   * sends none (D091).
   */
  expected: readonly string[] | null;
  /** Encrypts the secrets that the database stores and the program must read again. */
  secrets: AppContext['secrets'];
  /** Writes the webhook messages of an event, in the same transaction. */
  publish: AppContext['publish'];
  /** Runs work after the commit, and not after a rollback; registering the same work again has no effect. */
  afterCommit: (work: () => void) => void;
  /** After the commit, makes the job runner look for jobs of a kind at once. */
  nudgeJobs: (kind: string) => void;
};

/** The actor and the origin as columns, for the tables of events and of work that runs later. */
export const actorColumns = ({ actor, origin }: Pick<Scope, 'actor' | 'origin'>) => ({
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  ip: origin.ip,
  request_id: origin.requestId,
});

/** The actor and the origin from such columns: a job acts for the person who requested it. */
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
  const { timeZone, publicUrl, clientUrl } = context.config;
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
      mailFrom: knownSender(context.db, context.config),
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
