import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { MergedClient, MergePreview } from '../../../contract/clients/merge.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { KEYS } from '../../api/query-keys.ts';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { apiOf } from '../../record-kinds.ts';

/** What a merge of `from` into `id` would do. */
export const mergePreviewQuery = (id: number, from: number) =>
  queryOptions({
    queryKey: [KEYS.clients, 'merge', id, from],
    queryFn: ({ signal }) =>
      request<MergePreview>('POST', `${apiOf('clients', id)}merge/preview/`, { body: { from }, signal }),
    staleTime: 0,
  });

/** Merges `from` into a client, as it was read. */
export function useMergeClients() {
  const once = useIdempotentAttempt();
  return useMutation({
    mutationFn: ({ into, from }: { into: ClientDetails; from: number }) =>
      once((headers) =>
        request<MergedClient>('POST', `${apiOf('clients', into.id)}merge/`, {
          body: { from },
          headers: { ...headers, 'If-Match': `"${into.updated_at}"` },
        }),
      ),
  });
}

/** Reads two clients anew, and what their merge would do, after a merge that failed: one of them may have changed. */
export function useRereadBoth() {
  const queryClient = useQueryClient();
  return (ids: readonly number[]) =>
    Promise.all([
      ...ids.map((id) => queryClient.invalidateQueries({ queryKey: clientQuery(id).queryKey })),
      queryClient.invalidateQueries({ queryKey: [KEYS.clients, 'merge'] }),
    ]);
}

/** Refetches everything that shows one of two merged clients, but nothing about the one that ended. */
export function useRefreshAfterMerge() {
  const queryClient = useQueryClient();
  return async (from: number) => {
    queryClient.removeQueries({ queryKey: clientQuery(from).queryKey });
    await queryClient.invalidateQueries();
  };
}
