import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';
import { firstAdminLink } from './first-accounts.ts';

/** The first administrator of an installation without users. */

const ANA = { username: 'ana', names: 'Ana', email: 'ana@example.com', password: 'tres tristes tigres' };

const emptyApp = () => createTestApp({ now: '2026-11-22T12:00:00Z', env: { DEMO: '0' } });
const tokenOf = async (t: TestApp) => (await firstAdminLink(t.context)).split('#')[1];
const create = (t: TestApp, token: string | undefined, values: object = {}) =>
  t.call('POST', '/api/auth/first-admin/', { body: { ...ANA, token, ...values }, token: null });

describe('the setup link in the log', () => {
  test('creates one administrator, who is signed in, also when it is used many times at once', async () => {
    const t = await emptyApp();
    const token = await tokenOf(t);
    const tries = await Promise.all([
      create(t, token),
      create(t, token, { username: 'eva', email: 'eva@example.com' }),
      create(t, token, { username: 'zoe', email: 'zoe@example.com' }),
    ]);
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const { body } = tries.find(({ status }) => status === 201)!;
    expect((await t.call('GET', '/api/auth/user/', { token: body.token })).body.role).toBe('admin');
    expect(await t.db.selectFrom('users').select('id').execute()).toHaveLength(1);
  });

  test('is void after a day, after a newer link, and once somebody has registered', async () => {
    const t = await emptyApp();
    const [older, newer] = [await tokenOf(t), await tokenOf(t)];
    expect((await create(t, older)).body.code).toBe('invalid_token');
    t.clock.advance(24 * 3_600_000);
    expect((await create(t, newer)).body.code).toBe('invalid_token');
    const last = await tokenOf(t);
    await t.call('POST', '/api/auth/register/', {
      body: { ...ANA, username: 'primera', email: 'primera@example.com' },
      token: null,
    });
    expect((await create(t, last)).body.code).toBe('invalid_token');
  });

  test('is the only way to create the first account in production, also when registration is open', async () => {
    const servers: Record<string, string>[] = [
      { NODE_ENV: 'production' },
      { NODE_ENV: 'production', ALLOW_REGISTRATION: '1' },
      // Other machines can reach it, so it does not count as a development machine.
      { DEMO: '0', HOST: '0.0.0.0' },
      { DEMO: '0', PUBLIC_URL: 'https://licencias.example.com', ALLOW_REGISTRATION: '1' },
    ];
    for (const env of servers) {
      const t = await createTestApp({ env });
      const token = await tokenOf(t);
      const stranger = { username: 'extrano', names: 'X', email: 'x@example.com', password: 'abc123' };
      const refused = await t.call('POST', '/api/auth/register/', { body: stranger, token: null });
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
      // The owner's link still works.
      expect((await create(t, token)).status).toBe(201);
      const later = await t.call('POST', '/api/auth/register/', { body: stranger, token: null });
      expect(later.status).toBe(env.ALLOW_REGISTRATION ? 201 : 403);
      if (later.status === 201) {
        const own = await t.call('GET', '/api/auth/user/', { token: later.body.token });
        expect(own.body.role).toBe('operator');
      }
    }
  });

  test('needs no user name: that is made of the email, and the password may not contain it (147)', async () => {
    const t = await emptyApp();
    const body = { names: 'Eva', email: 'eva.rios@example.com', token: await tokenOf(t) };
    const call = (values: object) =>
      t.call('POST', '/api/auth/first-admin/', { body: { ...body, ...values }, token: null });
    const refused = await call({ password: 'la casa de eva.rios' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['password']]);
    const unnamed = await call({ password: ANA.password, names: '' });
    expect([unnamed.status, Object.keys(unnamed.body.errors)]).toEqual([400, ['names']]);
    const made = await call({ password: ANA.password });
    expect([made.status, made.body.user.username]).toEqual([201, 'eva.rios']);
  });

  test('refuses a common password and can then still be used', async () => {
    const t = await emptyApp();
    const token = await tokenOf(t);
    const refused = await create(t, token, { password: 'password1' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['password']]);
    expect((await create(t, token)).status).toBe(201);
  });
});
