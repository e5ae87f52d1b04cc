import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Who calls, by address: what proxies say of it, and what counts as one caller. */

/** An entry of X-Forwarded-For without its port: '1.2.3.4:5678' of Azure, '[2001:db8::1]:80'. Null for no address. */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  const bare =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (/^([\d.]+):\d{1,5}$/.exec(text)?.[1] || text);
  return isIP(bare) === 0 ? null : bare;
}

/**
 * The header as it is read: from the nearest proxy on, up to the first entry that is no address. Its place is the
 * socket's, and whatever stands before it could be anybody's word.
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

/** Makes `request.ip` an address always, where proxies are trusted; elsewhere it is the socket's anyway. */
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
 * What limits count as one caller: an IPv4 address, or the /64 of an IPv6 one, because that is what a single line is
 * given, with 2^64 addresses to choose from.
 */
export function callerOf(address: string | null): string {
  if (address === null || isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
