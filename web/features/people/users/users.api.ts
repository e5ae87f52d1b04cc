import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { StaffUser, UserInput } from '../../../../contract/people/users.ts';
import { request } from '../../../api/http.ts';
import { pageQuery } from '../../../api/list-query.ts';
import { KEYS } from '../../../api/query-keys.ts';
import type { SaveContext } from '../../../components/record/use-record-form.ts';
import type { UserActionName } from '../../../text/es-people.ts';
import type { UsersSearch } from './users-search.ts';

const USERS_PATH = '/licenses/api/users/';
const pathOf = (id: number) => `${USERS_PATH}${id}/`;

/** The list page of a URL. */
export const usersAt = (search: UsersSearch) =>
  pageQuery<StaffUser>(
    {
      key: KEYS.users,
      path: USERS_PATH,
      filters: { search: search.q, role: search.role, status: search.status },
    },
    search,
  );

/** One user. Cached data shows at once; opening it always refetches. */
export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.users, 'one', id],
    queryFn: ({ signal }) => request<StaffUser>('GET', pathOf(id), { signal }),
    staleTime: 0,
  });

/** `link` where no mail can be delivered; `api_keys` with a link that sets a password. */
export interface WithLink {
  link?: string | null;
  api_keys?: readonly WorkingKey[];
}

/** Invites a person (`id` null) or changes one. */
export function useSaveUser(id: number | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, updatedAt }: SaveContext & { values: Partial<UserInput> }) =>
      id === null
        ? request<StaffUser & WithLink>('POST', USERS_PATH, { body: values })
        : request<StaffUser & WithLink>('PUT', pathOf(id), { body: { ...values, updated_at: updatedAt } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [KEYS.users] }),
  });
}

/** An action on a user; also after a refusal the list shows the user as stored. */
export function useUserAction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: number; action: UserActionName }) =>
      request<WithLink>('POST', `${pathOf(id)}${action}/`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEYS.users] }),
  });
}
