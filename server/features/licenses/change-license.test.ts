import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LICENSE_STATUSES } from '../../../contract/licenses/licenses.fields.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const LIST = '/licenses/api/licenses/';
const ONE = (id: number) => `${LIST}${id}/`;

let testApp: TestApp;
let client: number;
let software: number;
let type: number;

beforeAll(async () => {
  testApp = await createTestApp({ now: NOW, closeAfterTest: false });
  client = (await createClient(testApp)).id;
  software = (await createSoftware(testApp)).id;
  type = (await createLicenseType(testApp, { name: 'Anual', max_installations: 7, validity_days: 90 })).id;
});
afterAll(() => testApp.close());

const put = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  testApp.call('PUT', ONE(id), { body, headers });

describe('PUT licenses/{id}/ (SEED-7.4-07)', () => {
  test('changes the given fields and no others, and ignores key, counters and record dates (D091)', async () => {
    const issued = await createLicense(testApp, { client, software, notes: 'antes', price: 10 });
    const { status, body, headers } = await put(issued.id, {
      ...issued,
      id: 77,
      license_key: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA',
      created_at: '2000-01-01T00:00:00.000Z',
      issued_date: '2000-01-01T00:00:00.000Z',
      current_installations: 99,
      email_status: 'sent',
      is_active: false,
      notes: 'después',
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...issued, notes: 'después', updated_at: body.updated_at });
    expect(body.updated_at > issued.updated_at).toBe(true);
    expect(headers.etag).toBe(`"${body.updated_at}"`);
    expect((await put(issued.id, { price: 20.5 })).body).toMatchObject({ price: 20.5, notes: 'después' });
    expect((await put(issued.id, {})).body).toMatchObject({ price: 20.5, notes: 'después' });
  });

  test('moves a licence to another client, software and type, and can remove its type', async () => {
    const issued = await createLicense(testApp, { client, software, original_price: 5 });
    const other = await createClient(testApp, { name: 'Otro' });
    const { body } = await put(issued.id, { client: { id: other.id }, license_type_config: type });
    expect(body).toMatchObject({ client_name: 'Otro', license_type_name: 'Anual', license_type: 'premium' });
    // The form sends the terms of a chosen type; a change of the type alone does not change the terms (D064).
    expect(body).toMatchObject({ price: 100, max_installations: 5, expiry_days: 365 });
    expect((await put(issued.id, { original_price: 7.55 })).body.original_price).toBe(7.55);
    const bare = await put(issued.id, { license_type_config: null, original_price: null, notes: null });
    expect(bare.body).toMatchObject({ license_type_config: null, original_price: null, notes: '' });
  });

  test('any status may follow any other', { tags: ['SEED-4-10', 'SEED-9-19', 'D065'] }, async () => {
    const { id } = await createLicense(testApp);
    for (const from of LICENSE_STATUSES) {
      for (const to of LICENSE_STATUSES) {
        await put(id, { status: from });
        expect((await put(id, { status: to })).body.status).toBe(to);
      }
    }
  });

  test('accepts fewer seats than are taken, and the remaining count is never below 0 (D073)', async () => {
    const issued = await createLicense(testApp, { max_installations: 3 });
    for (const machine of ['a', 'b', 'c']) await activate(testApp, issued.license_key, machine);
    const { body } = await put(issued.id, { max_installations: 1 });
    expect(body).toMatchObject({
      current_installations: 3,
      max_installations: 1,
      remaining_installations: 0,
    });
    expect((await activate(testApp, issued.license_key, 'd')).status).toBe(409);
    expect((await activate(testApp, issued.license_key, 'a')).status).toBe(200);
  });

  test('returns errors for all invalid fields and changes nothing', async () => {
    const issued = await createLicense(testApp);
    const shape = await put(issued.id, {
      price: 0,
      status: 'otro',
      license_type: 'otro',
      max_installations: 0,
      discount_percentage: -0.01,
    });
    expect(shape.status).toBe(400);
    expect(Object.keys(shape.body.errors).sort()).toEqual([
      'discount_percentage',
      'license_type',
      'max_installations',
      'price',
      'status',
    ]);
    const references = await put(issued.id, {
      client: 999_999,
      software: 999_999,
      license_type_config: 999_999,
      expiry_days: 0,
      price: 5,
    });
    expect(references.status).toBe(400);
    expect(references.body.errors).toEqual({
      client: ['El cliente no existe'],
      software: ['El software no existe'],
      license_type_config: ['El tipo de licencia no existe'],
      expiry_days: ['Los días de expiración deben ser mayores a 0'],
    });
    expect((await testApp.call('GET', ONE(issued.id))).body).toEqual(issued);
  });

  test('an unknown id gets 404', async () => {
    expect((await put(999_999, { notes: 'x' })).status).toBe(404);
  });
});

describe('versions (D091, promises)', () => {
  test.for(['updated_at', 'If-Match'])(
    'a save with a stale version in %s gets 412 with the current record',
    async (by) => {
      const issued = await createLicense(testApp, { notes: 'uno' });
      const read = issued.updated_at;
      const sent = (notes: string) =>
        by === 'If-Match'
          ? put(issued.id, { notes }, { 'if-match': `"${read}"` })
          : put(issued.id, { notes, updated_at: read });
      expect((await sent('dos')).status).toBe(200);
      const late = await sent('tres');
      expect(late.status).toBe(412);
      expect(late.body).toMatchObject({
        success: false,
        code: 'stale',
        message: 'Este registro fue modificado por otra persona',
        current: { id: issued.id, notes: 'dos' },
      });
      expect((await testApp.call('GET', ONE(issued.id))).body).toEqual(late.body.current);
    },
  );

  test('of two saves in the same millisecond one is stored and the other gets 412', async () => {
    const issued = await createLicense(testApp);
    const answers = await Promise.all(
      ['a', 'b'].map((notes) => put(issued.id, { notes, updated_at: issued.updated_at })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
    const versions = new Set([issued.updated_at]);
    for (const notes of ['c', 'd', 'e']) versions.add((await put(issued.id, { notes })).body.updated_at);
    expect(versions.size).toBe(4);
  });

  test('If-Match accepts a star, a weak tag and a list of tags', async () => {
    const { id } = await createLicense(testApp);
    const etag = async () => String((await testApp.call('GET', ONE(id))).headers.etag);
    expect((await put(id, {}, { 'if-match': '*' })).status).toBe(200);
    expect((await put(id, {}, { 'if-match': `W/${await etag()}` })).status).toBe(200);
    expect((await put(id, {}, { 'if-match': `"x", ${await etag()}` })).status).toBe(200);
    expect((await put(id, {}, { 'if-match': '"x"' })).status).toBe(412);
  });
});

describe('PATCH licenses/bulk_update/ (SEED-7.4-12, D112)', () => {
  const patch = (body: unknown) => testApp.call('PATCH', `${LIST}bulk_update/`, { body });

  test('changes each existing record once and lists the unknown ids', async () => {
    const [a, b] = [await createLicense(testApp), await createLicense(testApp)];
    const { status, body } = await patch({
      ids: [a.id, b.id, a.id, 999_999],
      updates: { status: 'suspended', notes: 'impago', max_installations: 2, expiry_days: 10 },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, updated: 2, not_found: [999_999] });
    for (const { id, updated_at } of [a, b]) {
      const changed = (await testApp.call('GET', ONE(id))).body;
      expect(changed).toMatchObject({
        status: 'suspended',
        notes: 'impago',
        max_installations: 2,
        expiry_days: 10,
        days_remaining: 10,
      });
      expect(changed.updated_at > updated_at).toBe(true);
    }
  });

  test('the end is computed from each licence’s own day of issue, and null removes the end', async () => {
    const a = await createLicense(testApp);
    await testApp.db
      .updateTable('licenses')
      .set({ issued_date: '2026-01-01T18:00:00.000Z' })
      .where('id', '=', a.id)
      .execute();
    const b = await createLicense(testApp);
    await patch({ ids: [a.id, b.id], updates: { expiry_days: 30 } });
    const read = async (id: number) => (await testApp.call('GET', ONE(id))).body;
    expect((await read(a.id)).expiry_date).toBe('2026-02-01T05:59:59.000Z');
    expect((await read(b.id)).expiry_date).toBe('2026-12-22T05:59:59.000Z');
    await patch({ ids: [a.id], updates: { expiry_days: null } });
    expect(await read(a.id)).toMatchObject({ expiry_days: null, expiry_date: null, days_remaining: null });
  });

  test.for([
    [{ ids: [], updates: { notes: 'x' } }, 'ids'],
    [{ ids: Array.from({ length: 101 }, (_, index) => index + 1), updates: { notes: 'x' } }, 'ids'],
    [{ ids: [1], updates: {} }, 'updates'],
    [{ ids: [1], updates: { license_key: 'x' } }, 'updates'],
    [{ ids: [1], updates: { price: 1 } }, 'updates'],
    [{ ids: [1], updates: { status: 'otro' } }, 'updates'],
    [{ ids: [1], updates: { expiry_days: 0 } }, 'updates'],
    [{ ids: ['x'], updates: { notes: 'x' } }, 'ids'],
    [{}, 'ids'],
  ] as const)('refuses the body %j', async ([body, field]) => {
    const answer = await patch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveProperty(field);
  });
});
