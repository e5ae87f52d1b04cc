import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { firstAdminLink } from '../../server/features/people/first-account/first-accounts.ts';
import { hashToken } from '../../server/lib/secret.ts';
import { createTestApp, type TestApp } from '../app.ts';

/** One-time codes and links, each tried 200 times at the same time (PEOPLE-03, PEOPLE-04, PEOPLE-05). */

const START = '2026-11-22T12:00:00.000Z';
const PASSWORD = 'tres tristes tigres';
const TRIES = 200;

const post = (t: TestApp, path: string, body: object, token: string | null = null) =>
  t.call('POST', `/api/auth/${path}/`, { body, token });

/**
 * Makes a call 200 times at once.
 * @returns the number of answers by status and code
 */
async function manyTimes(call: (index: number) => Promise<{ status: number; body: { code?: string } }>) {
  const answers = await Promise.all(Array.from({ length: TRIES }, (_, index) => call(index)));
  const groups = Map.groupBy(answers, ({ status, body }) => (status < 300 ? 'ok' : (body.code ?? '')));
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]));
}

async function withSecondFactor() {
  const t = await createTestApp({ now: START });
  const { secret } = (await post(t, 'mfa/setup', { password: 'admin123' }, t.token)).body;
  const codeNow = () =>
    TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: t.context.now().getTime() });
  const { body } = await post(t, 'mfa/enable', { code: codeNow() }, t.token);
  t.clock.advance(30_000);
  const tokens = Array.from({ length: TRIES }, () => crypto.randomUUID());
  // Inserts sign-ins whose password was correct, because computing 200 password hashes would take long.
  await t.db
    .insertInto('mfa_challenges')
    .values(
      tokens.map((token) => ({ hash: hashToken(token), user_id: 1, expires_at: '2027-01-01T00:00:00.000Z' })),
    )
    .execute();
  return { t, tokens, codeNow, recoveryCodes: body.recovery_codes as string[] };
}

const sessionsOf = async (t: TestApp) =>
  (await t.db.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute()).length;

test('of 200 concurrent sign-ins with one code one succeeds, and after five tries the others are refused (PEOPLE-05)', async () => {
  const { t, tokens, codeNow } = await withSecondFactor();
  const code = codeNow();
  const counts = await manyTimes((index) => post(t, 'mfa/verify', { mfa_token: tokens[index], code }));
  expect(counts).toEqual({ ok: 1, invalid_code: 5, rate_limited: TRIES - 6 });
  expect(await sessionsOf(t)).toBe(2);
});

test('of 200 concurrent sign-ins with one recovery code one succeeds (PEOPLE-05)', async () => {
  const { t, tokens, recoveryCodes } = await withSecondFactor();
  const code = recoveryCodes[7];
  const counts = await manyTimes((index) => post(t, 'mfa/verify', { mfa_token: tokens[index], code }));
  expect(counts).toEqual({ ok: 1, invalid_code: 5, rate_limited: TRIES - 6 });
  expect(await t.db.selectFrom('recovery_codes').select('hash').execute()).toHaveLength(9);
});

test('the token of a second step signs in once, with 200 concurrent uses of ten recovery codes', async () => {
  const { t, tokens, recoveryCodes } = await withSecondFactor();
  const counts = await manyTimes((index) =>
    post(t, 'mfa/verify', { mfa_token: tokens[0], code: recoveryCodes[index % 10] }),
  );
  expect(counts.ok).toBe(1);
  expect(await sessionsOf(t)).toBe(2);
});

test('of 200 concurrent uses of an invitation one succeeds (PEOPLE-03)', async () => {
  const t = await createTestApp({ now: START });
  const { body } = await t.call('POST', '/licenses/api/users/', {
    body: { username: 'ana', names: 'Ana', email: 'ana@example.com', role: 'viewer' },
  });
  const token = body.link.split('#')[1];
  const counts = await manyTimes((index) =>
    post(t, 'invitation/accept', { token, password: `${PASSWORD} ${index}` }),
  );
  expect(counts).toEqual({ ok: 1, invalid_token: TRIES - 1 });
  expect(await sessionsOf(t)).toBe(2);
});

test('of 200 concurrent uses of a reset link one sets the password (PEOPLE-04)', async () => {
  const t = await createTestApp({ now: START });
  await post(t, 'password/forgot', { email: 'admin@example.com' });
  await expect.poll(async () => (await t.deliveredMail()).length).toBe(1);
  const [mail] = await t.deliveredMail();
  const token = /restablecer#([\w-]+)/.exec(mail?.text ?? '')?.[1];
  const counts = await manyTimes((index) =>
    post(t, 'password/reset', { token, password: `${PASSWORD} ${index}` }),
  );
  expect(counts).toEqual({ ok: 1, invalid_token: TRIES - 1 });
  const changes = await t.db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'user.password_changed')
    .execute();
  expect(changes).toHaveLength(1);
});

test('of 200 concurrent uses of the setup link one creates the administrator', async () => {
  const t = await createTestApp({ now: START, env: { DEMO: '0' } });
  const token = (await firstAdminLink(t.context)).split('#')[1];
  const counts = await manyTimes((index) =>
    post(t, 'first-admin', {
      ...{
        token,
        username: `ana${index}`,
        names: 'Ana',
        email: `ana${index}@example.com`,
        password: PASSWORD,
      },
    }),
  );
  expect(counts).toEqual({ ok: 1, invalid_token: TRIES - 1 });
  expect(await t.db.selectFrom('users').select('id').execute()).toHaveLength(1);
});
