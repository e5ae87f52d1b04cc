import { describe, expect, test } from 'vitest';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer } from './gateway.ts';
import { type Config, nowInSeconds, readStore } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';

/** How a program gives its seat back, and floating seats. */
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

    test('gives the seat back to the server, for another machine', async () => {
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

    test('is false where the licence does not allow it, and the program goes on', async () => {
      const config = copyOf(suite.activated);
      expect(await suite.scene.ask({ do: 'release', ...config })).toBe(false);
      expect(await offline(config)).toMatchObject({ ok: true });
    });

    test('a floating seat holds without connection until its lease ends', async () => {
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

    test('is true when the server says that this computer has no seat, and forgets the token', async () => {
      const { keys, server } = await fakeRelease('not_activated');
      const config = copyOf(suite.activated, { server, keys });
      expect(await suite.scene.ask({ do: 'release', ...config })).toBe(true);
      expect(readStore(config.store)).toMatchObject({ token: '' });
      expect(readStore(config.store).mark).toBe(readStore(suite.activated.store).mark);
      expect(await offline(config, { keys: suite.activated.keys })).toEqual(refusal('no_connection', false));
    });

    test('is false for any other answer, and forgets nothing', async () => {
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
  });
}
