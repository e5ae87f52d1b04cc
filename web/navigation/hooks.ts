import {
  type UseNavigateResult,
  useParams,
  useRouter,
  useSearch as useSearchOfRoute,
} from '@tanstack/react-router';
import { useCallback } from 'react';
import type { RawSearch } from '../paths.ts';
import { readId } from '../search-fields.ts';

/** The hooks with which screens use the router. Their types follow from the routes registered in web/router.tsx. */

export type Navigate = UseNavigateResult<string>;

/** A function that opens an address. If the history entry is replaced, the scroll position stays. */
export function useNavigate(): Navigate {
  const { navigate } = useRouter();
  return useCallback<Navigate>((target) => navigate({ resetScroll: !target.replace, ...target }), [navigate]);
}

/**
 * The search parameters of the address.
 * @param _read the reader of the screen's route; it only gives the type, because the route has already parsed the
 * parameters
 */
export function useSearch<Search>(_read: (raw: RawSearch) => Search): Search {
  const search: unknown = useSearchOfRoute({ strict: false });
  return search as Search;
}

/** A named parameter of the path, such as the id of a record. */
export const useParam = (name: 'id' | 'kind'): string | undefined => useParams({ strict: false })[name];

/** The id of the record whose page the address is; 0, which no record has, for an address without one. */
export const useRecordId = (): number => readId(useParam('id')) ?? 0;
