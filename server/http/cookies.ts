import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookies that this server sets (PORTAL-01, PORTAL-03, SIGN-02). */

/** Binds the code and the link in a mail to the browser that requested them. */
export const ASK_COOKIE = 'lm_ask';
/** The session of a client. */
export const PORTAL_COOKIE = 'lm_portal';
/** Binds a sign-in with OpenID Connect to the browser that began it. */
export const OIDC_COOKIE = 'lm_oidc';

type CookieName = typeof ASK_COOKIE | typeof PORTAL_COOKIE | typeof OIDC_COOKIE;

/** The prefix `__Host-` makes browsers accept the cookie only over https, only for this host and for all its paths. */
const nameOf = (name: CookieName, isSecure: boolean) => (isSecure ? `__Host-${name}` : name);

/** The token in a cookie of a request; null without one. */
export function cookieOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  name: CookieName,
  isSecure: boolean,
): string | null {
  const begin = `${nameOf(name, isSecure)}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

/**
 * Sets a cookie.
 * @param token null removes the cookie
 */
export function setCookie(
  reply: FastifyReply,
  name: CookieName,
  token: string | null,
  { isSecure, seconds }: { isSecure: boolean; seconds: number },
): void {
  const parts = [
    `${nameOf(name, isSecure)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ];
  // fastify adds the header to the cookies that are already set.
  reply.header('set-cookie', parts.join('; '));
}
