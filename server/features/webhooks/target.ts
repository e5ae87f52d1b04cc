import type { LookupAddress } from 'node:dns';
import type { AppContext } from '../../context.ts';
import { addressesOfHost, isLoopbackAddress, isPublicAddress } from '../../lib/network-address.ts';

/** The settings that decide which addresses a webhook may call. */
export type Reach = {
  lookUp: AppContext['lookUp'];
  config: Pick<AppContext['config'], 'demo' | 'webhooksAllowPrivate'>;
};

/** The host of a URL, without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * The addresses of a URL's host.
 * @throws the resolver's error for an unknown name
 */
export const addressesOf = ({ lookUp }: Pick<Reach, 'lookUp'>, url: URL): Promise<LookupAddress[]> =>
  addressesOfHost(lookUp, hostOf(url));

/**
 * Whether messages may be sent to these addresses; a name may lead to others at any time, so this is checked for each
 * message (HOOK-03). With https only the public network is allowed, unless WEBHOOKS_ALLOW_PRIVATE is set. With http
 * only this machine is allowed, and only in demo mode.
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
