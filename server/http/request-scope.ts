import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../context.ts';
import { unauthorized } from '../errors.ts';
import type { Principal, Session } from '../principal.ts';
import { type Actor, inScope, type Scope } from '../scope.ts';

/**
 * Whoever stands behind a request of a route that asks for somebody.
 * @throws unauthorized (401) on a route that asks for nobody
 */
export function principalOf({ principal }: { principal: Principal | null }): Principal {
  if (!principal) throw unauthorized();
  return principal;
}

/**
 * The user behind a request.
 * @throws unauthorized (401) when it is no user
 */
export function sessionOf(request: { principal: Principal | null }): Session {
  const { session } = principalOf(request);
  if (!session) throw unauthorized();
  return session;
}

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'id'>) => ({
  ip: request.ip,
  requestId: request.id,
});

const actorOf = ({ kind, id, name }: Principal): Actor => ({ kind, id, name });

/**
 * Runs verbs in one transaction, in the name of whoever stands behind the request.
 * @param actor who acts, where the request carries no principal: an installed program, or somebody who signs in
 */
export const inRequest = <Result>(
  context: AppContext,
  request: FastifyRequest,
  work: (scope: Scope) => Promise<Result>,
  actor: Actor = actorOf(principalOf(request)),
): Promise<Result> => inScope(context, { actor, origin: originOf(request) }, work);
