import { describe, expect, test } from 'vitest';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { USER_MESSAGES } from '../../../../contract/people/users.ts';
import { runUserCommand } from '../../../../ops/user.ts';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { firstAdminLink } from '../first-account/first-accounts.ts';

/** Every way that makes an administrator asks for the same password (PEOPLE-04, D006). */

const USERS = '/licenses/api/users/';
const GOOD = 'tres tristes tigres';
const ANA = { username: 'ana', names: 'Ana', last_name: '', email: 'ana@example.com' };

const { adminPasswordTooShort: SHORT, adminPasswordGuessable: GUESSABLE } = AUTH_MESSAGES;
const WEAK = [
  ['catorce-letra!', SHORT, 'too_short'],
  ['passwordpassword', GUESSABLE, 'not_allowed'],
  ['password12345678', GUESSABLE, 'not_allowed'],
  ['la casa de ANA es', GUESSABLE, 'not_allowed'],
] as const;

const tokenOf = (link: string) => link.split('#')[1]!;

async function invited(t: TestApp, role: string) {
  return (await t.call('POST', USERS, { body: { ...ANA, role } })).body as { id: number; link: string };
}

const accept = (t: TestApp, link: string, password: string) =>
  t.call('POST', '/api/auth/invitation/accept/', { token: null, body: { token: tokenOf(link), password } });

async function joined(t: TestApp, role: string, password = GOOD) {
  const { id, link } = await invited(t, role);
  const { body, status } = await accept(t, link, password);
  expect(status).toBe(200);
  return { id, token: body.token as string };
}

type Answer = { status: number; body: { errors?: unknown; error_codes?: unknown } };
type Try = (password: string) => Promise<Answer>;

/** Each way that sets the password of an administrator. */
const WAYS: Record<string, () => Promise<Try>> = {
  'the one-time link of the log': async () => {
    const t = await createTestApp({ env: { NODE_ENV: 'production', DEMO: '0' } });
    const token = tokenOf(await firstAdminLink(t.context));
    return (password) =>
      t.call('POST', '/api/auth/first-admin/', { token: null, body: { ...ANA, token, password } });
  },
  'an invitation': async () => {
    const t = await createTestApp();
    const { link } = await invited(t, 'admin');
    return (password) => accept(t, link, password);
  },
  'an invitation whose role was changed before it was accepted': async () => {
    const t = await createTestApp();
    const { id, link } = await invited(t, 'operator');
    expect((await t.call('PUT', `${USERS}${id}/`, { body: { role: 'admin' } })).status).toBe(200);
    return (password) => accept(t, link, password);
  },
  'a change in the own account': async () => {
    const t = await createTestApp();
    const { token } = await joined(t, 'admin');
    return (password) =>
      t.call('POST', '/api/auth/password/change/', { token, body: { current_password: GOOD, password } });
  },
  'a link for a new password': async () => {
    const t = await createTestApp();
    const { id } = await joined(t, 'admin');
    const { link } = (await t.call('POST', `${USERS}${id}/reset_link/`)).body;
    return (password) =>
      t.call('POST', '/api/auth/password/reset/', { token: null, body: { token: tokenOf(link), password } });
  },
};

test.each(Object.entries(WAYS))(
  '%s refuses a weak password and takes a good one afterwards',
  async (_way, way) => {
    const attempt = await way();
    for (const [password, message, code] of WEAK) {
      const { status, body } = await attempt(password);
      expect([password, status, body.errors, body.error_codes]).toEqual([
        password,
        400,
        { password: [message] },
        { password: [code] },
      ]);
    }
    expect([200, 201]).toContain((await attempt('otros tres tigres tristes')).status);
  },
);

describe('a person who becomes an administrator', () => {
  const promote = (t: TestApp, id: number) => t.call('PUT', `${USERS}${id}/`, { body: { role: 'admin' } });

  test('needs a password that does for one, which a new one or the next sign-in shows', async () => {
    const t = await createTestApp();
    const { id, token } = await joined(t, 'operator', 'corta-pero-8');
    const refused = await promote(t, id);
    expect([refused.status, refused.body.errors]).toEqual([400, { role: [USER_MESSAGES.weakForAdmin] }]);
    expect((await t.call('GET', `${USERS}${id}/`)).body.role).toBe('operator');
    const change = { current_password: 'corta-pero-8', password: GOOD };
    expect((await t.call('POST', '/api/auth/password/change/', { token, body: change })).status).toBe(200);
    expect((await promote(t, id)).status).toBe(200);
  });

  test('with a password that was set before anybody asked is known from the next sign-in on', async () => {
    const t = await createTestApp();
    const { id } = await joined(t, 'operator', 'corta-pero-8');
    await t.db.updateTable('users').set({ weak_for_admin: false }).where('id', '=', id).execute();
    expect(await signInAs(t, ANA.username, 'corta-pero-8')).not.toBe('');
    expect((await promote(t, id)).status).toBe(400);
    const password = /nueva (\S+)/.exec(await runUserCommand(t.context, ['password', ANA.username]))?.[1];
    expect(await signInAs(t, ANA.username, password!)).not.toBe('');
    expect((await promote(t, id)).status).toBe(200);
  });

  test('and who registered is asked too; an administrator with an old password keeps the role', async () => {
    const t = await createTestApp();
    const body = { ...ANA, password: 'secreta1' };
    const { user } = (await t.call('POST', '/api/auth/register/', { token: null, body })).body;
    expect((await promote(t, user.id)).status).toBe(400);
    // The demo's own administrator.
    expect((await t.call('PUT', `${USERS}1/`, { body: { role: 'admin', names: 'X' } })).status).toBe(200);
  });
});
