import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SigningKeyList } from '../../../contract/programs/license-token.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

const SIGNING_KEYS_PATH = '/licenses/api/signing-keys/';

/** The signing keys: the current one, the next one, and retired ones that are not deleted yet. */
export const signingKeysQuery = queryOptions({
  queryKey: [KEYS.signingKeys],
  queryFn: async ({ signal }) =>
    (await request<SigningKeyList>('GET', SIGNING_KEYS_PATH, { signal })).results,
  staleTime: 0,
});

/**
 * Replaces the current signing key. It sends the kid of the key to replace, so that a repeated click rotates only
 * once.
 */
export function useRotateSigningKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (current: string) =>
      request<SigningKeyList>('POST', `${SIGNING_KEYS_PATH}rotate/`, { body: { current } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: signingKeysQuery.queryKey }),
  });
}
