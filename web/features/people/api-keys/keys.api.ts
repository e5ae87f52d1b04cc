import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ApiKey, apiKeyCreate } from '../../../../contract/people/api-keys.ts';
import { request } from '../../../api/http.ts';
import { KEYS } from '../../../api/query-keys.ts';
import { useSecretCall } from '../../../components/record/record-calls.ts';
import { apiOf } from '../../../record-kinds.ts';

/** A new key with its text. No other answer contains the text. */
export type NewApiKey = ApiKey & { key: string };
type KeyInput = z.input<typeof apiKeyCreate>;

/** All keys, including ended ones. */
export const keysQuery = queryOptions({
  queryKey: [KEYS.api_keys],
  queryFn: async ({ signal }) =>
    (await request<{ results: ApiKey[] }>('GET', apiOf('api_keys'), { signal })).results,
  staleTime: 0,
});

export const useCreateKey = () =>
  useSecretCall('api_keys', (body: KeyInput) => request<NewApiKey>('POST', apiOf('api_keys'), { body }));

/** Creates a key with the same permissions. The old key stays valid for 24 hours. */
export const useReplaceKey = () =>
  useSecretCall('api_keys', (id: number) => request<NewApiKey>('POST', `${apiOf('api_keys', id)}rotate/`));

export const useRevokeKey = () =>
  useSecretCall('api_keys', (id: number) => request<unknown>('DELETE', apiOf('api_keys', id)));
