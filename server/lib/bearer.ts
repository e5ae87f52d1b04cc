import type { FastifyRequest } from 'fastify';

/** The bearer token of a request, or null. */
export function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer +([A-Za-z0-9_-]{1,200})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

const CHALLENGE = 'Bearer realm="License Manager"';

/**
 * What a 401 says of how to get in: the value of WWW-Authenticate (RFC 6750, section 3). A token that a staff route was
 * sent is what was wrong; on a public route it was not looked at.
 */
export function bearerChallenge(request: FastifyRequest): string {
  const wasSent = /^Bearer +\S/i.test(request.headers.authorization ?? '');
  const wasWrong = wasSent && request.routeOptions.config.access === 'staff';
  return wasWrong ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE;
}
