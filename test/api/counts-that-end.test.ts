import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isPostgres } from '../../server/db/dialect.ts';
import { licenseList } from '../../server/features/licenses/license-list.ts';
import { installationList } from '../../server/features/programs/installation-list.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { LIST_LIMITS } from '../../server/lists/statements.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { insertManyLicenses } from '../many-licenses.ts';
import { callsOf } from '../plans/calls.ts';
import { insertGrownRows } from '../plans/grown-rows.ts';
import { watchStatements } from '../plans/statements.ts';

/** If counting the rows of a filter would read too many rows, the count stops at a limit (decisions/060 and 077). */

const LICENSES = '/licenses/api/licenses/';

/** Limits so low that a database of some hundred rows uses every method of finding a page. */
const LOW_LIMITS = {
  ...LIST_LIMITS,
  few: 40,
  candidates: 50,
  first: 800,
  sorted: 50,
  near: 10,
  counted: 60,
  indexed: 60,
  collected: 50,
};

const countOf = async (t: TestApp, query: string) => {
  const { status, body } = await t.call('GET', `${LICENSES}?${query}`);
  expect(status).toBe(200);
  const { count, count_is_exact, total_pages, next } = body;
  return { count, count_is_exact, total_pages, hasNext: next !== null };
};

test('a filter without an index counts a small table completely, and at most 1,000 rows of a large one', async () => {
  const t = await createTestApp();
  await insertManyLicenses(t.db, 1199);
  await sql`update clients set country = 'Perú'`.execute(t.db);
  const now = t.context.now().toISOString();
  const addMachines = () =>
    sql`insert into installations (license_id, machine_id, machine_name, mac_address, ip_address, installation_date,
        last_heartbeat, heard_on, notes)
      select id, 'equipo', 'Equipo', '', '', ${now}, ${now}, substr(${now}, 1, 10), '' from licenses
      where id not in (select license_id from installations)`.execute(t.db);
  await addMachines();
  const everything = 'active_within=30&page_size=100';
  const whole = { count: 1200, count_is_exact: true, total_pages: 12 };
  expect(await countOf(t, `${everything}&page=1`)).toMatchObject({ count: 1199, count_is_exact: true });

  // The size of a table is estimated by its highest id.
  await (isPostgres(t.db)
    ? sql`select setval(pg_get_serial_sequence('licenses', 'id'), 59999)`
    : sql`update sqlite_sequence set seq = 59999 where name = 'licenses'`
  ).execute(t.db);
  const { id: _id, ...last } = await t.db
    .selectFrom('licenses')
    .selectAll()
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await t.db
    .insertInto('licenses')
    .values({ ...last, license_key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE' })
    .execute();
  await addMachines();
  const ended = { count: 1000, count_is_exact: false, total_pages: 10 };
  for (const query of [everything, 'active_within=30&seats_full=false&page_size=100']) {
    expect(await countOf(t, `${query}&page=1`), query).toEqual({ ...ended, hasNext: true });
    expect(await countOf(t, `${query}&page=12`), query).toEqual({ ...ended, hasNext: false });
  }
  // These filters use an index with few rows, or a stored number, so their counts are exact.
  for (const query of [
    'software=1',
    'status=active',
    'country=Perú',
    'software=1&active_within=30',
    'client=1&currency=MXN',
  ]) {
    expect(await countOf(t, `${query}&page_size=100&page=1`), query).toEqual({ ...whole, hasNext: true });
  }
});

test('a filter by a country or software with few rows reads only those, however large the table is', async () => {
  const watch = watchStatements();
  const t = await createTestApp();
  await insertManyLicenses(t.db, 20);
  const reads = async (path: string) => {
    watch.statements.clear();
    watch.during(path);
    expect((await t.call('GET', `/licenses/api/${path}`)).body.count).toBe(0);
    watch.during(null);
    return [...watch.statements.keys()].filter((text) => /"id" > /.test(text));
  };
  expect(await reads('licenses/?country=Nadie&page=1')).toEqual([]);
  expect(await reads('installations/?software=999&page=1')).toEqual([]);
});

test('a filter finds the same rows with every query plan', { timeout: 120_000 }, async () => {
  const t = await createTestApp();
  const now = t.context.now();
  await insertGrownRows(t.db, now);
  const moment = { now, timeZone: t.context.config.timeZone };
  const page = (query: ReturnType<typeof licenseList.query.parse>, limits: typeof LIST_LIMITS) =>
    licenseList.page(t.db, { ...query, page: '1', page_size: '30' }, moment, LICENSES, limits);
  let counted = 0;
  const ended = { few: 0, indexed: 0 };
  for (const { path } of callsOf(apiDocument(t.app), now)) {
    if (!path.startsWith(`${LICENSES}?`) || path.includes('search=')) continue;
    const query = licenseList.query.parse(Object.fromEntries(new URLSearchParams(path.split('?')[1])));
    const exact = await page(query, LIST_LIMITS);
    const little = await page(query, LOW_LIMITS);
    expect(
      little.results.map(({ id }) => id),
      path,
    ).toEqual(exact.results.map(({ id }) => id));
    if (little.count_is_exact) {
      expect(little.count, path).toBe(exact.count);
      counted += 1;
    } else {
      expect([40, 60], path).toContain(little.count);
      expect(exact.count, path).toBeGreaterThan(little.count);
      ended[little.count === 40 ? 'few' : 'indexed'] += 1;
    }
  }
  expect(counted).toBeGreaterThan(20);
  expect(ended.few).toBeGreaterThan(10);
  expect(ended.indexed).toBeGreaterThan(3);
});

test('rows that one index finds are counted up to a limit', async () => {
  const t = await createTestApp();
  await insertManyLicenses(t.db, 200);
  const moment = { now: t.context.now(), timeZone: t.context.config.timeZone };
  const limits = { ...LIST_LIMITS, few: 10, indexed: 60 };
  for (const filter of [
    { updated_since: '2020-01-01T00:00:00Z' },
    { issued: '2020-01-01..2030-12-31' },
    { currency: 'MXN' },
    { software: '1' },
  ]) {
    const page = await licenseList.page(t.db, licenseList.query.parse(filter), moment, LICENSES, limits);
    expect(page, JSON.stringify(filter)).toMatchObject({ count: 60, count_is_exact: false });
  }
});

test('however the words of a search are found, each page has the same rows', {
  timeout: 120_000,
}, async () => {
  const t = await createTestApp();
  await insertGrownRows(t.db, t.context.now());
  const moment = { now: t.context.now(), timeZone: t.context.config.timeZone };
  const found = { whole: 0, ended: 0 };
  for (const list of [licenseList, installationList] as const) {
    for (const search of [
      'ana',
      'ana quetzal',
      'norte maria',
      'sistemas norte',
      'equipo norte',
      'zzz norte',
    ]) {
      for (const ordering of [undefined, 'created_at', 'updated_at']) {
        for (const page of ['1', '2']) {
          const query = { ...list.query.parse({ search, ordering }), page, page_size: '15' };
          const idsOf = async (limits: typeof LIST_LIMITS) => {
            const { results, count_is_exact } = await list.page(
              t.db,
              query as never,
              moment,
              LICENSES,
              limits,
            );
            return { ids: results.map(({ id }) => id), isExact: count_is_exact };
          };
          const exact = await idsOf(LIST_LIMITS);
          const little = await idsOf(LOW_LIMITS);
          expect(little.ids, JSON.stringify(query)).toEqual(exact.ids);
          found[little.isExact ? 'whole' : 'ended'] += 1;
        }
      }
    }
  }
  expect(found.whole).toBeGreaterThan(5);
  expect(found.ended).toBeGreaterThan(5);
});
