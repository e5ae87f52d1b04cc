import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, ClientDetails, ClientValues } from '../../../contract/clients/clients.ts';
import { request } from '../../api/http.ts';
import { pageQuery } from '../../api/list-query.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import type { ClientsSearch } from './clients-search.ts';

export const CLIENTS_PATH = '/licenses/api/clients/';
const pathOf = (id: number) => `${CLIENTS_PATH}${id}/`;

/** The filters by their names on the wire; shared by the list and its export. */
export const narrowingOf = ({ q, status, type, country, import: imported }: ClientsSearch) => ({
  search: q,
  status,
  type,
  country,
  import: imported,
});

/** The list page of a URL (SEED-2.6-18). */
export const clientsAt = (search: ClientsSearch) =>
  pageQuery<Client>({ key: KEYS.clients, path: CLIENTS_PATH, filters: narrowingOf(search) }, search);

/** Creates (`id` null) or updates a client, then refetches the queries that show it. */
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

/** Deletes a client, then refetches the queries that show it. A client with licences is refused with 409 (D013). */
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

/** The file with all that is stored about a client. */
export const dataPathOf = (id: number) => `${pathOf(id)}data/`;

/** Erases a client's personal data, then refetches what shows them: its licences, mails and events too. */
export function useEraseClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      request<unknown>('POST', `${pathOf(id)}erase/`, { body: { reason } }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

/** Removes an installation from its licence; its seat is free for another machine. */
