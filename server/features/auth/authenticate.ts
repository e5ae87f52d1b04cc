import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext, Session } from '../../context.ts';
import { unauthorized } from '../../errors.ts';
import { findSession } from './auth.queries.ts';

/** The bearer token of a request, or null. */
function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer +([A-Za-z0-9_-]{1,200})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** Puts the session on every request of a staff route, before its input is looked at; without one it is a 401. */
export function registerAuthentication(app: FastifyInstance, context: AppContext): void {
  app.decorateRequest('session', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.access !== 'staff') {
      done();
      return;
    }
    sessionOf(context, request).then((session) => {
      request.session = session;
      done(session ? undefined : unauthorized());
    }, done);
  });
}

/** The session that a request's token belongs to, for routes that serve both those who have one and those who don't. */
export async function sessionOf(context: AppContext, request: FastifyRequest): Promise<Session | null> {
  const token = bearerToken(request);
  return token === null ? null : ((await findSession(context.db, token, context.now())) ?? null);
}
