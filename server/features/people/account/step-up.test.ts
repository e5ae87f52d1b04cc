import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';

/** The confirmed identity that is required before actions that could give permissions away (PEOPLE-05). */

const START = '2026-11-22T12:00:00Z';
const MINUTE_MS = 60_000;
const PASSWORD = 'admin123';

const createKey = (t: TestApp) =>
  t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Tienda', permissions: ['clients:read'] } });
const inviteAs = (t: TestApp, role: string) =>
  t.call('POST', '/licenses/api/users/', {
    body: { username: `${role}-2`, names: 'Ana', email: `${role}-2@example.com`, role },
  });
const stepUp = (t: TestApp, body: object) => t.call('POST', '/api/auth/step-up/', { body });

/** Ten minutes and a moment after the sign-in. The access token is still valid. */
async function tenMinutesLater(): Promise<TestApp> {
  const t = await createTestApp({ now: START });
  t.clock.advance(10 * MINUTE_MS);
  expect((await createKey(t)).status).toBe(201);
  t.clock.advance(1);
  return t;
}

describe('more than ten minutes after the password was entered', () => {
  test('creating and replacing keys, and inviting or promoting administrators, ask for the password again', async () => {
    const t = await tenMinutesLater();
    const { body: operator } = await inviteAs(t, 'operator');
    const answers = [
      await createKey(t),
      await t.call('POST', '/licenses/api/api-keys/1/rotate/'),
      await inviteAs(t, 'admin'),
      await t.call('PUT', `/licenses/api/users/${operator.id}/`, { body: { role: 'admin' } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(4).fill([403, 'step_up_required']),
    );
    expect((await stepUp(t, { password: PASSWORD })).status).toBe(200);
    expect([(await createKey(t)).status, (await inviteAs(t, 'admin')).status]).toEqual([201, 201]);
    // Ending a key never requires a password.
    t.clock.advance(4 * MINUTE_MS);
    expect((await t.call('DELETE', '/licenses/api/api-keys/1/')).status).toBe(200);
  });

  test('a wrong password or code is 400 at its field and confirms nothing', async () => {
    const t = await tenMinutesLater();
    expect((await stepUp(t, { password: 'otra' })).body.errors).toEqual({
      password: ['La contraseña no es correcta'],
    });
    expect((await stepUp(t, { code: '000000' })).body.errors).toEqual({
      code: ['El código no es correcto o ya se usó'],
    });
    for (const body of [{}, { password: PASSWORD, code: '000000' }]) {
      expect(Object.keys((await stepUp(t, body)).body.errors)).toEqual(['password']);
    }
    expect((await createKey(t)).status).toBe(403);
  });

  test('a session of an earlier version without a stored time asks for the password too', async () => {
    const t = await createTestApp({ now: START });
    await t.db.updateTable('sessions').set({ confirmed_at: null }).execute();
    expect((await createKey(t)).body.code).toBe('step_up_required');
    await stepUp(t, { password: PASSWORD });
    expect((await createKey(t)).status).toBe(201);
  });

  test('a code of the second factor is accepted in place of the password', async () => {
    const t = await createTestApp({ now: START });
    const { body } = await t.call('POST', '/api/auth/mfa/setup/', { body: { password: PASSWORD } });
    const { secret } = new TOTP({ secret: body.secret });
    const codeNow = () => TOTP.generate({ secret, timestamp: t.context.now().getTime() });
    await t.call('POST', '/api/auth/mfa/enable/', { body: { code: codeNow() } });
    t.clock.advance(10 * MINUTE_MS + 1);
    expect((await createKey(t)).status).toBe(403);
    expect((await stepUp(t, { code: codeNow() })).status).toBe(200);
    expect((await createKey(t)).status).toBe(201);
  });
});
