import type { ComponentType } from 'react';
import { ID_PATTERN, type RawSearch } from '../paths.ts';
import type { Address, AnySearch } from './addresses.ts';

/** A component of a route; its code may be fetched ahead. */
export type RouteComponent = ComponentType & { preload?: () => Promise<unknown> };

/** What else is known of a route; web/router.tsx says what. */
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface RouteNotes {}

/** An address of the console, and what stands there. */
export interface Route {
  /** '/clients/$id': `$id` stands for the digits of an id (D037), another name for one part of the path. */
  path: string;
  /** From the outermost to the innermost, each with a key: the same key at the next address keeps the component. */
  components: readonly (readonly [key: string, component: RouteComponent])[];
  /** Reads its search parameters. */
  search?: ((raw: RawSearch) => object) | undefined;
  notes: RouteNotes;
}

/** A route, and the named parts of an address. */
export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Makes the function that finds the route of a path; undefined when there is none. */
export function matcher(routes: readonly Route[]): (path: string) => Match | undefined {
  const patterns = routes.map((route) => {
    const names = [...route.path.matchAll(/\$(\w+)/g)].map(([, name]) => name!);
    const text = route.path.replace(/\/$/, '').replace(/\$\w+/g, '([^/]+)');
    return { route, names, pattern: new RegExp(`^${text}/?$`) };
  });
  return (path) => {
    for (const { route, names, pattern } of patterns) {
      const found = pattern.exec(path);
      if (found === null) continue;
      const params = Object.fromEntries(names.map((name, at) => [name, decoded(found[at + 1]!)]));
      if (params.id === undefined || ID_PATTERN.test(params.id)) return { route, params };
    }
    return undefined;
  };
}

/** A part that cannot be decoded stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The search parameters as their route reads them: an invalid one is dropped, one that it does not know stays. */
export const readSearch = (match: Match | undefined, { search }: Address): AnySearch => ({
  ...search,
  ...match?.route.search?.(search),
});
