import type { FastifyInstance, RouteOptions } from 'fastify';
import { AppError } from '../errors.ts';

/** A route that does not say who may call it must not start (D009). */
export function requireAccessPolicy(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`The route ${String(route.method)} ${route.url} declares no access policy.`);
    }
  });
}

/**
 * Watches the routes as they are declared, so that a path can refuse the methods that it does not take: 405 with
 * those that it does, or 204 with them when that is what OPTIONS asks.
 * @returns call it once, after the hooks that every answer needs
 */
export function collectMethods(app: FastifyInstance, isCounted: (url: string) => boolean): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!isCounted(route.url)) return;
    const methods = methodsByUrl.get(route.url) ?? new Set(['OPTIONS']);
    for (const method of [route.method].flat()) methods.add(String(method));
    methodsByUrl.set(route.url, methods);
  });
  let known: { pattern: RegExp; allow: string }[] | undefined;
  const allowOf = (path: string): string | undefined => {
    known ??= [...methodsByUrl].map(([url, methods]) => ({
      pattern: patternOf(url),
      allow: [...methods].sort().join(', '),
    }));
    return known.find(({ pattern }) => pattern.test(path))?.allow;
  };
  return () => {
    // No route of its own for each method: there are more than thirty, and fastify knows a few of them only.
    app.addHook('onRequest', (request, reply, done) => {
      const allow =
        request.is404 && isCounted(request.url) ? allowOf(request.url.split('?', 1)[0]!) : undefined;
      if (allow === undefined) done();
      else if (request.method === 'OPTIONS') reply.code(204).header('allow', allow).send();
      else done(new AppError(405, 'method_not_allowed', { headers: { allow } }));
    });
  };
}

/** The paths of a route, as `/a/:id(^\\d+$)/` names them. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (!part.startsWith(':')) return part.replace(/[.+]/g, '\\$&');
    return /\(\^(.*)\$\)$/.exec(part)?.[1] ?? '[^/]+';
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
}
