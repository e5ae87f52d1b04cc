import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';

/** The fields that users change themselves (LIFE-09). */

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: '2026-11-25T18:00:00.000Z' });
});

const put = (body: object, token?: null) =>
  t.call('PUT', '/api/auth/user/', { body, ...(token === null && { token }) });

test("a PUT changes the given fields of one's own account and no others, with one event (LIFE-09)", async () => {
  const before = (await t.call('GET', '/api/auth/user/')).body.user;
  expect(before.weekly_digest).toBe(false);
  const { status, body } = await put({
    weekly_digest: true,
    email: 'ana@vendedor.mx',
    last_name: null,
    current_password: 'admin123',
  });
  expect(status).toBe(200);
  expect(body.user).toEqual({ ...before, weekly_digest: true, email: 'ana@vendedor.mx', last_name: '' });
  expect((await t.call('GET', '/api/auth/user/')).body.user).toEqual(body.user);
  expect((await put({ weekly_digest: true })).status).toBe(200);
  const events = (await t.call('GET', '/licenses/api/events/?type=user.updated')).body.results;
  expect(events).toMatchObject([
    {
      actor: { kind: 'user', id: before.id },
      subject: { kind: 'user', id: before.id },
      changes: { weekly_digest: { before: false, after: true }, email: { after: 'ana@vendedor.mx' } },
    },
  ]);
});

test('a PUT returns an error for each wrong field, ignores user name and state, and needs a session (LIFE-09)', async () => {
  const wrong = await put({ names: ' ', email: 'ana', weekly_digest: 'sí' });
  expect(wrong.status).toBe(400);
  expect(Object.keys(wrong.body.errors).sort()).toEqual(['email', 'names', 'weekly_digest']);
  const { body } = await put({ username: 'otra', is_active: false, password_hash: 'x' });
  expect(body.user).toMatchObject({ username: 'admin', is_active: true });
  expect((await put({ weekly_digest: true }, null)).status).toBe(401);
});

test('a slip in the domain of the own email is answered as a warning by PUT and PATCH alone (INPUT-14)', async () => {
  const email = 'ana@gmial.com';
  const said = { warnings: { email: ['¿Es ana@gmail.com?'] }, suggestions: { email: 'ana@gmail.com' } };
  expect((await put({ email, current_password: 'admin123' })).body).toMatchObject(said);
  expect((await t.call('PATCH', '/api/auth/user/', { body: { names: 'Ana' } })).body).toMatchObject(said);
  expect((await t.call('GET', '/api/auth/user/')).body).not.toHaveProperty('warnings');
  const { body } = await put({ email: 'ana@gmail.com', current_password: 'admin123' });
  expect(body).not.toHaveProperty('warnings');
  expect(body).not.toHaveProperty('suggestions');
});

describe('a new email (PEOPLE-08)', () => {
  const NEW = 'ana@vendedor.mx';
  const putEmail = (current_password?: string) => put({ email: NEW, current_password });
  const userRow = () =>
    t.db.selectFrom('users').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow();

  test('a new email without the password, or with a wrong one, is 400 at the password', async () => {
    const before = await userRow();
    for (const password of [undefined, 'otra-clave']) {
      const { status, body } = await putEmail(password);
      expect(status).toBe(400);
      expect(Object.keys(body.errors)).toEqual(['current_password']);
    }
    expect(await userRow()).toEqual(before);
  });

  test('the same email in another case needs no password', async () => {
    const { email } = await userRow();
    expect((await put({ email: email.toUpperCase(), names: 'Ana' })).status).toBe(200);
  });

  test('the email of another user is 400 at the email', async () => {
    await t.call('POST', '/licenses/api/users/', {
      body: { username: 'ana', names: 'Ana', last_name: '', email: NEW.toUpperCase(), role: 'viewer' },
    });
    const { status, body } = await putEmail('admin123');
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual(['email']);
  });

  test('a new email voids the reset links sent to the earlier one, and changes the version', async () => {
    const { id, email, updated_at } = await userRow();
    await t.call('POST', '/api/auth/password/forgot/', { body: { email }, token: null });
    const links = () => t.db.selectFrom('user_links').selectAll().where('user_id', '=', id).execute();
    // The answer does not wait for it.
    await expect.poll(links).toHaveLength(1);
    t.clock.set('2026-11-25T18:05:00.000Z');
    expect((await putEmail('admin123')).status).toBe(200);
    expect(await links()).toEqual([]);
    expect((await userRow()).updated_at > updated_at).toBe(true);
  });
});
