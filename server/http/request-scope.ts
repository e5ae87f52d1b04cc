import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../context.ts';
import { AppError, forbidden } from '../errors.ts';
import { mustExist } from '../lib/must-exist.ts';
import type { PortalSession, Principal, Session } from '../principal.ts';
import { type Actor, inScope, type Scope } from '../scope.ts';
import { expectedIn, withEtag } from './version.ts';

/** The caller of a request. Only for routes that require one. */
export function principalOf({ principal }: { principal: Principal | null }): Principal {
  return mustExist(principal, 'caller of a route that requires one');
}

/**
 * The session of the user who makes a request.
 * @throws forbidden (403) for an API key: the key is valid, but the call is only for people
 */
export function sessionOf(request: { principal: Principal | null }): Session {
  const { session } = principalOf(request);
  if (!session) throw forbidden();
  return session;
}

/**
 * The portal session of the client who makes a request.
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

/** How long an entered password or code is valid for actions that require one (PEOPLE-05), in milliseconds. */
const CONFIRMED_MS = 10 * 60_000;

/**
 * The session of a user who recently entered a password or a code.
 * @throws AppError (403, step_up_required) when that was more than ten minutes ago
 */
export function confirmedSession(request: { principal: Principal | null }, now: Date): Session {
  const session = sessionOf(request);
  requireConfirmed(session, now);
  return session;
}

/** @throws AppError (403, step_up_required) when the last proof of identity was more than ten minutes ago */
export function requireConfirmed(session: Pick<Session, 'confirmedAt'>, now: Date): void {
  const since =
    session.confirmedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(session.confirmedAt);
  if (since > CONFIRMED_MS) throw new AppError(403, 'step_up_required');
}

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'id'>) => ({
  ip: request.ip,
  requestId: request.id,
});

/** The User-Agent header; null without it. */
export const userAgentOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  headers['user-agent'] ?? null;

/** The caller of a request, as the actor of events. */
export const actorOf = ({ kind, id, name }: Principal): Actor => ({ kind, id, name });

/**
 * Runs actions in one transaction. The actor is the caller of the request, and the expected versions are those that
 * the request contains.
 * @param actor the actor if the request has no principal: an installed program, or a user who signs in
 */
export const inRequest = <Result>(
  context: AppContext,
  request: FastifyRequest,
  work: (scope: Scope) => Promise<Result>,
  actor: Actor = actorOf(principalOf(request)),
): Promise<Result> =>
  inScope(context, { actor, origin: originOf(request), expected: expectedIn(request) }, work);

/** Runs the work of a call that returns a record; the record's version becomes the ETag. */
export const saveInRequest = async <Body extends { updated_at: string }>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (scope: Scope) => Promise<Body>,
): Promise<Body> => withEtag(reply, await inRequest(context, request, work));
