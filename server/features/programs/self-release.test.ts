import { describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense } from '../../../test/factories.ts';

const NOW = '2026-11-30T18:00:00.000Z';

/** A program's call for one machine, with the status and the code of the answer. */
async function call(t: TestApp, { license_key }: License, machine_id: string, url: string, more = {}) {
  const body = { license_key, machine_id, ...more };
  const answer = await t.call('POST', `/licenses/api/${url}`, { token: null, body });
  return { ...answer, result: [answer.status, answer.body.code] };
}
const activate = (t: TestApp, license: License, machine: string, more = {}) =>
  call(t, license, machine, 'installations/', more);
const release = (t: TestApp, license: License, machine: string) =>
  call(t, license, machine, 'installations/release/');
const beat = (t: TestApp, license: License, machine: string, more = {}) =>
  call(t, license, machine, 'installation/heartbeat/', more);

async function pass(t: TestApp, moment: string) {
  t.clock.set(moment);
  t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
}

const machinesOf = async (t: TestApp, query: string) =>
  (await t.call<{ results: Installation[] }>('GET', `/licenses/api/installations/?${query}`)).body.results;

describe('a program can release the fixed seat of its machine', { tags: ['PROG-06'] }, () => {
  test('a program can release its seat only when the licence allows it', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t);
    await activate(t, license, 'caja', { machine_name: 'Caja 1' });
    expect((await release(t, license, 'caja')).result).toEqual([403, 'release_not_allowed']);

    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { self_release: true } });
    expect((await release(t, license, 'caja')).result).toEqual([200, undefined]);
    expect((await release(t, license, 'caja')).result).toEqual([404, 'not_found']);
    expect(await machinesOf(t, `license=${license.id}`)).toEqual([]);

    const { body } = await t.call('GET', '/licenses/api/events/?type=installation.released');
    expect(body.results).toMatchObject([
      {
        actor: { kind: 'machine', name: 'Caja 1' },
        subject: { name: 'Caja 1' },
        license: { id: license.id },
        reason: null,
      },
    ]);
  });

  test('a program can release a seat as often in a month as the licence sets, counted over all machines', async () => {
    const t = await createTestApp({ now: NOW, env: { BUSINESS_TIMEZONE: 'America/Mexico_City' } });
    const license = await createLicense(t, { self_release: true, releases_per_month: 2 });
    for (const machine of ['a', 'b', 'c']) await activate(t, license, machine);
    expect((await release(t, license, 'a')).result).toEqual([200, undefined]);
    expect((await release(t, license, 'b')).result).toEqual([200, undefined]);
    expect((await release(t, license, 'c')).result).toEqual([409, 'release_limit']);
    expect((await machinesOf(t, `license=${license.id}`)).map(({ machine_id }) => machine_id)).toEqual(['c']);

    // In Mexico City December begins at 06:00 UTC.
    await pass(t, '2026-12-01T05:59:59.000Z');
    expect((await release(t, license, 'c')).result).toEqual([409, 'release_limit']);
    await pass(t, '2026-12-01T06:00:00.000Z');
    expect((await release(t, license, 'c')).result).toEqual([200, undefined]);
  });

  test('releases by staff or of floating seats do not count towards the limit', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, releases_per_month: 1 });
    const { body: a } = await activate(t, license, 'a');
    await t.call('DELETE', `/licenses/api/installations/${a.id}/`);
    await activate(t, license, 'a');
    expect((await release(t, license, 'a')).status).toBe(200);

    const body = { seat_mode: 'floating', lease_minutes: 60, self_release: false };
    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body });
    for (const machine of ['a', 'a', 'a']) {
      expect((await activate(t, license, machine)).status).toBe(201);
      expect((await release(t, license, machine)).status).toBe(200);
    }
  });

  test('a program can release its seat also when the licence has ended', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true });
    await activate(t, license, 'a');
    await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
    expect((await release(t, license, 'a')).status).toBe(200);
  });
});

describe('version and system reported by a program', { tags: ['PROG-06'] }, () => {
  test('are stored at activation and heartbeats, and an absent value does not change them', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t);
    const first = await activate(t, license, 'caja');
    expect(first.body).toMatchObject({ app_version: '', os: '', lease_until: null });

    const second = await activate(t, license, 'caja', { app_version: ' 4.2.1 ', os: 'Windows 11' });
    expect(second.body).toMatchObject({ app_version: '4.2.1', os: 'Windows 11' });
    await activate(t, license, 'caja');
    await beat(t, license, 'caja', { app_version: '', os: null });
    await beat(t, license, 'caja', { app_version: '4.3.0' });
    const [machine] = await machinesOf(t, `license=${license.id}`);
    expect(machine).toMatchObject({ app_version: '4.3.0', os: 'Windows 11' });
    expect((await t.call('GET', `/licenses/api/installations/${machine!.id}/`)).body).toEqual(machine);
    expect((await t.call('GET', `/licenses/api/licenses/${license.id}/`)).body.installations).toEqual([
      machine,
    ]);
  });

  test('are stored also within a minute of the last heartbeat when they changed', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t);
    await activate(t, license, 'caja', { app_version: '1.0' });
    const at = async (second: number, more = {}) => {
      t.clock.set(`2026-11-30T18:00:0${second}.000Z`);
      return (await beat(t, license, 'caja', more)).body.installation.last_heartbeat.slice(17, 19);
    };
    expect(await at(1, { app_version: '1.0' })).toBe('01');
    expect(await at(2, { app_version: '1.0' })).toBe('01');
    expect(await at(3, { app_version: '1.1' })).toBe('03');
    expect(await at(4)).toBe('03');
    expect(await at(5, { os: 'Debian 13' })).toBe('05');
  });

  test('are cut to 100 characters and cleaned (INPUT-12)', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t);
    for (const [send, letter] of [
      [activate, 'x'],
      [beat, 'y'],
    ] as const) {
      await send(t, license, 'caja', { app_version: letter.repeat(101), os: `${letter}\u0000b` });
      const [machine] = await machinesOf(t, `license=${license.id}`);
      expect(machine).toMatchObject({ app_version: letter.repeat(100), os: `${letter} b` });
    }
  });

  test('a version can be searched in the lists of machines and of licences', async () => {
    const t = await createTestApp({ now: NOW });
    const [old, fresh] = [await createLicense(t), await createLicense(t)];
    await activate(t, old, 'a', { app_version: '1.0' });
    await activate(t, fresh, 'b', { app_version: '2.0' });
    await activate(t, fresh, 'c', { app_version: '2.0.1' });
    const found = await machinesOf(t, 'app_version=2.0');
    expect(found.map(({ machine_id }) => machine_id)).toEqual(['b']);
    const licenses = await t.call('GET', '/licenses/api/licenses/?app_version=2.0');
    expect(licenses.body.results.map(({ id }: License) => id)).toEqual([fresh.id]);
  });
});
