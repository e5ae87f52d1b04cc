import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { findSession } from '../sign-in/auth.queries.ts';
import { changePassword } from './change-password.ts';
import { mailResetLinks } from './forgot-password.ts';

/** A user's own account: password and sessions (PEOPLE-04, PEOPLE-06). */

const NEW = 'tres tristes tigres';

const change = (t: TestApp, body: object, token = t.token) =>
  t.call('POST', '/api/auth/password/change/', { body, token });

describe('changing the password', () => {
  test('ends the other sessions and not the current one (PEOPLE-04)', async () => {
    const t = await createTestApp();
    const other = await signInAs(t, 'admin', 'admin123');
    const { status, body } = await change(t, { current_password: 'admin123', password: NEW });
    expect([status, body.message]).toEqual([200, 'Contraseña cambiada. Cerramos tus demás sesiones.']);
    const statusWith = async (token: string) => (await t.call('GET', '/api/auth/user/', { token })).status;
    expect([await statusWith(t.token), await statusWith(other)]).toEqual([200, 401]);
    expect([await signInAs(t, 'admin', 'admin123'), (await signInAs(t, 'admin', NEW)) !== '']).toEqual([
      '',
      true,
    ]);
  });

  test.each([
    [{ current_password: 'otra', password: NEW }, { current_password: ['La contraseña no es correcta'] }],
    [
      { current_password: 'admin123', password: 'qwertyuiop' },
      { password: ['Esta contraseña es de las más usadas. Elige otra.'] },
    ],
    [
      { current_password: 'admin123', password: 'corta' },
      { password: ['La contraseña debe tener al menos 8 caracteres'] },
    ],
    [{}, { current_password: ['La contraseña es requerida'], password: ['La contraseña es requerida'] }],
  ])('%j is 400 at its field and does not end the session (PEOPLE-03)', async (body, errors) => {
    const t = await createTestApp();
    const refused = await change(t, body);
    expect([refused.status, refused.body.errors]).toEqual([400, errors]);
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(200);
  });

  test('fails for a person who is deactivated at the same time', async () => {
    const t = await createTestApp();
    const { user } = (await t.call('GET', '/api/auth/user/')).body;
    const session = await findSession(t.db, t.token, t.context.now());
    await t.db.updateTable('users').set({ is_active: false }).execute();
    const asked = { current_password: 'admin123', password: NEW };
    const from = {
      session: session!,
      origin: { ip: null, requestId: null },
      signal: new AbortController().signal,
    };
    await expect(changePassword(t.context, asked, from)).rejects.toMatchObject({ status: 401 });
    await t.db.updateTable('users').set({ is_active: true }).execute();
    expect(await signInAs(t, user.username, 'admin123')).not.toBe('');
  });

  test('after five wrong passwords further tries with this session are refused', async () => {
    const t = await createTestApp();
    for (let count = 0; count < 5; count += 1) await change(t, { current_password: 'otra', password: NEW });
    const { status, headers } = await change(t, { current_password: 'admin123', password: NEW });
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  });
});

describe('a forgotten password', () => {
  const forgot = (t: TestApp, email: string) =>
    t.call('POST', '/api/auth/password/forgot/', { body: { email }, token: null });
  const reset = (t: TestApp, token: string, password = NEW) =>
    t.call('POST', '/api/auth/password/reset/', { body: { token, password }, token: null });

  /** The token in a mailed link that is not among `known`. */
  async function mailedToken(t: TestApp, known: string[] = []): Promise<string> {
    const mails = await expect
      .poll(async () => (await t.deliveredMail()).length, { interval: 20, timeout: 10_000 })
      .toBeGreaterThan(known.length)
      .then(() => t.deliveredMail());
    const tokens = mails.map(({ text }) => /restablecer#([\w-]+)/.exec(text ?? '')?.[1] ?? '');
    return tokens.find((token) => !known.includes(token)) ?? '';
  }

  test.each([
    [
      'smtp://127.0.0.1:9',
      'Si hay una cuenta con este email, te enviamos un enlace para cambiar la contraseña.',
    ],
    [
      '',
      'Si hay una cuenta con este email, el enlace para cambiar la contraseña se guarda en la bandeja de salida (sin servidor de correo). Pídelo a quien administra el sistema.',
    ],
  ])(
    'a request with SMTP_URL %j gets the same answer for a known and an unknown address (PEOPLE-04)',
    async (url, message) => {
      const t = await createTestApp({ env: url === '' ? {} : { SMTP_URL: url } });
      const answers = [await forgot(t, 'admin@example.com'), await forgot(t, 'nadie@example.com')];
      expect(answers.map(({ status, body }) => [status, body])).toEqual(
        Array(2).fill([200, { success: true, message }]),
      );
    },
  );

  test('the mailed link works once for ten minutes, ends all sessions and opens none (PEOPLE-04)', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    await forgot(t, 'Admin@Example.com');
    const token = await mailedToken(t);
    const tries = await Promise.all([reset(t, token), reset(t, token), reset(t, token)]);
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const { body } = tries.find(({ status }) => status === 200)!;
    expect(body).toEqual({
      success: true,
      message: 'Contraseña cambiada. Inicia sesión con la nueva.',
      api_keys: [],
    });
    expect((await t.call('GET', '/api/auth/user/')).status).toBe(401);
    expect(await signInAs(t, 'admin', NEW)).not.toBe('');
  });

  test('the link is refused after ten minutes', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    await forgot(t, 'admin@example.com');
    const token = await mailedToken(t);
    t.clock.advance(10 * 60_000);
    const late = await reset(t, token);
    expect([late.status, late.body.code]).toEqual([400, 'invalid_token']);
  });

  test('two requests within a minute send one link', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    const ask = async () => {
      await mailResetLinks(t.context, 'admin@example.com', { ip: null, requestId: null });
      return (await t.db.selectFrom('outbox').select('id').execute()).length;
    };
    expect([await ask(), await ask()]).toEqual([1, 1]);
    t.clock.advance(60_000);
    expect(await ask()).toBe(2);
  });

  test('a further request does not void earlier links, and using one voids the others', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    const tokens: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      await mailResetLinks(t.context, 'admin@example.com', { ip: null, requestId: null });
      tokens.push(await mailedToken(t, tokens));
      t.clock.advance(61_000);
    }
    const [first, second, third] = tokens as [string, string, string];
    expect(new Set(tokens).size).toBe(3);
    expect((await reset(t, second)).status).toBe(200);
    for (const token of [first, third]) expect((await reset(t, token)).body.code).toBe('invalid_token');
  });

  test('a link of another kind is refused', async () => {
    const t = await createTestApp();
    const { body } = await t.call('POST', '/licenses/api/users/', {
      body: { username: 'ana', names: 'Ana', email: 'ana@example.com', role: 'viewer' },
    });
    expect((await reset(t, body.link.split('#')[1])).body.code).toBe('invalid_token');
  });
});

describe('own sessions', () => {
  test('the session of a program without a user agent has no name', async () => {
    const t = await createTestApp({ ownApp: true });
    const { port } = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' }));
    const body = JSON.stringify({ username: 'admin', password: 'admin123' });
    const headers = { 'content-type': 'application/json', connection: 'close' };
    // Node's own HTTP client sends no User-Agent.
    const sent = request({ port, method: 'POST', path: '/api/auth/login/', headers }).end(body);
    const [answer] = await once(sent, 'response');
    expect(answer.statusCode).toBe(200);
    answer.resume();
    const { results } = (await t.call('GET', '/api/auth/sessions/')).body;
    expect(results.map(({ user_agent }: { user_agent: string | null }) => user_agent)).toContain(null);
  });

  test('are listed with device and address, and the current one is marked (PEOPLE-06)', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    t.clock.advance(60_000);
    await t.call('POST', '/api/auth/login/', {
      body: { username: 'admin', password: 'admin123' },
      token: null,
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' },
    });
    const { body } = await t.call('GET', '/api/auth/sessions/');
    expect(body.results).toEqual([
      {
        id: expect.any(Number),
        created_at: '2026-11-22T12:01:00.000Z',
        last_used_at: '2026-11-22T12:01:00.000Z',
        ip: '127.0.0.1',
        user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0',
        current: false,
      },
      expect.objectContaining({ created_at: '2026-11-22T12:00:00.000Z', current: true }),
    ]);
  });

  test('can be ended one by one or all others at once, and those of other people are not found (PEOPLE-06)', async () => {
    const t = await createTestApp();
    const [second, third] = [await signInAs(t, 'admin', 'admin123'), await signInAs(t, 'admin', 'admin123')];
    const idOf = async (token: string) =>
      (await t.call('GET', '/api/auth/sessions/', { token })).body.results.find(
        ({ current }: { current: boolean }) => current,
      ).id;
    const statusWith = async (token: string) => (await t.call('GET', '/api/auth/user/', { token })).status;
    const id = await idOf(second);
    expect((await t.call('DELETE', `/api/auth/sessions/${id}/`)).status).toBe(200);
    expect([await statusWith(second), await statusWith(third)]).toEqual([401, 200]);
    expect((await t.call('DELETE', `/api/auth/sessions/${id}/`)).status).toBe(404);
    await t.call('POST', '/api/auth/sessions/revoke_others/');
    expect([await statusWith(t.token), await statusWith(third)]).toEqual([200, 401]);

    await t.call('POST', '/api/auth/register/', {
      body: { username: 'segunda', password: 'secreta1', names: 'Segunda', email: 'segunda@example.com' },
    });
    const foreign = await signInAs(t, 'segunda', 'secreta1');
    expect((await t.call('DELETE', `/api/auth/sessions/${await idOf(foreign)}/`)).status).toBe(404);
  });
});

test('a session that was not used for eight hours ends, and a used one does not', async () => {
  const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
  const signIn = async () =>
    (
      await t.call('POST', '/api/auth/login/', {
        body: { username: 'admin', password: 'admin123' },
        token: null,
      })
    ).body.refresh_token as string;
  const refresh = (refresh_token: string) =>
    t.call('POST', '/api/auth/refresh/', { body: { refresh_token }, token: null });
  const [used, idle] = [await signIn(), await signIn()];
  t.clock.advance(6 * 3_600_000);
  const renewed = await refresh(used);
  expect(renewed.status).toBe(200);
  t.clock.advance(2 * 3_600_000 + 1);
  expect([(await refresh(idle)).status, (await refresh(renewed.body.refresh_token)).status]).toEqual([
    401, 200,
  ]);
  const event = await t.db
    .selectFrom('events')
    .select(['reason'])
    .where('type', '=', 'session.revoked')
    .executeTakeFirstOrThrow();
  expect(event.reason).toBe('Sin uso');
});
