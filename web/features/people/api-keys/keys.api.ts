import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ApiKey, apiKeyCreate } from '../../../../contract/people/api-keys.ts';
import { request } from '../../../api/http.ts';
import { KEYS } from '../../../api/query-keys.ts';

const KEYS_PATH = '/licenses/api/api-keys/';

/** A key with its text, which is never answered again. */
export type NewApiKey = ApiKey & { key: string };
export type KeyInput = z.input<typeof apiKeyCreate>;

/** All keys, ended ones too. */
export const keysQuery = queryOptions({
  queryKey: [KEYS.apiKeys],
  queryFn: async ({ signal }) => (await request<{ results: ApiKey[] }>('GET', KEYS_PATH, { signal })).results,
  staleTime: 0,
});

/** A call about keys, after which the list is read again. */
function useKeyCall<Input, Answer>(call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    // The text of a key stays in no cache.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
}

export const useCreateKey = () =>
  useKeyCall((body: KeyInput) => request<NewApiKey>('POST', KEYS_PATH, { body }));

/** Makes another key with the same permissions; the old one works another 24 hours. */
export const useReplaceKey = () =>
  useKeyCall((id: number) => request<NewApiKey>('POST', `${KEYS_PATH}${id}/rotate/`));

export const useRevokeKey = () =>
  useKeyCall((id: number) => request<unknown>('DELETE', `${KEYS_PATH}${id}/`));
