import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { preferredPageSize } from '../../api/page-size.ts';
import { type PageSize, stringifySearch } from '../../paths.ts';
import { useRecordAhead } from '../record/use-record-ahead.ts';
import type { Code } from '../screen/code.tsx';
import { useFirstGesture } from '../screen/use-first-gesture.ts';
import type { ListDefinition, Listed, ListSearch } from './list-definition.ts';
import { useDebouncedSearch } from './use-debounced-search.ts';
import { useListAddress } from './use-list-address.ts';
import { useShownRows } from './use-shown-rows.ts';
import { useSteadyRows } from './use-steady-rows.ts';

/**
 * The state of a list screen, derived from the URL: search, filters, page, rows and the open dialog. A changed filter
 * returns to page 1, and an open dialog stays open.
 *
 *     const screen = useListScreen(CLIENTS, route.useSearch());
 *     return <ListScreen screen={screen} … />;
 *
 * @param definition must be the same object in every render
 */
export function useListScreen<
  Row extends Listed,
  Search extends ListSearch,
  Fetched,
  Key extends QueryKey,
  Saved,
  SavedKey extends QueryKey,
>(definition: ListDefinition<Row, Search, Fetched, Key, Saved, SavedKey>, search: Search) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const createRef = useRef<HTMLButtonElement>(null);
  const { code = NO_CODE, filters = [] } = definition;
  // A failed prefetch is ignored: opening the dialog tries again and shows the failure.
  useFirstGesture(useCallback(() => void Promise.allSettled(code.map((piece) => piece.fetch())), [code]));
  useRecordAhead(definition.record);

  const list = useQuery({ ...definition.query(search), placeholderData: keepPreviousData });
  const address = useListAddress(definition, search);
  const { text, setText } = useDebouncedSearch(search.q ?? '', address.searchFor);

  const pageSize = search.page_size ?? preferredPageSize();
  const rows = useSteadyRows(useShownRows(list, search.page, address.turnTo));

  return {
    definition,
    ...address,
    text,
    setText,
    /**
     * Search and filters as one text. When it changes, the selection is cleared. It contains the search as typed, so
     * that rows selected while the search is still loading stay selected.
     */
    narrowing: stringifySearch({ q: text.trim(), ...pick(search, filters) }),
    /** Search, filters and order as one text, for a saved view. */
    view: stringifySearch(pick(search, ['q', ...filters, 'ordering'])).replace(/^\?/, ''),
    isNarrowed: search.q !== undefined || filters.some((name) => search[name] !== undefined),
    clear: () => {
      setText('');
      address.clear();
    },
    /** The page in the server's answer; undefined while the first page loads. */
    page: list.data,
    /** The rows of the page; undefined also while the URL is corrected. */
    rows,
    pageSize,
    resize: (size: PageSize) => void address.resize(size, pageSize),
    /** True while newer rows load. */
    busy: list.isPlaceholderData,
    /** The query, with the error if the list could not be loaded. */
    list,
    /** Gets the focus if there is no row to focus. */
    headingRef,
    /** The element of the primary button. */
    createRef,
  };
}

const NO_CODE: readonly Code[] = [];

const pick = <Search extends object>(search: Search, names: readonly (keyof Search)[]) =>
  Object.fromEntries(names.map((name) => [name, search[name]]));

/** The state that `ListScreen` renders. */
export type ListScreenState<Row extends Listed, Search extends ListSearch> = Omit<
  ReturnType<typeof useListScreen<Row, Search, unknown, QueryKey, unknown, QueryKey>>,
  'definition'
> & { definition: Omit<ListDefinition<Row, Search>, 'query' | 'record'> };
