import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';

/**
 * Candidates for silent machines are found by the stored days of heartbeats; the exact times of the heartbeats
 * decide.
 */

const DAY = 24 * 60 * 60 * 1000;

let t: TestApp;
let license: { id: number; license_key: string };
let machines: Record<string, number>;

beforeEach(async () => {
  t = await createTestApp({ now: '2026-10-01T18:00:00.000Z' });
  const client = (await createClient(t)).id;
  const software = (await createSoftware(t)).id;
  license = await createLicense(t, {
    client,
    software,
    max_installations: 3,
    expiry_days: 365,
    self_release: true,
  });
  machines = {};
  for (const name of ['a', 'b']) machines[name] = (await activate(t, license.license_key, name)).body.id;
});

const program = (path: string, machine_id: string) =>
  t.call('POST', `/licenses/api/${path}/`, {
    token: null,
    body: { license_key: license.license_key, machine_id },
  });
const beat = (machine: string) => program('installation/heartbeat', machine);

async function later(days: number): Promise<void> {
  t.clock.advance(days * DAY);
  t.token = await signInAs(t, 'admin', 'admin123');
}

async function silent(kind: 'licenses' | 'installations', days: number): Promise<unknown[]> {
  const { body } = await t.call('GET', `/licenses/api/${kind}/?page=1&silent_for=${days}`);
  return body.results.map((row: { machine_id?: string; id: number }) => row.machine_id ?? row.id).sort();
}

describe('the filter silent_for', () => {
  test('finds a licence when no machine sent a heartbeat for that long, and not after a new heartbeat', async () => {
    await later(10);
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([
      [license.id],
      ['a', 'b'],
    ]);
    await beat('a');
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([[], ['b']]);
    // A heartbeat on another day that reports nothing new.
    await later(6);
    await beat('a');
    await later(2);
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([[], ['b']]);
    await later(5);
    expect(await silent('licenses', 7)).toEqual([license.id]);
  });

  test('knows the day of each licence after machines of several licences sent their first heartbeats together', async () => {
    const { body } = await t.call('GET', `/licenses/api/licenses/${license.id}/`);
    const other = await createLicense(t, {
      client: body.client,
      software: body.software,
      max_installations: 2,
      expiry_days: 365,
    });
    for (const name of ['c', 'd']) await activate(t, other.license_key, name);
    await later(10);
    expect(await silent('licenses', 7)).toEqual([license.id, other.id]);

    const beats = [
      ...['a', 'b'].map((machine_id) => ({ license_key: license.license_key, machine_id })),
      ...['c', 'd'].map((machine_id) => ({ license_key: other.license_key, machine_id })),
    ];
    const answers = await Promise.all(
      beats.map((body) => t.call('POST', '/licenses/api/installation/heartbeat/', { token: null, body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([[], []]);
    expect(
      await t.db
        .selectFrom('license_last_signals')
        .select(['license_id', 'heard_on'])
        .orderBy('license_id')
        .execute(),
    ).toEqual([
      { license_id: license.id, heard_on: '2026-10-11' },
      { license_id: other.id, heard_on: '2026-10-11' },
    ]);
  });

  test('counts from the hour of the last heartbeat, not from the start of its day', async () => {
    t.clock.advance(60 * 60 * 1000);
    await beat('a');
    await later(7);
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([
      [license.id],
      ['a', 'b'],
    ]);
    t.clock.advance(-1);
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([[], ['b']]);
  });

  test('finds a licence after the only machine with a newer heartbeat is removed', async () => {
    await later(10);
    await beat('a');
    await t.call('DELETE', `/licenses/api/installations/${machines.a}/`);
    expect(await silent('licenses', 7)).toEqual([license.id]);
  });

  test('finds a licence after a program released the seat with the newest heartbeat', async () => {
    await later(10);
    await beat('a');
    const { status } = await program('installations/release', 'a');
    expect([status, await silent('licenses', 7)]).toEqual([200, [license.id]]);
  });

  test('does not find a licence to which a machine was added, but still its other machines', async () => {
    await later(10);
    await activate(t, license.license_key, 'c');
    expect([await silent('licenses', 7), await silent('installations', 7)]).toEqual([[], ['a', 'b']]);
  });
});
