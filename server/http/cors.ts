import type { FastifyRequest } from 'fastify';

/**
 * Decides which pages of other origins may read an answer (API-06). For calls of installed programs it is every page,
 * because their credential is a licence key in the body. For staff calls it is the pages of CORS_ORIGINS. For portal
 * calls it is none, because a client's session is a cookie. Browser credentials are never allowed: a page sends its
 * token itself.
 */

/** The headers of an answer that a page may read. */
const EXPOSED =
  'ETag, Retry-After, X-Request-Id, Idempotency-Replayed, Content-Disposition, Allow, Preference-Applied, WWW-Authenticate';
/** The headers that a staff page may send. */
const STAFF_HEADERS =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Request-Id';
const PROGRAM_HEADERS = 'Content-Type, Prefer, X-Request-Id';
/** How long a browser caches the answer to a preflight, in seconds; Chromium's maximum. */
const MAX_AGE = '7200';

const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
const BY_ORIGIN = { vary: 'Origin' };

/** What a method of a path says of itself: whether pages of any origin may read its answers, and what else is asked. */
export type MethodFacts = { anyOrigin: boolean; ofPortal: boolean; onEveryHost: boolean };

/** The methods of a path. */
export type MethodsOfPath = ReadonlyMap<string, MethodFacts>;

export type Cors = {
  headersOf: (request: FastifyRequest) => Record<string, string> | undefined;
  /** The headers of the answer to OPTIONS, for the method that the page wants to use. */
  preflightOf: (request: FastifyRequest, methods: MethodsOfPath) => Record<string, string> | undefined;
};

/** @param origins the origins of staff pages, in the form that browsers send */
export function corsFor(origins: readonly string[]): Cors {
  const known = new Set(origins);
  const ofStaff = known.size > 0 ? BY_ORIGIN : undefined;
  return {
    headersOf: (request) => {
      const { origin } = request.headers;
      // A cached answer may later be given to any page, so it must have the header even without an Origin.
      const { anyOrigin } = request.routeOptions.config;
      const isShared = anyOrigin === true && request.method === 'GET';
      if (origin === undefined && !isShared) return ofStaff;
      if (anyOrigin) return ANY_ORIGIN;
      if (request.routeOptions.config.portal) return undefined;
      if (origin === undefined || request.method === 'OPTIONS' || !known.has(origin)) return ofStaff;
      return {
        ...BY_ORIGIN,
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
      };
    },
    preflightOf: ({ headers }, methods) => {
      const { origin, 'access-control-request-method': requested } = headers;
      if (origin === undefined || requested === undefined) return undefined;
      const isOpen = methods.get(requested)?.anyOrigin === true;
      const isClosed = methods.get(requested)?.ofPortal === true;
      if (!isOpen && (isClosed || !known.has(origin))) return undefined;
      const allowed = [...methods].filter(([, { anyOrigin }]) => !isOpen || anyOrigin);
      return {
        'access-control-allow-origin': isOpen ? '*' : origin,
        'access-control-allow-methods': allowed
          .map(([method]) => method)
          .sort()
          .join(', '),
        'access-control-allow-headers': isOpen ? PROGRAM_HEADERS : STAFF_HEADERS,
        'access-control-max-age': MAX_AGE,
      };
    },
  };
}
