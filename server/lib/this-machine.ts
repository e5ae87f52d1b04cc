import { isIP } from 'node:net';
import { isLoopbackAddress } from './network-address.ts';

/** The settings that determine from where a server is reached, and where its data are. */
type Reach = {
  HOST: string;
  PUBLIC_URL?: string | undefined;
  PORTAL_URL?: string | undefined;
  DATABASE_URL?: string | undefined;
  TRUST_PROXY?: string | undefined;
};

/** Whether a host leads only to this machine. Of all names only `localhost` is accepted. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return isIP(name) === 0 ? name.toLowerCase() === 'localhost' : isLoopbackAddress(name);
}

/**
 * The host of PostgreSQL, in the order that its driver uses: the last `host` parameter, the address's host, PGHOST,
 * this machine.
 */
function databaseHost(address: string, fallback: string | undefined): string {
  const { hostname, searchParams } = new URL(address);
  return searchParams.getAll('host').at(-1) || decodeURIComponent(hostname) || (fallback ?? 'localhost');
}

/** A path is the socket of a PostgreSQL server on this machine. */
const isDatabaseHere = (host: string) => host.startsWith('/') || isLoopbackHost(host);

/**
 * The settings because of which a server is not only for this machine: others can reach it, or its data are elsewhere
 * (D140). A trusted proxy counts too, because it serves others.
 * @param fallback PGHOST, which PostgreSQL's driver uses if the address contains no host
 * @returns the names of these settings; none for a server on loopback with its database on this machine
 */
export function reachedBy(
  { HOST, PUBLIC_URL, PORTAL_URL, DATABASE_URL, TRUST_PROXY }: Reach,
  fallback?: string,
): (keyof Reach)[] {
  const isElsewhere = (url: string | undefined) =>
    url !== undefined && !isLoopbackHost(new URL(url).hostname);
  const found: [keyof Reach, boolean][] = [
    ['HOST', !isLoopbackHost(HOST)],
    ['PUBLIC_URL', isElsewhere(PUBLIC_URL)],
    ['PORTAL_URL', isElsewhere(PORTAL_URL)],
    ['TRUST_PROXY', TRUST_PROXY !== undefined && TRUST_PROXY !== '0' && TRUST_PROXY !== 'false'],
    ['DATABASE_URL', DATABASE_URL !== undefined && !isDatabaseHere(databaseHost(DATABASE_URL, fallback))],
  ];
  return found.filter(([, isOutside]) => isOutside).map(([name]) => name);
}
