import { beforeAll, describe, expect, test } from 'vitest';
import { DUPLICATES_MAX, type LikelyDuplicate } from '../../../contract/clients/duplicates.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

const URL = '/licenses/api/clients/duplicates/';
const duplicatesOf = async (query: Record<string, string>): Promise<LikelyDuplicate[]> =>
  (await app.call('GET', `${URL}?${new URLSearchParams(query)}`)).body.results;

describe('GET clients/duplicates/ (INPUT-19)', () => {
  test.each([
    ['the mail address with another tag', 'email', { email: 'Rosa+FACTURAS@nunez.example' }],
    ['the tax id with other separators', 'tax_id', { tax_id: 'nusa-800101-ab3' }],
    ['the name without accents and dots', 'name', { name: 'NUNEZ SA DE CV' }],
    ['the phone as it is dialled in the country', 'phone', { phone: '044 (55) 8765-4321' }],
  ] as const)('finds a client by %s', async (_what, why, query) => {
    const t = await createTestApp();
    const client = await createClient(t, {
      name: 'Núñez, S.A. de C.V.',
      email: 'rosa+ventas@nunez.example',
      phone: '+525587654321',
      tax_id: 'NUSA800101AB3',
    });
    await createClient(t, { name: 'Otra', email: 'otra@example.com', phone: '+525511112222' });
    const answer = await t.call('GET', `${URL}?${new URLSearchParams(query)}`);
    expect(answer.body.results).toEqual([{ id: client.id, name: client.name, why }]);
  });

  test('answers the surest reason of each client first, and five at most', async () => {
    for (const n of [1, 2, 3, 4, 5, 6])
      await createClient(app, {
        name: `Cadena ${n}`,
        email: `caja${n}@cadena.example`,
        phone: '+525533334444',
      });
    const named = await createClient(app, {
      name: 'Gómez',
      email: 'g@gomez.example',
      phone: '+525533334444',
    });
    const found = await duplicatesOf({ name: 'gomez', phone: '5533334444' });
    expect(found).toHaveLength(DUPLICATES_MAX);
    expect(found[0]).toEqual({ id: named.id, name: 'Gómez', why: 'name' });
    expect(new Set(found.slice(1).map(({ why }) => why))).toEqual(new Set(['phone']));
  });

  test('a name that more than twenty clients have is no reason', async () => {
    for (let n = 1; n <= 20; n += 1)
      await createClient(app, { name: 'Mostrador', email: `m${n}@mostrador.example` });
    expect(await duplicatesOf({ name: 'mostrador' })).toHaveLength(DUPLICATES_MAX);
    await createClient(app, { name: 'MOSTRADOR', email: 'm21@mostrador.example' });
    expect(await duplicatesOf({ name: 'mostrador' })).toEqual([]);
  });

  test('what says nothing finds nobody: short phones, the RFC of the general public, signs, erased clients', async () => {
    const client = await createClient(app, {
      name: 'Borrable',
      email: 'borrable@example.com',
      tax_id: 'XAXX010101000',
    });
    expect(
      await duplicatesOf({ tax_id: 'XAXX-010101-000', phone: '55', name: '—', email: 'borrable' }),
    ).toEqual([]);
    expect(await duplicatesOf({})).toEqual([]);
    const erased = await app.call('POST', `/licenses/api/clients/${client.id}/erase/`, {
      body: { reason: 'x' },
    });
    expect(erased.status).toBeLessThan(300);
    const { body } = await app.call('GET', `/licenses/api/clients/${client.id}/`);
    expect(await duplicatesOf({ name: body.name, email: body.email })).toEqual([]);
  });

  test('needs clients:read; a new client is answered with its likely duplicates, and stored all the same', async () => {
    const values = { name: 'Rosa Paz', email: 'rosa@paz.example', phone: '+525599990000' };
    const first = await createClient(app, values);
    const second = await app.call('POST', '/licenses/api/clients/', {
      body: { ...values, email: 'rosa+2@paz.example' },
    });
    expect([second.status, second.body.duplicates]).toEqual([
      201,
      [{ id: first.id, name: 'Rosa Paz', why: 'email' }],
    ]);
    const read = await app.call('GET', `/licenses/api/clients/${second.body.id}/`);
    expect(read.body).not.toHaveProperty('duplicates');
    expect((await app.call('GET', URL, { token: null })).status).toBe(401);
  });
});
