import {
  type UseNavigateResult,
  useParams,
  useRouter,
  useSearch as useSearchOfRoute,
} from '@tanstack/react-router';
import { useCallback } from 'react';
import type { RawSearch } from '../paths.ts';

/** What screens use of the router. Its types follow from the routes, which web/router.tsx registers. */

export type Navigate = UseNavigateResult<string>;

/** The function that opens an address. A replaced address keeps the scroll position. */
export function useNavigate(): Navigate {
  const { navigate } = useRouter();
  return useCallback<Navigate>((target) => navigate({ resetScroll: !target.replace, ...target }), [navigate]);
}

/**
 * The search parameters of the address.
 * @param _read the reader that the route of the screen names: it has read them already
 */
export function useSearch<Search>(_read: (raw: RawSearch) => Search): Search {
  const search: unknown = useSearchOfRoute({ strict: false });
  return search as Search;
}

/** The named part of the address, such as the id of a record. */
export const useParam = (name: 'id' | 'kind'): string | undefined => useParams({ strict: false })[name];
