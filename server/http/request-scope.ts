import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../context.ts';
import { AppError, forbidden } from '../errors.ts';
import { mustExist } from '../lib/must-exist.ts';
import type { PortalSession, Principal, Session } from '../principal.ts';
import { type Actor, inScope, type Scope } from '../scope.ts';
import { expectedIn, withEtag } from './version.ts';

/**
 * The caller of a request on a route that requires one.
 */
export function principalOf({ principal }: { principal: Principal | null }): Principal {
  return mustExist(principal, 'caller of a route that requires one');
}

/**
 * The session of the user who makes a request.
 * @throws forbidden (403) for an API key: its credential is valid, and the call is for people
 */
export function sessionOf(request: { principal: Principal | null }): Session {
  const { session } = principalOf(request);
  if (!session) throw forbidden();
  return session;
}

/**
 * The session of the client who makes a request of the portal.
 * @throws forbidden (403) for every other caller
 */
export function portalOf(request: { principal: Principal | null }): {
  clientId: number;
  session: PortalSession;
} {
  const { id, portal } = principalOf(request);
  if (!portal || id === null) throw forbidden();
  return { clientId: id, session: portal };
}

/** A password or a code counts this long for actions that ask for one (PEOPLE-05), in milliseconds. */
const CONFIRMED_MS = 10 * 60_000;

/**
 * The session of a user who has given a password or a code lately.
 * @throws AppError (403, step_up_required) when that was more than ten minutes ago
 */
export function confirmedSession(request: { principal: Principal | null }, now: Date): Session {
  const session = sessionOf(request);
  const since =
    session.confirmedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(session.confirmedAt);
  if (since > CONFIRMED_MS) throw new AppError(403, 'step_up_required');
  return session;
}

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'id'>) => ({
  ip: request.ip,
  requestId: request.id,
});

/** What the caller's program calls itself; null where it does not say. */
export const userAgentOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  headers['user-agent'] ?? null;

/** Who makes a request, as an event names it. */
export const actorOf = ({ kind, id, name }: Principal): Actor => ({ kind, id, name });

/**
 * Runs actions in one transaction, as the caller of the request, on the versions that it names.
 * @param actor the actor where the request has no principal: an installed program, or a user who signs in
 */
export const inRequest = <Result>(
  context: AppContext,
  request: FastifyRequest,
  work: (scope: Scope) => Promise<Result>,
  actor: Actor = actorOf(principalOf(request)),
): Promise<Result> =>
  inScope(context, { actor, origin: originOf(request), expected: expectedIn(request) }, work);

/** The same for an action that answers a record, whose version is the ETag. */
export const saveInRequest = async <Body extends { updated_at: string }>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (scope: Scope) => Promise<Body>,
): Promise<Body> => withEtag(reply, await inRequest(context, request, work));
