import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { runUserCommand, UserCommandError } from '../../../../ops/user.ts';
import { createTestApp, type TestApp } from '../../../../test/app.ts';

/** The link of `npm run user -- link` (SIGN-02). */

const linkOf = async (t: TestApp, username = 'admin') => {
  const text = await runUserCommand(t.context, ['link', username]);
  return /http:\/\/127\.0\.0\.1:3000\/login#k=([\w-]{43})$/.exec(text)![1]!;
};
const use = (t: TestApp, token: string) =>
  t.call('POST', '/api/auth/link/', { body: { token }, token: null });

const ONLY = {
  OIDC_ISSUER: 'https://identidad.example.com',
  OIDC_CLIENT_ID: 'a',
  OIDC_CLIENT_SECRET: 'b',
  OIDC_ONLY: '1',
};

test('signs an administrator in, once, also where only the issuer lets people in, and tells the person', async () => {
  const t = await createTestApp({ env: ONLY });
  const token = await linkOf(t);
  const tries = await Promise.all(Array.from({ length: 10 }, () => use(t, token)));
  expect(tries.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  expect(new Set(tries.filter(({ status }) => status === 400).map(({ body }) => body.code))).toEqual(
    new Set(['invalid_token']),
  );
  const { body } = tries.find(({ status }) => status === 200)!;
  expect((await t.call('GET', '/api/auth/user/', { token: body.token })).body.role).toBe('admin');
  const subjects = (await t.deliveredMail()).map(({ subject }) => subject);
  expect(subjects).toContain('Se usó un enlace para entrar en tu cuenta');
});

test('is void after ten minutes, after a newer one, and when its person is no administrator any more', async () => {
  const t = await createTestApp();
  const [older, newer] = [await linkOf(t), await linkOf(t)];
  expect((await use(t, older)).body.code).toBe('invalid_token');
  t.clock.advance(10 * 60_000);
  expect((await use(t, newer)).body.code).toBe('invalid_token');
  const last = await linkOf(t);
  await t.db.updateTable('users').set({ role: 'operator' }).execute();
  expect((await use(t, last)).body.code).toBe('invalid_token');
  expect((await use(t, 'otro')).body.code).toBe('invalid_token');
});

test('is made for active administrators only', async () => {
  const t = await createTestApp();
  await t.call('POST', '/licenses/api/users/', {
    body: { username: 'ana', names: 'Ana', email: 'ana@example.com', role: 'admin' },
  });
  for (const username of ['ana', 'nadie'])
    await expect(runUserCommand(t.context, ['link', username])).rejects.toThrow(UserCommandError);
});

test('does not pass by the second factor', async () => {
  const t = await createTestApp();
  const { body: setup } = await t.call('POST', '/api/auth/mfa/setup/', { body: { password: 'admin123' } });
  const { secret } = new TOTP({ secret: setup.secret });
  const codeNow = () => TOTP.generate({ secret, timestamp: t.context.now().getTime() });
  await t.call('POST', '/api/auth/mfa/enable/', { body: { code: codeNow() } });
  t.clock.advance(60_000);
  const { status, body } = await use(t, await linkOf(t));
  expect([status, body.code]).toEqual([401, 'mfa_required']);
  const verified = await t.call('POST', '/api/auth/mfa/verify/', {
    body: { mfa_token: body.mfa_token, code: codeNow() },
    token: null,
  });
  expect(verified.status).toBe(200);
  expect(
    await t.db.selectFrom('sessions').select('opened_by').orderBy('id', 'desc').executeTakeFirst(),
  ).toEqual({ opened_by: 'link' });
});
