import { queryOptions } from '@tanstack/react-query';
import type { Passkey } from '../../../contract/people/passkeys.ts';
import { request } from '../../api/http.ts';
import { accountQuery } from './account-query.ts';

/** The passkeys of the signed-in person (SIGN-01). Ask only where they are offered: elsewhere the call is 409. */
export const passkeysQuery = queryOptions({
  queryKey: [...accountQuery.queryKey, 'passkeys'],
  queryFn: ({ signal }) => request<{ results: Passkey[] }>('GET', '/api/auth/passkeys/', { signal }),
});
