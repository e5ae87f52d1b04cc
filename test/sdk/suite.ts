import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain, type Language } from '../../scripts/toolchains.ts';
import { createLicense } from '../factories.ts';
import { ANSWER_ATTACKS, STORE_ATTACKS } from './attacks.ts';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer, outages } from './gateway.ts';
import { type Config, DAY, nowInSeconds, proxyOf, readStore, type Scene, startScene } from './scene.ts';

const vectorsFile = join(import.meta.dirname, '..', '..', 'sdk', 'vectors.json');
const vectors: { cases: { name: string; expect: object }[] } = JSON.parse(readFileSync(vectorsFile, 'utf8'));

/** What a program of this suite is told while all is well. */
const good = {
  ok: true,
  reason: null,
  offline: false,
  daysLeft: null,
  features: { modulo_nomina: true, usuarios: 25, modulo_web: false },
};
const refusal = (reason: string, offline: boolean) => ({
  ...{ ok: false, reason, offline, daysLeft: 0, features: {} },
});

/**
 * The tests of one SDK through its driver: all vectors, the real server, networks that fail, and attacks. Defines none
 * where the toolchain is missing; the gate names such languages.
 */
export async function testSdk(language: Language): Promise<void> {
  const tool = await findToolchain(language);
  if (tool === undefined) {
    console.log(`Not run: the SDK for ${language}, whose toolchain is missing (scripts/toolchains.ts).`);
    test('nothing runs without the toolchain', () => {});
    return;
  }

  describe(`the SDK for ${language}`, { tags: ['PROG-07'] }, () => {
    let scene: Scene;
    /** A program that was checked once while all was well. */
    let activated: Config;
    /** The same for a licence that was suspended afterwards, which the program knows. */
    let suspended: Config;

    beforeAll(async () => {
      scene = await startScene(language, tool);
      activated = await scene.program();
      const license = await scene.newLicense();
      suspended = await scene.program({ key: license.license_key });
      for (const config of [activated, suspended]) expect(await scene.check(config)).toEqual(good);
      await suspend(license.id);
      expect(await scene.check(suspended)).toEqual(refusal('suspended', false));
    });
    afterAll(() => scene?.stop());

    const suspend = (id: number) =>
      scene.testApp.call('POST', `/licenses/api/licenses/${id}/suspend/`, { body: {} });
    const machinesOf = async (id: number) =>
      (await scene.testApp.call('GET', `/licenses/api/installations/?license=${id}`)).body.results;

    /** The same program with a copy of its store, so that tests do not disturb each other. */
    const copyOf = (config: Config, changes: Partial<Config> = {}): Config => {
      const store = scene.newPath();
      copyFileSync(config.store, store);
      return { ...config, store, ...changes };
    };
    const offline = (config: Config, changes: Partial<Config> = {}) =>
      scene.check(copyOf(config, { server: scene.nowhere, ...changes }));

    test('judges every vector as written', async () => {
      const judged = await scene.ask({ do: 'vectors', file: vectorsFile });
      expect(judged).toEqual(vectors.cases.map(({ name, expect: verdict }) => ({ name, ...verdict })));
    });

    describe('with the server', () => {
      test('the first check takes a seat, later ones keep it; features have their values', async () => {
        const license = await scene.newLicense();
        const config = await scene.program({ key: ` ${license.license_key} `, app_version: '4.2.0' });
        expect(await scene.check({ ...config, has: 'modulo_nomina' })).toEqual({ ...good, has: true });
        expect(await scene.check({ ...config, has: 'usuarios' })).toEqual({ ...good, has: true });
        const [machine, ...others] = await machinesOf(license.id);
        expect(others).toEqual([]);
        expect(machine).toMatchObject({ machine_id: config.machine_id });
        expect(machine.last_heartbeat).not.toBeNull();
      });

      test('a feature that is false or absent is not there', async () => {
        for (const has of ['modulo_web', 'otro', 'constructor', 'toString', '__proto__']) {
          expect(await scene.check(copyOf(activated, { has }))).toEqual({ ...good, has: false });
        }
        expect(await offline(suspended, { has: 'modulo_nomina' })).toMatchObject({ ok: false, has: false });
      });

      test('refusals have the reason of the server, and stay without it', async () => {
        const limited = await scene.newLicense({ max_installations: 1 });
        await scene.check(await scene.program({ key: limited.license_key, machine_id: 'caja-05' }));
        const yesterday = new Date(Date.now() - 2 * DAY * 1000).toISOString().slice(0, 10);
        const expired = await scene.newLicense({ expiry_date: yesterday, expiry_days: undefined });
        const cancelled = await scene.newLicense({ status: 'cancelled' });
        const inactive = await scene.newLicense({ status: 'inactive' });
        const other = await createLicense(scene.testApp);
        const cases: [string, Partial<Config>][] = [
          ['installation_limit', { key: limited.license_key }],
          ['expired', { key: expired.license_key }],
          ['cancelled', { key: cancelled.license_key }],
          ['inactive', { key: inactive.license_key }],
          ['wrong_software', { key: other.license_key }],
          ['not_found', { key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' }],
        ];
        for (const [reason, changes] of cases) {
          const config = await scene.program(changes);
          expect(await scene.check(config)).toEqual(refusal(reason, false));
          expect(await offline(config)).toEqual(refusal(reason, true));
        }
      });

      test('a suspended licence stays refused without connection, and comes back with the server', async () => {
        const license = await scene.newLicense();
        const config = await scene.program({ key: license.license_key });
        await scene.check(config);
        await suspend(license.id);
        expect(await scene.check(config)).toEqual(refusal('suspended', false));
        expect(await offline(config)).toEqual(refusal('suspended', true));
        expect(await offline(config, { clock: nowInSeconds() + 400 * DAY })).toEqual(
          refusal('suspended', true),
        );
        await scene.testApp.call('POST', `/licenses/api/licenses/${license.id}/reinstate/`, { body: {} });
        expect(await scene.check(config)).toEqual(good);
        expect(await offline(config)).toMatchObject({ ok: true, offline: true });
      });

      test('the days until the end of the licence are counted, rounded up', async () => {
        const license = await scene.newLicense({
          expiry_date: new Date(Date.now() + 40 * DAY * 1000).toISOString(),
        });
        const config = await scene.program({ key: license.license_key });
        const days = () => Math.ceil((Date.parse(license.expiry_date!) / 1000 - nowInSeconds()) / DAY);
        const before = days();
        const { daysLeft } = await scene.check(config);
        expect([before, days()]).toContain(daysLeft);
        expect(await offline(config)).toMatchObject({ ok: true, daysLeft: 7 });
      });

      test('a seat that staff freed is taken again', async () => {
        const license = await scene.newLicense();
        const config = await scene.program({ key: license.license_key });
        await scene.check(config);
        const [{ id }] = await machinesOf(license.id);
        await scene.testApp.call('DELETE', `/licenses/api/installations/${id}/`);
        expect(await scene.check(config)).toEqual(good);
        expect(await machinesOf(license.id)).toHaveLength(1);
      });

      test('the clock of the computer does not matter to a fresh answer, and it resets the mark', async () => {
        const config = copyOf(activated);
        for (const days of [-4000, 4000]) {
          expect(await scene.check({ ...config, clock: nowInSeconds() + days * DAY })).toEqual(good);
          expect(Math.abs(readStore(config.store).mark - nowInSeconds())).toBeLessThan(120);
        }
      });

      test('an empty key is not asked about', async () => {
        let questions = 0;
        const server = scene.gateway.through((_question, response) => {
          questions += 1;
          answer(response, 200, {});
        });
        expect(await scene.check(await scene.program({ server, key: '  ' }))).toEqual(
          refusal('not_found', false),
        );
        expect(questions).toBe(0);
      });

      test('questions have all fields, and a nonce that is never used twice', async () => {
        const asked: { path: string; body: Record<string, unknown> }[] = [];
        const proxy = proxyOf(scene.url);
        const server = scene.gateway.through((question, response) => {
          asked.push(question);
          return proxy(question, response);
        });
        const license = await scene.newLicense();
        const config = await scene.program({ server, key: license.license_key, app_version: '4.2.0' });
        for (let i = 0; i < 2; i += 1) expect(await scene.check(config)).toEqual(good);
        const named = { license_key: config.key, machine_id: config.machine_id, software: config.software };
        const about = { app_version: '4.2.0', os: expect.stringMatching(/^.{1,100}$/) };
        const nonce = expect.stringMatching(/^[\w-]{22}$/);
        const machine_name = expect.stringMatching(/^.{1,200}$/);
        const first = {
          path: '/licenses/api/license/validate/',
          body: { ...named, require_seat: true, nonce },
        };
        expect(asked).toEqual([
          first,
          { path: '/licenses/api/installations/', body: { ...named, ...about, machine_name, nonce } },
          first,
          { path: '/licenses/api/installation/heartbeat/', body: { ...named, ...about, nonce } },
        ]);
        expect(new Set(asked.map(({ body }) => body.nonce)).size).toBe(4);
      });

      test('without a machine id the program uses that of the computer, by software', async () => {
        const id = await scene.ask({ do: 'machine-id', software: scene.software.code });
        expect(id).toMatch(/^([0-9a-f]{64}|[0-9a-f]{32})$/);
        if (existsSync('/etc/machine-id') && readFileSync('/etc/machine-id', 'utf8').trim() !== '') {
          const own = readFileSync('/etc/machine-id', 'utf8').trim();
          const hash = createHash('sha256').update(`${own}\n${scene.software.code}`).digest('hex');
          expect(id).toBe(hash);
          const license = await scene.newLicense();
          const config = await scene.program({ key: license.license_key });
          delete config.machine_id;
          expect(await scene.check(config)).toEqual(good);
          expect(await machinesOf(license.id)).toMatchObject([{ machine_id: id }]);
        }
      });
    });

    describe('without a verdict of the server', () => {
      const names = Object.keys(outages(''));
      test.each(names)('%s: what was kept holds; else there is a reason', async (name) => {
        const { behave, problem, timeout } = outages(scene.url)[name]!;
        const server = scene.gateway.through(behave);
        const changes = { server, ...(timeout !== undefined && { timeout }) };
        expect(await scene.check(copyOf(activated, changes))).toEqual({
          ...good,
          offline: true,
          daysLeft: 7,
        });
        expect(await scene.check(copyOf(suspended, changes))).toEqual(refusal('suspended', true));
        expect(await scene.check(await scene.program(changes))).toEqual(refusal(problem, false));
      });

      test('nobody listens: what was kept holds; else there is no connection', async () => {
        expect(await offline(activated)).toEqual({ ...good, offline: true, daysLeft: 7 });
        expect(await scene.check(await scene.program({ server: scene.nowhere }))).toEqual(
          refusal('no_connection', false),
        );
      });

      test('a server that fails after the first question decides nothing', async () => {
        const proxy = proxyOf(scene.url);
        const server = scene.gateway.through((question, response) =>
          question.path.includes('validate') ? proxy(question, response) : answer(response, 503, {}),
        );
        const license = await scene.newLicense();
        const config = await scene.program({ server, key: license.license_key });
        expect(await scene.check(config)).toEqual(refusal('no_connection', false));
        expect(await scene.check(copyOf(activated, { server }))).toMatchObject({ ok: true, offline: true });
      });

      test('the days without connection are counted, and end', async () => {
        const config = copyOf(activated, { server: scene.nowhere });
        const in_ = (days: number) => scene.check({ ...config, clock: nowInSeconds() + days * DAY });
        expect(await in_(3)).toEqual({ ...good, offline: true, daysLeft: 4 });
        expect(await in_(2.5)).toEqual({ ...good, offline: true, daysLeft: 4 });
        expect(await in_(1.9)).toEqual(refusal('clock_back', true));
        expect(await in_(6.9)).toEqual({ ...good, offline: true, daysLeft: 1 });
        expect(await in_(7.1)).toEqual(refusal('offline_expired', true));
        expect(await scene.check({ ...config, server: scene.url })).toEqual(good);
      });

      test('what was kept for another key does not count', async () => {
        expect(await offline(activated, { key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' })).toEqual(
          refusal('no_connection', false),
        );
      });

      test('a store that is no such JSON counts as empty, and is written anew', async () => {
        const { token, license } = readStore(activated.store);
        const stores = [
          '',
          '{',
          '[]',
          'null',
          '"texto"',
          '\u0000\uffff',
          { token },
          { license, token: 7 },
          { license },
        ];
        for (const content of stores) {
          const store = scene.write(content);
          expect(await scene.check({ ...activated, store, server: scene.nowhere })).toEqual(
            refusal('no_connection', false),
          );
          expect(await scene.check({ ...activated, store })).toEqual(good);
          expect(readStore(store)).toEqual({
            ...{ license, token: expect.stringMatching(/^eyJ/), mark: expect.any(Number) },
          });
        }
      });

      test('a mark that is no time counts as absent', async () => {
        for (const mark of [null, 'ayer', -1, 1.5, 1e300, [], true]) {
          const store = scene.write({ ...readStore(activated.store), mark });
          expect(await scene.check({ ...activated, store, server: scene.nowhere })).toMatchObject({
            ...{ ok: true, offline: true },
          });
        }
      });

      test('a store that cannot be written changes no result', async () => {
        const store = scene.newPath();
        mkdirSync(store);
        const nested = join(store, 'no', 'existe', 'store');
        for (const path of [store, nested]) {
          expect(await scene.check({ ...activated, store: path })).toEqual(good);
        }
      });

      test('a licence file lets a computer without network work, until it ends', async () => {
        const license = await scene.newLicense();
        const url = `/licenses/api/licenses/${license.id}/file/`;
        const body = { machine_id: 'servidor-7', ttl_days: 30 };
        const { text } = await scene.testApp.call('POST', url, { body });
        const config = await scene.program({
          ...{ server: scene.nowhere, key: license.license_key, machine_id: 'servidor-7' },
          file: scene.write(text.replaceAll('\n', '\r\n')),
        });
        expect(await scene.check({ ...config, has: 'modulo_nomina' })).toEqual({
          ...{ ...good, offline: true, daysLeft: 30, has: true },
        });
        expect(await scene.check({ ...config, clock: nowInSeconds() + 31 * DAY })).toEqual(
          refusal('offline_expired', true),
        );
        expect(await scene.check({ ...config, file: scene.newPath(), store: scene.newPath() })).toEqual(
          refusal('no_connection', false),
        );
      });
    });

    describe('release', () => {
      const fakeRelease = async (reason: string | null, by = newPair()) => {
        const pair = by;
        const keys = [pair.jwk];
        const server = scene.gateway.through(({ path, body }, response) => {
          const valid = reason === null;
          const token = signedBy(pair, wishedClaims(body, { valid, reason }));
          answer(response, path.includes('release') ? 200 : 503, { success: true, token });
        });
        return { keys, server };
      };

      test('is true when the server says that this computer has no seat, and forgets the token', async () => {
        const { keys, server } = await fakeRelease('not_activated');
        const config = copyOf(activated, { server, keys });
        expect(await scene.ask({ do: 'release', ...config })).toBe(true);
        expect(readStore(config.store)).toMatchObject({ token: '' });
        expect(readStore(config.store).mark).toBe(readStore(activated.store).mark);
        expect(await offline(config, { keys: activated.keys })).toEqual(refusal('no_connection', false));
      });

      test('is false for any other answer, and forgets nothing', async () => {
        const { keys } = await fakeRelease('not_activated');
        const notSigned = await fakeRelease('not_activated');
        const refused = await fakeRelease(null);
        const cases = [{ server: scene.nowhere }, { ...notSigned, keys }, refused];
        for (const { server, keys: known = activated.keys } of cases as Partial<Config>[]) {
          const config = copyOf(activated, { server, keys: known });
          expect(await scene.ask({ do: 'release', ...config })).toBe(false);
          expect(readStore(config.store)).toEqual(readStore(activated.store));
        }
      });
    });

    describe('attacks on the answer', () => {
      test.each(ANSWER_ATTACKS)('$name', async ({ behave, keys }) => {
        const server = scene.gateway.through(await behave(scene));
        const changes = { server, ...(keys && { keys: keys() }) };
        expect(await scene.check(await scene.program(changes))).toEqual(refusal('unverified', false));
        // Without the server's keys the kept refusal does not verify either.
        if (!keys)
          expect(await scene.check(copyOf(suspended, { server }))).toEqual(refusal('suspended', true));
      });

      test('a refusal that the server did not sign: the program goes on', async () => {
        const pair = newPair();
        const [known] = await scene.keys();
        for (const kid of [known!.kid, pair.jwk.kid]) {
          const server = scene.gateway.through(({ body }, response) => {
            const claims = wishedClaims(body, { valid: false, reason: 'cancelled' });
            answer(response, 404, { code: 'license_not_found', token: signedBy(pair, claims, kid) });
          });
          expect(await scene.check(copyOf(activated, { server }))).toMatchObject({ ok: true, offline: true });
        }
      });
    });

    describe('attacks on what was kept', () => {
      test.each(STORE_ATTACKS)('$name', async ({ prepare }) => {
        const config = copyOf(activated);
        const empty = await scene.program();
        const { reason, ...changes } = await prepare(scene, config);
        const asked = { ...activated, store: empty.store, server: scene.nowhere, ...changes };
        const isKnown = reason !== 'no_connection';
        expect(await scene.check(asked)).toEqual(refusal(reason, isKnown));
      });
    });

    describe('a rotation of the keys', () => {
      const rotate = () => scene.testApp.call('POST', '/licenses/api/signing-keys/rotate/', { body: {} });

      test('a program with the current and the next key goes on; after two it needs a new version', async () => {
        const config = copyOf(activated);
        expect((await rotate()).status).toBe(200);
        expect(await scene.check(config)).toEqual(good);
        expect(await offline(config)).toMatchObject({ ok: true, offline: true });
        expect((await rotate()).status).toBe(200);
        // The vendor was too quick: the answer does not verify, and what was kept holds until its end.
        expect(await scene.check(config)).toMatchObject({ ok: true, offline: true });
        expect(await scene.check({ ...config, store: scene.newPath() })).toEqual(
          refusal('unverified', false),
        );
        // A new version of the program, without the key that signed what was kept.
        expect(await scene.check({ ...config, keys: await scene.keys() })).toEqual(good);
      });
    });
  });
}
