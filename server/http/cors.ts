import type { FastifyRequest } from 'fastify';

/**
 * Which pages of other origins may read an answer (API-06). The calls of installed programs answer every page: their
 * credential is a licence key in the body. The calls of staff answer the origins of CORS_ORIGINS alone, and those of the
 * portal none: the session of a client is a cookie. The others take no credentials of the browser: a token is sent by the
 * page itself.
 */

/** What a page may read of an answer beside its body. */
const EXPOSED =
  'ETag, Retry-After, X-Request-Id, Idempotency-Replayed, Content-Disposition, Allow, Preference-Applied, WWW-Authenticate';
/** What a page of the staff may send. */
const STAFF_HEADERS =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Request-Id';
const PROGRAM_HEADERS = 'Content-Type, Prefer, X-Request-Id';
/** How long a browser keeps the answer to a preflight, in seconds: the most that Chromium takes. */
const MAX_AGE = '7200';

const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
const BY_ORIGIN = { vary: 'Origin' };

/** The methods of a path, each with whether it answers pages of any origin, and whether it answers none. */
export type MethodsOfPath = ReadonlyMap<string, { anyOrigin: boolean; ofPortal: boolean }>;

export type Cors = {
  headersOf: (request: FastifyRequest) => Record<string, string> | undefined;
  /** The headers of an answer to OPTIONS, for the method that the page asks for. */
  preflightOf: (request: FastifyRequest, methods: MethodsOfPath) => Record<string, string> | undefined;
};

/** @param origins the origins of staff pages, as browsers send them */
export function corsFor(origins: readonly string[]): Cors {
  const known = new Set(origins);
  const ofStaff = known.size > 0 ? BY_ORIGIN : undefined;
  return {
    headersOf: (request) => {
      const { origin } = request.headers;
      // An answer from a cache is for every page.
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
      const { origin, 'access-control-request-method': wanted } = headers;
      if (origin === undefined || wanted === undefined) return undefined;
      const isOpen = methods.get(wanted)?.anyOrigin === true;
      const isClosed = methods.get(wanted)?.ofPortal === true;
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
