import type { APIRequestContext } from '@playwright/test';
import type { Role } from '../../contract/people/permissions.ts';
import { expect, type StaffApi, unique } from './staff.ts';

const PASSWORD = 'tres tristes tigres';
export const USERS = '/licenses/api/users/';

/** The session of a person who accepts an invitation, and says the name if the invitation left it out. */
export async function accept(request: APIRequestContext, link: string, said: { names?: string } = {}) {
  const answer = await request.post('/api/auth/invitation/accept/', {
    data: { token: link.split('#')[1], password: PASSWORD, ...said },
  });
  expect(answer.ok()).toBe(true);
  return answer.json();
}

/** The session of a new person with a role. */
export async function joinAs(api: StaffApi, request: APIRequestContext, role: Role) {
  const mark = unique();
  const { link } = await api.call<{ link: string }>('POST', USERS, {
    username: `${role}-${mark}`,
    names: 'Vera',
    last_name: mark,
    email: `${mark}@example.com`,
    role,
  });
  return accept(request, link);
}
