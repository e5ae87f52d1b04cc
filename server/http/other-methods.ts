import type { FastifyInstance, RouteOptions } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Collects the declared routes, so that a path can answer other methods: 405 with the allowed methods, or 204 with
 * them for OPTIONS.
 * @returns a function to call once, after the hooks that every answer needs
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
    // A hook instead of a route per method: there are more than thirty, and fastify knows only some of them.
    app.addHook('onRequest', (request, reply, done) => {
      const allow =
        request.is404 && isCounted(request.url) ? allowOf(request.url.split('?', 1)[0]!) : undefined;
      if (allow === undefined) done();
      else if (request.method === 'OPTIONS') reply.code(204).header('allow', allow).send();
      else done(new AppError(405, 'method_not_allowed', { headers: { allow } }));
    });
  };
}

/** The pattern for the paths of a route such as `/a/:id(^\\d+$)/`. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (!part.startsWith(':')) return part.replace(/[.+]/g, '\\$&');
    return /\(\^(.*)\$\)$/.exec(part)?.[1] ?? '[^/]+';
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
}
