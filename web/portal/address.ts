import { PORTAL_PATH } from '../../contract/portal/portal-words.ts';
import { makeStore } from './store.ts';

/**
 * The page that the address shows. The portal has one path; the query selects the page, and the browser's Back works.
 */
export type Place =
  | { name: 'licenses' }
  | { name: 'license'; id: number }
  | { name: 'certificate'; id: number }
  | { name: 'me' };

const LICENSE = 'licencia';
const CERTIFICATE = 'constancia';
const ME = 'datos';

/** Parses the page in a query; an unknown one is the list. */
export function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  const numbered = (name: string) =>
    /^[1-9]\d{0,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null;
  const license = numbered(LICENSE);
  if (license !== null) return { name: 'license', id: license };
  const certificate = numbered(CERTIFICATE);
  if (certificate !== null) return { name: 'certificate', id: certificate };
  return query.has(ME) ? { name: 'me' } : { name: 'licenses' };
}

/** The address of a page, for a link. */
export function addressOf(place: Place): string {
  if (place.name === 'license') return `${PORTAL_PATH}?${LICENSE}=${place.id}`;
  if (place.name === 'certificate') return `${PORTAL_PATH}?${CERTIFICATE}=${place.id}`;
  return place.name === 'me' ? `${PORTAL_PATH}?${ME}` : PORTAL_PATH;
}

export const place = makeStore<Place>(placeOf(globalThis.location?.search ?? ''));

/** Opens a page, like a link. */
export function go(to: Place): void {
  history.pushState(null, '', addressOf(to));
  place.set(to);
  window.scrollTo(0, 0);
}

/** Follows the browser's Back and Forward. Call it once. */
export function followHistory(): void {
  window.addEventListener('popstate', () => place.set(placeOf(location.search)));
}
