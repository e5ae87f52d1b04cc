import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ChecksReport } from '../../../../contract/figures/reports.ts';
import type { License } from '../../../../contract/licenses/licenses.ts';
import { DEMO_ACCOUNT } from '../../../../contract/people/auth.ts';
import { CHECKS_MAX, type Check, type UnknownKeyCheck } from '../../../../contract/programs/checks.ts';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../../test/at-night.ts';
import { activate, createClient, createLicense } from '../../../../test/factories.ts';
import { runJob } from '../../../../test/run-job.ts';
import { housekeepingJob } from '../../system/housekeeping/housekeeping-job.ts';
import { storeCollectedChecks } from './collect-checks.ts';

const NOW = '2026-11-21T18:00:00.000Z';
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

type Body = Record<string, unknown>;
const ask = (t: TestApp, path: string, body: Body) =>
  t.call('POST', `/licenses/api/${path}`, { token: null, body });
const validate = (t: TestApp, license_key: string, machine_id: string, more: Body = {}) =>
  ask(t, 'license/validate/', { license_key, machine_id, ...more });
const beat = (t: TestApp, license_key: string, machine_id: string, more: Body = {}) =>
  ask(t, 'installation/heartbeat/', { license_key, machine_id, ...more });

/** Moves the clock by days and signs in again, because the session has ended. */
async function pass(t: TestApp, days: number): Promise<void> {
  t.clock.advance(days * DAY_MS);
  t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
}

async function checksOf(t: TestApp, { id }: Pick<License, 'id'>): Promise<Check[]> {
  await storeCollectedChecks(t.context);
  const { body } = await t.call<{ results: Check[] }>('GET', `/licenses/api/licenses/${id}/checks/`);
  return body.results;
}

async function unknownOf(t: TestApp, typed: string): Promise<UnknownKeyCheck[]> {
  await storeCollectedChecks(t.context);
  const query = new URLSearchParams({ license_key: typed });
  const { body } = await t.call<{ results: UnknownKeyCheck[] }>('GET', `/licenses/api/checks/?${query}`);
  return body.results;
}

test('an accepted check is one row per machine and call, a refusal one per local day and reason (SELL-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t, { max_installations: 1 });
  await activate(t, license.license_key, 'caja-1');
  for (let day = 0; day < 2; day += 1) {
    await pass(t, day);
    await validate(t, license.license_key, 'caja-1', { app_version: `1.${day}`, os: 'Windows 11' });
    await validate(t, license.license_key, 'caja-1', { app_version: `1.${day}` });
    await validate(t, license.license_key, 'caja-2');
    await validate(t, license.license_key, 'caja-2');
    if (day === 0) await storeCollectedChecks(t.context);
  }
  const row = { license: license.id, ip: '127.0.0.1' };
  const tomorrow = '2026-11-22T18:00:00.000Z';
  const refused = { ...row, call: 'validate', reason: 'installation_limit', machine_id: 'caja-2' };
  expect(await checksOf(t, license)).toEqual([
    {
      ...row,
      ...{ at: tomorrow, call: 'validate', machine_id: 'caja-1', reason: null, app_version: '1.1', count: 4 },
    },
    { ...refused, at: tomorrow, app_version: null, count: 2 },
    {
      ...row,
      ...{ at: NOW, call: 'activate', machine_id: 'caja-1', reason: null, app_version: null, count: 1 },
    },
    { ...refused, at: NOW, app_version: null, count: 2 },
  ]);
});

test('refusals are grouped by days of the business time zone, also when they are stored together', async () => {
  // Midnight in Ciudad de México is 06:00 UTC.
  const t = await createTestApp({ now: '2026-11-22T05:59:30.000Z' });
  const license = await createLicense(t, { status: 'suspended' });
  await validate(t, license.license_key, 'caja-1');
  await beat(t, license.license_key, 'caja-1');
  t.clock.advance(MINUTE_MS);
  await validate(t, license.license_key, 'caja-1');
  const checks = await checksOf(t, license);
  expect(checks.map(({ at, call, reason, count }) => [at, call, reason, count])).toEqual([
    ['2026-11-22T06:00:30.000Z', 'validate', 'suspended', 1],
    ['2026-11-22T05:59:30.000Z', 'heartbeat', 'not_activated', 1],
    ['2026-11-22T05:59:30.000Z', 'validate', 'suspended', 1],
  ]);
});

test('each call is stored with the answer that its program got', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t, { max_installations: 1, expiry_date: '2026-11-22' });
  const { license_key } = license;
  const nonce = 'abcdefgh12345678';
  await activate(t, license_key, 'caja-1');
  await beat(t, license_key, 'caja-1', { app_version: '4.2' });
  await activate(t, license_key, 'caja-2');
  await beat(t, license_key, 'caja-2');
  await beat(t, license_key, 'caja-3', { nonce });
  await validate(t, license_key, 'caja-3', { software: 'otro-programa' });
  await ask(t, 'installations/', { license_key, machine_id: 'caja-3', software: 'otro-programa' });
  await beat(t, license_key, 'caja-1', { software: 'otro-programa' });
  await pass(t, 3);
  await beat(t, license_key, 'caja-1', { nonce });
  await beat(t, license_key, 'caja-4');
  const said = (await checksOf(t, license)).map(
    ({ call, machine_id, reason, count }) => `${call} ${machine_id}: ${reason} ${count}`,
  );
  expect(said.toSorted()).toEqual([
    'activate caja-1: null 1',
    'activate caja-2: installation_limit 1',
    'activate caja-3: wrong_software 1',
    'heartbeat caja-1: expired 1',
    'heartbeat caja-1: null 1',
    'heartbeat caja-1: wrong_software 1',
    'heartbeat caja-2: not_activated 1',
    'heartbeat caja-3: not_activated 1',
    'heartbeat caja-4: not_activated 1',
    'validate caja-3: wrong_software 1',
  ]);
});

test('a check writes no event and changes no record, and no answer waits for it', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  const path = `/licenses/api/licenses/${license.id}/`;
  const before = (await t.call('GET', path)).body;
  const events = () => t.call('GET', '/licenses/api/events/');
  const eventsBefore = (await events()).body;
  t.clock.advance(MINUTE_MS);
  await validate(t, license.license_key, 'caja-1', { app_version: '1.0', os: 'Linux' });
  const stored = () => t.db.selectFrom('license_checks').select('machine_id').execute();
  expect(await stored()).toEqual([]);
  await storeCollectedChecks(t.context);
  expect(await stored()).toHaveLength(1);
  expect((await t.call('GET', path)).body).toEqual(before);
  expect((await events()).body).toEqual(eventsBefore);
});

test('the release of a seat, a portal ticket and a call refused by the rate limit are no checks', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  for (let time = 0; time < 62; time += 1) await validate(t, license.license_key, 'caja-1');
  await ask(t, 'installations/release/', { license_key: license.license_key, machine_id: 'caja-2' });
  await ask(t, 'portal/ticket/', { license_key: license.license_key, machine_id: 'caja-3' });
  expect(await checksOf(t, license)).toMatchObject([{ machine_id: 'caja-1', count: 60 }]);
});

test('a licence has at most 100 rows, the newest', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  const other = await createLicense(t);
  await validate(t, other.license_key, 'caja-1');
  for (let number = 0; number < CHECKS_MAX + 20; number += 1) {
    t.clock.advance(1000);
    await validate(t, license.license_key, `equipo-${number}`);
    if (number % 50 === 0) await storeCollectedChecks(t.context);
  }
  const checks = await checksOf(t, license);
  expect(checks).toHaveLength(CHECKS_MAX);
  expect(checks.at(0)?.machine_id).toBe('equipo-119');
  expect(checks.at(-1)?.machine_id).toBe('equipo-20');
  const stored = t.db.selectFrom('license_checks').select('license_id').execute();
  expect(await stored).toHaveLength(CHECKS_MAX + 1);
});

test('after 30 days without another call a row is not listed any more, and housekeeping deletes it', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t, { expiry_days: 365 });
  await validate(t, license.license_key, 'caja-1');
  await validate(t, license.license_key, 'caja-2');
  await validate(t, 'NADIE-TIENE-ESTA-CLAVE', 'caja-3');
  await storeCollectedChecks(t.context);
  await pass(t, 20);
  await validate(t, license.license_key, 'caja-2');
  await storeCollectedChecks(t.context);
  await pass(t, 12);
  expect(await checksOf(t, license)).toMatchObject([{ machine_id: 'caja-2', count: 2 }]);
  expect(await unknownOf(t, 'NADIE-TIENE-ESTA-CLAVE')).toEqual([]);
  await runJob(t.context, housekeepingJob);
  const rows = t.db.selectFrom('license_checks').select('machine_id').execute();
  expect(await rows).toEqual([{ machine_id: 'caja-2' }]);
  expect(await t.db.selectFrom('unknown_key_checks').select('typed').execute()).toEqual([]);
  // The report covers a longer time than the lists.
  expect(await t.db.selectFrom('check_days').select('day').execute()).toHaveLength(3);
});

test('calls with an unknown key are found by the typed key, of which only a keyed hash and both ends are stored', async () => {
  const t = await createTestApp({ now: NOW });
  const typed = 'k7qwe rtyui opasd fghjk lzxca';
  await validate(t, typed, 'caja-1');
  await validate(t, 'K7QWE-RTYUI-OPASD-FGHJK-LZXCA', 'caja-1');
  await activate(t, 'K7QWERTYUIOPASDFGHJKLZXCA', 'caja-1');
  await beat(t, typed, 'caja-2');
  await validate(t, 'CORTA', 'caja-1');
  const row = { typed: 'K7•••CA', at: NOW, ip: '127.0.0.1' };
  expect(await unknownOf(t, typed)).toEqual([
    { ...row, call: 'activate', machine_id: 'caja-1', count: 1 },
    { ...row, call: 'heartbeat', machine_id: 'caja-2', count: 1 },
    { ...row, call: 'validate', machine_id: 'caja-1', count: 2 },
  ]);
  expect(await unknownOf(t, 'corta')).toMatchObject([{ typed: '•••' }]);
  expect(await unknownOf(t, 'K7QWE-RTYUI-OPASD-FGHJK-LZXCB')).toEqual([]);
  const stored = JSON.stringify(await t.db.selectFrom('unknown_key_checks').selectAll().execute());
  expect(stored).not.toMatch(/rtyui|opasd|corta/i);
});

test('at most 10,000 calls with unknown keys are stored, the newest', async () => {
  const t = await createTestApp({ now: NOW });
  const older = Array.from({ length: 10_000 }, (_, number) => ({
    key_hash: `huella-${number}`,
    call: 'validate' as const,
    machine_id: 'caja-1',
    typed: '•••',
    ip: '192.0.2.1',
    at: new Date(Date.parse(NOW) - 1000 - number).toISOString(),
    count: 1,
  }));
  while (older.length > 0)
    await t.db.insertInto('unknown_key_checks').values(older.splice(0, 1000)).execute();
  await validate(t, 'NADIE-TIENE-ESTA-CLAVE', 'caja-1');
  expect(await unknownOf(t, 'NADIE-TIENE-ESTA-CLAVE')).toHaveLength(1);
  const rows = await t.db.selectFrom('unknown_key_checks').select('key_hash').execute();
  expect(rows).toHaveLength(10_000);
  expect(rows.some(({ key_hash }) => key_hash === 'huella-9999')).toBe(false);
});

test('the checks of a client are those of all its licences, newest first', async () => {
  const t = await createTestApp({ now: NOW });
  const client = await createClient(t);
  const one = await createLicense(t, { client: client.id });
  const two = await createLicense(t, { client: client.id, status: 'suspended' });
  const other = await createLicense(t);
  for (const { license_key } of [one, two, other]) {
    t.clock.advance(MINUTE_MS);
    await validate(t, license_key, 'caja-1');
  }
  await storeCollectedChecks(t.context);
  const url = `/licenses/api/checks/?client=${client.id}`;
  expect((await t.call('GET', url)).body).toMatchObject({
    results: [
      { license: two.id, reason: 'suspended' },
      { license: one.id, reason: null },
    ],
  });
  // A check belongs to the licence, whichever client has it.
  const taker = await createClient(t);
  await t.call('PATCH', `/licenses/api/licenses/${two.id}/`, { body: { client: taker.id } });
  expect((await t.call('GET', url)).body.results).toMatchObject([{ license: one.id }]);
});

test('a list without a client or a key is refused, and an unknown licence is 404', async () => {
  const t = await createTestApp();
  for (const query of ['', '?client=1&license_key=ABC']) {
    const { status, body } = await t.call('GET', `/licenses/api/checks/${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual({ client: ['Indica client o license_key'] });
  }
  expect((await t.call('GET', '/licenses/api/licenses/999/checks/')).status).toBe(404);
  expect((await t.call('GET', '/licenses/api/checks/?client=999')).body).toEqual({ results: [] });
});

test('the checks of a deleted licence are deleted, and later ones are not stored', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  const other = await createLicense(t);
  await validate(t, license.license_key, 'caja-1');
  await storeCollectedChecks(t.context);
  await validate(t, license.license_key, 'caja-2');
  await validate(t, other.license_key, 'caja-1');
  expect((await t.call('DELETE', `/licenses/api/licenses/${license.id}/`)).status).toBeLessThan(300);
  await storeCollectedChecks(t.context);
  const rows = await t.db.selectFrom('license_checks').select('license_id').execute();
  expect(rows).toEqual([{ license_id: other.id }]);
});

test('checks that cannot be stored wait, together with later ones', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  await validate(t, license.license_key, 'caja-1');
  await validate(t, 'NADIE-TIENE-ESTA-CLAVE', 'caja-1');
  await sql`alter table check_days rename to check_days_away`.execute(t.db);
  await expect(storeCollectedChecks(t.context)).rejects.toThrow();
  await validate(t, license.license_key, 'caja-1');
  await validate(t, license.license_key, 'caja-2');
  await sql`alter table check_days_away rename to check_days`.execute(t.db);
  expect(await checksOf(t, license)).toMatchObject([
    { machine_id: 'caja-1', count: 2 },
    { machine_id: 'caja-2', count: 1 },
  ]);
  expect(await unknownOf(t, 'NADIE-TIENE-ESTA-CLAVE')).toMatchObject([{ count: 1 }]);
});

test('checks are stored within 10 seconds', { tags: [POSTGRES_AT_NIGHT], timeout: 25_000 }, async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  await validate(t, license.license_key, 'caja-1');
  const start = performance.now();
  const stored = () => t.db.selectFrom('license_checks').select('count').execute();
  await expect.poll(stored).toEqual([{ count: 1 }]);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('the report counts the checks of each day by reason (SELL-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  const other = await createLicense(t, { status: 'suspended' });
  await validate(t, license.license_key, 'caja-1');
  await validate(t, license.license_key, 'caja-2');
  await validate(t, other.license_key, 'caja-1');
  await validate(t, 'NADIE-TIENE-ESTA-CLAVE', 'caja-1');
  await storeCollectedChecks(t.context);
  await pass(t, 1);
  await validate(t, license.license_key, 'caja-1');
  await storeCollectedChecks(t.context);
  const report = async (query = '') =>
    (await t.call<ChecksReport>('GET', `/licenses/api/reports/checks/${query}`)).body;
  const first = { day: '2026-11-21' };
  expect(await report()).toMatchObject({
    from: '2025-12-01',
    to: '2026-11-22',
    days: [
      { ...first, reason: null, count: 2 },
      { ...first, reason: 'not_found', count: 1 },
      { ...first, reason: 'suspended', count: 1 },
      { day: '2026-11-22', reason: null, count: 1 },
    ],
  });
  expect((await report(`?software=${other.software.id}`)).days).toEqual([
    { ...first, reason: 'suspended', count: 1 },
  ]);
  expect((await report('?from=2026-11-22&to=2026-11-30')).days).toHaveLength(1);
  const { text, headers } = await t.call('GET', '/licenses/api/reports/checks/export/?to=2026-11-21');
  expect(headers['content-disposition']).toContain('validaciones');
  expect(text.split('\r\n').map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
    expect.stringContaining('Día,Resultado,Motivo,Consultas'),
    '2026-11-21,Licencia válida,,2',
    '2026-11-21,Licencia no encontrada,not_found,1',
    '2026-11-21,La licencia está suspendida,suspended,1',
    '',
  ]);
});
