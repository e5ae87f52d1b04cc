import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';

/** Idempotency-Key: a repeated call creates one licence and one mail (promises: nothing is lost). */

const URL = '/licenses/api/licenses/';

async function shop() {
  const testApp = await createTestApp();
  const client = await createClient(testApp);
  const software = await createSoftware(testApp);
  const body = { client: client.id, software: software.id, license_type: 'basic', price: 10 };
  const issue = (key: string, values: object = {}, options: { token?: string; url?: string } = {}) =>
    testApp.call('POST', options.url ?? URL, {
      body: { ...body, ...values },
      headers: { 'idempotency-key': key },
      ...(options.token !== undefined && { token: options.token }),
    });
  return { testApp, issue };
}

const countOf = async (testApp: TestApp, table: 'licenses' | 'outbox' | 'idempotency_keys') =>
  (
    await testApp.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

test('twenty concurrent calls with one Idempotency-Key create one licence and one mail, with the same answer', async () => {
  const { testApp, issue } = await shop();
  const answers = await Promise.all(Array.from({ length: 20 }, () => issue('clave-1')));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true')).toHaveLength(19);
  expect(await countOf(testApp, 'licenses')).toBe(1);
  expect(await countOf(testApp, 'outbox')).toBe(1);
  expect(await testApp.deliveredMail()).toHaveLength(1);

  // The order of the fields does not matter, but a different field makes a different call.
  expect((await issue('clave-1', { price: 10 })).status).toBe(201);
  expect(await countOf(testApp, 'licenses')).toBe(1);
});

test('the same Idempotency-Key with another body gets 409 and creates nothing', async () => {
  const { testApp, issue } = await shop();
  await issue('clave-1');
  const other = await issue('clave-1', { price: 11 });
  expect(other.status).toBe(409);
  expect(other.body).toMatchObject({ success: false, code: 'idempotency_conflict' });
  expect(await countOf(testApp, 'licenses')).toBe(1);
});

test('the answer of a failed call is not stored', async () => {
  const { testApp, issue } = await shop();
  expect((await issue('clave-1', { client: 999_999 })).status).toBe(400);
  expect((await issue('clave-1', { price: 0 })).status).toBe(400);
  expect((await issue('clave-1')).status).toBe(201);
  expect(await countOf(testApp, 'licenses')).toBe(1);
});

test('an Idempotency-Key is separate for each user and path', async () => {
  const { testApp, issue } = await shop();
  await testApp.call('POST', '/api/auth/register/', {
    body: {
      username: 'otra',
      password: 'secreto123',
      email: 'o@example.com',
      names: 'Otra',
      last_name: 'Persona',
    },
  });
  const token = await signInAs(testApp, 'otra', 'secreto123');
  await issue('clave-1');
  await issue('clave-1', {}, { token });
  const type = await testApp.call('POST', '/licenses/api/license-types/', {
    headers: { 'idempotency-key': 'clave-1' },
    body: { name: 'Anual', base_price: 1, max_installations: 1, validity_days: 1 },
  });
  await issue('clave-1', { license_type_config: type.body.id }, { url: '/licenses/api/license/generate/' });
  expect(await countOf(testApp, 'licenses')).toBe(3);
  expect(await countOf(testApp, 'outbox')).toBe(3);
});

test('without an Idempotency-Key every call creates a licence', async () => {
  const { testApp, issue } = await shop();
  await issue('a');
  await issue('b');
  expect(await countOf(testApp, 'licenses')).toBe(2);
});

test.for(['con espacio', 'x'.repeat(256), 'ñ'])('an invalid Idempotency-Key is refused: %s', async (key) => {
  const { issue } = await shop();
  const answer = await issue(key);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toHaveProperty('Idempotency-Key');
});
