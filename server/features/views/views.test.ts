import { beforeAll, describe, expect, test } from 'vitest';
import type { View } from '../../../contract/base/views.ts';
import { ALL_PERMISSIONS, type Permission } from '../../../contract/people/permissions.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { asSystem } from '../../../test/scope.ts';
import { AppError } from '../../errors.ts';
import { deleteView, saveView } from './save-view.ts';
import { listViews, type Owner } from './views.queries.ts';

const URL = '/licenses/api/views/';
const SUSPENDED = { screen: 'licenses', name: 'Suspendidas', query: 'status=suspended', shared: false };

/** Registers a second user and signs in. */
async function signInSecond(t: TestApp): Promise<string> {
  await t.call('POST', '/api/auth/register/', {
    body: { username: 'segunda', password: 'secreta1', names: 'Segunda', email: 'segunda@example.com' },
  });
  return signInAs(t, 'segunda', 'secreta1');
}

const save = async (t: TestApp, values: object, token?: string): Promise<View> => {
  const { status, body } = await t.call('POST', URL, {
    body: { ...SUSPENDED, ...values },
    ...(token !== undefined && { token }),
  });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
};

const namesFor = async (t: TestApp, token: string, query = '') => {
  const { body } = await t.call('GET', URL + query, { token });
  return body.results.map(({ name, own }: View) => `${name}${own ? '' : ' (de otros)'}`);
};

let app: TestApp;
let second: string;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  second = await signInSecond(app);
  return app.close;
});

test('a view is saved, listed and deleted (LIST-03)', async () => {
  const t = await createTestApp({ now: '2026-11-21T18:00:00Z' });
  const saved = await save(t, { name: '  Suspendidas por pago ', query: '?status=suspended&q=a%26b' });
  expect(saved).toEqual({
    id: saved.id,
    screen: 'licenses',
    name: 'Suspendidas por pago',
    query: 'status=suspended&q=a%26b',
    shared: false,
    own: true,
    created_at: '2026-11-21T18:00:00.000Z',
  });
  expect((await t.call('GET', URL)).body).toEqual({ results: [saved] });

  const deleted = await t.call('DELETE', `${URL}${saved.id}/`);
  expect([deleted.status, deleted.body]).toEqual([
    200,
    { success: true, message: 'Vista eliminada exitosamente' },
  ]);
  expect((await t.call('GET', URL)).body).toEqual({ results: [] });
  expect((await t.call('DELETE', `${URL}${saved.id}/`)).status).toBe(404);
});

test('views are listed by name, for all lists or for one (LIST-03)', async () => {
  const t = await createTestApp();
  for (const name of ['zeta', 'Ámbar', 'ñu', 'nata']) await save(t, { name });
  await save(t, { name: 'Bajas', screen: 'clients', query: '' });

  expect(await namesFor(t, t.token)).toEqual(['Ámbar', 'Bajas', 'nata', 'ñu', 'zeta']);
  expect(await namesFor(t, t.token, '?screen=clients')).toEqual(['Bajas']);
  const unknown = await t.call('GET', `${URL}?screen=reports`);
  expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([400, ['screen']]);
});

describe('an invalid view', () => {
  test.each([
    [{ name: '  ' }, { name: ['El nombre es obligatorio'] }],
    [{ name: 'a'.repeat(61) }, { name: ['No puede exceder 60 caracteres'] }],
    [{ query: 'a'.repeat(501) }, { query: ['No puede exceder 500 caracteres'] }],
    [{ query: undefined }, { query: ['Los filtros son obligatorios'] }],
    [{ screen: 'settings' }, { screen: ['Selecciona una lista válida'] }],
  ])('%j is refused at its field (LIST-03)', async (values, errors) => {
    const { status, body } = await app.call('POST', URL, { body: { ...SUSPENDED, ...values } });
    expect([status, body.errors]).toEqual([400, errors]);
  });

  test('a name that the user already has in this list, ignoring case and accents, is refused (LIST-03)', async () => {
    await save(app, { name: 'Única' });
    const again = await app.call('POST', URL, { body: { ...SUSPENDED, name: 'UNICA' } });
    expect([again.status, again.body.errors]).toEqual([
      400,
      { name: ['Ya tienes una vista con este nombre'] },
    ]);
    await save(app, { name: 'Única', screen: 'clients' });
    await save(app, { name: 'Única' }, second);
  });
});

test('a repeated call with the same Idempotency-Key saves one view', async () => {
  const t = await createTestApp();
  const call = { body: SUSPENDED, headers: { 'idempotency-key': 'una' } };
  const [first, again] = [await t.call('POST', URL, call), await t.call('POST', URL, call)];
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  expect(await namesFor(t, t.token)).toEqual(['Suspendidas']);
});

test('a shared view is visible to all users, a private one only to its owner (LIST-03)', async () => {
  const t = await createTestApp();
  const other = await signInSecond(t);
  const mine = await save(t, { name: 'Mía' });
  await save(t, { name: 'De todos', shared: true });
  await save(t, { name: 'Suya' }, other);

  expect(await namesFor(t, t.token)).toEqual(['De todos', 'Mía']);
  expect(await namesFor(t, other)).toEqual(['De todos (de otros)', 'Suya']);
  expect((await t.call('DELETE', `${URL}${mine.id}/`, { token: other })).status).toBe(404);
  expect(await namesFor(t, t.token)).toEqual(['De todos', 'Mía']);
});

describe('permissions', () => {
  const ownerWith = async (t: TestApp, username: string, lacking: Permission[] = []): Promise<Owner> => {
    const row = t.db.selectFrom('users').select('id').where('username', '=', username);
    const { id } = await row.executeTakeFirstOrThrow();
    return { userId: id, permissions: new Set([...ALL_PERMISSIONS].filter((one) => !lacking.includes(one))) };
  };
  const statusOf = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error) => (error instanceof AppError ? error.status : Promise.reject(error)),
    );
  const view = { ...SUSPENDED, screen: 'licenses' as const };

  test('sharing needs views:share (LIST-03)', async () => {
    const t = await createTestApp();
    const owner = await ownerWith(t, 'admin', ['views:share']);
    const tryTo = (values: object) =>
      statusOf(asSystem(t, (scope) => saveView(scope, owner, { ...view, ...values })));
    expect(await tryTo({ shared: true })).toBe(403);
    expect(await tryTo({ shared: false })).toBe(200);
    expect(await namesFor(t, t.token)).toEqual(['Suspendidas']);
  });

  test('a shared view can be deleted by its owner or an administrator (LIST-03)', async () => {
    const t = await createTestApp();
    const other = await signInSecond(t);
    const [one, two] = [
      await save(t, { name: 'Una', shared: true }),
      await save(t, { name: 'Dos', shared: true }),
    ];
    const operator = await ownerWith(t, 'segunda', ['settings:manage']);
    await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'segunda').execute();

    expect(await statusOf(asSystem(t, (scope) => deleteView(scope, operator, one.id)))).toBe(403);
    expect((await t.call('DELETE', `${URL}${one.id}/`, { token: other })).status).toBe(200);
    expect((await t.call('DELETE', `${URL}${two.id}/`)).status).toBe(200);
  });

  test('views of a list that the user may not read are left out (LIST-03)', async () => {
    const t = await createTestApp();
    await save(t, { name: 'De clientes', screen: 'clients' });
    await save(t, { name: 'De licencias' });
    const owner = await ownerWith(t, 'admin', ['clients:read']);
    expect((await listViews(t.db, owner, undefined)).map(({ name }) => name)).toEqual(['De licencias']);
  });
});

test('every call requires a session (LIST-03)', async () => {
  for (const [method, url] of [
    ['GET', URL],
    ['POST', URL],
    ['DELETE', `${URL}1/`],
  ] as const) {
    const { status } = await app.call(method, url, {
      token: null,
      ...(method === 'POST' && { body: SUSPENDED }),
    });
    expect([method, status]).toEqual([method, 401]);
  }
});

test('deleting a user deletes their views (LIST-03)', async () => {
  const t = await createTestApp();
  await save(t, { shared: true }, await signInSecond(t));
  await t.db.deleteFrom('users').where('username', '=', 'segunda').execute();
  expect(await namesFor(t, t.token)).toEqual([]);
});
