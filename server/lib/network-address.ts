import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Which addresses a webhook may lead to (HOOK-03). Everything is refused that does not lead to another host in the
 * public network: the special-purpose ranges of IANA (RFC 6890), and of IPv6 all but global unicast.
 */

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);

const NOT_PUBLIC_4 = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  // Shared by a provider's customers (RFC 6598); metadata of Alibaba Cloud is in it.
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Link-local; the metadata of most clouds is 169.254.169.254.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  // AS112 answers for private names (RFC 7534, RFC 7535); AMT relays (RFC 7450).
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The metadata of Azure has a public address.
  '168.63.129.16/32',
]);

const GLOBAL_6 = listOf(['2000::/3']);
const NOT_PUBLIC_6 = listOf([
  // Teredo and others of the IETF, documentation, 6to4
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  // AS112 (RFC 7534); 2001:4:112::/48 is in the first range.
  '2620:4f:8000::/48',
]);

/** Prefixes of 96 bits whose last 32 are an IPv4 address: mapped addresses, and NAT64 (RFC 6052). */
const WITH_IPV4 = listOf(['::ffff:0:0/96', '64:ff9b::/96']);

function listOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The eight groups of an IPv6 address as the URL parser writes it; the parser knows every other form. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = written.split('::');
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function embedded4(address: string): string {
  const [high = 0, low = 0] = groupsOf(address).slice(-2);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** @returns the IPv4 address that an IPv6 address stands for, or the address itself */
function plain(address: string): string {
  const [unscoped = ''] = address.split('%');
  return isIPv6(unscoped) && WITH_IPV4.check(unscoped, 'ipv6') ? embedded4(unscoped) : unscoped;
}

/** Whether an address belongs to a host in the public network. */
export function isPublicAddress(address: string): boolean {
  const known = plain(address);
  if (isIPv4(known)) return !NOT_PUBLIC_4.check(known, 'ipv4');
  return isIPv6(known) && GLOBAL_6.check(known, 'ipv6') && !NOT_PUBLIC_6.check(known, 'ipv6');
}

/** Whether an address is that of this machine alone. */
export function isLoopbackAddress(address: string): boolean {
  const known = plain(address);
  return LOOPBACK.check(known, isIPv4(known) ? 'ipv4' : 'ipv6');
}

/** All addresses of a host name, as the system resolves it; an address is its own. */
export const lookUpName = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true });
