import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SigningKeyList } from '../../../contract/programs/license-token.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

const SIGNING_KEYS_PATH = '/licenses/api/signing-keys/';

/** The keys that sign answers: the current one, the next, and the retired ones that are kept. */
export const signingKeysQuery = queryOptions({
  queryKey: [KEYS.signingKeys],
  queryFn: async ({ signal }) =>
    (await request<SigningKeyList>('GET', SIGNING_KEYS_PATH, { signal })).results,
  staleTime: 0,
});

/** Replaces the key that signs; one that no longer signs is left alone, so that a repeated press rotates once. */
export function useRotateSigningKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (current: string) =>
      request<SigningKeyList>('POST', `${SIGNING_KEYS_PATH}rotate/`, { body: { current } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: signingKeysQuery.queryKey }),
  });
}
