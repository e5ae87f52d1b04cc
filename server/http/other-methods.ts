import type { FastifyInstance, RouteOptions } from 'fastify';
import { AppError } from '../errors.ts';
import type { Cors, MethodFacts, MethodsOfPath } from './cors.ts';
import { isOnEveryHost } from './portal-host.ts';

/**
 * Collects the declared routes, so that a path answers its other methods: 405 with the allowed methods, and for
 * OPTIONS 204 with them. The latter also answers preflights of pages from other origins.
 * @returns `refuseOtherMethods`: call it once, after the hooks that every answer needs; `servesEverywhere`: whether a
 * path has a method that answers on every host
 */
export function collectMethods(
  app: FastifyInstance,
  isCounted: (url: string) => boolean,
  cors: Cors,
): { refuseOtherMethods: () => void; servesEverywhere: (path: string) => boolean } {
  const methodsByUrl = new Map<string, Map<string, MethodFacts>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!isCounted(route.url)) return;
    const methods = methodsByUrl.get(route.url) ?? new Map();
    const facts = route.config ?? {};
    const anyOrigin = facts.anyOrigin === true;
    const ofPortal = facts.portal !== undefined;
    const onEveryHost = isOnEveryHost(facts);
    for (const method of [route.method].flat())
      methods.set(String(method), { anyOrigin, ofPortal, onEveryHost });
    methodsByUrl.set(route.url, methods);
  });
  let known: { pattern: RegExp; allow: string; methods: MethodsOfPath }[] | undefined;
  const pathOf = (path: string) => {
    known ??= [...methodsByUrl].map(([url, methods]) => ({
      pattern: patternOf(url),
      allow: [...methods.keys(), 'OPTIONS'].sort().join(', '),
      methods,
    }));
    return known.find(({ pattern }) => pattern.test(path));
  };
  const servesEverywhere = (path: string) =>
    [...(pathOf(path)?.methods.values() ?? [])].some(({ onEveryHost }) => onEveryHost);
  const refuseOtherMethods = () => {
    // A hook, because a route for each method would not be enough: there are more than thirty methods, and fastify
    // accepts only some of them.
    app.addHook('onRequest', (request, reply, done) => {
      const path =
        request.is404 && isCounted(request.url) ? pathOf(request.url.split('?', 1)[0]!) : undefined;
      if (path === undefined) {
        done();
        return;
      }
      const { allow, methods } = path;
      if (request.method === 'OPTIONS') {
        reply
          .code(204)
          .headers({ allow, ...cors.preflightOf(request, methods) })
          .send();
      } else done(new AppError(405, 'method_not_allowed', { headers: { allow } }));
    });
  };
  return { refuseOtherMethods, servesEverywhere };
}

/** The pattern that matches the paths of a route such as `/a/:id(^\\d+$)/`. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (!part.startsWith(':')) return part.replace(/[.+]/g, '\\$&');
    const start = part.indexOf('(^');
    return start > 0 && part.endsWith('$)') ? part.slice(start + 2, -2) : '[^/]+';
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
}
