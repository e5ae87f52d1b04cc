import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOf } from './clock-attacks.ts';
import { newPair, signedBy, wishedClaims } from './forge.ts';
import { answer } from './gateway.ts';
import { MESSAGES } from './message-rule.ts';
import { type Config, callOf, DAY, nowInSeconds, type Result, readStore, type Why } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';
import { chainServer, forbiddenPath } from './suite-told.ts';

type Reported = {
  start: number;
  ms: number;
  result: Result & Why & { pending: boolean };
  has?: boolean;
  left?: (number | null)[];
};

const { es } = MESSAGES;
const MARK = '\ufeff';
const METERS = [{ code: 'facturas', limit: 3, used: 1, remaining: 2, overage: 'refuse', resets_at: null }];

/** Tests of situations between a program and its surroundings: a hanging server, folders, files, an end, other builds. */
export function situationTests(suite: Suite): void {
  const { copyOf, offline } = suite;
  const { language } = suite;
  const hangs = () => suite.scene.gateway.through(() => {});
  const textOf = async (config: Config): Promise<string> => {
    const result = await suite.scene.ask({ do: 'check', ...config });
    return suite.scene.ask({ do: 'message', result, lang: 'es' });
  };
  /** A server that signs what it is asked, with `pad` characters more in each answer, and counts records of uses. */
  const vendor = async (pad = 0) => {
    const pair = newPair();
    const usage: number[] = [];
    const server = suite.scene.gateway.through(({ body, path }, response) => {
      if (path.endsWith('/usage/')) {
        usage.push(body.records.length);
        const results = body.records.map(({ request_id }: { request_id: string }) => ({
          request_id,
          accepted: true,
        }));
        return answer(response, 200, { results });
      }
      const call = callOf(path) ?? 'activate';
      const token = signedBy(
        pair,
        wishedClaims({ ...body, license_key: body.license_key ?? 'TRIAL' }, call, {
          features: good.features,
          ...(call === 'release' && { valid: false, seat: false, reason: 'not_activated' }),
        }),
      );
      const license_key = path.endsWith('/trial/') ? 'TRIAL' : undefined;
      return answer(response, 200, { token, license_key, pad: 'x'.repeat(pad) });
    });
    return { usage, config: await suite.scene.program({ server, keys: [pair.jwk] }) };
  };

  const startTests = () => {
    /** The first results that `onChange` got, from a process of its own, because a check may still hang at its end. */
    const started = async (config: Config, until: number, more: object = {}): Promise<Reported[]> => {
      const other = suite.scene.another();
      const reported = await other.ask({ do: 'start', ...config, for: 60, until, ...more });
      await other.kill();
      return reported;
    };
    const outcomes = (reported: Reported[]) =>
      reported.map(({ result: { ok, pending, offline: isOffline } }) => ({
        ok,
        pending,
        offline: isOffline,
      }));
    const kept = { ok: true, pending: true, offline: true };

    test('a start answers from the store at once while the server hangs, and tells the check once more', async () => {
      const config = copyOf(suite.activated, { server: hangs(), timeout: 3 });
      const reported = await started(config, 2, { has: 'modulo_nomina' });
      expect(outcomes(reported)).toEqual([kept, { ...kept, pending: false }]);
      expect(reported.map(({ has }) => has)).toEqual([true, true]);
      expect(reported.map(({ result }) => result.detail)).toEqual([null, 'timeout']);
      expect(reported[0]!.ms).toBeLessThan(reported[1]!.ms - 1500);
      expect(reported[0]!.result.features).toEqual(good.features);
    });

    test('a start tells a fresh answer after what was kept, and it is pending no more', async () => {
      const { config } = await vendor();
      await suite.scene.check(config);
      const reported = await started(config, 2);
      expect(outcomes(reported)).toEqual([kept, { ok: true, pending: false, offline: false }]);
    });

    test('a start tells nothing before its check where nothing kept is good', async () => {
      const server = suite.scene.nowhere;
      const [refused, late] = [
        copyOf(suite.suspended, { server }),
        copyOf(suite.activated, { server, clock: nowInSeconds() + 8 * DAY }),
      ];
      for (const config of [refused, late, await suite.scene.program({ server })]) {
        expect((await started(config, 1)).map(({ result: { ok, pending } }) => ({ ok, pending }))).toEqual([
          { ok: false, pending: false },
        ]);
      }
    });

    test('a start answers from the store at once under the id of the system too', async () => {
      const license = await suite.scene.newLicense();
      const config = await suite.scene.program({ key: license.license_key, machine_id: undefined });
      expect(await suite.scene.check(config)).toEqual(good);
      expect(outcomes(await started(copyOf(config, { server: hangs() }), 1))).toEqual([kept]);
    });

    test('a start by a licence file alone answers at once', async () => {
      const pair = newPair();
      const file = fileOf(suite.scene, pair, 0, 30);
      const config = await suite.scene.program({ server: hangs(), keys: [pair.jwk], file, key: '' });
      // The check, which asks no server, ends at once too.
      expect(outcomes(await started(config, 2))).toEqual([kept, { ...kept, pending: false }]);
    });

    test('a stop or another start before the check ends leaves out the second call of the first', async () => {
      const config = copyOf(suite.activated, { server: hangs(), timeout: 3 });
      expect(outcomes(await started(config, 1))).toEqual([kept]);
      const reported = await started(config, 2, { starts: 2 });
      expect(outcomes(reported.filter(({ start }) => start === 1)).filter(({ pending }) => !pending)).toEqual(
        [],
      );
      expect(outcomes(reported.filter(({ start }) => start === 2))).toEqual([
        kept,
        { ...kept, pending: false },
      ]);
    });

    test('another start answers from the store while the check of the first hangs', async () => {
      const config = copyOf(suite.activated, { server: hangs(), timeout: 60 });
      // The second comes when the check of the first is under way.
      const reported = await started(config, 1, { for: 30, starts: 2, wait: 1, has: 'modulo_nomina' });
      const second = reported.filter(({ start }) => start === 2);
      expect(outcomes(second)).toEqual([kept]);
      expect(second[0]!.has).toBe(true);
    });

    test('a start that is ended before its check has moved the time that was kept', async () => {
      const config = copyOf(suite.activated, { server: hangs() });
      const clock = readStore(config.store).clock + 3600;
      expect(outcomes(await started({ ...config, clock }, 1))).toEqual([kept]);
      expect(readStore(config.store)).toMatchObject({ mark: clock, clock });
    });

    test('a start knows what is left of a meter at once', async () => {
      const pair = newPair();
      const file = fileOf(suite.scene, pair, 0, 30, { meters: METERS });
      const config = await suite.scene.program({ server: hangs(), keys: [pair.jwk], file });
      const [first] = await started(config, 1, { codes: ['facturas', 'otro'] });
      expect(first!.left).toEqual([2, null]);
    });
  };

  describe('a program and its surroundings', { tags: ['CODE-04'] }, () => {
    // PHP checks only when it is asked.
    if (language !== 'php') startTests();

    test('every failure of the store or its folder is a result, in each call', async () => {
      const { config } = await vendor();
      const folder = suite.scene.newPath();
      mkdirSync(folder);
      const paths: [string, RegExp][] = [
        [join(suite.scene.write('x'), 'store'), /^failed$/],
        [join(suite.scene.write('x'), 'a', 'b', 'store'), /^failed$/],
        [`${suite.scene.newPath()}\u0000store`, /^failed$/],
        [join(folder, 'n'.repeat(400)), /^failed$/],
        // Windows calls a folder that stands in the way denied.
        [folder, /^(failed|denied)$/],
        ...(process.platform === 'win32' ? [] : [[forbiddenPath(suite), /^denied$/] as [string, RegExp]]),
      ];
      for (const [store, expected] of paths) {
        const log = suite.scene.newPath();
        const { machine_id: _, ...own } = { ...config, store, log };
        expect(await suite.scene.ask({ do: 'open', ...own }), store).toBeNull();
        expect(await suite.scene.ask({ do: 'machine-id', ...own })).toMatch(/^[0-9a-f]{32,64}$/);
        expect(await suite.scene.why({ ...config, store, log })).toEqual({
          ...{ ok: true, reason: null, offline: false, detail: null },
          storeError: expect.stringMatching(expected),
        });
        expect(await suite.scene.why({ ...config, store, server: suite.scene.nowhere })).toMatchObject({
          ...{ ok: false, reason: 'no_connection', detail: 'unreachable' },
        });
        const uses = [{ code: 'facturas' }];
        expect(await suite.scene.ask({ do: 'use', ...config, store: join(store, 'uses'), uses })).toEqual([
          // Below a folder that is only a store in the way, a file can be made.
          store === folder,
        ]);
        expect(await suite.scene.ask({ do: 'trial', ...config, store })).toMatchObject({ key: 'TRIAL' });
        expect(await suite.scene.ask({ do: 'release-why', ...config, store })).toMatchObject({
          released: true,
        });
        if (language === 'php') continue;
        const reported: Reported[] = await suite.scene.ask({ do: 'start', ...config, store, for: 1.5 });
        expect(reported.map(({ result }) => result.ok)).toEqual([true]);
      }
      const file = `${suite.scene.newPath()}\u0000.lic`;
      expect(await suite.scene.why({ ...config, key: '', file })).toMatchObject({
        ...{ ok: false, reason: 'not_found', detail: expect.stringMatching(/^file_(unreadable|missing)$/) },
      });
    });

    test('a licence file is read with any mark, line ends, blanks and words around it', async () => {
      const pair = newPair();
      const path = fileOf(suite.scene, pair, 0, 30, { meters: METERS });
      const text = readFileSync(path, 'utf8');
      const windows = text.replaceAll('\n', '\r\n');
      const big = Buffer.from(MARK + windows, 'utf16le').swap16();
      const texts: Record<string, string | Buffer> = {
        'UTF-8 with a mark': MARK + windows,
        'UTF-16, as Notepad writes Unicode': Buffer.from(MARK + windows, 'utf16le'),
        'UTF-16, big end first': big,
        'line ends of old computers': text.replaceAll('\n', '\r'),
        'blank lines and blanks': `\r\n \n${text.replaceAll('\n', ' \n\n\t')}\n\n`,
        'a mail': `Hola, aquí está:\r\n\r\n${windows}\r\n-- \r\nVentas -----\r\n`,
        'a mail in Latin-1': Buffer.from(`Aquí está:\n${text}\nAdiós`, 'latin1'),
        'a megabyte behind it': text + ' '.repeat(1024 * 1024),
      };
      const config = await suite.scene.program({ server: suite.scene.nowhere, keys: [pair.jwk], key: '' });
      for (const [name, content] of Object.entries(texts)) {
        const file = suite.scene.newPath();
        writeFileSync(file, content);
        const fresh = { ...config, file, store: suite.scene.newPath() };
        expect(await suite.scene.ask({ do: 'remaining', ...fresh, codes: ['facturas'] }), name).toEqual([2]);
        expect(await suite.scene.check(fresh), name).toMatchObject({ ok: true, offline: true });
      }
      for (const content of [' '.repeat(70 * 1024) + text, text.replace('-----END', '-----FIN')]) {
        const file = suite.scene.write(content);
        expect(await suite.scene.why({ ...config, file, store: suite.scene.newPath() })).toMatchObject({
          ...{ ok: false, reason: 'not_found', detail: 'file_damaged' },
        });
      }
    });

    test('a store with a mark is read, one of more than a mebibyte counts as empty', async () => {
      const text = readFileSync(suite.activated.store, 'utf8');
      const away = { ...suite.activated, server: suite.scene.nowhere };
      const padded = (size: number) => JSON.stringify({ ...JSON.parse(text), pad: 'x'.repeat(size) });
      for (const content of [MARK + text, `\r\n${text}\r\n`, padded(900 * 1024)]) {
        expect(await suite.scene.check({ ...away, store: suite.scene.write(content) })).toEqual({
          ...{ ...good, offline: true },
        });
      }
      const store = suite.scene.write(padded(1100 * 1024));
      expect(await suite.scene.check({ ...away, store })).toEqual(refusal('no_connection', false));
    });

    test('a licence whose own end has passed says that it is to be renewed, not that a connection is missing', async () => {
      const license = await suite.scene.newLicense({ expiry_days: 2, grace_days: 1 });
      const config = await suite.scene.program({ key: license.license_key });
      await suite.scene.check(config);
      const end = Math.floor(Date.parse(license.expiry_date!) / 1000);
      const at = (clock: number) => copyOf(config, { server: suite.scene.nowhere, clock });
      expect(await suite.scene.check(at(end + DAY / 2))).toMatchObject({ ok: true, offline: true });
      const ended = at(end + 2 * DAY);
      expect(await suite.scene.check(ended)).toEqual(refusal('expired', true));
      const { expiresAt, inGrace, offlineUntil } = await suite.scene.terms(ended);
      expect({ expiresAt, inGrace, offlineUntil }).toEqual({
        ...{ expiresAt: new Date(end * 1000).toISOString(), inGrace: false, offlineUntil: null },
      });
      expect(await textOf(ended)).toBe(es.expired_offline);
      // A licence that goes on: only its days without connection have ended.
      const longer = await suite.scene.newLicense({ expiry_days: 60 });
      const other = await suite.scene.program({ key: longer.license_key });
      await suite.scene.check(other);
      const now = nowInSeconds();
      expect(await offline(other, { clock: now + 8 * DAY })).toEqual(refusal('offline_expired', true));
      expect(await offline(other, { clock: now + 90 * DAY })).toEqual(refusal('expired', true));
    });

    test('the same holds for a licence file, with and without a key, and for tokens of older servers', async () => {
      const pair = newPair();
      const isoIn = (days: number) => new Date((nowInSeconds() + days * DAY) * 1000).toISOString();
      const cases: [string, object][] = [
        ['expired', { license_expires: isoIn(4), usable_until: isoIn(5) }],
        ['expired', { license_expires: isoIn(5) }],
        ['offline_expired', { license_expires: isoIn(4), usable_until: isoIn(40) }],
        ['offline_expired', { license_expires: null, usable_until: null }],
        ['offline_expired', { license_expires: 'mañana', usable_until: 5 }],
      ];
      for (const [reason, claims] of cases) {
        const file = fileOf(suite.scene, pair, 0, 5, claims);
        for (const key of [suite.activated.key, '']) {
          const config = await suite.scene.program({
            ...{ server: suite.scene.nowhere, keys: [pair.jwk], file, key },
            clock: nowInSeconds() + 6 * DAY,
          });
          expect(await suite.scene.check(config), JSON.stringify(claims)).toEqual(refusal(reason, true));
        }
      }
    });

    test('a certificate of an unknown authority, and a chain without its middle, are tls', async () => {
      for (const chain of ['leaf', 'leaf and middle', 'all'] as const) {
        const config = await suite.scene.program({ server: await chainServer(chain) });
        expect(await suite.scene.why(config), chain).toMatchObject({
          ...{ reason: 'no_connection', detail: 'tls' },
        });
      }
    });

    describe('a refusal for a newer build', () => {
      const builds = async () => {
        const license = await suite.scene.newLicense({ updates_until: '2026-01-31' });
        const older = await suite.scene.program({ key: license.license_key, released_on: '2026-01-31' });
        const newer = { ...older, released_on: '2026-02-01' };
        expect(await suite.scene.check(older)).toEqual(good);
        const { token } = readStore(older.store);
        expect(await suite.scene.check(newer)).toEqual(refusal('updates_ended', false));
        expect(readStore(older.store).before).toBe(token);
        return { license, older, newer, token };
      };

      test('does not bind an older one without connection', async () => {
        const { older, newer, token } = await builds();
        expect(await offline(older)).toEqual({ ...good, offline: true });
        expect(await offline({ ...older, released_on: undefined })).toEqual({ ...good, offline: true });
        expect(await offline(newer)).toEqual(refusal('updates_ended', true));
        expect(await suite.scene.check(newer)).toEqual(refusal('updates_ended', false));
        expect(await suite.scene.check({ ...newer, server: suite.scene.nowhere })).toMatchObject({
          ok: false,
        });
        expect(readStore(older.store).before).toBe(token);
        expect(await offline(older)).toEqual({ ...good, offline: true });
        expect(await offline(older, { clock: nowInSeconds() + 8 * DAY })).toEqual(
          refusal('offline_expired', true),
        );
        expect(await offline(older, { clock: nowInSeconds() - 2 * DAY })).toEqual(
          refusal('clock_back', true),
        );
      });

      test('is removed by the next verdict, and a forged one, or one of another licence, is not used', async () => {
        const { license, older, newer } = await builds();
        const kept = readStore(older.store);
        const stranger = newPair();
        const { software } = older;
        const asked = { software, machine_id: older.machine_id!, license_key: older.key };
        const others = [
          signedBy(stranger, wishedClaims(asked, 'heartbeat'), older.keys[0]!.kid),
          readStore(suite.activated.store).token,
          'nada',
          17,
        ];
        for (const before of others) {
          const store = suite.scene.write({ ...kept, before });
          expect(await offline({ ...older, store })).toEqual(refusal('no_connection', false));
        }
        await suite.suspend(license.id);
        expect(await suite.scene.check(newer)).toEqual(refusal('suspended', false));
        expect(readStore(older.store).before ?? '').toBe('');
        expect(await offline(older)).toEqual(refusal('suspended', true));
      });
    });

    test('a computer that was renamed says its new name, cut by characters', async () => {
      const names: string[] = [];
      const pair = newPair();
      const server = suite.scene.gateway.through(({ body, path }, response) => {
        const call = callOf(path)!;
        if (call === 'heartbeat') names.push(body.machine_name);
        answer(response, 200, { token: signedBy(pair, wishedClaims(body, call)) });
      });
      const config = await suite.scene.program({ server, keys: [pair.jwk] });
      const long = `${'ñ'.repeat(199)}😀😀`;
      for (const machine_name of ['Caja 1', 'Caja nueva', long]) {
        await suite.scene.check({ ...config, machine_name });
      }
      expect(names).toEqual(['Caja 1', 'Caja nueva', `${'ñ'.repeat(199)}😀`]);
      const { config: own, license } = await suite.newProgram();
      await suite.scene.check({ ...own, machine_name: 'Caja nueva' });
      expect(await suite.machinesOf(license.id)).toMatchObject([{ machine_name: 'Caja nueva' }]);
    });

    test('answers, uses and calls have the limits of the README', async () => {
      const [small, large] = [await vendor(60 * 1024), await vendor(70 * 1024)];
      expect(await suite.scene.check(small.config)).toEqual(good);
      expect(await suite.scene.check(large.config)).toEqual(refusal('unverified', false));
      const [uses, log] = [[{ code: 'facturas' }], suite.scene.newPath()];
      const full = { ...small.config, store: suite.scene.newPath(), log };
      writeFileSync(`${full.store}.usage`, Buffer.alloc(4 * 1024 * 1024 + 1, '\n'));
      expect(await suite.scene.ask({ do: 'use', ...full, uses })).toEqual([false]);
      expect(readFileSync(log, 'utf8')).toMatch(/^store_full /);
    });

    test('at most 2,000 uses are sent in a check, 100 a call', async () => {
      const { usage, config } = await vendor();
      const clock = nowInSeconds();
      const lines = Array.from({ length: 2050 }, (_, number) =>
        JSON.stringify({ code: 'facturas', amount: 1, id: number.toString(16).padStart(32, '0'), clock }),
      );
      writeFileSync(`${config.store}.usage`, `${lines.join('\n')}\n`);
      const { nextCheck } = await suite.scene.ask({ do: 'check', ...config });
      expect([usage.length, new Set(usage), nextCheck]).toEqual([20, new Set([100]), 60]);
      await suite.scene.check(config);
      expect(usage.slice(20)).toEqual([50]);
    });

    test('an unknown key with a sign that keys never have is told so', async () => {
      const [letter, other] = ['ABCDE-FGHJK-LMNPQ-RSTUV-WXYZO', 'ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2'];
      for (const key of [letter, letter.toLowerCase().replaceAll('-', ' '), letter.replace('Z', '1')]) {
        const config = await suite.scene.program({ key });
        expect(await suite.scene.why(config)).toMatchObject({ reason: 'not_found', detail: 'key_signs' });
        expect(await textOf(config)).toBe(es.detail_key_signs);
        const away = { ...config, server: suite.scene.nowhere };
        expect(await suite.scene.why(away)).toMatchObject({ reason: 'not_found', detail: 'unreachable' });
      }
      for (const key of [other, letter.slice(1), `${letter}O`, letter.replace('F', '_')]) {
        const config = await suite.scene.program({ key });
        expect(await suite.scene.why(config), key).toMatchObject({ reason: 'not_found', detail: null });
      }
    });
  });
}
