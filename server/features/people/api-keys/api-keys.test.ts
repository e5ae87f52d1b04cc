import { describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';

/** API keys for the vendor's own programs (PEOPLE-07). */

const KEYS = '/licenses/api/api-keys/';
const CLIENTS = '/licenses/api/clients/';
const START = '2026-11-22T12:00:00Z';
const HOUR_MS = 3_600_000;

const create = (t: TestApp, values: object = {}) =>
  t.call('POST', KEYS, { body: { name: 'Tienda', permissions: ['clients:read'], ...values } });

const statusWith = async (t: TestApp, token: string, url = CLIENTS) =>
  (await t.call('GET', url, { token })).status;

const ADA = { name: 'Ada', email: 'ada@example.com', phone: '5512345678' };

describe('a key', () => {
  test('is shown once and listed without its text (PEOPLE-07, EVENT-04)', async () => {
    const t = await createTestApp({ now: START });
    const { status, body } = await create(t, { permissions: ['clients:read', 'clients:write'] });
    const { key, ...listed } = body;
    expect([status, listed]).toEqual([
      201,
      {
        id: body.id,
        name: 'Tienda',
        last_four: key.slice(-4),
        permissions: ['clients:read', 'clients:write'],
        created_by: { id: 1, name: 'Administrador Demo' },
        created_at: '2026-11-22T12:00:00.000Z',
        expires_at: '2027-11-22T12:00:00.000Z',
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect(key).toMatch(/^lmk_[0-9A-Za-z]{36}$/);
    expect((await t.call('GET', KEYS)).body.results).toEqual([listed]);
    const stored = await Promise.all([
      t.db.selectFrom('api_keys').selectAll().execute(),
      t.db.selectFrom('events').selectAll().execute(),
    ]);
    expect(JSON.stringify(stored)).not.toContain(key.slice(4));
  });

  test('has separate Idempotency-Keys from those of its creator (PEOPLE-07)', async () => {
    const t = await createTestApp({ now: START });
    const { body } = await create(t, { permissions: ['clients:write'] });
    const headers = { 'idempotency-key': 'uno' };
    const save = async (token: string, email: string) =>
      (await t.call('POST', CLIENTS, { body: { ...ADA, email }, headers, token })).body.id;
    const [own, ofKey] = [await save(t.token, 'uno@example.com'), await save(body.key, 'dos@example.com')];
    expect(ofKey).not.toBe(own);
    expect([await save(t.token, 'uno@example.com'), await save(body.key, 'dos@example.com')]).toEqual([
      own,
      ofKey,
    ]);
  });

  test('can call only what its permissions allow, and is the actor of its events (EVENT-01)', async () => {
    const t = await createTestApp({ now: START });
    const { body } = await create(t, { permissions: ['clients:read', 'clients:write'] });
    const created = await t.call('POST', CLIENTS, { body: ADA, token: body.key });
    expect(created.status).toBe(201);
    expect((await t.call('DELETE', `${CLIENTS}${created.body.id}/`, { token: body.key })).body.code).toBe(
      'forbidden',
    );
    const event = await t.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'client.created')
      .executeTakeFirstOrThrow();
    expect([event.actor_kind, event.actor_id, event.actor_name]).toEqual(['api_key', body.id, 'Tienda']);
  });

  test('cannot call accounts, users or keys (PEOPLE-07)', async () => {
    const t = await createTestApp();
    const { body } = await create(t);
    for (const url of ['/api/auth/user/', '/api/auth/sessions/', '/licenses/api/users/', KEYS]) {
      expect([url, await statusWith(t, body.key, url)]).toEqual([url, 403]);
    }
    const registered = await t.call('POST', '/api/auth/register/', {
      body: { username: 'otro', password: 'secreta1', names: 'Otro', email: 'otro@example.com' },
      token: body.key,
    });
    const actor = await t.db
      .selectFrom('events')
      .select('actor_kind')
      .where('type', '=', 'user.registered')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    // In demo mode anyone may register; the key changes nothing about that.
    expect([registered.status, actor.actor_kind]).toEqual([201, 'user']);
    for (const name of ['users:manage', 'api_keys:manage']) {
      const refused = await create(t, { permissions: [name] });
      expect([refused.status, Object.values(refused.body.errors)]).toEqual([
        400,
        [['Una clave de API no puede administrar usuarios ni claves']],
      ]);
    }
  });

  test('can do only what its creator may do at that moment, and nothing after the creator is deactivated', async () => {
    const t = await createTestApp();
    await t.db
      .insertInto('users')
      .values({
        username: 'eva',
        username_key: 'eva',
        password_hash: (await t.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow())
          .password_hash,
        names: 'Eva',
        last_name: '',
        email: 'eva@example.com',
        is_active: true,
        role: 'admin',
        created_at: START,
        updated_at: START,
      })
      .execute();
    const token = await signInAs(t, 'eva', 'admin123');
    const { body } = await t.call('POST', KEYS, {
      body: { name: 'De Eva', permissions: ['clients:read', 'clients:write'] },
      token,
    });
    const write = async () => (await t.call('POST', CLIENTS, { body: ADA, token: body.key })).status;
    const eva = body.created_by.id;
    await t.call('PUT', `/licenses/api/users/${eva}/`, { body: { role: 'viewer' } });
    expect([await statusWith(t, body.key), await write()]).toEqual([200, 403]);
    await t.call('POST', `/licenses/api/users/${eva}/deactivate/`);
    expect(await statusWith(t, body.key)).toBe(401);
    await t.call('POST', `/licenses/api/users/${eva}/reactivate/`);
    await t.call('PUT', `/licenses/api/users/${eva}/`, { body: { role: 'operator' } });
    expect(await write()).toBe(201);
  });

  test('is refused while its creator must still set up a second factor (PEOPLE-05)', async () => {
    const t = await createTestApp();
    const { body } = await create(t);
    await t.db
      .insertInto('settings')
      .values({ id: 1, changed: '{"require_mfa":"admins"}', updated_at: START })
      .execute();
    const refused = await t.call('GET', CLIENTS, { token: body.key });
    expect([refused.status, refused.body.code]).toEqual([403, 'mfa_setup_required']);
  });

  test('ends at its end date, and at once when it is revoked (PEOPLE-07)', async () => {
    const t = await createTestApp({ now: START });
    const { body: short } = await create(t, { expires_at: '2026-11-22T13:00:00Z' });
    const { body: long } = await create(t);
    t.clock.advance(HOUR_MS - 1);
    expect(await statusWith(t, short.key)).toBe(200);
    t.clock.advance(1);
    expect([await statusWith(t, short.key), await statusWith(t, long.key)]).toEqual([401, 200]);
    t.token = await signInAs(t, 'admin', 'admin123');
    expect((await t.call('DELETE', `${KEYS}${long.id}/`)).status).toBe(200);
    expect(await statusWith(t, long.key)).toBe(401);
    expect((await t.call('DELETE', `${KEYS}${long.id}/`)).status).toBe(200);
    const types = await t.db.selectFrom('events').select('type').execute();
    expect(types.filter(({ type }) => type === 'api_key.revoked')).toHaveLength(1);
  });

  test('the replaced key works for 24 more hours (PEOPLE-07)', async () => {
    const t = await createTestApp({ now: START });
    const { body: old } = await create(t);
    const { status, body: rotated } = await t.call('POST', `${KEYS}${old.id}/rotate/`);
    expect([status, rotated.name, rotated.expires_at]).toEqual([201, 'Tienda', old.expires_at]);
    expect(rotated.key).not.toBe(old.key);
    t.clock.advance(24 * HOUR_MS - 1);
    expect([await statusWith(t, old.key), await statusWith(t, rotated.key)]).toEqual([200, 200]);
    t.clock.advance(1);
    expect([await statusWith(t, old.key), await statusWith(t, rotated.key)]).toEqual([401, 200]);
    t.token = await signInAs(t, 'admin', 'admin123');
    expect((await t.call('POST', `${KEYS}${old.id}/rotate/`)).body.code).toBe('conflict');
  });

  test('stores the time of its last use once an hour (PEOPLE-07)', async () => {
    const t = await createTestApp({ now: START });
    const { body } = await create(t);
    const used = async () => (await t.call('GET', KEYS)).body.results[0].last_used_at;
    await statusWith(t, body.key);
    t.clock.advance(10 * 60_000);
    await statusWith(t, body.key);
    expect(await used()).toBe('2026-11-22T12:00:00.000Z');
    t.clock.advance(50 * 60_000);
    await statusWith(t, body.key);
    t.token = await signInAs(t, 'admin', 'admin123');
    expect(await used()).toBe('2026-11-22T13:00:00.000Z');
  });

  test('can make 600 calls a minute (PEOPLE-07)', async () => {
    const t = await createTestApp({ now: START });
    const { body } = await create(t);
    const call = () => t.app.inject({ url: CLIENTS, headers: { authorization: `Bearer ${body.key}` } });
    for (let count = 0; count < 600; count += 1) await call();
    const refused = await call();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    t.clock.advance(60_000);
    expect((await call()).statusCode).toBe(200);
  });
});

describe('refused keys', () => {
  test.each([
    [{ name: ' ' }, { name: ['El nombre es obligatorio'] }],
    [{ permissions: [] }, { permissions: ['Elige al menos un permiso'] }],
    [{ expires_at: '2026-11-22T12:00:00Z' }, { expires_at: ['La fecha de vencimiento debe ser futura'] }],
  ])('%j is refused at its field', async (values, errors) => {
    const t = await createTestApp({ now: START });
    const { status, body } = await create(t, values);
    expect([status, body.errors]).toEqual([400, errors]);
  });

  test('a mistyped key is refused without a database query', async () => {
    const t = await createTestApp();
    const { body } = await create(t);
    const mistyped = `${body.key.slice(0, -1)}${body.key.endsWith('a') ? 'b' : 'a'}`;
    expect(await statusWith(t, mistyped)).toBe(401);
  });
});

test('a new key ends no later than the settings allow, and replacing a key shortens it to that limit', async () => {
  const t = await createTestApp({ now: '2026-11-23T12:00:00.000Z' });
  const make = (expires_at?: string) =>
    t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['licenses:read'], ...(expires_at && { expires_at }) },
    });
  const old = await make();
  expect(old.body.expires_at).toBe('2027-11-23T12:00:00.000Z');
  const limit = (api_key_days_max: unknown) =>
    t.call('PATCH', '/licenses/api/settings/', { body: { api_key_days_max } });
  for (const wrong of [0, 3651, 1.5, '30']) expect((await limit(wrong)).status).toBe(400);
  expect((await limit(30)).body.api_key_days_max).toBe(30);
  const refused = await make('2026-12-24T12:00:00.000Z');
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    { expires_at: ['Una clave puede durar 30 días como máximo'] },
  ]);
  expect((await make('2026-12-23T12:00:00.000Z')).status).toBe(201);
  expect((await make()).body.expires_at).toBe('2026-12-23T12:00:00.000Z');
  const rotated = await t.call('POST', `/licenses/api/api-keys/${old.body.id}/rotate/`);
  expect(rotated.body.expires_at).toBe('2026-12-23T12:00:00.000Z');
});
