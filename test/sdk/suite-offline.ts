import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOf } from './clock-attacks.ts';
import { newPair } from './forge.ts';
import { answer, outages } from './gateway.ts';
import { DAY, MACHINE, nowInSeconds, proxyOf, readStore } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';

/** Tests of results without an answer of the server. */
export function offlineTests(suite: Suite): void {
  const { copyOf, offline } = suite;
  describe('without an answer of the server', () => {
    const names = Object.keys(outages(''));
    test.each(names)(
      '%s: the stored answer is used, and without one the reason is returned',
      async (name) => {
        const { behave, problem, detail, timeout } = outages(suite.scene.url)[name]!;
        const server = suite.scene.gateway.through(behave);
        const changes = { server, ...(timeout !== undefined && { timeout }) };
        expect(await suite.scene.check(copyOf(suite.activated, changes))).toEqual({
          ...good,
          offline: true,
        });
        expect(await suite.scene.check(copyOf(suite.suspended, changes))).toEqual(refusal('suspended', true));
        expect(await suite.scene.check(await suite.scene.program(changes))).toEqual(refusal(problem, false));
        const why = { detail, storeError: null };
        expect(await suite.scene.why(copyOf(suite.activated, changes))).toMatchObject({ ok: true, ...why });
        expect(await suite.scene.why(copyOf(suite.suspended, changes))).toMatchObject({ ok: false, ...why });
        expect(await suite.scene.why(await suite.scene.program(changes))).toMatchObject({
          ...{ reason: problem, ...why },
        });
      },
    );

    test('with no server listening the stored answer is used, and without one the reason is no_connection', async () => {
      expect(await offline(suite.activated)).toEqual({ ...good, offline: true });
      expect(await suite.scene.check(await suite.scene.program({ server: suite.scene.nowhere }))).toEqual(
        refusal('no_connection', false),
      );
    });

    test('a server that fails after the first check changes nothing', async () => {
      const proxy = proxyOf(suite.scene.url);
      const server = suite.scene.gateway.through((question, response) =>
        question.path.includes('validate') ? proxy(question, response) : answer(response, 503, {}),
      );
      const license = await suite.scene.newLicense();
      const config = await suite.scene.program({ server, key: license.license_key });
      expect(await suite.scene.check(config)).toEqual(refusal('no_connection', false));
      expect(await suite.scene.check(copyOf(suite.activated, { server }))).toMatchObject({
        ok: true,
        offline: true,
      });
    });

    test('the days without connection are counted, and then the licence is refused', async () => {
      const config = copyOf(suite.activated, { server: suite.scene.nowhere });
      const in_ = (days: number) => suite.scene.check({ ...config, clock: nowInSeconds() + days * DAY });
      expect(await in_(3)).toEqual({ ...good, offline: true });
      expect(await in_(2.5)).toEqual({ ...good, offline: true });
      expect(await in_(1.9)).toEqual(refusal('clock_back', true));
      expect(await in_(6.9)).toEqual({ ...good, offline: true });
      expect(await in_(7.1)).toEqual(refusal('offline_expired', true));
      expect(await suite.scene.check({ ...config, server: suite.scene.url })).toEqual(good);
    });

    test('the stored answer is used however the key is typed', async () => {
      const typed = suite.activated.key.toLowerCase().replaceAll('-', ' ');
      expect(await offline(suite.activated, { key: ` ${typed}` })).toMatchObject({ ok: true, offline: true });
    });

    test('the stored answer of another key is not used', async () => {
      expect(await offline(suite.activated, { key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' })).toEqual(
        refusal('no_connection', false),
      );
    });

    test('a store with invalid JSON counts as empty, and is written again', async () => {
      // A separate licence, because a machine may make 60 calls a minute.
      const { license_key } = await suite.scene.newLicense();
      const config = await suite.scene.program({ key: license_key });
      await suite.scene.check(config);
      const { token, license } = readStore(config.store);
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
        const store = suite.scene.write(content);
        expect(await suite.scene.check({ ...config, store, server: suite.scene.nowhere })).toEqual(
          refusal('no_connection', false),
        );
        expect(await suite.scene.check({ ...config, store })).toEqual(good);
        expect(readStore(store)).toEqual({
          ...{ license, token: expect.stringMatching(/^eyJ/), mark: expect.any(Number) },
          ...{ clock: expect.any(Number), back: 0, leap: 0, issued: expect.any(Number) },
          ...{ run: expect.any(String), ticks: expect.any(Number) },
        });
      }
    });

    test('a stored time that is invalid counts as absent', async () => {
      for (const mark of [null, 'ayer', -1, 1.5, 1e300, [], true]) {
        const store = suite.scene.write({ ...readStore(suite.activated.store), mark });
        expect(
          await suite.scene.check({ ...suite.activated, store, server: suite.scene.nowhere }),
        ).toMatchObject({
          ...{ ok: true, offline: true },
        });
      }
    });

    test('a store that cannot be written does not change the result', async () => {
      const { config } = await suite.newProgram();
      const store = suite.scene.newPath();
      mkdirSync(store);
      const nested = join(store, 'no', 'existe', 'store');
      for (const path of [store, nested]) {
        expect(await suite.scene.check({ ...config, store: path })).toEqual(good);
      }
    });

    test('without a key only the licence file decides, and the server is not called', async () => {
      let questions = 0;
      const server = suite.scene.gateway.through((_question, response) => {
        questions += 1;
        answer(response, 200, {});
      });
      const pair = newPair();
      const file = fileOf(suite.scene, pair, 0, 30);
      const config = await suite.scene.program({ server, keys: [pair.jwk], key: ' ', file });
      const features = { modulo_nomina: true };
      expect(await suite.scene.check({ ...config, has: 'modulo_nomina' })).toEqual({
        ...{ ...good, offline: true, features, has: true },
      });
      expect(await suite.scene.check({ ...config, clock: nowInSeconds() + 31 * DAY })).toEqual(
        refusal('offline_expired', true),
      );
      const strangers = [
        { file: suite.scene.newPath() },
        { file: fileOf(suite.scene, newPair(), 0, 30) },
        { machine_id: 'caja-09' },
        { software: 'otro' },
        { keys: [newPair().jwk] },
      ];
      for (const changes of strangers) {
        const store = suite.scene.newPath();
        expect(await suite.scene.check({ ...config, store, ...changes })).toEqual(
          refusal('not_found', false),
        );
      }
      expect(questions).toBe(0);
    });

    test('without a key a stored refusal of the same licence is used, one of another licence is not', async () => {
      const license = await suite.scene.newLicense();
      const body = { machine_id: MACHINE, ttl_days: 30 };
      const url = `/licenses/api/licenses/${license.id}/file/`;
      const { text } = await suite.scene.testApp.call('POST', url, { body });
      const file = suite.scene.write(text);
      const config = await suite.scene.program({ key: license.license_key });
      await suite.suspend(license.id);
      expect(await suite.scene.check(config)).toEqual(refusal('suspended', false));
      expect(await offline(config, { key: '', file })).toEqual(refusal('suspended', true));
      expect(await offline(suite.suspended, { key: '', file })).toEqual({
        ...good,
        offline: true,
      });
    });

    test('a licence file lets a machine without network work until the file ends', async () => {
      const license = await suite.scene.newLicense();
      const url = `/licenses/api/licenses/${license.id}/file/`;
      const body = { machine_id: 'servidor-7', ttl_days: 30 };
      const { text } = await suite.scene.testApp.call('POST', url, { body });
      const config = await suite.scene.program({
        ...{ server: suite.scene.nowhere, key: license.license_key, machine_id: 'servidor-7' },
        file: suite.scene.write(text.replaceAll('\n', '\r\n')),
      });
      expect(await suite.scene.check({ ...config, has: 'modulo_nomina' })).toEqual({
        ...{ ...good, offline: true, has: true },
      });
      expect(await suite.scene.check({ ...config, clock: nowInSeconds() + 31 * DAY })).toEqual(
        refusal('offline_expired', true),
      );
      expect(
        await suite.scene.check({ ...config, file: suite.scene.newPath(), store: suite.scene.newPath() }),
      ).toEqual(refusal('no_connection', false));
    });
  });
}
