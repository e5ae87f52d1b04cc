import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { StaffUser, UserInput } from '../../../../contract/people/users.ts';
import { request } from '../../../api/http.ts';
import { pageQuery } from '../../../api/list-query.ts';
import { recordQuery, useSaveRecord, useSecretCall } from '../../../components/record/record-calls.ts';
import { apiOf } from '../../../record-kinds.ts';
import type { UserActionName } from '../../../text/es-people.ts';
import type { UsersSearch } from './users-search.ts';

/** The query of the list page at a URL. */
export const usersAt = (search: UsersSearch) =>
  pageQuery<StaffUser>(
    {
      kind: 'users',
      filters: { search: search.q, role: search.role, status: search.status },
    },
    search,
  );

export const userQuery = (id: number) => recordQuery<StaffUser>('users', id);

/** `link`: if no mail can be delivered. `api_keys`: in the answer that creates a link to set a password. */
export interface WithLink {
  link?: string | null;
  api_keys?: readonly WorkingKey[];
}

/** Invites a person (`id` null) or changes one. */
export const useSaveUser = (id: number | null) =>
  useSaveRecord<Partial<UserInput>, StaffUser & WithLink>('users', id);

/** An action on a user. The list is refetched after a refusal too. */
export const useUserAction = () =>
  useSecretCall('users', ({ id, action }: { id: number; action: UserActionName }) =>
    request<WithLink>('POST', `${apiOf('users', id)}${action}/`),
  );
