import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { licensePage } from '../../../contract/licenses/license-can.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';

const LIST = '/licenses/api/licenses/';

/** Six licences that differ in all listed fields. */
let testApp: TestApp;
let ids: Record<'ana' | 'zoe' | 'beto' | 'endless' | 'past' | 'trial', number>;
let annual: number;
let clientIds: { ana: number; zoe: number };
let softwareId: number;

beforeAll(async () => {
  testApp = await createTestApp({ now: '2026-11-21T18:00:00.000Z', closeAfterTest: false });
  const client = async (name: string, email: string, company: string) =>
    (await createClient(testApp, { name, email, company })).id;
  const ana = await client('Ánima Ñandú', 'ana@example.com', '100% Natural');
  const zoe = await client('zoe', 'zoe@example.com', 'Ánfora_Uno');
  const beto = await client('Beto', 'beto@example.com', 'Anfora Uno');
  const punto = (await createSoftware(testApp, { name: 'Punto de Venta', version: '1.0' })).id;
  const caja = (await createSoftware(testApp, { name: 'Caja', version: '10.2' })).id;
  annual = (await createLicenseType(testApp, { name: 'Anual' })).id;
  clientIds = { ana, zoe };
  softwareId = caja;
  const issue = async (values: Parameters<typeof createLicense>[1]) => {
    testApp.clock.advance(1000);
    const { id } = await createLicense(testApp, values);
    // Keys are random; these contain none of the searched letters.
    const license_key = `22222-33333-44444-55555-${String(66_666 + id)}`;
    await testApp.db
      .updateTable('licenses')
      .set({ license_key, search_text: license_key })
      .where('id', '=', id)
      .execute();
    return id;
  };
  ids = {
    ana: await issue({ client: ana, software: punto, price: 30, license_type: 'basic', expiry_days: 30 }),
    zoe: await issue({
      client: zoe,
      software: punto,
      price: 20,
      license_type: 'enterprise',
      status: 'suspended',
      expiry_days: 20,
    }),
    beto: await issue({
      client: beto,
      software: caja,
      price: 10,
      license_type_config: annual,
      expiry_days: 10,
    }),
    endless: await issue({ client: ana, software: caja, price: 60, expiry_days: null, expiry_date: null }),
    past: await issue({ client: zoe, software: caja, price: 50, expiry_date: '2026-11-01' }),
    trial: await issue({
      client: beto,
      software: caja,
      price: 40,
      license_type: 'trial',
      status: 'trial',
      expiry_days: 40,
    }),
  };
});
afterAll(() => testApp.close());

const get = (query: string) => testApp.call('GET', `${LIST}?${query}`);
/** The names of the licences of an answer, in order. */
async function names(query: string): Promise<string[]> {
  const { status, body } = await get(query);
  expect(status).toBe(200);
  const known = Object.entries(ids);
  return body.results.map((row: { id: number }) => known.find(([, id]) => id === row.id)?.[0]);
}
const sorted = async (query: string) => (await names(query)).sort();
const all = () => Object.keys(ids).sort();

describe('GET licenses/ (SEED-7.4-01)', () => {
  test('returns a page, newest first, with rows without installations', {
    tags: ['SEED-7.4-03', 'SEED-3-26', 'D057'],
  }, async () => {
    const { status, body, headers } = await get('page_size=5&ordering=-created_at');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(licensePage.parse(body)).toEqual(body);
    expect(body).toMatchObject({ count: 6, total_pages: 2, current_page: 1, page_size: 5, previous: null });
    expect(body.results[0]).not.toHaveProperty('installations');
    expect(await names('')).toEqual(['trial', 'past', 'endless', 'beto', 'zoe', 'ana']);
  });

  test('empty and unknown parameters are ignored (SEED-7.4-02)', async () => {
    expect(await sorted('status=&license_type=&is_active=&search=&client=&color=rojo')).toEqual(all());
  });

  test.for([
    ['status=active', ['ana', 'beto', 'endless', 'past']],
    ['status=suspended', ['zoe']],
    ['status=expired', []],
    ['is_active=true', ['ana', 'beto', 'endless']],
    ['is_active=False', ['past', 'trial', 'zoe']],
    ['license_type=trial', ['trial']],
    ['license_type=basic', ['ana']],
    ['status=active&is_active=false', ['past']],
    ['expiring_within=31', ['ana', 'beto']],
    ['expiring_within=41', ['ana', 'beto', 'trial']],
    ['expiring_within=41&license_type=trial', ['trial']],
    ['expiring_within=41&is_active=true', ['ana', 'beto']],
    ['expiring_within=', ['ana', 'beto', 'endless', 'past', 'trial', 'zoe']],
    ['status=active&license_type=premium&search=caja', ['beto', 'endless', 'past']],
  ] as const)(
    'finds the right licences for %s',
    { tags: ['D060', 'D066', 'D067'] },
    async ([query, expected]) => {
      expect(await sorted(query)).toEqual(expected);
      expect((await get(query)).body.count).toBe(expected.length);
    },
  );

  test('license_type also accepts the id of a catalogue type, like license_type_config, and client and software filter by id (D060)', async () => {
    expect(await sorted(`license_type=${annual}`)).toEqual(['beto']);
    expect(await sorted(`license_type_config=${annual}`)).toEqual(['beto']);
    expect(await sorted(`client=${clientIds.ana}`)).toEqual(['ana', 'endless']);
    expect(await sorted(`software=${softwareId}&client=${clientIds.zoe}`)).toEqual(['past']);
    expect(await sorted('license_type=999999')).toEqual([]);
  });

  test('returns errors for all invalid filters', async () => {
    const { status, body } = await get(
      'status=otro&license_type=otro&is_active=quizas&client=x&software=-1&license_type_config=0',
    );
    expect(status).toBe(400);
    expect(Object.keys(body.errors).sort()).toEqual([
      'client',
      'is_active',
      'license_type',
      'license_type_config',
      'software',
      'status',
    ]);
    expect((await get(`search=${'x'.repeat(101)}`)).body.errors).toHaveProperty('search');
    expect((await get('status=active&status=trial')).status).toBe(400);
  });
});

describe('search', () => {
  test.for([
    ['ánima', ['ana', 'endless'], 'a name, with its accent'],
    ['NANDU', ['ana', 'endless'], 'without accents, in capitals'],
    ['zoe@example', ['past', 'zoe'], 'an address'],
    ['punto venta', ['ana', 'zoe'], 'several words, each must be there'],
    ['venta zoe', ['zoe'], 'words of the software and of the client'],
    ['venta beto', [], 'words that never meet'],
    ['10.2', ['beto', 'endless', 'past', 'trial'], 'a version'],
    ['100%', ['ana', 'endless'], 'a percent sign stands for no letters'],
    ['%', [], 'and alone for nothing'],
    ['_', [], 'nor does an underscore'],
    ['anfora_uno', ['beto', 'past', 'trial', 'zoe'], 'a sign parts words'],
    ['9_9', [], 'and is not any letter'],
    ['anfora uno', ['beto', 'past', 'trial', 'zoe'], 'the blank only parts words'],
    ['be', ['beto', 'trial'], 'two letters'],
    ['z', ['past', 'zoe'], 'one letter'],
    ['"', [], 'a quotation mark'],
    ["'; drop table licenses; --", [], 'a statement'],
    ['\\', [], 'a backslash'],
    ['*', [], 'a star'],
    ['zoe OR ana', [], 'operators are words'],
    ['   ', ['ana', 'beto', 'endless', 'past', 'trial', 'zoe'], 'blanks are nothing'],
  ] as const)('the text %j finds the licences %j: %s', async ([text, expected]) => {
    expect(await sorted(`search=${encodeURIComponent(text)}`)).toEqual([...expected]);
  });

  test('finds a whole key and a part of it, in any case', async () => {
    const other = await createTestApp();
    const { license_key: key } = await createLicense(other);
    await createLicense(other);
    for (const text of [key, key.toLowerCase(), key.slice(4, 20)]) {
      const { body } = await other.call('GET', `${LIST}?search=${text}`);
      expect(body.results).toMatchObject([{ license_key: key }]);
      expect(body.count).toBe(1);
    }
  });

  test('finds a licence by the new name of its client and software', async () => {
    const other = await createTestApp();
    const license = await createLicense(other);
    await other.call('PUT', `/licenses/api/clients/${license.client.id}/`, { body: { name: 'Renombrada' } });
    await other.call('PUT', `/licenses/api/software/${license.software.id}/`, {
      body: { name: 'Rebautizado' },
    });
    for (const text of ['renombrada', 'rebautizado']) {
      expect((await other.call('GET', `${LIST}?search=${text}`)).body.count).toBe(1);
    }
  });
});

describe('ordering (D057)', () => {
  test.for([
    ['created_at', ['ana', 'zoe', 'beto', 'endless', 'past', 'trial']],
    ['-created_at', ['trial', 'past', 'endless', 'beto', 'zoe', 'ana']],
    ['issued_date', ['ana', 'zoe', 'beto', 'endless', 'past', 'trial']],
    ['-issued_date', ['trial', 'past', 'endless', 'beto', 'zoe', 'ana']],
    ['expiry_date', ['past', 'beto', 'zoe', 'ana', 'trial', 'endless']],
    ['-expiry_date', ['endless', 'trial', 'ana', 'zoe', 'beto', 'past']],
    ['price', ['beto', 'zoe', 'ana', 'trial', 'past', 'endless']],
    ['-price', ['endless', 'past', 'trial', 'ana', 'zoe', 'beto']],
    ['status', ['past', 'endless', 'beto', 'ana', 'zoe', 'trial']],
    ['-status', ['trial', 'zoe', 'ana', 'beto', 'endless', 'past']],
    ['client_name', ['endless', 'ana', 'trial', 'beto', 'past', 'zoe']],
    ['-client_name', ['zoe', 'past', 'beto', 'trial', 'ana', 'endless']],
    ['license_key', ['trial', 'past', 'endless', 'beto', 'zoe', 'ana']],
    ['-', ['trial', 'past', 'endless', 'beto', 'zoe', 'ana']],
  ] as const)('orders by %s', async ([ordering, expected]) => {
    expect(await names(`ordering=${ordering}`)).toEqual(expected);
  });
});

describe('paging (D045)', () => {
  test('each licence is on one page, and the page links contain the filters', async () => {
    const first = (await get('page=1&page_size=4&ordering=price&status=')).body;
    expect(first).toMatchObject({ count: 6, total_pages: 2, current_page: 1, page_size: 4, previous: null });
    expect(first.next).toMatch(/\?page=2&page_size=4&ordering=price&status=&after=[\w-]+$/);
    const second = (await testApp.call('GET', first.next)).body;
    expect(second).toMatchObject({ current_page: 2, next: null });
    expect((await testApp.call('GET', second.previous)).body).toEqual(first);
    const visited = [...first.results, ...second.results].map((row: { id: number }) => row.id);
    expect(new Set(visited).size).toBe(6);
  });

  test.for([
    ['page_size=0', 1],
    ['page_size=-5', 1],
    ['page_size=100000', 100],
    ['page_size=muchos', 5],
    ['page=1', 5],
    ['page_size=2', 2],
  ] as const)('%s gives pages of %i rows', async ([query, size]) => {
    const { status, body } = await get(query);
    expect(status).toBe(200);
    expect(body.page_size).toBe(size);
    expect(body.results.length).toBeLessThanOrEqual(size);
  });

  test('a page beyond the end has no rows and links to the last page', async () => {
    const { status, body } = await get('page=9&page_size=5');
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 6, total_pages: 2, current_page: 9, next: null, results: [] });
    expect(body.previous).toBe(`${LIST}?page=2&page_size=5`);
  });

  test.for(['0', '-1', 'uno', '1.5', '1e3', '99999999999', '01'])(
    'page=%s gets 404 with the standard error body',
    async (page) => {
      const { status, body } = await get(`page=${page}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ success: false, code: 'not_found' });
    },
  );

  test('an empty list has one page without rows', async () => {
    const { body } = await get('search=nadie-se-llama-asi&page=1');
    expect(body).toMatchObject({
      count: 0,
      total_pages: 1,
      current_page: 1,
      next: null,
      previous: null,
      results: [],
    });
  });

  test('without paging parameters it returns up to 1,000 rows, the exact count and a next link (SEED-7.4-04)', async () => {
    const other = await createTestApp();
    await insertManyLicenses(other.db, 1_250);
    const { body } = await other.call('GET', LIST);
    expect(body).toMatchObject({
      count: 1250,
      total_pages: 2,
      current_page: 1,
      page_size: 1000,
      previous: null,
    });
    expect(body.results).toHaveLength(1000);
    const visited = new Set(body.results.map((row: { id: number }) => row.id));
    for (let next = body.next; next !== null; ) {
      const page = (await other.call('GET', next)).body;
      for (const row of page.results) visited.add(row.id);
      next = page.next;
    }
    expect(visited.size).toBe(1250);
  });

  test('a search with more than a thousand matches counts up to a thousand and can be paged to its end (D053, D045)', async () => {
    const other = await createTestApp();
    await insertManyLicenses(other.db, 1_050);
    // Two letters are too short for the index; they occur in every licence's texts.
    for (const search of ['mu', 'masivo']) {
      const visited = new Set<number>();
      for (let next = `${LIST}?search=${search}&page=1&page_size=100`; next !== null; ) {
        const { body } = await other.call('GET', next);
        expect(body).toMatchObject({ count: 1000, count_is_exact: false, total_pages: 10 });
        for (const row of body.results) visited.add(row.id);
        next = body.next;
      }
      expect([search, visited.size]).toEqual([search, 1050]);
    }
  });
});
