import { expect, test } from 'vitest';
import { clientCreate } from '../../contract/clients/clients.ts';
import { licenseTypeCreate } from '../../contract/license-types/license-types.ts';
import { LICENSE_FIELDS } from '../../contract/licenses/licenses.fields.ts';
import { SETTINGS_DEFAULTS } from '../../contract/settings/settings.ts';
import { createTestApp, type TestApp } from '../../test/app.ts';
import { createClient, createLicense, createLicenseType } from '../../test/factories.ts';

test('the event of a save is never earlier than the one before, also when the clock of the replica is late (EVENT-01)', async () => {
  const t = await createTestApp({ now: '2026-11-21T19:00:00.000Z' });
  const { id } = await createClient(t);
  const rename = (name: string) => t.call('PATCH', `/licenses/api/clients/${id}/`, { body: { name } });
  t.clock.set('2026-11-21T19:01:00.000Z');
  await rename('Antes');
  // A replica whose clock is 50 s behind.
  t.clock.set('2026-11-21T19:00:10.000Z');
  await rename('Después');
  const { body } = await t.call('GET', `/licenses/api/events/?client=${id}&type=client.updated`);
  expect(
    body.results.map(({ at, changes }: { at: string; changes: { name: { after: string } } }) => [
      changes.name.after,
      at,
    ]),
  ).toEqual([
    ['Después', '2026-11-21T19:01:00.000Z'],
    ['Antes', '2026-11-21T19:01:00.000Z'],
  ]);
});

const FEATURES = { modulo_nomina: true, usuarios: 25, edicion: 'pro' };
const REORDERED = { edicion: 'pro', usuarios: 25, modulo_nomina: true };
const METERS = {
  facturas: { limit: 500, period: 'month', overage: 'refuse' },
  timbres: { limit: null, period: 'year', overage: 'allow' },
} as const;
const METERS_REORDERED = {
  timbres: { overage: 'allow', period: 'year', limit: null },
  facturas: { overage: 'refuse', limit: 500, period: 'month' },
};

/** Saves a record with values that say what is stored; it must neither change nor have another event. */
async function expectUnchanged(t: TestApp, url: string, method: 'PUT' | 'PATCH', body: object) {
  const before = await t.call('GET', url);
  const events = async () => (await t.db.selectFrom('events').select('id').execute()).length;
  const count = await events();
  t.clock.advance(60_000);
  const saved = await t.call(method, url, { body });
  expect(saved.status).toBe(200);
  const after = await t.call('GET', url);
  // As text: one version has one answer.
  expect(JSON.stringify(after.body)).toBe(JSON.stringify(before.body));
  expect(after.headers.etag).toBe(before.headers.etag);
  expect(saved.body.updated_at).toBe(before.body.updated_at);
  expect(await events()).toBe(count);
}

test.each(['PUT', 'PATCH'] as const)(
  'a %s with the same values in another order or spelling changes nothing and writes no event',
  async (method) => {
    const t = await createTestApp({ now: '2026-11-21T19:00:00.000Z' });
    const license = await createLicense(t, { features: FEATURES, meters: METERS, price: 100 });
    const type = await createLicenseType(t, { features: FEATURES, meters: METERS, base_price: 100 });
    const hook = { url: 'https://ejemplo.com/avisos', types: ['license.issued', 'client.*'] };
    const webhook = await t.call('POST', '/licenses/api/webhooks/', { body: hook });
    const reordered = { features: REORDERED, meters: METERS_REORDERED };
    await expectUnchanged(t, `/licenses/api/licenses/${license.id}/`, method, {
      ...reordered,
      price: 100.0,
      expiry_date: '2027-11-21',
    });
    await expectUnchanged(t, `/licenses/api/license-types/${type.id}/`, method, {
      ...reordered,
      base_price: 100.0,
    });
    await expectUnchanged(t, `/licenses/api/webhooks/${webhook.body.id}/`, method, {
      ...hook,
      types: ['client.*', 'license.issued'],
    });
    await t.call('PUT', '/licenses/api/settings/', { body: { reminder_days: [30, 1, -1] } });
    await expectUnchanged(t, '/licenses/api/settings/', method, { reminder_days: [-1, 30, 1, 30] });
  },
);

test('what was read can be saved again, with its fields in another order, and changes nothing', async () => {
  const t = await createTestApp({ now: '2026-11-21T19:00:00.000Z' });
  const client = await createClient(t, { email: 'Ana.Ruiz@Example.com', phone: '+525512345678' });
  const type = await createLicenseType(t, {
    ...{ features: FEATURES, meters: METERS, is_promotion: true, promotion_name: 'Otoño' },
    ...{ promotion_start_date: '2026-11-01', promotion_end_date: '2026-12-01' },
  });
  const offered = { original_price: 120, discount_percentage: 12.5, updates_until: '2027-05-01' };
  const license = await createLicense(t, {
    client: client.id,
    features: FEATURES,
    meters: METERS,
    ...offered,
  });
  const again = async (url: string, fields: readonly string[], more: object = {}) => {
    const { body } = await t.call('GET', url);
    const entries = Object.entries<unknown>(body).filter(([name]) => fields.includes(name));
    await expectUnchanged(t, url, 'PUT', { ...Object.fromEntries(entries.reverse()), ...more });
  };
  await again(`/licenses/api/clients/${client.id}/`, Object.keys(clientCreate.shape));
  await again(`/licenses/api/license-types/${type.id}/`, Object.keys(licenseTypeCreate.shape));
  const { software } = license;
  await again(`/licenses/api/licenses/${license.id}/`, Object.keys(LICENSE_FIELDS), {
    client: client.id,
    software: software.id,
  });
  await again('/licenses/api/settings/', Object.keys(SETTINGS_DEFAULTS));
});

test('another value in a reordered object is a change, and its event has the whole field', async () => {
  const t = await createTestApp();
  const { id } = await createLicense(t, { features: FEATURES });
  const features = { ...REORDERED, usuarios: 30 };
  await t.call('PUT', `/licenses/api/licenses/${id}/`, { body: { features } });
  const { body } = await t.call('GET', `/licenses/api/events/?license=${id}&type=license.updated`);
  expect(body.results).toMatchObject([{ changes: { features: { before: FEATURES, after: features } } }]);
});
