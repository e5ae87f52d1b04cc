import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { AppError } from '../errors.ts';
import { anyone, NOTHING } from './access.ts';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Watches the routes as they are declared, and afterwards makes every path answer 405 to the methods that it
 * does not know, with the ones that it does.
 * @returns call it once, when all routes are there
 */
export function collectMethods(app: FastifyInstance, isCounted: (url: string) => boolean): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!isCounted(route.url)) return;
    const methods = methodsByUrl.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method);
    methodsByUrl.set(route.url, methods);
  });
  return () => {
    for (const [url, methods] of [...methodsByUrl]) {
      const allowed = [...methods].sort().join(', ');
      app.route({
        url,
        method: METHODS.filter((method) => !methods.has(String(method))),
        config: anyone({ writes: NOTHING }),
        schema: { hide: true },
        handler: () => {
          throw new AppError(405, 'method_not_allowed', { headers: { allow: allowed } });
        },
      });
    }
  };
}
