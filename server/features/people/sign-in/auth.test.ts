import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS } from '../../../../contract/people/permissions.ts';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';

const LOGIN = '/api/auth/login/';
const MINUTE = 60_000;

const login = (t: TestApp, username: unknown, password: unknown, headers: Record<string, string> = {}) =>
  t.call('POST', LOGIN, { token: null, body: { username, password }, headers });
const refresh = (t: TestApp, refresh_token: string) =>
  t.call('POST', '/api/auth/refresh/', { token: null, body: { refresh_token } });
const isGood = async (t: TestApp, token: string) =>
  (await t.call('GET', '/api/auth/user/', { token })).status === 200;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

describe('POST auth/login/', () => {
  test('returns success, token, user and message', {
    tags: ['SEED-7.1-01', 'SEED-3-01', 'SEED-3-24', 'SEED-6-04'],
  }, async () => {
    const { status, body } = await login(app, 'admin', 'admin123');

    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        id: expect.any(Number),
        username: 'admin',
        names: expect.any(String),
        last_name: expect.any(String),
        email: expect.any(String),
        is_active: true,
      },
      message: 'Inicio de sesión exitoso',
    });
  });

  test('returns neither the password nor its hash (SEED-3-02)', async () => {
    const { text, body } = await login(app, 'admin', 'admin123');
    const current = await app.call('GET', '/api/auth/user/', { token: body.token });
    expect(text + current.text).not.toMatch(/argon2|password|hash|admin123/);
  });

  test('the username is trimmed and case-insensitive, and the password is used unchanged (D030)', async () => {
    expect((await login(app, '  ADMIN ', 'admin123')).status).toBe(200);
    expect((await login(app, 'admin', ' admin123')).status).toBe(401);
    expect((await login(app, 'admin', 'ADMIN123')).status).toBe(401);
  });

  test('returns different messages for an unknown user and a wrong password', {
    tags: ['SEED-8.2-01', 'SEED-8.2-02', 'D002', 'D003'],
  }, async () => {
    const unknown = await login(app, 'nadie', 'admin123');
    const wrong = await login(app, 'admin', 'otra-clave');

    expect([unknown.status, unknown.body]).toEqual([
      401,
      { success: false, code: 'unauthorized', message: 'Usuario no encontrado' },
    ]);
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { success: false, code: 'unauthorized', message: 'Contraseña incorrecta' },
    ]);
  });

  test('returns one message for both with AUTH_ERRORS=generic', async () => {
    const t = await createTestApp({ env: { AUTH_ERRORS: 'generic' } });
    const answers = [await login(t, 'nadie', 'admin123'), await login(t, 'admin', 'otra-clave')];
    expect(answers.map((answer) => answer.body.message)).toEqual([
      'Credenciales inválidas',
      'Credenciales inválidas',
    ]);
  });

  test('an inactive user is refused, and gets the reason only with the right password', {
    tags: ['SEED-6-05', 'SEED-8.2-03', 'D002'],
  }, async () => {
    const t = await createTestApp();
    await t.db.updateTable('users').set({ is_active: false }).execute();

    const right = await login(t, 'admin', 'admin123');
    const wrong = await login(t, 'admin', 'otra-clave');

    expect([right.status, right.body]).toEqual([
      403,
      { success: false, code: 'user_inactive', message: 'Usuario inactivo' },
    ]);
    expect(wrong.body.message).toBe('Contraseña incorrecta');
  });

  test.each([
    [{}, ['password', 'username']],
    [{ username: 'admin' }, ['password']],
    [{ password: 'admin123' }, ['username']],
    [{ username: '   ', password: '' }, ['password', 'username']],
    [{ username: null, password: null }, ['password', 'username']],
  ])('refuses the incomplete body %j (SEED-8.2-04, D030)', async (body, fields) => {
    const answer = await app.call('POST', LOGIN, { token: null, body });
    expect([answer.status, answer.body.message]).toEqual([400, 'Username y password son requeridos']);
    expect(Object.keys(answer.body.errors).sort()).toEqual(fields);
  });
});

describe('a password hash with weaker parameters than today', () => {
  const ARGON2I = 1;
  const ARGON2ID = 2;
  const stored = async (t: TestApp) => {
    const user = await t.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
    return user.password_hash;
  };

  test.each([
    ['less memory', { algorithm: ARGON2ID, memoryCost: 8192, timeCost: 2 }],
    ['fewer passes', { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 1 }],
    ['another algorithm', { algorithm: ARGON2I, memoryCost: 19_456, timeCost: 2 }],
  ])('a hash with %s is replaced only by a successful sign-in (SEED-3-02)', async (_what, options) => {
    const t = await createTestApp();
    const weak = await hash('admin123', options);
    await t.db.updateTable('users').set({ password_hash: weak }).execute();

    expect((await login(t, 'admin', 'otra-clave')).status).toBe(401);
    expect(await stored(t)).toBe(weak);
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
    const renewed = await stored(t);
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
    expect(await stored(t)).toBe(renewed);
  });

  test('a person who typed a decomposed accent signs in by either form, and the hash is replaced once (INPUT-11)', async () => {
    const t = await createTestApp();
    const [composed, decomposed] = ['contraseñá-1x'.normalize('NFC'), 'contraseñá-1x'.normalize('NFD')];
    const asTyped = await hash(decomposed, { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2 });
    await t.db.updateTable('users').set({ password_hash: asTyped }).execute();

    expect((await login(t, 'admin', composed)).status).toBe(401);
    expect((await login(t, 'admin', decomposed)).status).toBe(200);
    const replaced = await stored(t);
    expect(replaced).not.toBe(asTyped);
    expect((await login(t, 'admin', composed)).status).toBe(200);
    expect((await login(t, 'admin', decomposed)).status).toBe(200);
    expect(await stored(t)).toBe(replaced);
  });

  test('an unreadable hash matches no password', async () => {
    const t = await createTestApp();
    await t.db.updateTable('users').set({ password_hash: 'admin123' }).execute();
    expect((await login(t, 'admin', 'admin123')).status).toBe(401);
  });
});

describe('GET auth/user/', () => {
  test('returns success, the user, the role and its permissions (SEED-7.1-03, PEOPLE-01)', async () => {
    const { status, body } = await app.call('GET', '/api/auth/user/');
    const stored = await app.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    const { id, username, names, last_name, email, is_active } = stored;
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        user: { id, username, names, last_name, email, is_active, weekly_digest: false },
        settings: {
          vendor_name: 'License Manager',
          currency: 'MXN',
          locale: 'es-MX',
          email_transport: 'folder',
          portal_url: null,
        },
        role: 'admin',
        permissions: [...PERMISSIONS],
        mfa_enabled: false,
        mfa_setup_required: false,
      },
    ]);
  });

  test('requires a session', async () => {
    const { status, body } = await app.call('GET', '/api/auth/user/', { token: null });
    expect([status, body.message]).toEqual([401, 'Unauthorized']);
  });
});

describe('POST auth/logout/', () => {
  test('ends the session at once and invalidates its tokens (SEED-7.1-02, D121)', async () => {
    const t = await createTestApp();
    const { body: session } = await login(t, 'admin', 'admin123');
    const { body: other } = await login(t, 'admin', 'admin123');

    const { status, body } = await t.call('POST', '/api/auth/logout/', { token: session.token });

    expect([status, body]).toEqual([200, { success: true, message: 'Sesión cerrada exitosamente' }]);
    expect(await isGood(t, session.token)).toBe(false);
    expect((await refresh(t, session.refresh_token)).status).toBe(401);
    expect(await isGood(t, other.token)).toBe(true);
    expect((await t.call('POST', '/api/auth/logout/', { token: session.token })).status).toBe(401);
  });

  test('ending a session twice at the same moment writes one event', async () => {
    const t = await createTestApp();
    const { body: session } = await login(t, 'admin', 'admin123');
    const end = () => t.call('POST', '/api/auth/logout/', { token: session.token });
    for (const { status } of await Promise.all([end(), end(), end()])) expect([200, 401]).toContain(status);
    const { body } = await t.call('GET', '/licenses/api/events/?type=session.revoked');
    expect(body.results).toHaveLength(1);
  });

  test('an API key gets 403, because it has no session', async () => {
    const t = await createTestApp();
    const body = { name: 'Tienda', permissions: ['settings:manage'] };
    const { key: token } = (await t.call('POST', '/licenses/api/api-keys/', { body })).body;
    const test = await t.call('POST', '/licenses/api/mail-templates/digest/test/', { body: {}, token });
    expect([test.status, test.body.code]).toEqual([403, 'forbidden']);
  });
});

describe('POST auth/refresh/', () => {
  test('returns a new pair, and the old access token stays valid until it expires (D008)', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const { body: first } = await login(t, 'admin', 'admin123');
    const { status, body: second } = await refresh(t, first.refresh_token);

    expect([status, Object.keys(second).sort()]).toEqual([200, ['refresh_token', 'success', 'token']]);
    expect(new Set([first.token, second.token, first.refresh_token, second.refresh_token]).size).toBe(4);
    expect([await isGood(t, first.token), await isGood(t, second.token)]).toEqual([true, true]);
    t.clock.advance(15 * MINUTE);
    expect([await isGood(t, first.token), await isGood(t, second.token)]).toEqual([false, false]);
    expect((await refresh(t, second.refresh_token)).status).toBe(200);
  });

  test('two tabs can use the same refresh token within ten seconds (D008)', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const { body } = await login(t, 'admin', 'admin123');

    const both = await Promise.all([refresh(t, body.refresh_token), refresh(t, body.refresh_token)]);
    t.clock.advance(10_000);
    const late = await refresh(t, body.refresh_token);

    expect([...both, late].map((answer) => answer.status)).toEqual([200, 200, 200]);
    for (const answer of both) expect(await isGood(t, answer.body.token)).toBe(true);
  });

  test('using it again after that time ends the whole session, and no other session (D008)', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const { body: stolen } = await login(t, 'admin', 'admin123');
    const { body: other } = await login(t, 'admin', 'admin123');
    const { body: current } = await refresh(t, stolen.refresh_token);
    t.clock.advance(10_001);

    expect((await refresh(t, stolen.refresh_token)).status).toBe(401);
    expect(await isGood(t, current.token)).toBe(false);
    expect((await refresh(t, current.refresh_token)).status).toBe(401);
    expect(await isGood(t, other.token)).toBe(true);
  });

  test('using it again after its successor was used ends the session, even within ten seconds (D008)', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const { body: first } = await login(t, 'admin', 'admin123');
    const { body: second } = await refresh(t, first.refresh_token);
    const { body: third } = await refresh(t, second.refresh_token);

    expect((await refresh(t, first.refresh_token)).status).toBe(401);
    expect(await isGood(t, third.token)).toBe(false);
    expect((await refresh(t, third.refresh_token)).status).toBe(401);
  });

  test('two tabs that each continue with their own pair do not end the session (D008)', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const { body } = await login(t, 'admin', 'admin123');
    let tabs = [body.refresh_token, body.refresh_token];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(tabs.map((token) => refresh(t, token)));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
      tabs = answers.map((answer) => answer.body.refresh_token);
      t.clock.advance(1000);
    }
    const [ahead, behind] = tabs as [string, string];
    const { body: next } = await refresh(t, ahead);
    expect((await refresh(t, next.refresh_token)).status).toBe(200);
    expect((await refresh(t, behind)).status).toBe(200);
  });

  test('the session ends twelve hours after sign-in, regardless of refreshes (D007)', async () => {
    const t = await createTestApp({ now: '2026-05-01T00:00:00Z' });
    let { body } = await login(t, 'admin', 'admin123');
    for (let hour = 0; hour < 11; hour += 1) {
      t.clock.advance(60 * MINUTE);
      ({ body } = await refresh(t, body.refresh_token));
    }
    t.clock.advance(59 * MINUTE);
    ({ body } = await refresh(t, body.refresh_token));
    expect(await isGood(t, body.token)).toBe(true);
    t.clock.advance(MINUTE);
    expect(await isGood(t, body.token)).toBe(false);
    expect((await refresh(t, body.refresh_token)).status).toBe(401);
  });

  test('an access token, an invalid text and the token of a deactivated user are refused (D042)', async () => {
    const t = await createTestApp();
    const { body } = await login(t, 'admin', 'admin123');
    expect((await refresh(t, body.token)).status).toBe(401);
    expect((await refresh(t, 'nada')).status).toBe(401);
    await t.db.updateTable('users').set({ is_active: false }).execute();
    expect(await isGood(t, body.token)).toBe(false);
    expect((await refresh(t, body.refresh_token)).status).toBe(401);
  });
});

describe('POST auth/register/', () => {
  const NEW = {
    username: 'nueva',
    password: 'secreta1',
    names: 'Nueva',
    last_name: 'Persona',
    email: 'nueva@example.com',
  };
  const register = (t: TestApp, body: object, token: string | null = null) =>
    t.call('POST', '/api/auth/register/', { body, token });

  test('creates an account and signs it in (SEED-7.1-04, SEED-7.1-05)', async () => {
    const t = await createTestApp();
    const { status, body } = await register(t, { ...NEW, is_active: false, id: 99 });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      success: true,
      user: {
        username: 'nueva',
        names: 'Nueva',
        last_name: 'Persona',
        email: 'nueva@example.com',
        is_active: true,
      },
      message: 'Usuario registrado exitosamente',
    });
    expect(await isGood(t, body.token)).toBe(true);
    expect(await signInAs(t, 'nueva', 'secreta1')).not.toBe('');
  });

  test.each([{}, { last_name: null }, { last_name: '  ' }])(
    'the last name is optional: %j (SEED-7.1-05)',
    async (said) => {
      const t = await createTestApp();
      const { last_name: _known, ...needed } = NEW;
      const { status, body } = await register(t, { ...needed, ...said });
      expect([status, body.user.last_name]).toEqual([201, '']);
    },
  );

  test('returns errors for every invalid field (SEED-7.1-05, SEED-9-04)', async () => {
    const { status, body } = await register(app, {
      username: 'ab',
      password: '12345',
      names: ' ',
      email: 'no',
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual({
      username: ['El nombre de usuario debe tener al menos 3 caracteres'],
      password: ['La contraseña debe tener al menos 6 caracteres'],
      names: ['El nombre es obligatorio'],
      email: ['El email no es válido'],
    });
  });

  test.each([
    ['username', 'x'.repeat(51), 'El nombre de usuario no puede exceder 50 caracteres'],
    ['username', '', 'El nombre de usuario es requerido'],
    ['password', '', 'La contraseña es requerida'],
    ['email', '', 'El email es obligatorio'],
  ])('%s with the value %j is refused with: %s', async (field, value, message) => {
    const { body } = await register(app, { ...NEW, [field]: value });
    expect(body.errors).toEqual({ [field]: [message] });
  });

  test('a username is unique ignoring case, also for concurrent requests', async () => {
    const t = await createTestApp();
    const answers = await Promise.all([
      register(t, NEW),
      register(t, { ...NEW, username: 'NUEVA', email: 'otra@example.com' }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400]);
    expect(answers.find((answer) => answer.status === 400)?.body.errors).toEqual({
      username: ['Ya existe un usuario con este nombre'],
    });
  });

  test('a database failure is not reported as a taken username', async () => {
    const t = await createTestApp();
    await sql`alter table users rename column email to correo`.execute(t.db);
    const { status, body } = await register(t, NEW);
    expect([status, body]).toEqual([
      500,
      { success: false, code: 'server_error', message: 'Error en el servidor' },
    ]);
  });

  test('needs a session when ALLOW_REGISTRATION=0 (D005)', async () => {
    const t = await createTestApp({ env: { ALLOW_REGISTRATION: '0' } });
    const refused = await register(t, NEW);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await register(t, NEW, 'nothing')).status).toBe(403);
    expect((await register(t, NEW, t.token)).status).toBe(201);
  });

  test('needs no session while there are no users (D005)', async () => {
    const t = await createTestApp({ env: { ALLOW_REGISTRATION: '0' } });
    await t.db.deleteFrom('users').execute();
    expect((await register(t, NEW)).status).toBe(201);
    expect((await register(t, { ...NEW, username: 'segunda' })).status).toBe(403);
  });

  test('a password is stored with its spaces and in any script', async () => {
    const t = await createTestApp();
    await register(t, { ...NEW, password: '  contraseña 😀 ' });
    expect(await signInAs(t, 'nueva', '  contraseña 😀 ')).not.toBe('');
    expect(await signInAs(t, 'nueva', 'contraseña 😀')).toBe('');
  });
});

describe('GET health/', () => {
  test.each(['/api/health/', '/licenses/api/health/'])(
    '%s needs no session',
    { tags: ['SEED-7.1-06', 'SEED-7.1-07', 'SEED-7.6-09', 'SEED-7.6-10', 'D036'] },
    async (url) => {
      const { status, body } = await app.call('GET', url, { token: null });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        status: 'ok',
        database: 'ok',
        email: 'ok',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        timestamp: expect.stringMatching(/Z$/),
        demo_account: true,
      });
    },
  );

  test('the demo account is shown only while its password works (D006)', async () => {
    const t = await createTestApp();
    await t.db.updateTable('users').set({ is_active: false }).execute();
    expect((await t.call('GET', '/api/health/', { token: null })).body.demo_account).toBe(false);
  });
});
