import type { FastifyInstance, RouteOptions } from 'fastify';
import { AppError } from '../errors.ts';
import type { Cors, MethodsOfPath } from './cors.ts';

/**
 * Collects the declared routes, so that a path answers its other methods: 405 with the allowed methods, and for
 * OPTIONS 204 with them. The latter also answers preflights of pages from other origins.
 * @returns a function; call it once, after the hooks that every answer needs
 */
export function collectMethods(
  app: FastifyInstance,
  isCounted: (url: string) => boolean,
  cors: Cors,
): () => void {
  const methodsByUrl = new Map<string, Map<string, { anyOrigin: boolean; ofPortal: boolean }>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!isCounted(route.url)) return;
    const methods = methodsByUrl.get(route.url) ?? new Map();
    const anyOrigin = route.config?.anyOrigin === true;
    const ofPortal = route.config?.portal !== undefined;
    for (const method of [route.method].flat()) methods.set(String(method), { anyOrigin, ofPortal });
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
  return () => {
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
