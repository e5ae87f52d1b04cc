import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';

/**
 * After a new password, a person is shown the API keys that stay valid, because an attacker may have made one
 * (PEOPLE-04, PEOPLE-07).
 */

const NOW = '2026-11-23T18:00:00.000Z';
const KEYS = '/licenses/api/api-keys/';
const USERS = '/licenses/api/users/';
const FIRST = 'tres tristes tigres';
const SECOND = 'siete gatos en el tejado';

type Shown = { id: number; name: string; last_four: string };

async function make(t: TestApp, name: string, token = t.token): Promise<Shown> {
  const { body } = await t.call('POST', KEYS, { body: { name, permissions: ['licenses:read'] }, token });
  return { id: body.id, name, last_four: body.key.slice(-4) };
}

/**
 * Makes another administrator with a valid key, a revoked key, and one that has ended.
 * @returns the valid key
 */
async function secondAdmin(t: TestApp) {
  const invited = await t.call('POST', USERS, {
    body: { username: 'bea', names: 'Bea', last_name: 'Sol', email: 'bea@example.com', role: 'admin' },
  });
  const accepted = await t.call('POST', '/api/auth/invitation/accept/', {
    token: null,
    body: { token: String(invited.body.link).split('#')[1], password: FIRST },
  });
  const own: string = accepted.body.token;
  const working = await make(t, 'Tienda', own);
  const revoked = await make(t, 'Vieja', own);
  await t.call('DELETE', `${KEYS}${revoked.id}/`);
  const ended = await make(t, 'Vencida', own);
  await t.db.updateTable('api_keys').set({ expires_at: NOW }).where('id', '=', ended.id).execute();
  await make(t, 'De otra persona');
  return { id: invited.body.id as number, own, working };
}

test("changing the password returns one's own working API keys, without their texts", async () => {
  const t = await createTestApp({ now: NOW });
  const { own, working } = await secondAdmin(t);
  const { status, body } = await t.call('POST', '/api/auth/password/change/', {
    token: own,
    body: { current_password: FIRST, password: SECOND },
  });
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: 'Contraseña cambiada. Cerramos tus demás sesiones.',
      api_keys: [working],
    },
  ]);
});

test("creating a password link returns the person's API keys to the administrator, and using it returns them to the person", async () => {
  const t = await createTestApp({ now: NOW });
  const { id, working } = await secondAdmin(t);
  const sent = await t.call('POST', `${USERS}${id}/reset_link/`);
  expect(sent.body).toEqual({ link: expect.stringContaining('/restablecer#'), api_keys: [working] });
  const { status, body } = await t.call('POST', '/api/auth/password/reset/', {
    token: null,
    body: { token: sent.body.link.split('#')[1], password: SECOND },
  });
  expect([status, body]).toEqual([
    200,
    { success: true, message: 'Contraseña cambiada. Inicia sesión con la nueva.', api_keys: [working] },
  ]);
});

test('a person without keys gets an empty list, and a refusal lists none', async () => {
  const t = await createTestApp({ now: NOW });
  const change = (current_password: string, password: string) =>
    t.call('POST', '/api/auth/password/change/', { body: { current_password, password } });
  expect((await change('admin123', FIRST)).body.api_keys).toEqual([]);
  await make(t, 'Tienda');
  expect((await change('equivocada', SECOND)).body).not.toHaveProperty('api_keys');
  const reset = await t.call('POST', '/api/auth/password/reset/', {
    token: null,
    body: { token: 'x'.repeat(43), password: SECOND },
  });
  expect([reset.status, reset.body.code]).toEqual([400, 'invalid_token']);
  expect(reset.body).not.toHaveProperty('api_keys');
  expect(await signInAs(t, 'admin', FIRST)).not.toBe('');
});
