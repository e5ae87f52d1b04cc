import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ALL_PERMISSIONS } from '../../../contract/permissions.ts';
import type { AppContext } from '../../context.ts';
import { forbidden, unauthorized } from '../../errors.ts';
import { mayCall } from '../../http/access.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { Principal, Session } from '../../principal.ts';
import { findSession, userActor } from './auth.queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whoever stands behind the request; null on routes that are open to anyone, or to a licence key. */
    principal: Principal | null;
  }
}

/** A user may do everything until roles say otherwise. */
export const userPrincipal = (session: Session): Principal => ({
  ...userActor({ ...session, id: session.userId }),
  permissions: ALL_PERMISSIONS,
  session,
});

/**
 * The one door: whoever stands behind the token of a request, for routes that serve those who have one and those who
 * don't. @returns null without a token that is good
 */
export async function findPrincipal(context: AppContext, request: FastifyRequest): Promise<Principal | null> {
  const token = bearerToken(request);
  const session = token === null ? undefined : await findSession(context.db, token, context.now());
  return session ? userPrincipal(session) : null;
}

/** Puts the principal on each request whose route asks for one, before its input is looked at. */
export function registerAuthentication(app: FastifyInstance, context: AppContext): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config;
    // What no route answers has no policy either; it ends as a 404.
    if (access === undefined || access === 'anyone' || access === 'license-key') {
      done();
      return;
    }
    findPrincipal(context, request)
      .then((principal) => {
        if (!principal) throw unauthorized();
        if (!mayCall(principal, access)) throw forbidden();
        request.principal = principal;
      })
      .then(() => done(), done);
  });
}
