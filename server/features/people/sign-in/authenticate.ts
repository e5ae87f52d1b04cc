import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ROLE_PERMISSIONS } from '../../../../contract/people/permissions.ts';
import type { AppContext } from '../../../context.ts';
import { AppError, forbidden, unauthorized } from '../../../errors.ts';
import { mayCall } from '../../../http/access.ts';
import { bearerToken } from '../../../http/bearer.ts';
import type { Principal, Session } from '../../../principal.ts';
import { findKeyPrincipal, isApiKey } from './api-key-principal.ts';
import { findSession, userActor } from './auth.queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of the request; null on routes for anyone and for a licence key. */
    principal: Principal | null;
  }
}

/** A user has the permissions of the role that is stored at the moment of the call. */
const userPrincipal = (session: Session): Principal => ({
  ...userActor({ ...session, id: session.userId }),
  permissions: ROLE_PERMISSIONS[session.role],
  session,
  portal: null,
});

/**
 * Finds the caller by the token of a request, from a session or an API key; also on routes for anyone.
 * @returns null without a valid token
 */
export async function findPrincipal(context: AppContext, request: FastifyRequest): Promise<Principal | null> {
  const token = bearerToken(request);
  if (token !== null && isApiKey(token)) return findKeyPrincipal(context, token);
  const session = token === null ? undefined : await findSession(context.db, token, context.now());
  return session ? userPrincipal(session) : null;
}

/** Finds the client of a portal call; see features/portal/enter-portal.ts. */
type EnterPortal = (context: AppContext, request: FastifyRequest) => Promise<Principal | null>;

/**
 * Sets the principal on each request whose route requires one, before the input is parsed.
 * @param enterPortal finds the principal for portal calls, for which tokens are not accepted
 */
export function registerAuthentication(
  app: FastifyInstance,
  context: AppContext,
  enterPortal: EnterPortal,
): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, portal, duringMfaSetup } = request.routeOptions.config;
    if (portal !== undefined) {
      enterPortal(context, request)
        .then((client) => {
          request.principal = client;
        })
        .then(() => done(), done);
      return;
    }
    // A request without a route has no policy; it gets a 404.
    if (access === undefined || access === 'anyone' || access === 'license-key' || access === 'client') {
      done();
      return;
    }
    findPrincipal(context, request)
      .then((principal) => {
        if (!principal) throw unauthorized();
        if (principal.session?.mustSetUpMfa && !duringMfaSetup) throw new AppError(403, 'mfa_setup_required');
        if (!mayCall(principal, access)) throw forbidden();
        request.principal = principal;
      })
      .then(() => done(), done);
  });
}
