import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { AppContext } from '../../context.ts';
import { isLoopbackAddress, isPublicAddress } from '../../lib/network-address.ts';

/** What decides where a webhook may lead. */
export type Reach = {
  lookUp: AppContext['lookUp'];
  config: Pick<AppContext['config'], 'demo' | 'webhooksAllowPrivate'>;
};

/** The name or address of a URL, without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** The addresses of a URL's host. @throws the resolver's error for an unknown name */
export async function addressesOf({ lookUp }: Pick<Reach, 'lookUp'>, url: URL): Promise<LookupAddress[]> {
  const host = hostOf(url);
  const family = isIP(host);
  return family === 0 ? lookUp(host) : [{ address: host, family }];
}

/**
 * Whether messages may go to these addresses, which a name may change at any time (HOOK-03): over https to the public
 * network alone, unless WEBHOOKS_ALLOW_PRIVATE says otherwise; over http to this machine alone, and in demo mode alone.
 */
export function mayReach(
  { config }: Pick<Reach, 'config'>,
  url: URL,
  addresses: readonly LookupAddress[],
): boolean {
  const isLocal = config.demo && addresses.every(({ address }) => isLoopbackAddress(address));
  if (isLocal || url.protocol === 'http:') return isLocal;
  return config.webhooksAllowPrivate || addresses.every(({ address }) => isPublicAddress(address));
}
