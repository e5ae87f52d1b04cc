import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError, notFound } from '../errors.ts';
import type { RouteFacts } from './access.ts';

/**
 * The hosts of this server if the portal has a separate one (PORTAL_URL, PORTAL-07). The portal's host serves nothing
 * for staff. Pages and staff calls answer only on the host of PUBLIC_URL: under any other name a browser would reach
 * the console from wherever the portal is reached. fastify uses X-Forwarded-Host only behind a trusted proxy.
 */

type Urls = Pick<Config, 'portalUrl' | 'publicUrl'>;

/** `none`: neither of the two; never without a separate host, because then every host is that of PUBLIC_URL. */
export type HostKind = 'public' | 'portal' | 'none';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/** Whether a Host header is exactly that of an address, in any case and with or without the scheme's default port. */
function isHostOf(address: string, host: string): boolean {
  const { host: own, port, protocol } = new URL(address);
  const asked = host.toLowerCase();
  return asked === own || (port === '' && asked === `${own}${DEFAULT_PORTS[protocol]}`);
}

/** The host to which a request came. */
export function hostKindOf({ portalUrl, publicUrl }: Urls, request: FastifyRequest): HostKind {
  if (portalUrl === null) return 'public';
  if (isHostOf(portalUrl, request.host)) return 'portal';
  if (!isHostOf(publicUrl, request.host)) return 'none';
  // A proxy that only passes headers on would let a caller of the portal's host claim the other one.
  return isHostOf(portalUrl, request.headers.host ?? '') ? 'none' : 'public';
}

/** Whether a request came to the portal's separate host. */
export const isOnPortalHost = (urls: Urls, request: FastifyRequest): boolean =>
  hostKindOf(urls, request) === 'portal';

/** Whether the host of a request is reached over https; then its cookies are only sent over https. */
export function isSecureHost(urls: Urls, request: FastifyRequest): boolean {
  const kind = hostKindOf(urls, request);
  if (kind === 'none') return isSecureEverywhere(urls);
  return isHttps(kind === 'portal' ? urls.portalUrl! : urls.publicUrl);
}

/** Whether every host is reached over https; for answers whose host is unknown. */
export const isSecureEverywhere = ({ portalUrl, publicUrl }: Urls): boolean =>
  isHttps(publicUrl) && (portalUrl === null || isHttps(portalUrl));

const isHttps = (address: string) => address.startsWith('https:');

/**
 * Whether a call answers under every name of the server: calls of installed programs and of pages of any origin, and
 * those that say so themselves. Their callers have stored an address long ago, or know only an IP address.
 */
export const isOnEveryHost = ({ anyOrigin, everyHost }: RouteFacts): boolean =>
  anyOrigin === true || everyHost === true;

/**
 * With a separate host of the portal: answers 404 there to every call that is not for clients, and 421 on hosts that
 * are neither this one nor that of PUBLIC_URL to everything but {@link isOnEveryHost}.
 * @param isApi whether a path belongs to the API; serve-pages.ts decides about pages
 * @param servesEverywhere whether a path has a method that answers on every host; its other methods say so there
 */
export function keepPortalHost(
  app: FastifyInstance,
  config: Urls,
  isApi: (url: string) => boolean,
  servesEverywhere: (path: string) => boolean,
): void {
  if (config.portalUrl === null) return;
  const refusalOf = (request: FastifyRequest): AppError | undefined => {
    const kind = hostKindOf(config, request);
    if (kind === 'public') return undefined;
    const isRoute = !request.is404;
    const facts = request.routeOptions.config ?? {};
    if (kind === 'portal')
      return (isRoute || isApi(request.url)) && facts.onPortalHost !== true ? notFound() : undefined;
    const isOpen = isRoute ? isOnEveryHost(facts) : servesEverywhere(request.url.split('?', 1)[0]!);
    // Pages are answered in serve-pages.ts, because a person reads the refusal.
    const isPage = !isRoute && !isApi(request.url);
    return isOpen || isPage ? undefined : new AppError(421, 'misdirected');
  };
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)));
}
