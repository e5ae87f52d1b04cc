import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../../contract/clients/clients.ts';
import { request } from '../../api/http.ts';
import { pageQuery } from '../../api/list-query.ts';
import { apiOf } from '../../record-kinds.ts';
import type { ClientsSearch } from './clients-search.ts';

/** The filters by their API names, for the list and its export. */
export const narrowingOf = ({ q, status, type, country, tag, import: imported }: ClientsSearch) => ({
  search: q,
  status,
  type,
  country,
  tag: tag?.split(';'),
  import: imported,
});

/** The query of the list page at a URL (SEED-2.6-18). */
export const clientsAt = (search: ClientsSearch) =>
  pageQuery<Client>({ kind: 'clients', filters: narrowingOf(search) }, search);

/** The path of the file with all stored data of a client. */
export const dataPathOf = (id: number) => `${apiOf('clients', id)}data/`;

/**
 * Erases a client's personal data, then refetches everything that shows them, including licences, mails and events.
 */
export function useEraseClient() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      request<unknown>('POST', `${apiOf('clients', id)}erase/`, { body: { reason } }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}
