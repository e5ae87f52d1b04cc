import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';

/**
 * The filters for questions that staff ask, in the list and the export of licences and in the list of installations.
 */

const DAY = 24 * 60 * 60 * 1000;
const NOW = '2026-11-21T18:00:00.000Z';

let t: TestApp;
let ids: Record<'used' | 'full' | 'empty' | 'silent' | 'fresh', number>;
beforeAll(async () => {
  t = await createTestApp({ now: '2026-10-01T18:00:00.000Z', closeAfterTest: false });
  const perú = (await createClient(t, { country: 'Perú', name: 'Perú S.A.' })).id;
  const méxico = (await createClient(t, { name: 'México S.A.' })).id;
  const caja = (await createSoftware(t, { name: 'Caja' })).id;
  const árbol = (await createSoftware(t, { name: 'Árbol' })).id;
  const issue = async (client: number, software: number, day: string | null, seats: number) => {
    t.clock.advance(1000);
    return createLicense(t, {
      client,
      software,
      max_installations: seats,
      ...(day === null ? { expiry_days: null, expiry_date: null } : { expiry_date: day }),
      ...(seats === 4 && { license_type: 'abono' as const }),
    });
  };
  const used = await issue(perú, caja, '2026-12-01', 3);
  const full = await issue(méxico, caja, '2026-12-02', 1);
  const empty = await issue(méxico, árbol, null, 2);
  const silent = await issue(perú, árbol, '2026-12-03', 4);
  await activate(t, used.license_key, 'usada-1');
  await activate(t, used.license_key, 'usada-2');
  await activate(t, full.license_key, 'llena-1');
  await activate(t, silent.license_key, 'callada-1');
  const signIn = async () => {
    t.token = await signInAs(t, 'admin', 'admin123');
  };
  const beat = (license_key: string, machine_id: string) =>
    t.call('POST', '/licenses/api/installation/heartbeat/', {
      token: null,
      body: { license_key, machine_id },
    });
  t.clock.set(new Date(Date.parse(NOW) - 40 * DAY));
  await beat(silent.license_key, 'callada-1');
  await beat(used.license_key, 'usada-1');
  t.clock.set(new Date(Date.parse(NOW) - 3 * DAY));
  await beat(full.license_key, 'llena-1');
  await beat(used.license_key, 'usada-2');
  await signIn();
  // A machine that was installed and has not sent a heartbeat yet.
  const fresh = await issue(méxico, árbol, '2027-01-01', 5);
  await activate(t, fresh.license_key, 'nueva-1');
  t.clock.set(NOW);
  await signIn();
  ids = { used: used.id, full: full.id, empty: empty.id, silent: silent.id, fresh: fresh.id };
});
afterAll(() => t.close());

const nameOf = (id: number) => Object.entries(ids).find(([, known]) => known === id)?.[0];

/** The names of the licences that a query finds, in order. */
async function inOrder(query: string): Promise<(string | undefined)[]> {
  const { status, body } = await t.call('GET', `/licenses/api/licenses/?page=1&page_size=50&${query}`);
  expect(status).toBe(200);
  expect(body.count).toBe(body.results.length);
  return body.results.map(({ id }: { id: number }) => nameOf(id));
}

describe('the list of licences', () => {
  test.each([
    ['country=Per%C3%BA', ['silent', 'used']],
    ['unused=true', ['empty']],
    ['unused=false', ['fresh', 'full', 'silent', 'used']],
    ['seats_full=true', ['full']],
    ['seats_full=false', ['empty', 'fresh', 'silent', 'used']],
    ['active_within=7', ['full', 'used']],
    ['active_within=60', ['full', 'silent', 'used']],
    ['silent_for=7', ['silent']],
    ['silent_for=2', ['fresh', 'full', 'silent', 'used']],
    ['silent_for=2&country=Per%C3%BA', ['silent', 'used']],
    ['expiry_from=2026-12-02', ['fresh', 'full', 'silent']],
    ['expiry_to=2026-12-02', ['full', 'used']],
    ['expiry_from=2026-12-02&expiry_to=2026-12-02', ['full']],
    ['expiry_from=2026-12-02&search=Per%C3%BA', ['silent']],
  ])('finds the right licences for %s (LIST-02)', async (query, names) => {
    expect((await inOrder(query)).sort()).toEqual(names);
  });

  test('email_status filters by the delivery of the latest mail (LIST-02)', async () => {
    const deliver = (id: number, status: 'sent' | 'failed') =>
      t.db.updateTable('outbox').set({ status }).where('license_id', '=', id).execute();
    await deliver(ids.used, 'failed');
    await deliver(ids.full, 'sent');
    expect(await inOrder('email_status=failed')).toEqual(['used']);
    expect(await inOrder('email_status=sent')).toEqual(['full']);
    expect((await inOrder('email_status=queued')).sort()).toEqual(['empty', 'fresh', 'silent']);
    // A later mail that was sent replaces the earlier failure.
    const message = await t.db
      .selectFrom('outbox')
      .selectAll()
      .where('license_id', '=', ids.used)
      .executeTakeFirstOrThrow();
    const { id: _id, ...again } = { ...message, status: 'sent' as const, message_id: 'otra' };
    await t.db.insertInto('outbox').values(again).execute();
    expect(await inOrder('email_status=failed')).toEqual([]);
    expect((await inOrder('email_status=sent')).sort()).toEqual(['full', 'used']);
  });

  test('the export has the same licences as the list (LIST-02)', async () => {
    const { text } = await t.call('GET', '/licenses/api/licenses/export/?country=Per%C3%BA&seats_full=false');
    expect(text.trim().split('\r\n')).toHaveLength(3);
  });
});

test('an invalid filter value is 400 with a Spanish error at the filter (LIST-02)', async () => {
  const bad = 'expiry_from=ayer&expiry_to=2026-02-30&email_status=perdido&unused=quiza&seats_full=2';
  const { status, body } = await t.call(
    'GET',
    `/licenses/api/licenses/?${bad}&active_within=0&silent_for=x&country=${'x'.repeat(101)}`,
  );
  expect(status).toBe(400);
  expect(Object.keys(body.errors).sort()).toEqual([
    'active_within',
    'country',
    'email_status',
    'expiry_from',
    'expiry_to',
    'seats_full',
    'silent_for',
    'unused',
  ]);
  expect(body.errors.expiry_from).toEqual(['Fecha inválida. Usa el formato AAAA-MM-DD.']);
  expect(JSON.stringify(body.errors)).not.toMatch(/Invalid|expected/);
});

test('licences are ordered by software, type and seats taken (LIST-01)', async () => {
  expect(await inOrder('ordering=software_name')).toEqual(['fresh', 'silent', 'empty', 'full', 'used']);
  expect((await inOrder('ordering=license_type'))[0]).toBe('silent');
  expect((await inOrder('ordering=-current_installations'))[0]).toBe('used');
  expect((await inOrder('ordering=current_installations'))[0]).toBe('empty');
});

test('installations are found by their last heartbeat (LIST-02)', async () => {
  const machines = async (query: string) => {
    const { status, body } = await t.call('GET', `/licenses/api/installations/?${query}`);
    expect(status).toBe(200);
    return body.results.map((row: { machine_id: string }) => row.machine_id).sort();
  };
  expect(await machines('active_within=7')).toEqual(['llena-1', 'usada-2']);
  expect(await machines('silent_for=7')).toEqual(['callada-1', 'usada-1']);
  const { status, body } = await t.call('GET', '/licenses/api/installations/?silent_for=-1');
  expect([status, Object.keys(body.errors)]).toEqual([400, ['silent_for']]);
});

test('clients are ordered by type, status and number of licences, and found by country (LIST-01, LIST-02)', async () => {
  const extra = await createClient(t, { client_type: 'enterprise', status: 'suspended', country: 'Chile' });
  const first = async (ordering: string) => {
    const { body } = await t.call('GET', `/licenses/api/clients/?page=1&page_size=1&ordering=${ordering}`);
    return body.results[0].name;
  };
  expect(await first('client_type')).toBe(extra.name);
  expect(await first('-status')).toBe(extra.name);
  expect(await first('license_count')).toBe(extra.name);
  expect(await first('-license_count')).toBe('México S.A.');
  const { body } = await t.call('GET', '/licenses/api/clients/?country=Chile');
  expect(body.results).toHaveLength(1);
});
