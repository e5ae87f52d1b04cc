import { parse } from 'csv-parse/sync';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tables } from '../../server/db/tables.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { insertManyLicenses } from '../many-licenses.ts';

const LICENSES = '/licenses/api/licenses/';
const CLIENTS = '/licenses/api/clients/';
const MANY = 12_000;
/** Rows near the highest ids, so that reading only the first thousands misses them. */
const SUSPENDED = [11_000, 11_500, 11_990];

/** A database with more rows than one statement reads, and more than the candidates of a search. */
let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({ closeAfterTest: false });
  const { db } = testApp;
  await insertManyLicenses(db, MANY);
  await db.updateTable('licenses').set({ status: 'suspended' }).where('id', 'in', SUSPENDED).execute();
  await insertManyClients(db, 11_500);
});
afterAll(() => testApp.close());

/**
 * Clients of two alternating cities. One in a thousand is called 'rara', half of the others 'nieve', the rest 'sol'.
 */
async function insertManyClients(db: Kysely<Tables>, count: number): Promise<void> {
  const copied = sql`company, phone, phone_secondary, address, state, country, postal_code, client_type, status,
    contact_person, contact_position, tax_id, website, notes, last_contact, created_at, updated_at`;
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into clients (name, email, email_key, city, search_text, ${copied})
    select 'Cliente ' || n, n || '@example.com', n || '@example.com',
      case when n % 2 = 0 then 'Lima' else 'Cusco' end,
      'cliente ' || case when n % 1000 = 0 then 'rara' when n % 4 < 2 then 'nieve' else 'sol' end || ' ' || n,
      ${copied}
    from clients, numbers where clients.id = 1
  `.execute(db);
}

const get = async (path: string) => {
  const { status, body } = await testApp.call('GET', path);
  expect(status, path).toBe(200);
  return body;
};
const idsOf = (body: { results: { id: number }[] }) => body.results.map(({ id }) => id);

describe('counts', () => {
  test.for([
    [`${LICENSES}?page=1`, MANY],
    [`${LICENSES}?is_active=true&page=1`, MANY - 3],
    [`${LICENSES}?is_active=false&license_type=basic&page=1`, 3],
    [`${CLIENTS}?city=Lima&page=1`, 5750],
    [`${CLIENTS}?city=Lima&status=active&page=1`, 5750],
    [`${CLIENTS}?city=Quito&page=1`, 0],
    ['/licenses/api/installations/?is_active=false&page=1', 0],
    ['/licenses/api/software/?is_active=true&page=1', 1],
  ] as const)('a list with %s is counted exactly: %i (D045)', async ([path, count]) => {
    expect(await get(path)).toMatchObject({ count, count_is_exact: true });
  });

  test.for([
    [`${CLIENTS}?search=rara&page=1`, 11],
    [`${CLIENTS}?search=rara%20cliente&page=1`, 11],
    [`${CLIENTS}?search=sol%20nieve&page=1`, 0],
    [`${CLIENTS}?search=cliente%20rara&city=Cusco&page=1`, 0],
    [`${CLIENTS}?search=ra&page=1`, 11],
    [`${LICENSES}?search=masivo&is_active=false&page=1`, 3],
    [`${LICENSES}?search=masivo%20muchas&status=suspended&page=1`, 3],
    [`${LICENSES}?search=ma&is_active=false&page=1`, 3],
    [`${LICENSES}?search=masivo&client=2&page=1`, 0],
  ] as const)('a rare search %s finds and counts every match: %i (D053)', async ([path, count]) => {
    const body = await get(`${path}&page_size=20`);
    expect(body).toMatchObject({ count, count_is_exact: true, next: null });
    expect(body.results).toHaveLength(count);
  });

  test.for([
    `${CLIENTS}?search=nieve`,
    `${CLIENTS}?search=cliente%20nieve`,
    `${CLIENTS}?search=ie`,
    `${LICENSES}?search=masivo`,
    `${LICENSES}?search=ma`,
    `${LICENSES}?search=muchas&license_type=trial`,
  ])('a frequent search %s counts to a thousand and marks the count as inexact (D045)', async (path) => {
    const body = await get(`${path}&page=1&page_size=50`);
    expect(body).toMatchObject({ count: 1000, count_is_exact: false, total_pages: 20, previous: null });
    expect(body.results).toHaveLength(50);
    expect(body.next).toContain('page=2');
  });

  test('a search with exactly a thousand matches is counted exactly (D045)', async () => {
    const exactly = await createTestApp();
    await insertManyLicenses(exactly.db, 1000);
    const { body } = await exactly.call('GET', `${LICENSES}?search=masivo&page=10&page_size=100`);
    expect(body).toMatchObject({ count: 1000, count_is_exact: true, total_pages: 10, next: null });
  });
});

describe('pages beyond the first thousand matches', () => {
  test('next links reach the last row, previous links lead back, and a page beyond the end is empty (D045)', async () => {
    const path = `${LICENSES}?search=masivo&license_type=trial&page_size=100`;
    const found: number[] = [];
    let last = await get(`${path}&page=1`);
    for (found.push(...idsOf(last)); last.next !== null; found.push(...idsOf(last)))
      last = await get(last.next);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(1200);
    expect(last).toMatchObject({ count: 1000, count_is_exact: false, current_page: 12 });
    expect(last.previous).toContain('page=11');
    for (const far of [40, 99_999_999]) {
      const beyond = await get(`${path}&page=${far}`);
      expect(beyond).toMatchObject({ results: [], next: null });
      expect(beyond.previous).toContain('page=10');
    }
    const deep = await get(`${LICENSES}?search=masivo&page=119&page_size=100`);
    expect(deep.results).toHaveLength(100);
    expect((await get(deep.next)).next).toBeNull();
  });

  test('a search without paging links to the rows after its first thousand (SEED-7.4-04, D045)', async () => {
    const body = await get(`${LICENSES}?search=masivo&license_type=trial`);
    expect(body.results).toHaveLength(1000);
    const next = await get(body.next);
    expect(new Set([...idsOf(body), ...idsOf(next)]).size).toBe(1100);
  });
});

describe('exports', () => {
  const rowsOf = async (path: string) => {
    const answer = await testApp.call('GET', path);
    expect(answer.status).toBe(200);
    return parse(answer.text, { bom: true, from_line: 2 }).map((cells: string[]) => Number(cells[0]));
  };

  test.for([
    [`${LICENSES}export/`, MANY],
    [`${LICENSES}export/?search=masivo`, MANY],
    [`${LICENSES}export/?search=masivo&is_active=false`, 3],
    [`${LICENSES}export/?is_active=false`, 3],
    [`${LICENSES}export/?status=suspended`, 3],
    [`${CLIENTS}export/?city=Cusco&search=nieve`, 2875],
    [`${CLIENTS}export/?search=rara`, 11],
    [`${CLIENTS}export/?email=no@example.com`, 0],
  ] as const)('the export of %s has all matching rows once, ordered by id (D014)', async ([path, count]) => {
    const ids = await rowsOf(path);
    expect(ids).toHaveLength(count);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });
});
