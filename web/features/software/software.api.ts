import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Software, SoftwareValues } from '../../../contract/software.ts';
import { request } from '../../api/http.ts';
import { allRows } from '../../api/list-page.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import type { SoftwareSearch } from '../../paths.ts';

export const SOFTWARE_PATH = '/licenses/api/software/';
const pathOf = (id: number) => `${SOFTWARE_PATH}${id}/`;

/** What narrows the grid, as the address says it; shared by the grid and its export. */
export interface SoftwareNarrowing {
  search: string | undefined;
  is_active: 'true' | 'false' | undefined;
}

/** All software that matches: this screen has no pages (D054). The cards before stay while the next are on their way. */
const softwareQuery = (narrowing: SoftwareNarrowing) =>
  queryOptions({
    queryKey: [KEYS.software, 'list', narrowing],
    queryFn: async ({ signal }) =>
      allRows<Software>(await request<unknown>('GET', SOFTWARE_PATH, { query: { ...narrowing }, signal })),
    placeholderData: keepPreviousData,
  });

export const narrowingOf = ({ q, active }: SoftwareSearch): SoftwareNarrowing => ({
  search: q,
  is_active: active,
});

/** The grid that an address asks for. */
export const softwareAt = (search: SoftwareSearch) => softwareQuery(narrowingOf(search));

/** One software. What is known shows at once; opening it always asks anew. */
export const softwareItemQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.software, 'one', id],
    queryFn: ({ signal }) => request<Software>('GET', pathOf(id), { signal }),
    staleTime: 0,
  });

/** Registers (`id` null) or updates a software, then refreshes what shows it. */
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

/** Deletes a software, then refreshes what showed it. One with licences is refused with 409 (D013). */
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
