import { expect, test } from 'vitest';
import type { LicenseBatchResult } from '../../../contract/licenses/licenses.ts';
import { LICENSE_KEY_PATTERN } from '../../../contract/reading/license-keys.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';

/** Many licences in one call, with one mail (SELL-05). */

const URL = '/licenses/api/licenses/batch/';

async function terms(t: TestApp) {
  const client = await createClient(t, { name: 'Ana', email: 'ana@example.com' });
  const software = await createSoftware(t, { name: 'Caja Fácil', version: '4.2' });
  const type = await createLicenseType(t, { name: 'Anual', base_price: 1200, max_installations: 3 });
  return { client: client.id, software: software.id, license_type_config: type.id, price: 1200 };
}

const issue = (t: TestApp, body: object, headers: Record<string, string> = {}) =>
  t.call<LicenseBatchResult>('POST', URL, { body, headers });
const licensesOf = (t: TestApp) => t.call('GET', '/licenses/api/licenses/?page_size=100');

test('a batch issues licences with the same values, each with its key and event, and sends one mail with all keys (SELL-05)', async () => {
  const t = await createTestApp();
  const { status, body } = await issue(t, { ...(await terms(t)), notes: 'Pedido 7', quantity: 120 });
  expect(status).toBe(201);
  expect(body.success).toBe(true);
  expect(body.licenses).toHaveLength(120);
  const keys = body.licenses.map(({ license_key }) => license_key);
  expect(new Set(keys).size).toBe(120);
  for (const key of keys) expect(key).toMatch(LICENSE_KEY_PATTERN);

  const { id } = body.licenses[77]!;
  expect((await t.call('GET', `/licenses/api/licenses/${id}/`)).body).toMatchObject({
    license_key: keys[77],
    ...{ max_installations: 3, price: 1200, notes: 'Pedido 7', license_type_name: 'Anual', status: 'active' },
  });
  const events = await t.db
    .selectFrom('events')
    .select('license_id')
    .where('type', '=', 'license.issued')
    .orderBy('license_id')
    .execute();
  expect(events.map(({ license_id }) => license_id)).toEqual(
    body.licenses.map((one) => one.id).sort((a, b) => a - b),
  );
  const mails = await t.deliveredMail();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toBe('Sus 120 licencias de Caja Fácil 4.2');
  expect(mails[0]?.to?.[0]?.address).toBe('ana@example.com');
  const positions = keys.map((key) => mails[0]!.text!.indexOf(key));
  expect(positions.every((position) => position > 0)).toBe(true);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  // Each licence counts in revenue.
  const revenue = await t.call('GET', '/licenses/api/reports/revenue/');
  expect(revenue.body.totals[0]).toMatchObject({ new: 144_000, count: 120 });
});

test('a batch of 500 lists all keys in its mail and is answered in one call', async () => {
  const t = await createTestApp();
  const { status, body } = await issue(t, { ...(await terms(t)), quantity: 500 });
  expect(status).toBe(201);
  const [mail] = await t.deliveredMail();
  for (const { license_key } of body.licenses) expect(mail?.text).toContain(license_key);
});

test('a batch of one issues one licence', async () => {
  const t = await createTestApp();
  const { body } = await issue(t, { ...(await terms(t)), quantity: 1 });
  expect(body.licenses).toHaveLength(1);
  expect((await licensesOf(t)).body.count).toBe(1);
});

test('an invalid field means that no licence is issued', async () => {
  const t = await createTestApp();
  const right = await terms(t);
  const quantity = { quantity: ['La cantidad debe ser un número entero entre 1 y 500'] };
  for (const [values, errors] of [
    [{ quantity: 0 }, quantity],
    [{ quantity: 501 }, quantity],
    [{ quantity: 2.5 }, quantity],
    [{ quantity: '3' }, quantity],
    [{}, quantity],
    [{ quantity: 3, client: 999_999 }, { client: ['El cliente no existe'] }],
    [{ quantity: 3, price: 0 }, { price: ['El precio es obligatorio y debe ser mayor a 0'] }],
    [
      { quantity: 3, license_type_config: null },
      { license_type_config: ['Debe seleccionar un tipo de licencia'] },
    ],
  ] as const) {
    const answer = await t.call('POST', URL, { body: { ...right, ...values } });
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
  }
  expect((await licensesOf(t)).body.count).toBe(0);
  expect(await t.deliveredMail()).toEqual([]);
});

test('an external_id sent with a batch is ignored, because it belongs to one licence', async () => {
  const t = await createTestApp();
  const { body } = await issue(t, { ...(await terms(t)), quantity: 2, external_id: 'A-7' });
  const { results } = (await licensesOf(t)).body;
  expect(body.licenses).toHaveLength(2);
  expect(results.map(({ external_id }: { external_id: string | null }) => external_id)).toEqual([null, null]);
});

test('a repeated call with the same Idempotency-Key gets the same licences', async () => {
  const t = await createTestApp();
  const body = { ...(await terms(t)), quantity: 3 };
  const headers = { 'idempotency-key': 'pedido-7' };
  const first = await issue(t, body, headers);
  const again = await issue(t, body, headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await licensesOf(t)).body.count).toBe(3);
  expect(await t.deliveredMail()).toHaveLength(1);
  expect((await issue(t, { ...body, quantity: 4 }, headers)).status).toBe(409);
});

test('a failure at the end issues no licence and sends no mail', async () => {
  const t = await createTestApp();
  const body = { ...(await terms(t)), quantity: 120 };
  await t.db.schema.alterTable('outbox').renameTo('outbox_away').execute();
  expect((await t.call('POST', URL, { body })).status).toBe(500);
  await t.db.schema.alterTable('outbox_away').renameTo('outbox').execute();
  expect((await licensesOf(t)).body.count).toBe(0);
});
