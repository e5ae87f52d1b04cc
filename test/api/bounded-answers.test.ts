import { expect, test } from 'vitest';
import { UNPAGED_ROWS } from '../../contract/base/limits.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { type ApiOperation, ownParameters } from '../../server/http/openapi-document.ts';
import { createTestApp } from '../app.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { connectRecords, type Places } from '../plans/connected-records.ts';
import { multiplyRows, unnamedTables } from '../plans/multiplied-rows.ts';
import { watchStatements } from '../plans/statements.ts';

/** No answer grows without end: every GET, with thousands of everything at one client, licence and user. */

const ROWS = 5000;
/** The most bytes of an answer. A list without page_size may have more, because its rows are limited. */
const BYTES_MAX = 1_000_000;

/** Answers that are files: they have all rows, and are sent in parts. */
const FILES = /\/export\/$|\/imports\/\{id\}\/errors\/$|\/clients\/\{id\}\/data\/$/;
/** A picture, a page for the link of a mail, and an archive of code: none of them has rows. */
const WITHOUT_ROWS = [
  '/licenses/api/settings/logo/',
  '/licenses/api/unsubscribe/{token}/',
  '/licenses/api/software/{id}/developer_kit/',
  // They lead to the provider and back, and there is none here (SIGN-02).
  '/api/auth/oidc/start/',
  '/api/auth/oidc/callback/',
];

/** The path with the values of its parameters. */
function filled(template: string, places: Places): string {
  const path = Object.entries(places).reduce(
    (text, [place, value]) => text.replace(`/${place}/`, `/${place.split('/')[0]}/${value}/`),
    template,
  );
  if (path.includes('{')) throw new Error(`${template}: no value in test/plans/connected-records.ts`);
  return path;
}

/** The query of a call: what it requires, and the largest page. */
function queryOf(template: string, operation: ApiOperation): string {
  const names = ownParameters(operation).map(({ name }) => name);
  if (template.endsWith('/search/')) return '?q=Cliente&limit=20';
  if (names.includes('limit')) return '?limit=100';
  if (names.includes('client') && template.endsWith('/checks/')) return '?client=1';
  if (template.endsWith('/merge_candidates/')) return '?import=1';
  if (template.endsWith('/tags/')) return '?on=licenses';
  if (names.includes('client') && template.endsWith('/notes/')) return '?client=1&page_size=100';
  return names.includes('page_size') ? '?page_size=100' : '';
}

/** The longest list in an answer. */
function longestIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.values(value).map(longestIn);
  return Math.max(Array.isArray(value) ? value.length : 0, ...parts);
}

/** A call of a route, with the largest page and, if it has pages, without paging. */
function callsOf(
  template: string,
  operation: ApiOperation,
  places: Places,
): { path: string; isPaged: boolean }[] {
  const path = filled(template, places);
  const query = queryOf(template, operation);
  const paged = { path: path + query, isPaged: true };
  return query.startsWith('?page_size') ? [paged, { path, isPaged: false }] : [paged];
}

/** What is wrong with the size of an answer. */
function faultsOf({ statusCode, body }: { statusCode: number; body: string }, isPaged: boolean): string[] {
  if (statusCode !== 200) return [`answered ${statusCode}: ${body.slice(0, 200)}`];
  const rows = longestIn(JSON.parse(body));
  return [
    ...(rows > UNPAGED_ROWS ? [`has a list of ${rows}`] : []),
    ...(isPaged && body.length > BYTES_MAX ? [`has ${body.length} bytes`] : []),
  ];
}

test('every answer has at most a thousand rows and a megabyte, whatever is stored (D045)', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 240_000,
}, async () => {
  const t = await createTestApp({ env: { PUBLIC_URL: 'http://localhost:3000' } });
  expect(await unnamedTables(t.db)).toEqual([]);
  const { places, cookie } = await connectRecords(t);
  await multiplyRows(t.db, ROWS);

  const faults: string[] = [];
  let calls = 0;
  for (const [template, { get }] of Object.entries(apiDocument(t.app).paths)) {
    if (get === undefined || FILES.test(template) || WITHOUT_ROWS.includes(template)) continue;
    const headers = get['x-access'] === 'client' ? { cookie } : { authorization: `Bearer ${t.token}` };
    for (const { path, isPaged } of callsOf(template, get, places)) {
      const answer = await t.app.inject({ method: 'GET', url: path, headers });
      calls += 1;
      faults.push(...faultsOf(answer, isPaged).map((fault) => `${path} ${fault}`));
    }
  }
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(80);
});

test('details embed the newest hundred licences and machines, with exact counts; the file of a client has all (D114)', async () => {
  const t = await createTestApp();
  const { places } = await connectRecords(t);
  await multiplyRows(t.db, 250);
  const [client, license] = [places['clients/{id}'], places['licenses/{id}']];
  const one = `/licenses/api/clients/${client}/`;
  const newest = async (list: string) =>
    (await t.call('GET', `/licenses/api/${list}&page_size=100`)).body.results.map(
      ({ id }: { id: number }) => id,
    );
  const licenses = await newest(`licenses/?client=${client}`);
  const machines = await newest(`installations/?client=${client}`);
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

  const saved = await t.call('PUT', one, { body: { notes: 'Otra nota' } });
  for (const { status, body } of [saved, await t.call('GET', one)]) {
    expect([status, body.license_count, body.installation_count]).toEqual([200, 251, 251]);
    expect([ids(body.licenses), ids(body.installations)]).toEqual([licenses, machines]);
    expect(new Set(licenses).size + new Set(machines).size).toBe(200);
  }
  const { body } = await t.call('GET', `/licenses/api/licenses/${license}/`);
  expect([body.current_installations, ids(body.installations)]).toEqual([251, machines]);

  const { text } = await t.call('GET', `${one}data/`);
  const file = JSON.parse(text);
  const lengths = [file.client.licenses, file.client.installations, file.payment_requests, file.payments].map(
    ({ length }) => length,
  );
  expect(lengths).toEqual([251, 251, 251, 251]);
  expect(file.client.licenses.find(({ id }: { id: number }) => id === license).installations).toHaveLength(
    251,
  );
  expect([file.terms.length, file.certificates.length, file.client.email_bounced_at]).toEqual([251, 1, null]);
});

test('the export of a client’s events finds them once for thousands of rows, not for each part of the file', async () => {
  const watch = watchStatements();
  const t = await createTestApp();
  const { places } = await connectRecords(t);
  await multiplyRows(t.db, 2000);
  const client = places['clients/{id}'];
  watch.during('export');
  const { text } = await t.call('GET', `/licenses/api/events/export/?client=${client}`);
  watch.during(null);
  expect(text.trimEnd().split('\r\n').length).toBeGreaterThan(2000);
  expect(watch.timesOf("actor_kind <> 'machine'")).toBe(1);
});

test('every file is read in parts: no statement returns more than a thousand rows', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 240_000,
}, async () => {
  const watch = watchStatements();
  const t = await createTestApp();
  const { places } = await connectRecords(t);
  await multiplyRows(t.db, 1500);
  // The figures of reports are sums, made in steps of their own.
  const isFile = (path: string) =>
    FILES.test(path) && (!path.includes('/reports/') || path.includes('/fiscal/'));
  const files = Object.entries(apiDocument(t.app).paths).filter(([path, { get }]) => get && isFile(path));
  for (const [template] of files) {
    const url = filled(template, places);
    watch.during(url);
    const { statusCode } = await t.app.inject({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${t.token}` },
    });
    watch.during(null);
    expect([url, statusCode]).toEqual([url, 200]);
    const { rows, text } = watch.largest();
    // One more id tells a list that there are more.
    expect(rows, `${url}: ${text}`).toBeLessThanOrEqual(UNPAGED_ROWS + 1);
  }
  expect(files).toHaveLength(8);
});
