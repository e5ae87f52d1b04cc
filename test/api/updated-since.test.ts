import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { activate, createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';

/** With `updated_since` another system can stay up to date (API-01). */

const START = '2026-11-22T12:00:00.000Z';
const MINUTE_MS = 60_000;
const LISTS = ['clients', 'software', 'license-types', 'licenses', 'installations', 'users'] as const;

const get = (t: TestApp, list: string, query: Record<string, string>) =>
  t.call('GET', `/licenses/api/${list}/?${new URLSearchParams(query)}`);
const idsOf = async (t: TestApp, list: string, query: Record<string, string>): Promise<number[]> => {
  const { status, body } = await get(t, list, query);
  expect([list, status, body.errors]).toEqual([list, 200, undefined]);
  return body.results.map(({ id }: { id: number }) => id);
};

async function twoOfEach(t: TestApp) {
  const pairs = [];
  for (const name of ['primera', 'segunda']) {
    const client = await createClient(t);
    const software = await createSoftware(t);
    const type = await createLicenseType(t);
    const license = await createLicense(t, { client: client.id, software: software.id });
    const machine = (await activate(t, license.license_key, name)).body;
    const user = await t.call('POST', '/licenses/api/users/', {
      body: { username: name, names: name, email: `${name}@example.com`, role: 'viewer' },
    });
    pairs.push({
      clients: client.id,
      software: software.id,
      'license-types': type.id,
      licenses: license.id,
      installations: machine.id,
      users: user.body.id,
      license_key: license.license_key,
    });
    t.clock.advance(MINUTE_MS);
  }
  return pairs as [(typeof pairs)[0], (typeof pairs)[0]];
}

test('updated_since finds the records created or changed at that moment or later, in every list (API-01)', async () => {
  const t = await createTestApp({ now: START });
  const [first, second] = await twoOfEach(t);
  const since = new Date(Date.parse(START) + MINUTE_MS).toISOString();
  for (const list of LISTS)
    expect([list, await idsOf(t, list, { updated_since: since })]).toEqual([list, [second[list]]]);

  const before = (await get(t, 'installations', {})).body.results;
  expect(before[0]).toMatchObject({ updated_at: since, installation_date: since });
  await t.call('PUT', `/licenses/api/clients/${first.clients}/`, { body: { city: 'Lima' } });
  await t.call('PUT', `/licenses/api/software/${first.software}/`, { body: { description: 'x' } });
  await t.call('PUT', `/licenses/api/license-types/${first['license-types']}/`, { body: { name: 'Otro' } });
  await t.call('POST', `/licenses/api/licenses/${first.licenses}/renew/`, { body: { notify: false } });
  await t.call('PUT', `/licenses/api/users/${first.users}/`, { body: { names: 'Eva' } });
  // An activation with the same data changes nothing; one with another name does.
  await activate(t, first.license_key, 'primera');
  expect(await idsOf(t, 'installations', { updated_since: since })).toEqual([second.installations]);
  await t.call('POST', '/licenses/api/installations/', {
    token: null,
    body: { license_key: first.license_key, machine_id: 'primera', machine_name: 'Caja 1' },
  });
  for (const list of LISTS) {
    const found = await idsOf(t, list, { updated_since: since, page: '1', page_size: '100' });
    expect([list, found.sort((a, b) => a - b)]).toEqual([list, [first[list], second[list]]]);
  }
  const now = t.context.now().toISOString();
  for (const list of LISTS)
    expect([list, await idsOf(t, list, { updated_since: now })]).toEqual([list, [first[list]]]);
  expect((await get(t, 'installations', { updated_since: now })).body.results[0].updated_at).toBe(now);
});

test('a heartbeat does not count as a change of a machine, because it has last_heartbeat (API-01)', async () => {
  const t = await createTestApp({ now: START });
  const [first] = await twoOfEach(t);
  const body = { license_key: first.license_key, machine_id: 'primera' };
  const beat = await t.call('POST', '/licenses/api/installation/heartbeat/', { token: null, body });
  expect(beat.status).toBe(200);
  expect(await idsOf(t, 'installations', { updated_since: t.context.now().toISOString() })).toEqual([]);
});

describe('the value of updated_since', () => {
  test('may have any zone, also with a plus that was not encoded, and is compared to the millisecond', async () => {
    const t = await createTestApp({ now: START });
    const { id } = await createClient(t);
    for (const [moment, found] of [
      ['2026-11-22T12:00:00.000Z', [id]],
      ['2026-11-22T12:00:00Z', [id]],
      ['2026-11-22T06:00:00-06:00', [id]],
      ['2026-11-22T14:00:00+02:00', [id]],
      ['2026-11-22T14:00:00 02:00', [id]],
      ['2026-11-22T12:00:00.001Z', []],
      ['2026-11-22T07:00:00-06:00', []],
    ] as const) {
      expect([moment, await idsOf(t, 'clients', { updated_since: moment })]).toEqual([moment, found]);
    }
  });

  test.each([
    'ayer',
    '2026-11-22',
    '2026-11-22T12:00:00',
    '2026-13-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '1763812800',
  ])('%j is refused in every list at updated_since', async (updated_since) => {
    const t = await createTestApp();
    for (const list of LISTS) {
      const { status, body } = await get(t, list, { updated_since });
      expect([list, status, Object.keys(body.errors)]).toEqual([list, 400, ['updated_since']]);
      expect(body.errors.updated_since[0]).toContain('2026-01-31T12:00:00Z');
    }
  });
});

test('updated_since works with order, pages and export, and reading repeatedly by updated_at misses no change (API-01)', async () => {
  const t = await createTestApp({ now: START });
  const ids: number[] = [];
  for (let index = 0; index < 7; index += 1) {
    t.clock.advance(index % 2 === 0 ? 0 : MINUTE_MS);
    ids.push((await createClient(t)).id);
  }
  t.clock.advance(MINUTE_MS);
  await t.call('PUT', `/licenses/api/clients/${ids[0]}/`, { body: { city: 'Lima' } });
  const expected = [...ids.slice(1), ids[0]!];

  const shown: number[] = [];
  let since = START;
  for (let page = 1; ; ) {
    const query = { updated_since: since, ordering: 'updated_at', page_size: '3', page: String(page) };
    const { body } = await get(t, 'clients', query);
    for (const { id } of body.results) if (!shown.includes(id)) shown.push(id);
    if (body.next === null) break;
    const last = body.results.at(-1).updated_at;
    page = last === since ? page + 1 : 1;
    since = last;
  }
  expect(shown).toEqual(expected);

  expect(await idsOf(t, 'clients', { updated_since: START, ordering: '-updated_at' })).toEqual(
    expected.toReversed(),
  );
  const since2 = t.context.now().toISOString();
  const file = await t.call('GET', `/licenses/api/clients/export/?updated_since=${since2}`);
  const rows: { ID: string }[] = parse(file.text, { bom: true, columns: true });
  expect(rows.map(({ ID }) => Number(ID))).toEqual([ids[0]]);
  for (const list of LISTS.filter((name) => name !== 'users')) {
    expect((await get(t, list, { updated_since: START, ordering: 'updated_at', page: '1' })).status).toBe(
      200,
    );
  }
});
