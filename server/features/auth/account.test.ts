import { beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

/** What users change of themselves (LIFE-09). */

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: '2026-11-25T18:00:00.000Z' });
});

const put = (body: object, token?: null) =>
  t.call('PUT', '/api/auth/user/', { body, ...(token === null && { token }) });

test('a PUT changes the named fields of the own account and keeps the others, with one event (LIFE-09)', async () => {
  const before = (await t.call('GET', '/api/auth/user/')).body.user;
  expect(before.weekly_digest).toBe(false);
  const { status, body } = await put({ weekly_digest: true, email: 'ana@vendedor.mx', last_name: null });
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

test('a PUT names each wrong field, changes neither name nor state, and needs a session (LIFE-09)', async () => {
  const wrong = await put({ names: ' ', email: 'ana', weekly_digest: 'sí' });
  expect(wrong.status).toBe(400);
  expect(Object.keys(wrong.body.errors).sort()).toEqual(['email', 'names', 'weekly_digest']);
  const { body } = await put({ username: 'otra', is_active: false, password_hash: 'x' });
  expect(body.user).toMatchObject({ username: 'admin', is_active: true });
  expect((await put({ weekly_digest: true }, null)).status).toBe(401);
});
