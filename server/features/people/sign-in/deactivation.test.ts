import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';

const login = (t: TestApp) =>
  t.call('POST', '/api/auth/login/', { token: null, body: { username: 'admin', password: 'admin123' } });
const setActive = (t: TestApp, is_active: boolean) =>
  t.db.updateTable('users').set({ is_active }).where('username_key', '=', 'admin').execute();
const statusesOf = async (t: TestApp, session: { token: string; refresh_token: string }) => [
  (await t.call('GET', '/api/auth/user/', { token: session.token })).status,
  (
    await t.call('POST', '/api/auth/refresh/', {
      token: null,
      body: { refresh_token: session.refresh_token },
    })
  ).status,
];

describe('a user who is deactivated and reactivated (D007)', () => {
  test('earlier tokens stay invalid, even if they were not used in between', async () => {
    const t = await createTestApp();
    const { body: before } = await login(t);
    await setActive(t, false);
    await setActive(t, true);

    expect(await statusesOf(t, before)).toEqual([401, 401]);
    const { status, body: after } = await login(t);
    expect(status).toBe(200);
    expect(await statusesOf(t, after)).toEqual([200, 200]);
  });

  test('a token that was refused in between stays invalid', async () => {
    const t = await createTestApp();
    const { body: before } = await login(t);
    await setActive(t, false);
    expect(await statusesOf(t, before)).toEqual([401, 401]);
    await setActive(t, true);
    expect(await statusesOf(t, before)).toEqual([401, 401]);
  });

  test('sessions of other users continue, and so do those of a user who is saved without a change', async () => {
    const t = await createTestApp();
    const other = await t.call('POST', '/api/auth/register/', {
      body: { username: 'otra', password: 'secreta1', names: 'Otra', email: 'otra@example.com' },
    });
    const { body: own } = await login(t);
    await setActive(t, true);
    expect(await statusesOf(t, own)).toEqual([200, 200]);
    await setActive(t, false);
    expect(await statusesOf(t, other.body)).toEqual([200, 200]);
  });

  test('a sign-in concurrent with the deactivation leaves no open session', async () => {
    const t = await createTestApp();
    for (let round = 0; round < 5; round += 1) {
      const signIns = Array.from({ length: 6 }, () => login(t));
      // The password is checked before the deactivation, and the session would be opened after it.
      await Promise.race(signIns);
      await setActive(t, false);
      const answers = await Promise.all(signIns);
      await setActive(t, true);
      for (const { status, body } of answers) {
        expect([200, 403]).toContain(status);
        if (status === 200) expect(await statusesOf(t, body)).toEqual([401, 401]);
      }
    }
  });
});
