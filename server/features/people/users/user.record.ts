import { type StaffUser, USER_MESSAGES } from '../../../../contract/people/users.ts';
import type { UserRow } from '../../../db/tables.ts';
import type { RecordKind } from '../../../records/save-record.ts';
import { findUserById, userActor } from '../sign-in/auth.queries.ts';
import { completeUser, lockAdmins, lockUsers } from './users.queries.ts';

export const userRecord: RecordKind<UserRow, UserRow, StaffUser> = {
  name: 'user',
  table: 'users',
  notFound: USER_MESSAGES.notFound,
  // All administrators are locked first, so that concurrent calls take their locks in one order.
  lock: async (tx, ids) => {
    await lockAdmins(tx);
    return lockUsers(tx, ids);
  },
  find: ({ tx }, id) => findUserById(tx, id),
  complete: async ({ tx, now }, user) => completeUser(tx, user, now),
  written: ({ names, last_name, email, role }) => ({ names, last_name, email, role }),
  about: (user) => ({ subject: userActor(user) }),
};
