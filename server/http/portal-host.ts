import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { notFound } from '../errors.ts';

/**
 * A host of the portal's own (PORTAL_URL): nothing of staff answers there (PORTAL-07). The host is the request's;
 * X-Forwarded-Host counts only behind a trusted proxy, which fastify decides.
 */

type Urls = Pick<Config, 'portalUrl' | 'publicUrl'>;

/** Whether a request came to the portal's own host. */
export function isOnPortalHost({ portalUrl }: Pick<Config, 'portalUrl'>, request: FastifyRequest): boolean {
  if (portalUrl === null) return false;
  const own = new URL(portalUrl);
  const asked = `${own.protocol}//${request.host}`;
  return URL.canParse(asked) && new URL(asked).host === own.host;
}

/** Whether the host of a request is reached over https, so that its cookies never leave another way. */
export const isSecureHost = (urls: Urls, request: FastifyRequest): boolean =>
  (isOnPortalHost(urls, request) ? urls.portalUrl! : urls.publicUrl).startsWith('https:');

/**
 * Answers every call that is not for clients as if it were not there, on the portal's own host.
 * @param isApi whether a path belongs to the API; pages are decided over where they are served
 */
export function keepPortalHost(
  app: FastifyInstance,
  config: Pick<Config, 'portalUrl'>,
  isApi: (url: string) => boolean,
): void {
  if (config.portalUrl === null) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const isRoute = !request.is404 || isApi(request.url);
    const isHidden =
      isRoute && request.routeOptions.config?.onPortalHost !== true && isOnPortalHost(config, request);
    done(isHidden ? notFound() : undefined);
  });
}
