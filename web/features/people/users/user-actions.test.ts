import { expect, test } from 'vitest';
import type { StaffUser } from '../../../../contract/people/users.ts';
import { userActions } from './user-actions.ts';

const USER: StaffUser = {
  id: 7,
  username: 'ana',
  names: 'Ana',
  last_name: 'Ríos',
  email: 'ana@example.com',
  role: 'operator',
  status: 'active',
  is_active: true,
  mfa_enabled: false,
  passkeys: 0,
  last_sign_in_at: null,
  locked_until: null,
  created_at: '2026-11-22T12:00:00.000Z',
  updated_at: '2026-11-22T12:00:00.000Z',
};

test.each([
  ['active', {}, ['reset_link', 'deactivate']],
  [
    'active, locked, with a second factor',
    { mfa_enabled: true, locked_until: '2026-11-22T12:45:00.000Z' },
    ['reset_link', 'unlock', 'reset_mfa', 'deactivate'],
  ],
  ['active, with a passkey', { passkeys: 1 }, ['reset_link', 'reset_mfa', 'deactivate']],
  ['invited', { status: 'invited' as const }, ['invite', 'deactivate']],
  ['inactive', { status: 'inactive' as const }, ['reactivate']],
])('a user who is %s has the right actions (PEOPLE-03)', (_state, values, actions) => {
  expect(userActions({ ...USER, ...values }, false)).toEqual(actions);
});

test("the list does not offer to change one's own password and second factor, which Mi cuenta does", () => {
  const own = { ...USER, mfa_enabled: true, locked_until: '2026-11-22T12:45:00.000Z' };
  expect(userActions(own, true)).toEqual(['unlock', 'deactivate']);
});
