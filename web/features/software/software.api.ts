import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Software, SoftwareValues } from '../../../contract/licenses/software.ts';
import { request } from '../../api/http.ts';
import { wholeListQuery } from '../../api/list-query.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import type { SoftwareSearch } from './software-search.ts';

export const SOFTWARE_PATH = '/licenses/api/software/';
const pathOf = (id: number) => `${SOFTWARE_PATH}${id}/`;

/** The filters by their names on the wire; shared by the grid and its export. */
export const narrowingOf = ({ q, active, import: imported }: SoftwareSearch) => ({
  search: q,
  is_active: active,
  import: imported,
});

/** The grid of a URL: all matching software, since this screen has no pages (D054). */
export const softwareAt = (search: SoftwareSearch) =>
  wholeListQuery<Software>({
    key: KEYS.software,
    path: SOFTWARE_PATH,
    filters: narrowingOf(search),
  });

/** One software. Cached data shows at once; opening it always refetches. */
export const softwareItemQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.software, 'one', id],
    queryFn: ({ signal }) => request<Software>('GET', pathOf(id), { signal }),
    staleTime: 0,
  });

/** Registers (`id` null) or updates a software, then refetches the queries that show it. */
export function useSaveSoftware(id: number | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, headers, updatedAt }: SaveContext & { values: SoftwareValues }) =>
      id === null
        ? request<Software>('POST', SOFTWARE_PATH, { body: values, headers })
        : request<Software>('PUT', pathOf(id), { body: { ...values, updated_at: updatedAt }, headers }),
    onSuccess: () => refreshAfterChange(queryClient, 'software'),
  });
}

/** Deletes a software, then refetches the queries that show it. One with licences is refused with 409 (D013). */
export function useDeleteSoftware() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<unknown>('DELETE', pathOf(id)),
    onSuccess: async (_answer, id) => {
      queryClient.removeQueries({ queryKey: softwareItemQuery(id).queryKey });
      await refreshAfterChange(queryClient, 'software');
    },
  });
}
