import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from '../../server/http/openapi-document.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { activate, createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { png } from '../pictures.ts';

/** A save that changes nothing does not change the version and writes no event, for all kinds of records (API-06). */

const API = '/licenses/api';
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: '2026-11-21T18:00:00.000Z', closeAfterTest: false });
  return t.close;
});

const made = async (list: string, body: object) =>
  (await t.call('POST', `${API}/${list}/`, { body })).body as { id: number };

const METERS = {
  facturas: { limit: 500, period: 'month', overage: 'refuse' },
  timbres: { limit: null, period: 'year', overage: 'allow' },
} as const;

/** The same value with the keys of its objects and the elements of its arrays in the opposite order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered).reverse();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, reordered(one)]);
  return Object.fromEntries(entries.reverse());
}

/** For each path in the document that saves a record: creates a record to save. */
const RECORDS: Record<string, () => Promise<{ id: number | string }>> = {
  '/licenses/api/clients/{id}/': () =>
    createClient(t, {
      company: 'Comercial Ibáñez',
      website: 'https://ibanez.example.com',
      country: 'México',
    }),
  '/licenses/api/software/{id}/': () => createSoftware(t, { description: 'Punto de venta' }),
  '/licenses/api/license-types/{id}/': () =>
    createLicenseType(t, {
      base_price: 1200.5,
      is_promotion: true,
      promotion_name: 'Buen fin',
      discount_percentage: 10,
      features: { modulo: true, tope: 3 },
      meters: METERS,
    }),
  '/licenses/api/licenses/{id}/': async () => {
    const type = await createLicenseType(t, {
      features: { b: 1, a: 2 },
      meters: METERS,
      seat_mode: 'floating',
      lease_minutes: 30,
    });
    const license = await createLicense(t, {
      license_type_config: type.id,
      original_price: 200,
      discount_percentage: 50,
      external_id: 'A-1',
      notes: 'línea 1\nlínea 2',
    });
    await activate(t, license.license_key, 'CAJA-01');
    return license;
  },
  '/licenses/api/users/{id}/': () =>
    made('users', { username: 'eva', names: 'Eva', email: 'eva@example.com', role: 'viewer' }),
  '/licenses/api/webhooks/{id}/': () =>
    made('webhooks', {
      url: 'https://ejemplo.example.com/aviso?clave=1',
      types: ['license.issued', 'client.*'],
    }),
  '/licenses/api/notes/{id}/': async () =>
    made('notes', { text: 'Llamar', client: (await createClient(t)).id, remind_on: '2026-12-24' }),
  '/licenses/api/settings/': async () => ({ id: '' }),
  '/licenses/api/settings/payments/': async () => ({ id: '' }),
  '/licenses/api/settings/mail/': async () => {
    await t.call('PUT', '/licenses/api/settings/mail/', { body: { host: 'smtp.example.com' } });
    return { id: '' };
  },
  '/licenses/api/mail-templates/{kind}/': async () => ({ id: 'license_issued' }),
  '/api/auth/user/': async () => ({ id: '' }),
};

/**
 * Routes that this test skips, because they change many records, toggle a state, have no fields, or need a client's
 * session. Other tests cover them.
 */
const OTHERS = [
  '/licenses/api/clients/bulk_update/',
  '/licenses/api/software/bulk_update/',
  '/licenses/api/licenses/bulk_update/',
  '/licenses/api/license-types/{id}/toggle-status/',
  '/licenses/api/settings/logo/',
  '/licenses/api/portal/me/',
  // Its record is in a list alone; passkeys.test.ts.
  '/api/auth/passkeys/{id}/',
];

const eventsOf = async () => (await t.call('GET', `${API}/events/?limit=100`)).body.results;

/** The data that shows whether something was saved: the record with its version, its ETag, and the events. */
async function stateOf(path: string) {
  const { body, headers } = await t.call('GET', path);
  return { record: body.user ?? body, etag: headers.etag, events: await eventsOf() };
}

test('this file tests every route that saves a record', async () => {
  const { body } = await t.call<ApiDocument>('GET', '/api/openapi.json', { token: null });
  const saving = Object.entries(body.paths).flatMap(([path, operations]) =>
    operations.put || operations.patch ? [path] : [],
  );
  expect(saving.sort()).toEqual([...Object.keys(RECORDS), ...OTHERS].sort());
});

describe.each(Object.keys(RECORDS))('a save of %s', (name) => {
  test('with the same values, also in another order, or with none, does not change the version and writes no event (API-06)', async () => {
    const path = name.replace(/\{\w+\}/, String((await RECORDS[name]!()).id));
    // Advances the clock, because settings or templates that were never saved have a constant version.
    t.clock.advance(1000);
    const before = await stateOf(path);
    t.clock.advance(1000);
    const { updated_at: _version, ...values } = before.record;
    const methods = name === '/api/auth/user/' ? ['PATCH'] : ['PUT', 'PATCH'];
    for (const method of methods) {
      for (const body of [before.record, values, reordered(values) as object, {}]) {
        const saved = await t.call(method, path, { body });
        expect([method, saved.status, saved.body.errors]).toEqual([method, 200, undefined]);
        expect((saved.body.user ?? saved.body).updated_at).toBe(before.record.updated_at);
        // As text: one version has one answer.
        expect(JSON.stringify(await stateOf(path))).toBe(JSON.stringify(before));
      }
    }
  });
});

test('a bulk call that sets the current values does not change the version (API-06)', async () => {
  const client = await createClient(t);
  const software = await createSoftware(t);
  const license = await createLicense(t, { client: client.id, software: software.id });
  const calls = [
    ['clients', client.id, { status: 'active' }, { status: 'active' }],
    ['software', software.id, { is_active: true }, { is_active: true }],
    ['licenses', license.id, { status: 'active', notes: '' }, { status: 'active' }],
  ] as const;
  for (const [list, id, updates, action] of calls) {
    const path = `${API}/${list}/${id}/`;
    const before = await stateOf(path);
    t.clock.advance(1000);
    const updated = await t.call('PATCH', `${API}/${list}/bulk_update/`, { body: { ids: [id], updates } });
    expect([updated.status, updated.body.updated]).toEqual([200, 1]);
    const acted = await t.call('POST', `${API}/${list}/bulk_action/`, {
      body: { action: 'set_status', ids: [id], ...action },
    });
    expect(acted.body.done).toEqual([id]);
    expect(await stateOf(path)).toEqual(before);
  }
});

test('saving the same logo, or resetting an unchanged template, does not change the version (API-06)', async () => {
  const payload = png(320, 80);
  const upload = () =>
    t.call('PUT', `${API}/settings/logo/`, { payload, headers: { 'content-type': 'image/png' } });
  const first = await upload();
  const template = await stateOf(`${API}/mail-templates/license_issued/`);
  t.clock.advance(1000);
  expect((await upload()).body).toEqual(first.body);
  await t.call('POST', `${API}/mail-templates/license_issued/reset/`, { body: {} });
  expect(await stateOf(`${API}/mail-templates/license_issued/`)).toEqual(template);
});

test('moving a licence to another client of the same name is a change (API-06)', async () => {
  const [one, other] = [await createClient(t, { name: 'Ana' }), await createClient(t, { name: 'Ana' })];
  const { id, updated_at } = await createLicense(t, { client: one.id });
  const { body } = await t.call('PUT', `${API}/licenses/${id}/`, { body: { client: other.id } });
  expect(body.client.id).toBe(other.id);
  expect(body.updated_at > updated_at).toBe(true);
  expect((await eventsOf())[0]).toMatchObject({ type: 'license.updated', client: { id: other.id } });
});
