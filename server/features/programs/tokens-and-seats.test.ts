import { describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense } from '../../../test/factories.ts';

const NOW = '2026-11-30T18:00:00.000Z';
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';

async function call(t: TestApp, { license_key }: License, machine_id: string, url: string, more = {}) {
  const body = { license_key, machine_id, ...more };
  const answer = await t.call('POST', `/licenses/api/${url}`, { token: null, body });
  return { ...answer, result: [answer.status, answer.body.code ?? null, answer.body.available_from ?? null] };
}
const activate = (t: TestApp, license: License, machine: string, more: object = { nonce: NONCE }) =>
  call(t, license, machine, 'installations/', more);
const release = (t: TestApp, license: License, machine: string) =>
  call(t, license, machine, 'installations/release/');
const beat = (t: TestApp, license: License, machine: string, more: object = { nonce: NONCE }) =>
  call(t, license, machine, 'installation/heartbeat/', more);

async function pass(t: TestApp, moment: string) {
  t.clock.set(moment);
  t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
}

const OK = [200, null, null];
const waits = (day: string) => [409, 'release_limit', day];

describe('releasing a seat while a token of its machine is still valid', { tags: ['PROG-06'] }, () => {
  test('one release is allowed, and the next must wait until the token ends', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, max_installations: 1 });
    await activate(t, license, 'one');
    expect((await release(t, license, 'one')).result).toEqual(OK);
    expect((await activate(t, license, 'two')).status).toBe(201);
    expect((await release(t, license, 'two')).result).toEqual(waits('2026-12-07'));
    await pass(t, '2026-12-07T17:59:00.000Z');
    expect((await release(t, license, 'two')).result).toEqual(waits('2026-12-07'));
    await pass(t, '2026-12-07T18:02:00.000Z');
    expect((await release(t, license, 'two')).result).toEqual(OK);
  });

  test('the wait lasts until the last token ends, also that of a heartbeat within a minute of another', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, max_installations: 1 });
    await activate(t, license, 'one', {});
    await beat(t, license, 'one', {});
    await pass(t, '2026-11-30T18:00:30.000Z');
    await beat(t, license, 'one');
    expect((await release(t, license, 'one')).result).toEqual(OK);
    await activate(t, license, 'two');
    expect((await release(t, license, 'two')).result).toEqual(waits('2026-12-07'));
  });

  test('a machine that never requested a token does not count towards the wait', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, max_installations: 1 });
    for (const machine of ['one', 'two', 'three']) {
      expect((await activate(t, license, machine, {})).status).toBe(201);
      expect((await release(t, license, machine)).result).toEqual(OK);
    }
  });

  test('a machine that took a seat again does not count towards the wait', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, max_installations: 1 });
    for (let time = 0; time < 3; time += 1) {
      expect((await activate(t, license, 'one')).status).toBe(201);
      expect((await release(t, license, 'one')).result).toEqual(OK);
    }
  });

  test('one seat in ten may be released while its token is valid', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, max_installations: 29 });
    for (const machine of ['one', 'two', 'three']) await activate(t, license, machine);
    expect((await release(t, license, 'one')).result).toEqual(OK);
    expect((await release(t, license, 'two')).result).toEqual(OK);
    expect((await release(t, license, 'three')).result).toEqual(waits('2026-12-07'));
  });

  test('staff may always release it and see until when its program works, and programs must then wait', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, max_installations: 1 });
    const { body } = await activate(t, license, 'one');
    await activate(t, license, 'one', {});
    const released = await t.call('DELETE', `/licenses/api/installations/${body.id}/`);
    expect(released.body).toMatchObject({ success: true, works_until: '2026-12-07T18:01:00.000Z' });
    await activate(t, license, 'two');
    expect((await release(t, license, 'two')).result).toEqual(waits('2026-12-07'));
  });

  test('when the monthly limit is reached, the refusal has the first day of the next month', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true, releases_per_month: 1 });
    await activate(t, license, 'one', {});
    await release(t, license, 'one');
    await activate(t, license, 'two', {});
    expect((await release(t, license, 'two')).result).toEqual(waits('2026-12-01'));
  });
});

describe('a machine with an offline file', { tags: ['PORTAL-05', 'PROG-02'] }, () => {
  test('can be released only by staff until the file ends', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { self_release: true });
    const file = { machine_id: 'one', ttl_days: 3 };
    await t.call('POST', `/licenses/api/licenses/${license.id}/file/`, { body: file });
    const { body } = await t.call('GET', `/licenses/api/installations/?license=${license.id}`);
    expect(body.results).toMatchObject([{ machine_id: 'one', file_until: '2026-12-03T18:00:00.000Z' }]);
    expect((await release(t, license, 'one')).result).toEqual([409, 'file_issued', '2026-12-03']);
    await pass(t, '2026-12-03T18:00:01.000Z');
    expect((await release(t, license, 'one')).result).toEqual(OK);
  });
});

describe('a released floating seat', { tags: ['PROG-06', 'PROG-05'] }, () => {
  const floating = (lease_minutes: number) => ({
    seat_mode: 'floating' as const,
    lease_minutes,
    max_installations: 1,
  });

  test('a floating seat with a lease of more than an hour is free when its last token ends', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, floating(240));
    await activate(t, license, 'one');
    expect((await release(t, license, 'one')).result).toEqual(OK);
    expect((await beat(t, license, 'one')).status).toBe(404);
    expect((await activate(t, license, 'two')).result).toEqual([409, 'installation_limit', null]);
    expect((await activate(t, license, 'one')).status).toBe(201);
    await release(t, license, 'one');
    await pass(t, '2026-11-30T22:00:01.000Z');
    expect((await activate(t, license, 'two')).status).toBe(201);
  });

  test('a floating seat with a lease of an hour, or without a token, is free at once', async () => {
    const t = await createTestApp({ now: NOW });
    const [short, long] = [await createLicense(t, floating(60)), await createLicense(t, floating(240))];
    await activate(t, short, 'one');
    await activate(t, long, 'one', {});
    for (const license of [short, long]) {
      expect((await release(t, license, 'one')).result).toEqual(OK);
      expect((await activate(t, license, 'two')).status).toBe(201);
    }
  });
});
