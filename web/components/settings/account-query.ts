import { queryOptions } from '@tanstack/react-query';
import type { CurrentUser } from '../../../contract/people/current-user.ts';
import { request } from '../../api/http.ts';

/** The signed-in person's account and rights. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request<CurrentUser>('GET', '/api/auth/user/', { signal }),
});
