import { isIP } from 'node:net';
import { isLoopbackAddress } from './network-address.ts';

/** Settings that say from where a server is reached, and where its data are. */
type Reach = {
  HOST: string;
  PUBLIC_URL?: string | undefined;
  PORTAL_URL?: string | undefined;
  DATABASE_URL?: string | undefined;
  TRUST_PROXY?: string | undefined;
};

/** Whether a name or an address leads to this machine alone. A name is believed only where it is `localhost`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return isIP(name) === 0 ? name.toLowerCase() === 'localhost' : isLoopbackAddress(name);
}

/** The host of PostgreSQL, as its driver finds it: the last parameter, then the name, then PGHOST, then this machine. */
function databaseHost(address: string, fallback: string | undefined): string {
  const { hostname, searchParams } = new URL(address);
  return searchParams.getAll('host').at(-1) || decodeURIComponent(hostname) || (fallback ?? 'localhost');
}

/** A path is the socket of a PostgreSQL on this machine. */
const isDatabaseHere = (host: string) => host.startsWith('/') || isLoopbackHost(host);

/**
 * The settings by which a server is not of this machine alone: others reach it, or its data are elsewhere (D140). A
 * proxy in front exists to let others in.
 * @param fallback PGHOST, which PostgreSQL's driver takes where the address names no host
 * @returns their names; none for a server on loopback with its database on this machine
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
