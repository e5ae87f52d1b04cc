import type { FastifyRequest } from 'fastify';
import { asksForToken } from './openapi-errors.ts';

/** The bearer token of a request, or null. */
export function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer +([A-Za-z0-9_-]{1,200})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

const CHALLENGE = 'Bearer realm="License Manager"';

/**
 * The value of WWW-Authenticate for a 401 (RFC 6750, section 3). Only a route that requires a token reports a sent
 * token as invalid; other routes have not checked it.
 */
export function bearerChallenge(request: FastifyRequest): string {
  const wasSent = /^Bearer +\S/i.test(request.headers.authorization ?? '');
  const { access } = request.routeOptions.config;
  const wasWrong = wasSent && access !== undefined && asksForToken(access);
  return wasWrong ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE;
}
