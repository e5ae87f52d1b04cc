import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  Client,
  ClientDetails,
  ClientStatus,
  ClientType,
  ClientValues,
} from '../../../contract/clients.ts';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import { request } from '../../api/http.ts';
import { normalizeList } from '../../api/list-page.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import type { ClientsSearch } from '../../paths.ts';

export const CLIENTS_PATH = '/licenses/api/clients/';
const pathOf = (id: number) => `${CLIENTS_PATH}${id}/`;

/** What narrows the list, as the address says it; shared by the list and its export. */
export interface ClientNarrowing {
  search: string | undefined;
  status: ClientStatus | undefined;
  type: ClientType | undefined;
}

/** One page of the clients that match; the rows before stay while the next are on their way (SEED-2.6-18, D044, D058). */
const clientsQuery = (narrowing: ClientNarrowing, { page, pageSize }: { page: number; pageSize: number }) =>
  queryOptions({
    queryKey: [KEYS.clients, 'list', narrowing, page, pageSize],
    queryFn: async ({ signal }) =>
      normalizeList<Client>(
        await request<unknown>('GET', CLIENTS_PATH, {
          query: { page, page_size: pageSize, ...narrowing },
          signal,
        }),
        { page, pageSize },
      ),
    placeholderData: keepPreviousData,
  });

export const narrowingOf = ({ q, status, type }: ClientsSearch): ClientNarrowing => ({
  search: q,
  status,
  type,
});

/** The page of the list that an address asks for. */
export const clientsAt = (search: ClientsSearch) =>
  clientsQuery(narrowingOf(search), {
    page: search.page ?? 1,
    pageSize: search.page_size ?? DEFAULT_PAGE_SIZE,
  });

/** One client with its licences and installations. What is known shows at once; opening it always asks anew. */
export const clientQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.clients, 'one', id],
    queryFn: ({ signal }) => request<ClientDetails>('GET', pathOf(id), { signal }),
    staleTime: 0,
  });

/** Creates (`id` null) or updates a client, then refreshes what shows it. */
export function useSaveClient(id: number | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, headers, updatedAt }: SaveContext & { values: ClientValues }) =>
      id === null
        ? request<ClientDetails>('POST', CLIENTS_PATH, { body: values, headers })
        : request<ClientDetails>('PUT', pathOf(id), { body: { ...values, updated_at: updatedAt }, headers }),
    onSuccess: () => refreshAfterChange(queryClient, 'clients'),
  });
}

/** Deletes a client, then refreshes what showed it. A client with licences is refused with 409 (D013). */
export function useDeleteClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<unknown>('DELETE', pathOf(id)),
    onSuccess: async (_answer, id) => {
      queryClient.removeQueries({ queryKey: clientQuery(id).queryKey });
      await refreshAfterChange(queryClient, 'clients');
    },
  });
}

/** Takes a machine off its licence; the seat is free for another one. */
export function useReleaseSeat() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (installationId: number) =>
      request<unknown>('DELETE', `/licenses/api/installations/${installationId}/`),
    onSuccess: () => refreshAfterChange(queryClient, 'licenses'),
  });
}
