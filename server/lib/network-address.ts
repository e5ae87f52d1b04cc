import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Which addresses a webhook may lead to (HOOK-03). Everything is refused that does not lead to another host in the
 * public network: the special-purpose ranges of IANA (RFC 6890), which ipaddr.js knows, and of IPv6 all but global
 * unicast.
 */

const GLOBAL_6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64 (RFC 6052): the last 32 bits are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** The metadata of Azure has a public address. */
const AZURE_METADATA = '168.63.129.16';

/** @returns the address, of a mapped or translated one the IPv4 address that it stands for; null for no address */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // ipaddr.js also reads '0x7f.1'; the resolver writes no such form.
  if (isIP(address) === 0) return null;
  const parsed = ipaddr.process(address);
  const isTranslated = parsed.kind() === 'ipv6' && parsed.match(NAT64);
  return isTranslated ? ipaddr.fromByteArray(parsed.toByteArray().slice(-4)) : parsed;
}

/** Whether an address belongs to a host in the public network. */
export function isPublicAddress(address: string): boolean {
  const known = parse(address);
  if (known?.range() !== 'unicast') return false;
  return known.kind() === 'ipv4' ? known.toString() !== AZURE_METADATA : known.match(GLOBAL_6);
}

/** Whether an address is that of this machine alone. */
export const isLoopbackAddress = (address: string): boolean => parse(address)?.range() === 'loopback';

/** All addresses of a host name, as the system resolves it; an address is its own. */
export const lookUpName = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true });
