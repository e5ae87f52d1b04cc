import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer, type Behaviour } from './gateway.ts';
import { CALLS, type Config, callOf, nowInSeconds, readStore } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';

/** A relay of ten lines that gives the seat back by itself after each activation and heartbeat. */
const releasingRelay = (url: string): Behaviour => {
  const send = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return async ({ path, body }, response) => {
    const outcome = await send(path, body);
    const text = await outcome.text();
    const { license_key, machine_id } = body;
    const takes = callOf(path) === 'activate' || callOf(path) === 'heartbeat';
    if (outcome.ok && takes) await send(CALLS.release, { license_key, machine_id });
    response.writeHead(outcome.status, { 'content-type': 'application/json' });
    response.end(text);
  };
};

/** Tests of releasing a seat, and of floating seats. */
export function releaseTests(suite: Suite): void {
  const { machinesOf, copyOf, offline } = suite;
  describe('release', () => {
    const fakeRelease = async (reason: string | null, by = newPair()) => {
      const pair = by;
      const keys = [pair.jwk];
      const server = suite.scene.gateway.through(({ path, body }, response) => {
        const valid = reason === null;
        const token = signedBy(pair, wishedClaims(body, 'release', { valid, reason, seat: valid }));
        answer(response, path.includes('release') ? 200 : 503, { success: true, token });
      });
      return { keys, server };
    };

    test('frees the seat on the server for another machine', async () => {
      const license = await suite.scene.newLicense({ max_installations: 1, self_release: true });
      const [one, other] = await Promise.all(
        ['caja-06', 'caja-07'].map((machine_id) =>
          suite.scene.program({ key: license.license_key, machine_id }),
        ),
      );
      expect(await suite.scene.check(one!)).toEqual(good);
      expect(await suite.scene.check(other!)).toEqual(refusal('installation_limit', false));
      expect(await suite.scene.ask({ do: 'release', ...one })).toBe(true);
      expect(await offline(one!)).toEqual(refusal('no_connection', false));
      expect(await suite.scene.check(other!)).toEqual(good);
    });

    test('returns false when the licence does not allow it, and the program works on', async () => {
      const { config } = await suite.newProgram();
      expect(await suite.scene.ask({ do: 'release', ...config })).toBe(false);
      expect(await offline(config)).toMatchObject({ ok: true });
    });

    test('a floating seat is valid without connection until its lease ends', async () => {
      const license = await suite.scene.newLicense({
        ...{ max_installations: 1, seat_mode: 'floating', lease_minutes: 30 },
      });
      const config = await suite.scene.program({ key: license.license_key, machine_id: 'caja-08' });
      expect(await suite.scene.check(config)).toEqual(good);
      const in_ = (minutes: number) => offline(config, { clock: nowInSeconds() + minutes * 60 });
      expect(await in_(25)).toEqual({ ...good, offline: true });
      expect(await in_(31)).toEqual(refusal('offline_expired', true));
      expect(await suite.scene.ask({ do: 'release', ...config })).toBe(true);
      expect(await machinesOf(license.id)).toEqual([]);
    });

    test('a refusal of a floating licence says when a seat is free, and to ask again then (CODE-03)', async () => {
      const floating = { max_installations: 1, seat_mode: 'floating', lease_minutes: 30 } as const;
      const license = await suite.scene.newLicense(floating);
      const [one, other] = await Promise.all(
        ['caja-13', 'caja-14'].map((machine_id) =>
          suite.scene.program({ key: license.license_key, machine_id }),
        ),
      );
      const said = async (config: Config) => {
        const { reason, seatFreeAt, nextCheck } = await suite.scene.ask({ do: 'check', ...config });
        return { reason, minutes: seatFreeAt && (Date.parse(seatFreeAt) - Date.now()) / 60_000, nextCheck };
      };
      expect(await said(one!)).toMatchObject({ reason: null, minutes: null });
      const refused = await said(other!);
      expect(refused).toMatchObject({ reason: 'installation_limit', nextCheck: 60 });
      expect(refused.minutes).toBeGreaterThan(28);
      expect(refused.minutes).toBeLessThanOrEqual(30.1);

      // A seat that is free in some seconds, and answers that say nothing or nonsense.
      const pair = newPair();
      const inSeconds = (seconds: number, of: number) => new Date((of + seconds) * 1000).toISOString();
      type Said = [(iat: number) => object, object];
      const answers: Said[] = [
        [(iat) => ({ seat_free_at: inSeconds(7, iat) }), { nextCheck: 7 }],
        [(iat) => ({ seat_free_at: inSeconds(-7, iat) }), { nextCheck: 1 }],
        [() => ({ seat_free_at: 7 }), { nextCheck: 3600, seatFreeAt: null }],
        ...[
          'pronto',
          '',
          'tomorrow',
          '7',
          '2026-11-30',
          '0001-01-01T00:00:00',
          '+275760-01-01T00:00:00Z',
        ].map((seat_free_at): Said => [() => ({ seat_free_at }), { nextCheck: 3600, seatFreeAt: null }]),
        [() => ({}), { nextCheck: 3600, seatFreeAt: null }],
      ];
      for (const [more, expected] of answers) {
        const server = suite.scene.gateway.through(({ body, path }, response) => {
          const call = path.includes('validate') ? 'validate' : 'activate';
          const reason = call === 'validate' ? 'not_activated' : 'installation_limit';
          // A clock that is wrong by days.
          const iat = nowInSeconds() - 3 * 24 * 60 * 60;
          const claims = wishedClaims(body, call, { valid: false, reason, seat: false, iat });
          answer(response, call === 'validate' ? 200 : 409, {
            ...{ success: false, token: signedBy(pair, claims) },
            ...(call === 'activate' && more(iat)),
          });
        });
        const config = await suite.scene.program({ server, keys: [pair.jwk] });
        const result = await suite.scene.ask({ do: 'check', ...config });
        expect(result).toMatchObject({ reason: 'installation_limit', ...expected });
      }
    });

    describe.each([
      [15, 2],
      [60, 2],
      [61, 1],
    ])('six programs on one floating seat with a lease of %i minutes (CODE-02)', (lease_minutes, most) => {
      const six = async (changes: Partial<Config> = {}) => {
        const license = await suite.scene.newLicense({
          ...{ max_installations: 1, seat_mode: 'floating', lease_minutes },
        });
        return Promise.all(
          ['a', 'b', 'c', 'd', 'e', 'f'].map((machine_id) =>
            suite.scene.program({ key: license.license_key, machine_id, ...changes }),
          ),
        );
      };

      test(`relay: gives the seat back after each activation and heartbeat; ${most} work`, async () => {
        const server = suite.scene.gateway.through(releasingRelay(suite.scene.url));
        const programs = await six({ server });
        for (let round = 0; round < 2; round += 1) {
          const results = [];
          for (const program of programs) results.push(await suite.scene.check(program));
          expect(results.filter(({ ok }) => ok)).toHaveLength(most);
        }
        const alone = await Promise.all(programs.map((program) => offline(program)));
        expect(alone.filter(({ ok }) => ok)).toHaveLength(most);
      });

      test(`release in a loop, and what was kept put back; ${most} work`, async () => {
        const programs = await six();
        const copies = [];
        for (const program of programs) {
          const { ok } = await suite.scene.check(program);
          copies.push(copyOf(program));
          if (ok) expect(await suite.scene.ask({ do: 'release', ...program })).toBe(true);
        }
        const alone = await Promise.all(copies.map((program) => offline(program)));
        expect(alone.filter(({ ok }) => ok)).toHaveLength(most);
      });
    });

    test('returns true when the server answers that this machine has no seat, and deletes the token', async () => {
      const { keys, server } = await fakeRelease('not_activated');
      const config = copyOf(suite.activated, { server, keys });
      const kept = readStore(config.store);
      // As beside the refusal of a newer build.
      writeFileSync(config.store, JSON.stringify({ ...kept, before: kept.token }));
      expect(await suite.scene.ask({ do: 'release', ...config })).toBe(true);
      expect(readStore(config.store)).toMatchObject({ token: '' });
      expect(readFileSync(config.store, 'utf8')).not.toContain(kept.token);
      expect(readStore(config.store).mark).toBe(readStore(suite.activated.store).mark);
      expect(await offline(config, { keys: suite.activated.keys })).toEqual(refusal('no_connection', false));
    });

    test('returns false for any other answer, and deletes nothing', async () => {
      const { keys } = await fakeRelease('not_activated');
      const notSigned = await fakeRelease('not_activated');
      const refused = await fakeRelease(null);
      const cases = [{ server: suite.scene.nowhere }, { ...notSigned, keys }, refused];
      for (const { server, keys: known = suite.activated.keys } of cases as Partial<Config>[]) {
        const config = copyOf(suite.activated, { server, keys: known });
        expect(await suite.scene.ask({ do: 'release', ...config })).toBe(false);
        expect(readStore(config.store)).toEqual(readStore(suite.activated.store));
      }
    });

    test('returns the reason of a failure', async () => {
      const why = (config: Config) => suite.scene.ask({ do: 'release-why', ...config });
      const outcome = (reason: string, detail: string | null = null) => ({ released: false, reason, detail });
      expect(await why(copyOf(suite.activated))).toEqual(outcome('release_not_allowed'));
      expect(await why(copyOf(suite.activated, { key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' }))).toEqual(
        outcome('not_found'),
      );
      expect(await why(copyOf(suite.activated, { server: suite.scene.nowhere }))).toEqual(
        outcome('no_connection', 'unreachable'),
      );
      const { server } = await fakeRelease('not_activated');
      expect(await why(copyOf(suite.activated, { server }))).toEqual(outcome('unverified', 'wrong_key'));
      const answers: [number, object, ReturnType<typeof outcome>][] = [
        [409, { code: 'release_limit' }, outcome('release_limit')],
        [409, { code: 'Release <b>' }, outcome('unverified', 'not_the_server')],
        [200, {}, outcome('unverified', 'not_the_server')],
        [429, { code: 'rate_limited' }, outcome('no_connection', 'rate_limited')],
        [503, { code: 'unavailable' }, outcome('no_connection', 'server_error')],
      ];
      for (const [status, body, expected] of answers) {
        const through = suite.scene.gateway.through((_question, response) => answer(response, status, body));
        expect(await why(copyOf(suite.activated, { server: through }))).toEqual(expected);
      }
      const license = await suite.scene.newLicense({ seat_mode: 'floating', lease_minutes: 30 });
      const config = await suite.scene.program({ key: license.license_key, machine_id: 'caja-12' });
      await suite.scene.check(config);
      expect(await why(config)).toEqual({ released: true, reason: null, detail: null });
    });
  });
}
