import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The addresses that a webhook (HOOK-03) and the vendor's mail server (DESK-07) may have. Only hosts in the public network are allowed. Refused are IANA's
 * special-purpose ranges (RFC 6890, as in ipaddr.js), and in IPv6 everything except global unicast.
 */

const GLOBAL_6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** In a NAT64 address (RFC 6052) the last 32 bits are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Azure's metadata service has a public address. */
const AZURE_METADATA = '168.63.129.16';

/** @returns the address; for a mapped or translated one, the IPv4 address in it; null if the text is not an address */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // ipaddr.js also accepts forms such as '0x7f.1', which a resolver never returns.
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

/** Whether an address leads only to this machine. */
export const isLoopbackAddress = (address: string): boolean => parse(address)?.range() === 'loopback';

/** All addresses of a host name, from the system's resolver; for an address, that address. */
export const lookUpName = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true });

/** The addresses of a host: an address itself, or those of its name. Throws the resolver's error for an unknown name. */
export async function addressesOfHost(
  lookUp: (name: string) => Promise<LookupAddress[]>,
  host: string,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  return family === 0 ? lookUp(host) : [{ address: host, family }];
}

/** A look-up that always returns the checked addresses, even if the name now leads elsewhere. */
export const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_name, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first!.address, first!.family);
  };
