import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';

/** Two-step verification (PEOPLE-05). */

const PASSWORD = 'admin123';
const START = '2026-11-22T12:00:00Z';
const STEP_MS = 30_000;

/** The code that an authenticator app shows at the test's time. */
const codeOf = (t: TestApp, secret: string, steps = 0) =>
  TOTP.generate({
    secret: new TOTP({ secret }).secret,
    timestamp: t.context.now().getTime() + steps * STEP_MS,
  });

const post = (t: TestApp, path: string, body: object, token: string | null = t.token) =>
  t.call('POST', `/api/auth/${path}/`, { body, token });

const signIn = (t: TestApp) => post(t, 'login', { username: 'admin', password: PASSWORD }, null);

/**
 * Enables the administrator's second factor and moves the clock, so that the next code belongs to the next time step.
 */
async function enable(t: TestApp) {
  const { body: setup } = await post(t, 'mfa/setup', { password: PASSWORD });
  const secret: string = setup.secret;
  const { status, body } = await post(t, 'mfa/enable', { code: codeOf(t, secret) });
  expect(status).toBe(200);
  t.clock.advance(STEP_MS);
  return { secret, recoveryCodes: body.recovery_codes as string[] };
}

async function challenge(t: TestApp): Promise<string> {
  const { status, body } = await signIn(t);
  expect([status, body.code]).toEqual([401, 'mfa_required']);
  return body.mfa_token;
}

const verify = (t: TestApp, mfa_token: string, code: string) =>
  post(t, 'mfa/verify', { mfa_token, code }, null);

describe('setting up a second factor', () => {
  test('returns a secret, its address and QR code, and is complete after a first code (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { status, body } = await post(t, 'mfa/setup', { password: PASSWORD });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauth_url: expect.stringContaining(`secret=${body.secret}`),
        qr_svg: expect.stringMatching(/^<svg /),
      },
    ]);
    expect(body.otpauth_url).toMatch(/^otpauth:\/\/totp\/License%20Manager:admin\?/);
    expect(await signInAs(t, 'admin', PASSWORD)).not.toBe('');
    const wrong = await post(t, 'mfa/enable', { code: '000000' });
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      { code: ['El código no es correcto o ya se usó'] },
    ]);
    const enabled = await post(t, 'mfa/enable', { code: codeOf(t, body.secret).replace(/^.../, '$& ') });
    expect(enabled.body.recovery_codes).toHaveLength(10);
    expect(new Set(enabled.body.recovery_codes).size).toBe(10);
    expect((await signIn(t)).body.code).toBe('mfa_required');
    const again = await post(t, 'mfa/setup', { password: PASSWORD });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('is refused when it is already on, also for one of two concurrent calls (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { body } = await post(t, 'mfa/setup', { password: PASSWORD });
    const codes = [codeOf(t, body.secret, -1), codeOf(t, body.secret)];
    const tries = await Promise.all(codes.map((code) => post(t, 'mfa/enable', { code })));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409]);
    const again = [
      await post(t, 'mfa/setup', { password: PASSWORD }),
      await post(t, 'mfa/enable', { code: codeOf(t, body.secret, 1) }),
    ];
    expect(again.map((answer) => [answer.status, answer.body.code, answer.body.message])).toEqual(
      Array(2).fill([409, 'conflict', 'La verificación en dos pasos ya está activada']),
    );
  });

  test('a wrong password is an error at its field, and a right one ends the other sessions', async () => {
    const t = await createTestApp({ now: START });
    const other = await signInAs(t, 'admin', PASSWORD);
    const wrong = await post(t, 'mfa/setup', { password: 'otra' });
    expect([wrong.status, wrong.body.errors]).toEqual([400, { password: ['La contraseña no es correcta'] }]);
    await enable(t);
    expect((await t.call('GET', '/api/auth/user/', { token: other })).status).toBe(401);
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(200);
  });

  test('the secret is stored encrypted, and is in no table, event or answer (EVENT-04)', async () => {
    const t = await createTestApp({ now: START });
    const { secret, recoveryCodes } = await enable(t);
    const tables = await Promise.all([
      t.db.selectFrom('users').selectAll().execute(),
      t.db.selectFrom('recovery_codes').selectAll().execute(),
      t.db.selectFrom('events').selectAll().execute(),
    ]);
    const text = JSON.stringify(tables);
    for (const value of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
      expect(text).not.toContain(value);
    }
  });
});

describe('signing in with a second factor', () => {
  test('returns the same answer as login after a code (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { secret } = await enable(t);
    const { status, body } = await verify(t, await challenge(t), codeOf(t, secret));
    expect([status, body.user.username, body.message]).toEqual([200, 'admin', 'Inicio de sesión exitoso']);
    expect((await t.call('GET', '/api/auth/user/', { token: body.token })).status).toBe(200);
  });

  test.each([-1, 1])(
    'accepts the code of a clock that is %i step off, and none further off',
    async (steps) => {
      const t = await createTestApp({ now: START });
      const { secret } = await enable(t);
      t.clock.advance(5 * STEP_MS);
      const token = await challenge(t);
      expect((await verify(t, token, codeOf(t, secret, 2 * steps))).body.code).toBe('invalid_code');
      expect((await verify(t, token, codeOf(t, secret, steps))).status).toBe(200);
    },
  );

  test('a code works once, and of many concurrent tries one succeeds (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { secret } = await enable(t);
    const tokens = [await challenge(t), await challenge(t), await challenge(t)];
    const code = codeOf(t, secret);
    const tries = await Promise.all(tokens.map((token) => verify(t, token, code)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    // The code that enabled it, and every other code before the last one, is used up too.
    expect((await verify(t, await challenge(t), codeOf(t, secret, -1))).body.code).toBe('invalid_code');
  });

  test('a recovery code works once, with any case and separators (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { recoveryCodes } = await enable(t);
    const code = recoveryCodes[3]!;
    const typed = [code, code.toLowerCase(), code.replace('-', ' ')];
    const tokens = [await challenge(t), await challenge(t), await challenge(t)];
    const tries = await Promise.all(tokens.map((token, index) => verify(t, token, typed[index]!)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('its token is valid for five minutes and one sign-in, and ends when the password changes', async () => {
    const t = await createTestApp({ now: START });
    const { secret } = await enable(t);
    const late = await challenge(t);
    t.clock.advance(5 * 60_000);
    expect((await verify(t, late, codeOf(t, secret))).body.code).toBe('invalid_code');
    const token = await challenge(t);
    expect((await verify(t, token, codeOf(t, secret))).status).toBe(200);
    t.clock.advance(STEP_MS);
    expect((await verify(t, token, codeOf(t, secret))).body.code).toBe('invalid_code');
    const begun = await challenge(t);
    await t.call('POST', '/api/auth/password/change/', {
      body: { current_password: PASSWORD, password: 'tres tristes tigres' },
    });
    expect((await verify(t, begun, codeOf(t, secret))).body.code).toBe('invalid_code');
  });

  test('after five wrong codes further tries for the account are refused, in every sign-in (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { secret } = await enable(t);
    for (let count = 0; count < 5; count += 1) {
      expect((await verify(t, await challenge(t), '000000')).status).toBe(401);
    }
    const refused = await verify(t, await challenge(t), codeOf(t, secret));
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  });
});

describe('turning a second factor off', () => {
  test('needs the password and a code, each wrong one is 400 at its field (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    const { secret } = await enable(t);
    const disable = (password: string, code: string) => post(t, 'mfa/disable', { password, code });
    expect((await disable('otra', codeOf(t, secret))).body.errors).toEqual({
      password: ['La contraseña no es correcta'],
    });
    expect((await disable(PASSWORD, '000000')).body.errors).toEqual({
      code: ['El código no es correcto o ya se usó'],
    });
    expect((await disable(PASSWORD, codeOf(t, secret))).status).toBe(200);
    expect(await signInAs(t, 'admin', PASSWORD)).not.toBe('');
    expect((await disable(PASSWORD, '000000')).status).toBe(409);
    const types = await t.db
      .selectFrom('events')
      .select('type')
      .where('subject_name', '=', 'Administrador Demo')
      .orderBy('id')
      .execute();
    expect(types.map(({ type }) => type).filter((type) => type.startsWith('user.mfa'))).toEqual([
      'user.mfa_enabled',
      'user.mfa_disabled',
    ]);
  });

  test('an administrator can turn it off for a person who lost the authenticator', async () => {
    const t = await createTestApp({ now: START });
    await enable(t);
    await t.call('POST', '/api/auth/register/', {
      body: { username: 'bea', password: 'secreta1', names: 'Bea', email: 'bea@example.com' },
    });
    await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', 2).execute();
    const reset = await t.call('POST', '/licenses/api/users/1/reset_mfa/', {
      token: await signInAs(t, 'bea', 'secreta1'),
    });
    expect([reset.status, reset.body.mfa_enabled]).toEqual([200, false]);
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(401);
    expect(await signInAs(t, 'admin', PASSWORD)).not.toBe('');
  });

  test('setting a new password by link does not turn it off (PEOPLE-04)', async () => {
    const t = await createTestApp({ now: START });
    await enable(t);
    await post(t, 'password/forgot', { email: 'admin@example.com' }, null);
    const tokenSent = async () =>
      (await t.deliveredMail()).map(({ text }) => /restablecer#([\w-]+)/.exec(text ?? '')?.[1]).find(Boolean);
    await expect.poll(tokenSent).toBeDefined();
    const token = await tokenSent();
    const password = 'tres tristes tigres';
    expect((await post(t, 'password/reset', { token, password }, null)).status).toBe(200);
    const { body } = await post(t, 'login', { username: 'admin', password }, null);
    expect([body.code, body.token]).toEqual(['mfa_required', undefined]);
  });
});

describe('a required second factor', () => {
  const require = (t: TestApp, value: string) =>
    t.db
      .insertInto('settings')
      .values({ id: 1, changed: JSON.stringify({ require_mfa: value }), updated_at: START })
      .execute();

  test('a person without one may only set it up (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: START });
    await require(t, 'admins');
    const refused = await t.call('GET', '/licenses/api/clients/');
    expect([refused.status, refused.body.code]).toEqual([403, 'mfa_setup_required']);
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(200);
    expect((await t.call('GET', '/api/auth/sessions/')).body.code).toBe('mfa_setup_required');
    await enable(t);
    expect((await t.call('GET', '/licenses/api/clients/')).status).toBe(200);
  });

  test.each([
    ['admins', 200],
    ['all', 403],
  ])('a second factor required of %s lets an operator without one get %i', async (who, status) => {
    const t = await createTestApp({ now: START });
    await t.call('POST', '/api/auth/register/', {
      body: { username: 'segunda', password: 'secreta1', names: 'Segunda', email: 'segunda@example.com' },
    });
    const token = await signInAs(t, 'segunda', 'secreta1');
    await require(t, who);
    expect((await t.call('GET', '/licenses/api/clients/', { token })).status).toBe(status);
  });
});
