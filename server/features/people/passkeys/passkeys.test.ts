import { describe, expect, test } from 'vitest';
import { runUserCommand } from '../../../../ops/user.ts';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { createAuthenticator } from '../../../../test/authenticator.ts';
import {
  ADMIN,
  addPasskey,
  createPasskeyApp,
  joinAs,
  ORIGIN,
  optionsOf,
  sendProof,
  signInBy,
  signInOptions,
  stepUpBy,
} from '../../../../test/passkeys.ts';
import { runJob } from '../../../../test/run-job.ts';
import { housekeepingJob } from '../../system/housekeeping/housekeeping-job.ts';

/** Passkeys beside passwords (SIGN-01). What an attacker tries is in passkey-attacks.test.ts. */

const MINUTE_MS = 60_000;
const PASSKEYS = '/api/auth/passkeys/';

const listed = async (t: TestApp, token = t.token) => (await t.call('GET', PASSKEYS, { token })).body.results;
const me = (t: TestApp, token: string) => t.call('GET', '/api/auth/user/', { token });
const newestEvent = (t: TestApp) =>
  t.db
    .selectFrom('events')
    .select(['type', 'subject_name', 'changes', 'actor_name'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const subjects = async (t: TestApp) => (await t.deliveredMail()).map(({ subject }) => subject);

describe('adding a passkey', () => {
  test('asks for a resident key and the person’s verification, for the name of PUBLIC_URL (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { status, body } = await optionsOf(t);
    expect(status).toBe(200);
    expect(body.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'admin' },
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      timeout: 5 * MINUTE_MS,
      excludeCredentials: [],
    });
    expect(body.options.challenge).toMatch(/^[\w-]{70,}$/);
  });

  test('stores it under its name, with an event and a mail to its person (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { answer, options } = await addPasskey(t, { name: ' Portátil ' });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: 1,
        name: 'Portátil',
        created_at: '2026-11-29T12:00:00.000Z',
        last_used_at: null,
        rp_id: 'localhost',
        synced: true,
      },
    ]);
    expect(await listed(t)).toEqual([answer.body]);
    const { type, changes } = await newestEvent(t);
    expect([type, JSON.parse(changes)]).toEqual([
      'user.passkey_added',
      { passkey: { before: null, after: 'Portátil' } },
    ]);
    const [mail] = await t.deliveredMail();
    expect(mail?.subject).toBe('Se añadió una llave de acceso a tu cuenta');
    expect(mail?.text).toContain('«Portátil»');
    // Another device of the same person gets the same handle, and does not make a second key on the first one.
    const again = await optionsOf(t);
    expect(again.body.options.user.id).toBe(options.user.id);
    expect(again.body.options.excludeCredentials).toHaveLength(1);
  });

  test('asks for the password again after ten minutes (SIGN-01, PEOPLE-05)', async () => {
    const t = await createPasskeyApp();
    t.clock.advance(10 * MINUTE_MS + 1);
    const refused = await optionsOf(t);
    expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
    await t.call('POST', '/api/auth/step-up/', { body: { password: ADMIN.password } });
    expect((await optionsOf(t)).status).toBe(200);
  });

  test('names each wrong field', async () => {
    const t = await createPasskeyApp();
    const send = async (body: object) => {
      const { status, body: answer } = await t.call('POST', PASSKEYS, { body });
      return [status, answer.errors];
    };
    expect(await send({})).toEqual([
      400,
      { response: ['Falta la respuesta del navegador'], name: ['El nombre es obligatorio'] },
    ]);
    const { options } = (await optionsOf(t)).body;
    const response = createAuthenticator(ORIGIN).create(options);
    expect(await send({ response, name: '  ' })).toEqual([400, { name: ['El nombre es obligatorio'] }]);
    expect(await send({ response, name: 'x'.repeat(101) })).toEqual([
      400,
      { name: ['No puede exceder 100 caracteres'] },
    ]);
    const wrong = { response: ['La llave de acceso no es correcta o tardó demasiado. Inténtalo de nuevo.'] };
    expect(await send({ response: {}, name: 'x' })).toEqual([400, wrong]);
    // A refused call does not use its challenge up.
    expect((await t.call('POST', PASSKEYS, { body: { response, name: 'x' } })).status).toBe(201);
  });

  test('a repeated call with its Idempotency-Key makes one passkey', async () => {
    const t = await createPasskeyApp();
    const { options } = (await optionsOf(t)).body;
    const body = { response: createAuthenticator(ORIGIN).create(options), name: 'Portátil' };
    const send = () => t.call('POST', PASSKEYS, { body, headers: { 'idempotency-key': 'una-vez' } });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await listed(t)).toHaveLength(1);
  });

  test('a person has 20 at most, also when many are added at once (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    for (let number = 1; number <= 18; number += 1) {
      expect((await addPasskey(t, { name: `Llave ${number}` })).answer.status).toBe(201);
    }
    const options = await Promise.all(Array.from({ length: 4 }, () => optionsOf(t)));
    const answers = await Promise.all(
      options.map(({ body }) =>
        t.call('POST', PASSKEYS, {
          body: { response: createAuthenticator(ORIGIN).create(body.options), name: 'Otra' },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = await optionsOf(t);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'conflict',
      'Puedes tener 20 llaves de acceso como máximo. Elimina una que ya no uses.',
    ]);
  });
});

describe('signing in with a passkey', () => {
  test('answers as a login does, without a name and without a code (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const { options, token } = await signInOptions(t);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    t.clock.advance(MINUTE_MS);
    const answer = await sendProof(t, { token, response: authenticator.get(options) });
    const login = await t.call('POST', '/api/auth/login/', { token: null, body: ADMIN });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys(login.body).sort());
    expect(answer.body).toMatchObject({ user: login.body.user, message: 'Inicio de sesión exitoso' });
    expect((await me(t, answer.body.token)).status).toBe(200);
    expect(await listed(t)).toMatchObject([{ last_used_at: '2026-11-29T12:01:00.000Z' }]);
    const signedIn = await t.db
      .selectFrom('events')
      .select('changes')
      .where('type', '=', 'user.signed_in')
      .where('changes', 'like', '%passkey%')
      .execute();
    expect(signedIn.map(({ changes }) => JSON.parse(changes))).toEqual([
      { passkey: { before: null, after: 'Portátil' } },
    ]);
  });

  test('an authenticator that does not count signs in again and again', async () => {
    const t = await createPasskeyApp();
    const authenticator = createAuthenticator(ORIGIN, { counts: false });
    await addPasskey(t, { authenticator });
    expect((await signInBy(t, authenticator)).status).toBe(200);
    expect((await signInBy(t, authenticator)).status).toBe(200);
  });

  test('asks for no code where the person has a second factor, and a password still does (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    await t.db.updateTable('users').set({ mfa_enabled_at: t.context.now().toISOString() }).execute();
    expect((await signInBy(t, authenticator)).status).toBe(200);
    const login = await t.call('POST', '/api/auth/login/', { token: null, body: ADMIN });
    expect(login.body.code).toBe('mfa_required');
  });

  test('satisfies require_mfa in its own session alone (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    await t.call('PATCH', '/licenses/api/settings/', { body: { require_mfa: 'all' } });
    const byPasskey = (await signInBy(t, authenticator)).body.token;
    const byPassword = await signInAs(t, ADMIN.username, ADMIN.password);
    expect((await me(t, byPasskey)).body).toMatchObject({ mfa_setup_required: false, mfa_enabled: false });
    expect((await t.call('GET', '/licenses/api/clients/', { token: byPasskey })).status).toBe(200);
    expect((await me(t, byPassword)).body.mfa_setup_required).toBe(true);
    const refused = await t.call('GET', '/licenses/api/clients/', { token: byPassword });
    expect([refused.status, refused.body.code]).toEqual([403, 'mfa_setup_required']);
    // Neither does it let a person who must set one up make a passkey instead.
    expect((await optionsOf(t, { token: byPassword })).body.code).toBe('mfa_setup_required');
  });

  test('a session renewed by its refresh token keeps what opened it', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    await t.call('PATCH', '/licenses/api/settings/', { body: { require_mfa: 'all' } });
    const { body } = await signInBy(t, authenticator);
    const renewed = await t.call('POST', '/api/auth/refresh/', {
      token: null,
      body: { refresh_token: body.refresh_token },
    });
    expect((await me(t, renewed.body.token)).body.mfa_setup_required).toBe(false);
  });
});

describe('confirming one’s identity with a passkey', () => {
  test('stands for the password for ten minutes (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    t.clock.advance(10 * MINUTE_MS + 1);
    expect((await optionsOf(t)).status).toBe(403);
    expect((await stepUpBy(t, authenticator)).status).toBe(200);
    expect((await optionsOf(t)).status).toBe(200);
  });

  test('takes exactly one proof', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const { options, token } = await signInOptions(t);
    const passkey = { token, response: authenticator.get(options) };
    const both = await t.call('POST', '/api/auth/step-up/', { body: { passkey, password: ADMIN.password } });
    expect([both.status, Object.keys(both.body.errors)]).toEqual([400, ['password']]);
    const halves = await t.call('POST', '/api/auth/step-up/', { body: { passkey: { token } } });
    expect([halves.status, Object.keys(halves.body.errors)]).toEqual([400, ['passkey']]);
  });
});

describe('own passkeys', () => {
  test('are renamed with an event and removed with an event and a mail (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const renamed = await t.call('PATCH', `${PASSKEYS}1/`, { body: { name: 'Teléfono' } });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Teléfono']);
    expect(await newestEvent(t)).toMatchObject({
      type: 'user.updated',
      changes: JSON.stringify({ passkey: { before: 'Portátil', after: 'Teléfono' } }),
    });
    expect((await t.call('PATCH', `${PASSKEYS}1/`, { body: { name: '' } })).body.errors).toEqual({
      name: ['El nombre es obligatorio'],
    });
    const removed = await t.call('DELETE', `${PASSKEYS}1/`);
    expect([removed.status, removed.body.message]).toEqual([200, 'Llave de acceso eliminada']);
    expect((await newestEvent(t)).type).toBe('user.passkey_removed');
    expect(await subjects(t)).toContain('Se eliminó una llave de acceso de tu cuenta');
    expect(await listed(t)).toEqual([]);
    expect((await signInBy(t, authenticator)).status).toBe(401);
    expect((await t.call('DELETE', `${PASSKEYS}1/`)).status).toBe(404);
  });

  test('are removed only by who confirmed the identity in the last ten minutes (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    await addPasskey(t);
    t.clock.advance(10 * MINUTE_MS + 1);
    const refused = await t.call('DELETE', `${PASSKEYS}1/`);
    expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
    expect(await listed(t)).toHaveLength(1);
    // A name lets nobody in.
    expect((await t.call('PATCH', `${PASSKEYS}1/`, { body: { name: 'Otra' } })).status).toBe(200);
  });

  test('a removed one ends the other sessions that it opened', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const stolen = (await signInBy(t, authenticator)).body.token;
    const own = (await signInBy(t, authenticator)).body.token;
    expect((await t.call('DELETE', `${PASSKEYS}1/`, { token: own })).status).toBe(200);
    expect((await me(t, stolen)).status).toBe(401);
    expect((await me(t, own)).status).toBe(200);
    expect((await me(t, t.token)).status).toBe(200);
  });

  test('of somebody else do not exist', async () => {
    const t = await createPasskeyApp();
    await addPasskey(t);
    const { token } = await joinAs(t, 'eva');
    expect(await listed(t, token)).toEqual([]);
    for (const [method, body] of [
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await t.call(method, `${PASSKEYS}1/`, { token, body });
      expect([answer.status, answer.body.message]).toEqual([404, 'Llave de acceso no encontrada']);
    }
    expect(await listed(t)).toMatchObject([{ name: 'Portátil' }]);
  });

  test('are named in the mail about a new password, because they go on working', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    await t.call('POST', '/api/auth/password/change/', {
      body: { current_password: ADMIN.password, password: 'una clave larga de prueba 7' },
    });
    const mail = (await t.deliveredMail()).find(({ subject }) => subject?.startsWith('Cambió la contraseña'));
    expect(mail?.text).toContain('siguen entrando en tu cuenta: «Portátil»');
    expect((await signInBy(t, authenticator)).status).toBe(200);
  });
});

describe('an administrator', () => {
  test('removes the passkeys of a person with the second factor, and the person gets a mail about it (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const eva = await joinAs(t, 'eva');
    const { authenticator } = await addPasskey(t, { token: eva.token });
    const { status } = await t.call('POST', `/licenses/api/users/${eva.id}/reset_mfa/`);
    expect(status).toBe(200);
    expect((await me(t, eva.token)).status).toBe(401);
    expect((await signInBy(t, authenticator)).status).toBe(401);
    const types = await t.db.selectFrom('events').select('type').orderBy('id', 'desc').limit(3).execute();
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['user.mfa_reset', 'user.passkey_removed']),
    );
    const mails = (await t.deliveredMail()).filter(
      ({ subject }) => subject === 'Se quitaron tus llaves de acceso',
    );
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('«Portátil»')]);
  });

  test('sees how many passkeys a person has', async () => {
    const t = await createPasskeyApp();
    const eva = await joinAs(t, 'eva');
    await addPasskey(t, { token: eva.token });
    await addPasskey(t, { token: eva.token });
    const { body } = await t.call('GET', '/licenses/api/users/');
    expect(
      body.results.map((user: { username: string; passkeys: number }) => [user.username, user.passkeys]),
    ).toEqual([
      ['admin', 0],
      ['eva', 2],
    ]);
    expect((await t.call('GET', `/licenses/api/users/${eva.id}/`)).body.passkeys).toBe(2);
  });

  test('at the command line removes them too, but not where only the key of the server was lost', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    await runUserCommand(t.context, ['lost-key']);
    expect((await signInBy(t, authenticator)).status).toBe(200);
    expect(await runUserCommand(t.context, ['mfa', 'admin'])).toBe(
      'admin: sin verificación en dos pasos ni llaves de acceso. Sus sesiones terminaron.',
    );
    expect((await signInBy(t, authenticator)).status).toBe(401);
    expect((await me(t, t.token)).status).toBe(401);
  });

  test('who deactivates a person leaves the passkeys, which are refused until then (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const eva = await joinAs(t, 'eva');
    const { authenticator } = await addPasskey(t, { token: eva.token });
    await t.call('POST', `/licenses/api/users/${eva.id}/deactivate/`);
    const refused = await signInBy(t, authenticator);
    expect([refused.status, refused.body.code]).toEqual([403, 'user_inactive']);
    const wrong = await signInBy(t, authenticator, { verified: false });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_code']);
    await t.call('POST', `/licenses/api/users/${eva.id}/reactivate/`);
    expect((await signInBy(t, authenticator)).status).toBe(200);
  });
});

describe('where passkeys are offered (SIGN-01)', () => {
  const CALLS = [
    ['POST', `${PASSKEYS}options/`, undefined],
    ['POST', PASSKEYS, { response: {}, name: 'x' }],
    ['GET', PASSKEYS, undefined],
    ['PATCH', `${PASSKEYS}1/`, { name: 'x' }],
    ['DELETE', `${PASSKEYS}1/`, undefined],
    ['POST', `${PASSKEYS}sign-in/options/`, undefined],
    ['POST', `${PASSKEYS}sign-in/`, { token: 'x', response: {} }],
    ['POST', '/api/auth/step-up/', { passkey: { token: 'x', response: {} } }],
  ] as const;

  for (const url of [
    'http://127.0.0.1:3000',
    'https://192.0.2.7',
    'https://[2001:db8::1]',
    'http://ejemplo.mx',
  ]) {
    test(`not at ${url}: every call is 409`, async () => {
      const t = await createTestApp({ env: { PUBLIC_URL: url } });
      for (const [method, path, body] of CALLS) {
        const answer = await t.call(method, path, { body });
        expect([path, answer.status, answer.body.code]).toEqual([path, 409, 'conflict']);
      }
      expect((await t.call('GET', '/api/health/', { token: null })).body).not.toHaveProperty(
        'passkey_origin',
      );
    });
  }

  for (const [url, id, origin] of [
    ['https://licencias.example.com/', 'licencias.example.com', 'https://licencias.example.com'],
    ['https://licencias.example.com:8443', 'licencias.example.com', 'https://licencias.example.com:8443'],
    ['http://localhost:4567', 'localhost', 'http://localhost:4567'],
  ] as const) {
    test(`at ${url} for the name ${id}`, async () => {
      const t = await createTestApp({ env: { PUBLIC_URL: url } });
      expect((await t.call('GET', '/api/health/', { token: null })).body.passkey_origin).toBe(origin);
      const authenticator = createAuthenticator(origin);
      const { answer } = await addPasskey(t, { authenticator });
      expect(answer.body.rp_id).toBe(id);
      expect((await signInBy(t, authenticator)).status).toBe(200);
    });
  }

  test('one made for another name stays in the list and signs in nowhere', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    await t.db.updateTable('passkeys').set({ rp_id: 'antes.example.com' }).execute();
    expect(await listed(t)).toMatchObject([{ rp_id: 'antes.example.com' }]);
    expect((await signInBy(t, authenticator)).status).toBe(401);
  });
});

test('housekeeping deletes used challenges that would have ended', async () => {
  const t = await createPasskeyApp();
  const { authenticator } = await addPasskey(t);
  await signInBy(t, authenticator);
  const count = async () => (await t.db.selectFrom('used_challenges').selectAll().execute()).length;
  await runJob(t.context, housekeepingJob);
  expect(await count()).toBe(2);
  t.clock.advance(5 * MINUTE_MS);
  await runJob(t.context, housekeepingJob);
  expect(await count()).toBe(0);
});
