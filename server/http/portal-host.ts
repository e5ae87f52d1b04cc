import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { notFound } from '../errors.ts';

/**
 * The portal's separate host (PORTAL_URL) serves nothing for staff (PORTAL-07). It is recognized by the request's
 * host; fastify uses X-Forwarded-Host only behind a trusted proxy.
 */

type Urls = Pick<Config, 'portalUrl' | 'publicUrl'>;

/** Whether a request came to the portal's separate host. */
export function isOnPortalHost({ portalUrl }: Pick<Config, 'portalUrl'>, request: FastifyRequest): boolean {
  if (portalUrl === null) return false;
  const own = new URL(portalUrl);
  const asked = `${own.protocol}//${request.host}`;
  return URL.canParse(asked) && new URL(asked).host === own.host;
}

/** Whether the host of a request is reached over https; then its cookies are only sent over https. */
export const isSecureHost = (urls: Urls, request: FastifyRequest): boolean =>
  (isOnPortalHost(urls, request) ? urls.portalUrl! : urls.publicUrl).startsWith('https:');

/**
 * On the portal's separate host, answers 404 to every call that is not for clients.
 * @param isApi whether a path belongs to the API; serve-pages.ts decides about pages
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
