import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { License, LicenseInput } from '../../../contract/licenses/licenses.ts';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createSoftware } from '../../../test/factories.ts';
import { type Jwk, readToken } from '../../../test/license-token.ts';
import { runJob } from '../../../test/run-job.ts';
import { lapsedSeatsJob } from './lapsed-seats-job.ts';

const NOW = '2026-11-22T18:00:00.000Z';
const MINUTE_MS = 60_000;
const LEASE = 30;
const LEASE_MS = LEASE * MINUTE_MS;
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';

/** Moves the clock and signs in again, because the session has ended. */
async function pass(t: TestApp, milliseconds: number) {
  t.clock.advance(milliseconds);
  t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
}

const floating = (t: TestApp, values: Partial<LicenseInput> = {}) =>
  createLicense(t, { seat_mode: 'floating', lease_minutes: LEASE, max_installations: 2, ...values });

/** The calls of a program on one machine. */
function program(t: TestApp, { license_key }: License, machine_id: string) {
  const call = (url: string, more: object = {}) =>
    t.call('POST', `/licenses/api/${url}`, { token: null, body: { license_key, machine_id, ...more } });
  return {
    activate: (more?: object) => call('installations/', more),
    beat: (more?: object) => call('installation/heartbeat/', more),
    release: (more?: object) => call('installations/release/', more),
    validate: (more?: object) => call('license/validate/', more),
  };
}

const licenseOf = async (t: TestApp, { id }: License) =>
  (await t.call<License>('GET', `/licenses/api/licenses/${id}/`)).body;

const machinesOf = async (t: TestApp, license: License) =>
  (await licenseOf(t, license)).installations.map(({ machine_id }) => machine_id).sort();

/** Who released which machine, newest first. */
async function releasesOf(t: TestApp, { id }: License) {
  const { body } = await t.call(
    'GET',
    `/licenses/api/events/?license=${id}&type=installation.released&limit=100`,
  );
  return body.results.map(({ actor, subject, ip }: Record<string, { kind: string; name: string }>) => [
    actor!.kind,
    subject!.name,
    ip === null,
  ]);
}

describe('a floating seat', { tags: ['PROG-05'] }, () => {
  test('is free after its lease and not before, and its program must then activate again', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    const [caja, dead, next] = ['caja', 'muerta', 'nueva'].map((machine) => program(t, license, machine));
    expect((await caja!.activate()).status).toBe(201);
    const taken = await dead!.activate();
    expect(taken.body.lease_until).toBe('2026-11-22T18:30:00.000Z');

    await pass(t, 20 * MINUTE_MS);
    const beat = await caja!.beat();
    expect(beat.body.installation).toMatchObject({
      last_heartbeat: '2026-11-22T18:20:00.000Z',
      lease_until: '2026-11-22T18:50:00.000Z',
    });

    // At the last instant of the lease the seat is still taken.
    await pass(t, 10 * MINUTE_MS);
    expect((await next!.activate()).body.code).toBe('installation_limit');
    expect(await machinesOf(t, license)).toEqual(['caja', 'muerta']);

    t.clock.advance(1);
    const gone = await dead!.beat();
    expect([gone.status, gone.body.code]).toEqual([404, 'not_found']);
    expect((await next!.activate()).status).toBe(201);
    expect(await machinesOf(t, license)).toEqual(['caja', 'nueva']);
    expect((await dead!.activate()).body.code).toBe('installation_limit');
    expect(await releasesOf(t, license)).toEqual([['system', 'muerta', true]]);

    // The two others keep their seats: their leases count from the heartbeat and from the activation.
    await pass(t, 20 * MINUTE_MS);
    expect((await dead!.activate()).status).toBe(201);
    expect(await machinesOf(t, license)).toEqual(['muerta', 'nueva']);
    expect((await licenseOf(t, license)).current_installations).toBe(2);
  });

  test('is extended by every heartbeat, also within a minute', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    const caja = program(t, license, 'caja');
    await caja.activate();
    for (const second of [1, 2]) {
      t.clock.advance(1000);
      const { body } = await caja.beat({ nonce: second === 1 ? undefined : NONCE });
      expect(body.installation.last_heartbeat).toBe(`2026-11-22T18:00:0${second}.000Z`);
    }
    await pass(t, LEASE_MS);
    expect((await caja.beat()).status).toBe(200);
  });

  test('is extended by another activation of its machine', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    const caja = program(t, license, 'caja');
    const first = await caja.activate();
    await pass(t, LEASE_MS);
    const again = await caja.activate();
    expect([again.status, again.body.id, again.body.lease_until]).toEqual([
      200,
      first.body.id,
      '2026-11-22T19:00:00.000Z',
    ]);
    await pass(t, LEASE_MS);
    expect((await caja.beat()).status).toBe(200);
  });

  test('a lapsed seat can be taken again by its machine, with an event for each', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, { max_installations: 5 });
    const caja = program(t, license, 'caja');
    const first = await caja.activate();
    await pass(t, LEASE_MS + 1);
    const again = await caja.activate();
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(first.body.id);
    expect((await licenseOf(t, license)).current_installations).toBe(1);
    expect(await releasesOf(t, license)).toEqual([['system', 'caja', true]]);
  });

  test('when the seats became fewer, lapsed seats are freed only as an activation needs them', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, { max_installations: 4 });
    for (const machine of ['a', 'b', 'c', 'd']) await program(t, license, machine).activate();
    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { max_installations: 2 } });
    await pass(t, LEASE_MS);
    await program(t, license, 'd').beat();
    t.clock.advance(1);
    expect((await program(t, license, 'e').activate()).status).toBe(201);
    expect(await machinesOf(t, license)).toEqual(['d', 'e']);
    expect((await program(t, license, 'f').activate()).status).toBe(409);
  });

  test('can be released by its program, whatever self_release is set to', async () => {
    const t = await createTestApp({ now: NOW });
    const { id: software } = await createSoftware(t, { name: 'Caja' });
    const license = await floating(t, { software, max_installations: 1 });
    const [caja, next] = [program(t, license, 'caja'), program(t, license, 'nueva')];
    await caja.activate({ machine_name: 'Caja 1' });
    expect((await next.activate()).status).toBe(409);

    const other = await caja.release({ software: 'Otro' });
    expect([other.status, other.body.code]).toEqual([403, 'wrong_software']);
    const released = await caja.release({ software: 'Caja' });
    expect([released.status, released.body]).toEqual([
      200,
      { success: true, message: 'Equipo liberado exitosamente' },
    ]);
    expect(await releasesOf(t, license)).toEqual([['machine', 'Caja 1', false]]);
    expect((await next.activate()).status).toBe(201);

    const again = await caja.release();
    expect([again.status, again.body.code]).toEqual([404, 'not_found']);
    await pass(t, LEASE_MS + 1);
    expect((await next.release()).status).toBe(404);
  });

  test('a refused release returns a reason for an unknown key and a missing machine, and is signed when a nonce is sent', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    const url = '/licenses/api/installations/release/';
    const unknown = await t.call('POST', url, {
      token: null,
      body: { license_key: 'NADA', machine_id: 'caja' },
    });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'license_not_found']);
    const empty = await t.call('POST', url, { token: null, body: {} });
    expect([empty.status, Object.keys(empty.body.errors).sort()]).toEqual([
      400,
      ['license_key', 'machine_id'],
    ]);
    const keys: Jwk[] = (await t.call('GET', '/.well-known/jwks.json', { token: null })).body.keys;
    const caja = program(t, license, 'caja');
    const refused = await caja.release({ nonce: NONCE });
    expect(readToken(refused.body.token, keys).claims).toMatchObject({
      valid: false,
      reason: 'not_activated',
    });
    await caja.activate();
    const released = await caja.release({ nonce: NONCE });
    expect(released.status).toBe(200);
    expect(readToken(released.body.token, keys).claims).toMatchObject({
      valid: false,
      reason: 'not_activated',
      nonce: NONCE,
    });
  });

  test('a lapsed seat counts as no seat in validation, and is free for other machines', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, { max_installations: 1 });
    const [caja, next] = [program(t, license, 'caja'), program(t, license, 'nueva')];
    await caja.activate();
    await pass(t, LEASE_MS);
    expect((await caja.validate({ require_seat: true })).body).toMatchObject({
      valid: true,
      machine_registered: true,
    });
    expect((await next.validate()).body).toMatchObject({
      reason: 'installation_limit',
      license: { current_installations: 1, remaining_installations: 0 },
    });

    t.clock.advance(1);
    expect((await caja.validate()).body).toMatchObject({ valid: true, machine_registered: false });
    expect((await caja.validate({ require_seat: true })).body.reason).toBe('not_activated');
    expect((await next.validate()).body).toMatchObject({
      valid: true,
      license: { current_installations: 0, remaining_installations: 1 },
    });
  });

  test('the tokens of a seat end with its lease: of activation, heartbeat and validation', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    const keys: Jwk[] = (await t.call('GET', '/.well-known/jwks.json', { token: null })).body.keys;
    const caja = program(t, license, 'caja');
    const endOf = (body: { token: string }) =>
      new Date(readToken(body.token, keys).claims.exp * 1000).toISOString();
    expect(endOf((await caja.activate({ nonce: NONCE })).body)).toBe('2026-11-22T18:30:00.000Z');
    await pass(t, 10 * MINUTE_MS);
    expect(endOf((await caja.beat({ nonce: NONCE })).body)).toBe('2026-11-22T18:40:00.000Z');
    await pass(t, 10 * MINUTE_MS);
    expect(endOf((await caja.validate({ nonce: NONCE })).body)).toBe('2026-11-22T18:40:00.000Z');

    const ending = await floating(t, { expiry_date: '2026-11-22T18:25:00.000Z' });
    const { body } = await program(t, ending, 'caja').activate({ nonce: NONCE });
    expect(endOf(body)).toBe('2026-11-22T18:25:00.000Z');
  });

  test('has no offline file', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    const answer = await t.call('POST', `/licenses/api/licenses/${license.id}/file/`, {
      body: { machine_id: 'caja' },
    });
    expect([answer.status, answer.body.code]).toEqual([409, 'not_available']);
    expect((await licenseOf(t, license)).installations).toEqual([]);
  });

  test('a lapsed seat is freed in the statistics within a minute, with one event for each', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, { max_installations: 5 });
    const long = await floating(t, { lease_minutes: 10_080 });
    const fixed = await createLicense(t);
    for (const machine of ['a', 'b', 'c']) await program(t, license, machine).activate();
    for (const { license_key } of [long, fixed]) await activate(t, license_key, 'a');
    await pass(t, LEASE_MS);
    await program(t, license, 'c').beat();
    await runJob(t.context, lapsedSeatsJob);
    expect((await licenseOf(t, license)).current_installations).toBe(3);

    t.clock.advance(1);
    await runJob(t.context, lapsedSeatsJob);
    const { current_installations, installations } = await licenseOf(t, license);
    expect([current_installations, installations.map(({ machine_id }) => machine_id)]).toEqual([1, ['c']]);
    expect((await releasesOf(t, license)).sort()).toEqual([
      ['system', 'a', true],
      ['system', 'b', true],
    ]);
    for (const other of [long, fixed]) expect(await machinesOf(t, other)).toEqual(['a']);
  });
});

describe('a change between fixed and floating seats', { tags: ['PROG-05'] }, () => {
  const change = (t: TestApp, { id }: License, body: object) =>
    t.call<License>('PUT', `/licenses/api/licenses/${id}/`, { body });
  const seatsOf = ({ installations }: { installations: Installation[] }) =>
    installations.map(({ machine_id, lease_until }) => [machine_id, lease_until]).sort();

  test('after a change to fixed, machines that hold a seat do not lose it, and lapsed seats are released', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    await program(t, license, 'a').activate();
    await program(t, license, 'b').activate();
    await pass(t, LEASE_MS);
    await program(t, license, 'b').beat();
    t.clock.advance(1);
    const { status, body } = await change(t, license, { seat_mode: 'fixed' });
    expect([status, body.lease_minutes, seatsOf(body), body.current_installations]).toEqual([
      200,
      null,
      [['b', null]],
      1,
    ]);
    expect(await releasesOf(t, license)).toEqual([['system', 'a', true]]);
    await pass(t, 100 * LEASE_MS);
    expect((await program(t, license, 'b').beat()).status).toBe(200);
  });

  test('after a change to floating, the lease counts from the last heartbeat of each machine', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { max_installations: 2 });
    await program(t, license, 'a').activate();
    await program(t, license, 'b').activate();
    await pass(t, LEASE_MS + 1);
    await program(t, license, 'b').beat();
    const { body } = await change(t, license, { seat_mode: 'floating', lease_minutes: LEASE });
    expect(seatsOf(body)).toEqual([
      ['a', '2026-11-22T18:30:00.000Z'],
      ['b', '2026-11-22T19:00:00.001Z'],
    ]);
    expect((await program(t, license, 'a').beat()).status).toBe(404);
    expect((await program(t, license, 'a').activate()).status).toBe(201);
  });

  test('after a change to a longer lease, seats that had lapsed before stay lapsed', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t);
    await program(t, license, 'a').activate();
    await pass(t, LEASE_MS + 1);
    await change(t, license, { lease_minutes: 10_080 });
    expect((await program(t, license, 'a').beat()).status).toBe(404);
    expect((await licenseOf(t, license)).current_installations).toBe(0);
  });
});

describe('200 programs for 5 floating seats', { tags: ['PROG-05', 'promises'] }, () => {
  /**
   * Asks again after 503, as programs do: on a busy machine some of 200 calls at once wait longer for a connection to the
   * database than a call may.
   */
  async function answered<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (answer.status !== 503) return answer;
    }
  }

  test('200 programs never hold more than 5 seats, and each lapsed seat is taken by one other program', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await floating(t, { max_installations: 5 });
    let inUse = 0;
    let most = 0;
    let turns = 0;
    /** Tries to get a seat and releases it; every fourth program that got one dies without releasing it. */
    async function run(index: number): Promise<'dead' | 'done' | 'refused'> {
      const own = program(t, license, `equipo-${index}`);
      if ((await answered(own.activate)).status !== 201) return 'refused';
      inUse += 1;
      most = Math.max(most, inUse);
      turns += 1;
      expect((await answered(own.beat)).status).toBe(200);
      if (turns % 4 === 0) return 'dead';
      // From here on another program may get the seat.
      inUse -= 1;
      expect((await answered(own.release)).status).toBe(200);
      return 'done';
    }
    const counts = new Set<number>();
    let racing = true;
    async function watch(): Promise<void> {
      while (racing) {
        const read = () => t.call('GET', `/licenses/api/licenses/${license.id}/`);
        const { installations, current_installations } = (await answered(read)).body;
        counts.add(installations.length).add(current_installations);
        await setImmediate();
      }
    }
    const watched = (race: Promise<unknown>) =>
      Promise.all([watch(), race.finally(() => (racing = false))]).finally(() => (racing = true));

    const ends: Awaited<ReturnType<typeof run>>[] = [];
    const first = Array.from({ length: 200 }, async (_, index) => void ends.push(await run(index)));
    await watched(Promise.all(first));
    const dead = ends.filter((end) => end === 'dead').length;
    const winners = ends.filter((end) => end !== 'refused').length;
    expect(most).toBeLessThanOrEqual(5);
    expect(winners).toBeGreaterThanOrEqual(5);
    expect((await licenseOf(t, license)).current_installations).toBe(dead);

    // All seats of silent programs become free, and never more than 5 are given out.
    await pass(t, LEASE_MS + 1);
    let taken = 0;
    const second = Array.from({ length: 40 }, async (_, index) => {
      const { status } = await answered(program(t, license, `otro-${index}`).activate);
      if (status === 201) taken += 1;
    });
    await watched(Promise.all(second));
    expect(taken).toBe(5);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
    expect((await machinesOf(t, license)).every((machine) => machine.startsWith('otro-'))).toBe(true);
    expect(await releasesOf(t, license)).toHaveLength(winners);
  });
});
