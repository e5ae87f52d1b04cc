import type { Role } from '../../../../contract/people/permissions.ts';
import type { UserStatus } from '../../../../contract/people/users.ts';
import { readDialogs, readPaging, readText, searchReader } from '../../../search-fields.ts';

/**
 * Equal to the lists in contract/people/permissions.ts and contract/people/users.ts. Repeated here, because those load
 * zod.
 */
const ROLES: readonly Role[] = ['admin', 'operator', 'support', 'viewer'];
const STATUSES: readonly UserStatus[] = ['active', 'invited', 'inactive'];

/** The filters of 'Usuarios', by their API names (PEOPLE-03). */
export const readUsersSearch = searchReader((raw) => ({
  q: readText(raw.q),
  role: ROLES.find((role) => role === raw.role),
  status: STATUSES.find((status) => status === raw.status),
  ...readPaging(raw),
  ...readDialogs(raw),
}));
export type UsersSearch = ReturnType<typeof readUsersSearch>;
