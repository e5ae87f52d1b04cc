import { isIP, isIPv4 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/** The address of a caller: how it is read from the headers of proxies, and which addresses count as one caller. */

/**
 * The address in an entry of X-Forwarded-For, without its port: '1.2.3.4:5678' (Azure), '[2001:db8::1]:80'. Null if
 * it is not an address.
 */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  const bare =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (/^([\d.]+):\d{1,5}$/.exec(text)?.[1] || text);
  return isIP(bare) === 0 ? null : bare;
}

/**
 * Cleans X-Forwarded-For. It is read from the nearest proxy on, up to the first entry that is not an address. That
 * entry is replaced by the socket's address, and earlier entries are dropped, because anybody could have written
 * them.
 */
export function cleanForwardedFor(header: string, socketAddress: string): string {
  const read: string[] = [];
  for (const entry of header.split(',').reverse()) {
    const address = addressIn(entry);
    read.unshift(address ?? socketAddress);
    if (address === null) break;
  }
  return read.join(', ');
}

/**
 * Makes sure that `request.ip` is an address if proxies are trusted; without trusted proxies it is the socket's
 * address anyway.
 */
export function readForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const header = headers['x-forwarded-for'];
    if (header !== undefined)
      headers['x-forwarded-for'] = cleanForwardedFor(
        String(header),
        request.raw.socket.remoteAddress ?? '127.0.0.1',
      );
    done();
  });
}

/**
 * The keys of a caller for limits, narrow before wide: an IPv4 address, or the /64 and the /48 of an IPv6 address. One
 * connection gets a whole /64, and whoever asks a provider gets a /48, which has 65,536 of them.
 */
export function callersOf(address: string | null): [string, ...string[]] {
  if (address === null || isIP(address) === 0) return ['unknown'];
  // Node accepts only one form of an IPv4 address, so there is nothing to parse.
  if (isIPv4(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  const parts = (parsed as ipaddr.IPv6).parts.map((part) => part.toString(16));
  return [`${parts.slice(0, 4).join(':')}::/64`, `${parts.slice(0, 3).join(':')}::/48`];
}

/** The narrowest key of a caller, for what is remembered about it. */
export const callerOf = (address: string | null): string => callersOf(address)[0];

/** The widest key of a caller, for limits that a caller with many addresses must not multiply. */
export const networkOf = (address: string | null): string => callersOf(address).at(-1)!;
