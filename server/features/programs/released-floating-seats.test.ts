import { describe, expect, test } from 'vitest';
import type { License, LicenseInput } from '../../../contract/licenses/licenses.ts';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense } from '../../../test/factories.ts';
import { type Claims, type Jwk, readToken } from '../../../test/license-token.ts';
import { buildApp } from '../../app.ts';

const NOW = '2026-11-30T18:00:00.000Z';
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';
const MINUTE_MS = 60_000;

/** Moves the clock and signs in again, because the session has ended. */
async function pass(t: TestApp, minutes: number) {
  t.clock.advance(minutes * MINUTE_MS);
  t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
}

const floating = (t: TestApp, lease_minutes: number, values: Partial<LicenseInput> = {}) =>
  createLicense(t, { seat_mode: 'floating', lease_minutes, max_installations: 1, ...values });

/** A lease that the API does not take; a licence of another version may have it. */
async function withLease(t: TestApp, minutes: number): Promise<License> {
  const license = await floating(t, Math.max(5, minutes));
  await t.db.updateTable('licenses').set({ lease_minutes: minutes }).where('id', '=', license.id).execute();
  return license;
}

/** The calls of a program on one machine. */
function program(t: TestApp, { license_key }: License, machine_id: string) {
  const call = (url: string, more: object = {}) =>
    t.call('POST', `/licenses/api/${url}`, { token: null, body: { license_key, machine_id, ...more } });
  return {
    activate: (more: object = { nonce: NONCE }) => call('installations/', more),
    beat: (more: object = { nonce: NONCE }) => call('installation/heartbeat/', more),
    release: () => call('installations/release/'),
    validate: () => call('license/validate/'),
  };
}

const keysOf = async (t: TestApp): Promise<Jwk[]> =>
  (await t.call('GET', '/.well-known/jwks.json', { token: null })).body.keys;

/** What a pirate does between a program and the server. */
const RELAYS = {
  'a relay that gives the seat back after each activation': { afterActivation: true, afterBeat: false },
  'a relay that gives the seat back after each heartbeat': { afterActivation: false, afterBeat: true },
  'a relay that gives the seat back after each activation and heartbeat': {
    afterActivation: true,
    afterBeat: true,
  },
} as const;

type Relay = (typeof RELAYS)[keyof typeof RELAYS];

const MACHINES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Six machines behind a relay. Says which work: those that have a good token, as programs check it. */
async function behindRelay(t: TestApp, license: License, relay: Relay) {
  const keys = await keysOf(t);
  const worksUntil = new Map<string, number>();
  const keep = (machine: string, { body }: { body: Claims }) => {
    const { claims } = readToken(body.token, keys);
    if (claims.valid && claims.seat) worksUntil.set(machine, claims.exp * 1000);
  };
  const askAs = async (machine: string) => {
    const one = program(t, license, machine);
    const beat = await one.beat();
    if (beat.status === 200) {
      keep(machine, beat);
      if (relay.afterBeat) await one.release();
      return;
    }
    const taken = await one.activate();
    keep(machine, taken);
    if (taken.status === 201 && relay.afterActivation) await one.release();
  };
  const working = () =>
    MACHINES.filter((machine) => (worksUntil.get(machine) ?? 0) > t.context.now().getTime());
  return { askAs, working };
}

describe('a relay that gives floating seats back, six machines, one seat', { tags: ['CODE-02'] }, () => {
  const cases = [
    [1, 2],
    [15, 2],
    [60, 2],
    [61, 1],
  ].flatMap(([lease, most]) =>
    Object.entries(RELAYS).map(([title, relay]) => ({ title, relay, lease: lease!, most: most! })),
  );
  test.for(cases)('$title, lease of $lease minutes: never more than $most work at once', async (one) => {
    const t = await createTestApp({ now: NOW });
    const { askAs, working } = await behindRelay(t, await withLease(t, one.lease), one.relay);
    const found: number[] = [];
    const worked = new Set<string>();
    // Each machine tries six times in each lease, for two leases and a bit.
    for (let time = 0; time < 14; time += 1) {
      for (const machine of MACHINES) {
        await askAs(machine);
        found.push(working().length);
        for (const name of working()) worked.add(name);
      }
      t.clock.advance((one.lease * MINUTE_MS) / 6);
    }
    expect(Math.max(...found)).toBe(one.most);
    expect(worked.size).toBeGreaterThanOrEqual(one.most);
  });

  test('a seat taken again without a token does not make the server forget the token before it', async () => {
    const t = await createTestApp({ now: NOW });
    for (const lease of [60, 61]) {
      const license = await floating(t, lease);
      const statuses: number[] = [];
      for (const machine of MACHINES) {
        const one = program(t, license, machine);
        for (const more of [{ nonce: NONCE }, {}]) {
          statuses.push((await one.activate(more)).status);
          await one.release();
        }
      }
      const most = lease === 60 ? 2 : 1;
      expect(statuses.filter((status) => status === 201)).toHaveLength(2 * most);
    }
  });

  test('with five seats at most ten work at once, and a machine that comes back is not refused', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 15, { max_installations: 5 });
    const relayed = async (machine: string) => {
      const one = program(t, license, machine);
      const { status } = await one.activate();
      if (status === 201) await one.release();
      return status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push(await relayed(`m${n}`));
    // Five gave back and do not count; each further one counts, until all five seats are taken by them.
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 409, 409]);
    expect(await relayed('m3')).toBe(201);
    await pass(t, 15);
    expect(await relayed('m11')).toBe(201);
  });

  test('a validation counts them as an activation does', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 30);
    for (const machine of ['a', 'b']) {
      await program(t, license, machine).activate();
      await program(t, license, machine).release();
    }
    const asked = await program(t, license, 'c').validate();
    expect(asked.body).toMatchObject({
      reason: 'installation_limit',
      license: { current_installations: 1, remaining_installations: 0 },
    });
    expect((await program(t, license, 'a').validate()).body).toMatchObject({ valid: true });
    const verdicts = await t.call('GET', `/licenses/api/licenses/${license.id}/verdicts/`);
    expect(verdicts.body.other.reason).toBe('installation_limit');
  });

  test('a token outlives its seat when the lease becomes shorter, and counts as given back', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 240);
    await program(t, license, 'a').activate();
    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { lease_minutes: 10 } });
    await pass(t, 11);
    // Two may work: a with its old token, and b.
    expect((await program(t, license, 'b').activate()).status).toBe(201);
    await program(t, license, 'b').release();
    expect((await program(t, license, 'c').activate()).status).toBe(409);
  });

  test('a lapsed seat is freed also while seats that were given back count', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 120, { max_installations: 2 });
    await program(t, license, 'silent').activate({});
    await pass(t, 100);
    await program(t, license, 'a').activate();
    await program(t, license, 'a').release();
    await pass(t, 21);
    // `a` holds one seat with its token; the other is that of the silent machine, whose lease has ended.
    expect((await program(t, license, 'b').activate()).status).toBe(201);
    expect((await program(t, license, 'c').activate()).status).toBe(409);
  });
});

describe('two servers', { tags: ['CODE-02'] }, () => {
  test('relays on two servers at once never let more than twice the seats work', async () => {
    const t = await createTestApp({ ownApp: true });
    const license = await floating(t, 30, { max_installations: 2 });
    const other = await buildApp(t.context);
    const ask = async (server: number, url: string, machine_id: string) => {
      const body = { license_key: license.license_key, machine_id, nonce: NONCE };
      if (server === 0) return (await t.call('POST', url, { token: null, body })).status;
      return (await other.inject({ method: 'POST', url, payload: body })).statusCode;
    };
    const relayed = async (server: number, machine: string) => {
      const status = await ask(server, '/licenses/api/installations/', machine);
      if (status !== 201) return false;
      await Promise.all([
        ask(1 - server, '/licenses/api/installation/heartbeat/', machine),
        ask(server, '/licenses/api/installations/release/', machine),
      ]);
      return true;
    };
    try {
      const works = new Set<string>();
      for (let round = 0; round < 6; round += 1) {
        const tries = Array.from({ length: 12 }, async (_, n) => {
          const machine = `m${n}`;
          if (!works.has(machine) && (await relayed((n + round) % 2, machine))) works.add(machine);
        });
        await Promise.all(tries);
      }
      expect(works.size).toBe(4);
    } finally {
      await other.close();
    }
  });

  test('a heartbeat beside a release is noted with the end of its token', async () => {
    const t = await createTestApp({ ownApp: true, now: NOW });
    const license = await floating(t, 30, { max_installations: 20 });
    const keys = await keysOf(t);
    const machines = Array.from({ length: 20 }, (_, n) => program(t, license, `m${n}`));
    for (const one of machines) await one.activate();
    await pass(t, 20);
    const ends = new Map<string, number>();
    await Promise.all(
      machines.map(async (one, n) => {
        const [beat] = await Promise.all([one.beat(), one.release()]);
        if (beat.status === 200) ends.set(`m${n}`, readToken(beat.body.token, keys).claims.exp * 1000);
      }),
    );
    const rows = await t.db.selectFrom('released_seats').select(['machine_id', 'holds_until']).execute();
    expect(rows).toHaveLength(20);
    for (const { machine_id, holds_until } of rows) {
      expect(Date.parse(holds_until)).toBeGreaterThanOrEqual(ends.get(machine_id) ?? 0);
    }
  });
});

describe('what staff release', { tags: ['CODE-02'] }, () => {
  for (const lease of [15, 60, 61, 1440]) {
    test(`is free at once with a lease of ${lease} minutes, and they are told until when it works`, async () => {
      const t = await createTestApp({ now: NOW });
      const license = await floating(t, lease);
      const until = new Date(Date.parse(NOW) + lease * MINUTE_MS).toISOString();
      for (const machine of ['a', 'b', 'c', 'd']) {
        const { status, body } = await program(t, license, machine).activate();
        expect(status).toBe(201);
        const released = await t.call('DELETE', `/licenses/api/installations/${body.id}/`);
        expect(released.body).toMatchObject({ success: true, works_until: until });
      }
      expect((await program(t, license, 'e').activate()).status).toBe(201);
    });
  }

  test('is free at once also when its program gave it back before', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 240);
    const one = program(t, license, 'a');
    await one.activate();
    await one.release();
    const { body } = await one.activate();
    await t.call('DELETE', `/licenses/api/installations/${body.id}/`);
    expect((await program(t, license, 'b').activate()).status).toBe(201);
  });

  test('by a bulk call is free at once', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 60, { max_installations: 2 });
    for (let round = 0; round < 3; round += 1) {
      for (const machine of ['a', 'b']) {
        expect((await program(t, license, `${machine}${round}`).activate()).status).toBe(201);
      }
      await t.call('POST', '/licenses/api/licenses/bulk_action/', {
        body: { action: 'release_seats', ids: [license.id] },
      });
    }
  });
});

describe('when a seat is free', { tags: ['CODE-03'] }, () => {
  const refused = async (t: TestApp, license: License, machine: string) => {
    const { status, headers, body } = await program(t, license, machine).activate();
    return [status, body.code, body.seat_free_at, headers['retry-after']];
  };

  test('a refusal has the end of the lease that ends first, and Retry-After', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 30, { max_installations: 2 });
    await program(t, license, 'a').activate();
    await pass(t, 10);
    await program(t, license, 'b').activate();
    const first = [409, 'installation_limit', '2026-11-30T18:30:01.000Z', '1201'];
    expect(await refused(t, license, 'c')).toEqual(first);
    await program(t, license, 'a').beat();
    const second = ['2026-11-30T18:40:01.000Z', '1801'];
    expect((await refused(t, license, 'c')).slice(2)).toEqual(second);
    const asked = await program(t, license, 'c').validate();
    expect(asked.body).toMatchObject({ reason: 'installation_limit', seat_free_at: second[0] });
    t.clock.set('2026-11-30T18:40:01.000Z');
    expect((await program(t, license, 'c').activate()).status).toBe(201);
  });

  test('it counts the tokens of machines that gave their seats back', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 30);
    await program(t, license, 'a').activate();
    await program(t, license, 'a').release();
    await pass(t, 10);
    await program(t, license, 'b').activate();
    await program(t, license, 'b').release();
    // Of the two one counts: when the token of `a` ends, that of `b` does not count any more.
    expect((await refused(t, license, 'c')).slice(2)).toEqual(['2026-11-30T18:30:01.000Z', '1201']);
    t.clock.set('2026-11-30T18:30:01.000Z');
    expect((await program(t, license, 'c').activate()).status).toBe(201);
  });

  test('when the licence has fewer seats than machines, it is the last of the leases that must end', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 30, { max_installations: 3 });
    for (const machine of ['a', 'b', 'c']) {
      await program(t, license, machine).activate();
      t.clock.advance(MINUTE_MS);
    }
    t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { max_installations: 2 } });
    expect((await refused(t, license, 'd'))[2]).toBe('2026-11-30T18:31:01.000Z');
  });

  test('a refusal of a licence with fixed seats has neither', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { max_installations: 1 });
    await program(t, license, 'a').activate();
    expect((await refused(t, license, 'b')).slice(2)).toEqual([undefined, undefined]);
  });

  test('a release that cannot be undone says when a seat is free', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 30);
    const { body } = await program(t, license, 'a').activate();
    const released = await t.call('DELETE', `/licenses/api/installations/${body.id}/?undo=1`);
    await program(t, license, 'b').activate();
    const undone = await t.call('POST', '/licenses/api/installations/undo_release/', {
      body: { undo: released.body.undo },
    });
    expect([undone.status, undone.body.code, undone.body.seat_free_at]).toEqual([
      409,
      'installation_limit',
      '2026-11-30T18:30:01.000Z',
    ]);
  });
});

describe('the seats of a licence', { tags: ['CODE-02'] }, () => {
  const seatsOf = (t: TestApp, { id }: License, query = '') =>
    t.call('GET', `/licenses/api/licenses/${id}/seats/${query}`);

  test('has the machines of the last 24 hours, whether they gave their seats back or not', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 60);
    for (const machine of ['a', 'b']) {
      await program(t, license, machine).activate();
      await program(t, license, machine).release();
    }
    expect((await seatsOf(t, license)).body).toEqual({
      as_of: NOW,
      max_installations: 1,
      held: 0,
      held_back: 1,
      seat_free_at: '2026-11-30T19:00:01.000Z',
      recent_machines: 2,
      silent_minutes: 30,
      silent: 0,
    });
    await pass(t, 23 * 60);
    // A machine that comes back is one machine, also in another spelling, and one that staff freed counts too.
    const { body } = await program(t, license, 'A ').activate();
    await t.call('DELETE', `/licenses/api/installations/${body.id}/`);
    await program(t, license, 'c').activate({});
    expect((await seatsOf(t, license)).body).toMatchObject({ held: 1, held_back: 0, recent_machines: 3 });
    await pass(t, 61);
    expect((await seatsOf(t, license)).body).toMatchObject({ held: 0, recent_machines: 2 });
    await pass(t, 24 * 60);
    expect((await seatsOf(t, license)).body).toMatchObject({ held: 0, recent_machines: 0 });
    // Rows of machines that left long ago do not stay.
    await program(t, license, 'd').activate();
    await program(t, license, 'd').release();
    const rows = await t.db.selectFrom('released_seats').select('machine_id').execute();
    expect(rows).toEqual([{ machine_id: 'd' }]);
  });

  test('of fixed seats are the machines alone', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { max_installations: 2 });
    await program(t, license, 'a').activate();
    expect((await seatsOf(t, license)).body).toMatchObject({
      ...{ held: 1, held_back: 0, seat_free_at: null, recent_machines: 1, silent_minutes: null, silent: 0 },
    });
  });

  test('are refused without a session, for an unknown licence, and for invalid minutes', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 60);
    const url = `/licenses/api/licenses/${license.id}/seats/`;
    expect((await t.call('GET', url, { token: null })).status).toBe(401);
    expect((await t.call('GET', '/licenses/api/licenses/999999/seats/')).status).toBe(404);
    for (const minutes of ['0', '10081', '1.5', 'x']) {
      const { status, body } = await seatsOf(t, license, `?silent_minutes=${minutes}`);
      expect([status, Object.keys(body.errors)]).toEqual([400, ['silent_minutes']]);
    }
  });
});

describe("'Liberar los que callan'", { tags: ['CODE-03'] }, () => {
  const silence = (t: TestApp, { id }: License, body: object = {}) =>
    t.call('POST', `/licenses/api/licenses/${id}/release_silent/`, { body });
  const machinesOf = async (t: TestApp, { id }: License) =>
    (await t.call<License>('GET', `/licenses/api/licenses/${id}/`)).body.installations
      .map(({ machine_id }) => machine_id)
      .sort();

  test('frees the seats of machines that were silent for half of the lease, at once, with one event each', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 120, { max_installations: 3 });
    for (const machine of ['a', 'b', 'c']) await program(t, license, machine).activate();
    await pass(t, 30);
    await program(t, license, 'c').beat();
    await pass(t, 30);
    expect((await silence(t, license)).body).toEqual({
      success: true,
      message: 'Ningún equipo calla',
      released: 0,
    });
    t.clock.advance(1);
    expect((await t.call('GET', `/licenses/api/licenses/${license.id}/seats/`)).body.silent).toBe(2);
    expect((await silence(t, license)).body).toEqual({
      success: true,
      message: '2 equipos liberados',
      released: 2,
      works_until: '2026-11-30T20:00:00.000Z',
    });
    expect(await machinesOf(t, license)).toEqual(['c']);
    for (const machine of ['d', 'e']) {
      expect((await program(t, license, machine).activate()).status).toBe(201);
    }
    const { body } = await t.call(
      'GET',
      `/licenses/api/events/?license=${license.id}&type=installation.released`,
    );
    expect(
      body.results.map((event: Claims) => [event.actor.kind, event.subject.name, event.reason]).sort(),
    ).toEqual([
      ['user', 'a', 'El programa no daba señal'],
      ['user', 'b', 'El programa no daba señal'],
    ]);
  });

  test('frees those that were silent for the minutes that are named', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, 10_080, { max_installations: 3 });
    await program(t, license, 'a').activate();
    await pass(t, 20);
    await program(t, license, 'b').activate();
    await pass(t, 10);
    expect((await silence(t, license, { silent_minutes: 15 })).body.message).toBe('1 equipo liberado');
    expect(await machinesOf(t, license)).toEqual(['b']);
  });

  test('is refused for fixed seats, other people, an unknown licence and invalid minutes', async () => {
    const t = await createTestApp({ now: NOW });
    const [fixed, license] = [await createLicense(t), await floating(t, 60)];
    const refused = await silence(t, fixed);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    const url = `/licenses/api/licenses/${license.id}/release_silent/`;
    expect((await t.call('POST', url, { token: null, body: {} })).status).toBe(401);
    expect((await t.call('POST', '/licenses/api/licenses/999999/release_silent/', { body: {} })).status).toBe(
      404,
    );
    for (const silent_minutes of [0, 10_081, 1.5, '15', null]) {
      const { status, body } = await silence(t, license, { silent_minutes });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['silent_minutes']]);
    }
  });
});
