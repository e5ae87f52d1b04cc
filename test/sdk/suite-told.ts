import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { REFUSALS } from '../../contract/licenses/license-state.ts';
import { type Chain, chainOf, endedCertificate } from './certificate.ts';
import { fileOf, fileProgram, lateProgram } from './clock-attacks.ts';
import { newPair, signedBy, unsigned, wishedClaims } from './forge.ts';
import { answer } from './gateway.ts';
import { MESSAGES, messageOf, type Outcome } from './message-rule.ts';
import { type Config, DAY, nowInSeconds, proxyOf, readStore } from './scene.ts';
import { good, type Suite } from './suite-base.ts';

/**
 * A server with this certificate, until the end of the test.
 * @returns its URL
 */
async function secureServer(certificate: { cert: string; key: string }): Promise<string> {
  const server = createServer(certificate, (_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server with an expired certificate. */
export const endedServer = () => secureServer(endedCertificate());

/** A server whose certificate leads to an authority that nobody knows. */
export const chainServer = (chain: Chain) => secureServer(chainOf(chain));

/** A path at which nobody may write. Root may write everywhere except in special file systems of Linux. */
export function forbiddenPath(suite: Suite): string {
  if (process.getuid?.() === 0) return '/sys/license-manager/store';
  const folder = suite.scene.newPath();
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  return join(folder, 'store');
}

const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
const codesOf = (path: string) => linesOf(path).map((line) => line.split(' ')[0]);

/**
 * Tests of further information for the program: the detail of a result, its text, the log, and the result of a
 * release.
 */
export function toldTests(suite: Suite): void {
  const { copyOf } = suite;
  describe('the detail of a result', () => {
    const none = { detail: null, storeError: null };

    test('a fresh answer has no detail, whether it accepts or refuses', async () => {
      expect(await suite.scene.why((await suite.newProgram()).config)).toMatchObject({ ok: true, ...none });
      expect(await suite.scene.why(copyOf(suite.suspended))).toMatchObject({ reason: 'suspended', ...none });
    });

    test('an unknown host, a refused connection and an expired certificate have different details', async () => {
      const cases = [
        ['dns', 'http://licencias.invalid'],
        ['unreachable', suite.scene.nowhere],
        ['tls', await endedServer()],
      ];
      for (const [detail, server] of cases) {
        expect(await suite.scene.why(await suite.scene.program({ server }))).toEqual({
          ...{ ok: false, reason: 'no_connection', offline: false, detail, storeError: null },
        });
        expect(await suite.scene.why(copyOf(suite.activated, { server }))).toEqual({
          ...{ ok: true, reason: null, offline: true, detail, storeError: null },
        });
      }
    });

    test('an unreachable proxy has the detail proxy', async () => {
      const [, port = ''] = /:(\d+)$/.exec(suite.scene.nowhere)!;
      const proxy = { http_proxy: suite.scene.nowhere, HTTP_PROXY: suite.scene.nowhere };
      const other = suite.scene.another({
        ...{ ...proxy, NODE_USE_ENV_PROXY: '1' },
        JAVA_TOOL_OPTIONS: `-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=${port}`,
      });
      const server = 'http://licencias.example.com';
      const result = await other.ask({ do: 'check', ...(await suite.scene.program({ server })) });
      expect(result).toMatchObject({ reason: 'no_connection', detail: 'proxy' });
    });

    test('a token signed with another key and an answer that is no token have different details', async () => {
      const pair = newPair();
      const [known] = await suite.scene.keys();
      const cases: [string, (claims: object) => string][] = [
        ['wrong_key', (claims) => signedBy(pair, claims)],
        ['wrong_key', (claims) => signedBy(pair, claims, known!.kid)],
        ['not_the_server', (claims) => unsigned(claims, known!.kid)],
        ['not_the_server', () => 'a.b.c'],
      ];
      for (const [detail, sign] of cases) {
        const server = suite.scene.gateway.through(({ body }, response) =>
          answer(response, 200, { token: sign(wishedClaims(body, 'validate')) }),
        );
        const config = await suite.scene.program({ server });
        expect(await suite.scene.why(config)).toMatchObject({ reason: 'unverified', detail });
      }
      const server = suite.scene.gateway.through(
        proxyOf(suite.scene.url, { question: (body) => ({ ...body, nonce: 'A'.repeat(22) }) }),
      );
      expect(await suite.scene.why(await suite.scene.program({ server }))).toMatchObject({
        ...{ reason: 'unverified', detail: 'not_the_server' },
      });
    });

    test('an unusable licence file is the detail without a key, with a key the network is, and the log has the file', async () => {
      const pair = newPair();
      const keys = [pair.jwk];
      const file = fileOf(suite.scene, pair, 0, 30);
      const folder = suite.scene.newPath();
      mkdirSync(folder);
      const text = readFileSync(file, 'utf8');
      const cases: [string, Partial<Config>][] = [
        ['file_missing', { file: suite.scene.newPath() }],
        ['file_unreadable', { file: folder }],
        ['file_damaged', { file: suite.scene.write('') }],
        ['file_damaged', { file: suite.scene.write(text.slice(0, 200)) }],
        ['file_damaged', { file: suite.scene.write(text.replace(/\n([\w-]{9})/, '\nAAAA$1')) }],
        ['file_damaged', { file, keys: [{ ...newPair().jwk, kid: pair.jwk.kid }] }],
        ['wrong_key', { file, keys: [newPair().jwk] }],
        ['file_other_machine', { file, machine_id: 'caja-09' }],
        ['file_other_software', { file, software: 'otro' }],
      ];
      for (const [detail, changes] of cases) {
        const log = suite.scene.newPath();
        const config = await suite.scene.program({ server: suite.scene.nowhere, keys, log, ...changes });
        expect(await suite.scene.why({ ...config, key: '' }), detail).toEqual({
          ...{ ok: false, reason: 'not_found', offline: false, detail, storeError: null },
        });
        expect(codesOf(log)).toEqual([detail]);
        expect(await suite.scene.why(config)).toMatchObject({
          ...{ reason: 'no_connection', detail: 'unreachable' },
        });
        expect(codesOf(log)).toEqual([detail, 'unreachable', detail]);
      }
      const log = suite.scene.newPath();
      const key = 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ';
      await suite.scene.why(await suite.scene.program({ server: suite.scene.nowhere, keys, file, key, log }));
      expect(codesOf(log)).toEqual(['unreachable', 'file_other_key']);
      const config = await suite.scene.program({ keys, file, key: '' });
      expect(await suite.scene.why(config)).toMatchObject({ ok: true, ...none });
      expect(await suite.scene.why({ ...config, clock: nowInSeconds() + 31 * DAY })).toMatchObject({
        ...{ reason: 'offline_expired', ...none },
      });
    });

    test('a store that cannot be written is reported, and a missing folder is created', async () => {
      const log = suite.scene.newPath();
      const { config } = await suite.newProgram();
      const fine = join(suite.scene.newPath(), 'a', 'b', 'store');
      expect(await suite.scene.why({ ...config, store: fine })).toMatchObject({ ok: true, ...none });
      expect(readStore(fine).token).toMatch(/^eyJ/);
      const folder = suite.scene.newPath();
      mkdirSync(folder);
      const below = join(suite.scene.write('x'), 'store');
      // Skipped on Windows: a test cannot create a folder without permission there, and a file in the way is also
      // 'denied'.
      const onUnix =
        process.platform === 'win32'
          ? []
          : [
              ['denied', forbiddenPath(suite)],
              ['failed', folder],
            ];
      for (const [storeError, store] of [...onUnix, ['failed', below]] as ['denied' | 'failed', string][]) {
        expect(await suite.scene.why({ ...config, store, log }), store).toMatchObject({
          ...{ ok: true, offline: false, detail: null, storeError },
        });
        expect(new Set(codesOf(log).slice(-1))).toEqual(new Set([`store_${storeError}`]));
      }
    });
  });

  describe('the log', () => {
    test('has a line for each failed call, without key and token', async () => {
      const log = suite.scene.newPath();
      const config = copyOf(suite.activated, { log });
      const servers = Object.entries({
        unreachable: suite.scene.nowhere,
        server_error: suite.scene.gateway.through((_question, response) => answer(response, 503, {})),
        not_the_server: suite.scene.gateway.through(({ body }, response) => answer(response, 200, body)),
      });
      for (const [code, server] of servers) {
        await suite.scene.check({ ...config, server });
        expect(codesOf(log).at(-1)).toBe(code);
      }
      expect(linesOf(log)).toHaveLength(servers.length);
      for (const line of linesOf(log)) expect(line).toMatch(/^[a-z_]+ [ -~]{10,300}$/);
      const text = readFileSync(log, 'utf8');
      for (const secret of [config.key, config.key.replaceAll('-', ''), readStore(config.store).token]) {
        expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    });

    test('has the clock rules that were applied', async () => {
      const log = suite.scene.newPath();
      const { at } = lateProgram(suite.scene, copyOf(suite.activated));
      const codes = async (hours: number, uptime: number) => {
        const before = linesOf(log).length;
        await suite.scene.check({ ...at(hours, uptime), log });
        return codesOf(log)
          .slice(before)
          .filter((code) => code !== 'unreachable');
      };
      expect(await codes(1, 1000)).toEqual([]);
      expect(await codes(1, 1001)).toEqual([]);
      expect(await codes(0.5, 1002)).toEqual(['clock_back']);
      expect(await codes(1, 9000)).toEqual(['clock_still']);
      expect(await codes(1, 500)).toEqual(['clock_still']);
      expect(await codes(4, 501)).toEqual([]);
    });

    test('has the licence file that reset the stored time', async () => {
      const log = suite.scene.newPath();
      const { at, check, file } = await fileProgram(suite.scene);
      expect(await check(1)).toMatchObject({ ok: true });
      expect(await check(400)).toMatchObject({ reason: 'offline_expired' });
      expect(await suite.scene.check({ ...at(2, file(2, 32)), log })).toMatchObject({ ok: true });
      expect(codesOf(log)).toContain('clock_file');
    });

    test('a log function that throws does not change the result', async () => {
      const log = suite.scene.newPath();
      mkdirSync(log);
      const config = copyOf(suite.activated, { log, server: suite.scene.nowhere });
      expect(await suite.scene.check(config)).toEqual({ ...good, offline: true });
    });
  });

  describe('texts for the user', () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000 - 60_000).toISOString();
    const fine: Outcome = {
      ...{ ok: true, reason: null, detail: null, offline: false, storeError: null },
      ...{ inGrace: false, graceUntil: null, offlineUntil: inHours(100) },
    };
    const details = [...Object.keys(MESSAGES.es), 'detail_other']
      .filter((name) => name.startsWith('detail_'))
      .map((name) => name.slice('detail_'.length));
    const reasons = [
      ...REFUSALS,
      ...['no_connection', 'unverified', 'offline_expired', 'clock_back', 'future', 'otra_razon'],
    ];
    const refused: Outcome[] = reasons.flatMap((reason) =>
      [null, ...details].flatMap((detail) =>
        [null, 'full'].map((storeError) => ({
          ...{ ...fine, ok: false, offlineUntil: null, reason, detail, storeError },
        })),
      ),
    );
    const away = { ...fine, ok: false, offlineUntil: null, offline: true };
    refused.push(...[...REFUSALS, 'clock_back'].map((reason) => ({ ...away, reason })), {
      ...away,
      reason: 'expired',
      detail: 'tls',
      storeError: 'full',
    });
    const pending: Outcome[] = [
      { ...fine, offline: true, pending: true, offlineUntil: inHours(3) },
      { ...fine, offline: true, pending: true, offlineUntil: inHours(3), storeError: 'denied' },
      { ...fine, offline: true, pending: true, inGrace: true, graceUntil: inHours(80) },
    ];
    const working: Outcome[] = [
      ...(suite.language !== 'php' ? pending : []),
      fine,
      { ...fine, offline: true },
      { ...fine, offline: true, detail: 'dns' },
      { ...fine, offlineUntil: inHours(3) },
      ...[0.5, 1.5, 47].map((hours) => ({ ...fine, offline: true, offlineUntil: inHours(hours) })),
      { ...fine, offline: true, offlineUntil: inHours(20), detail: 'tls' },
      ...['denied', 'full', 'failed'].map((storeError) => ({ ...fine, storeError })),
      { ...fine, inGrace: true },
      ...[1, 47, 50, 24 * 9].map((hours) => ({ ...fine, inGrace: true, graceUntil: inHours(hours) })),
      { ...fine, inGrace: true, offline: true, offlineUntil: inHours(2), graceUntil: inHours(80) },
    ];

    test.each(['es', 'en', 'fr'])('say what happened and what to do (%s)', async (lang) => {
      for (const result of [...refused, ...working]) {
        const text = await suite.scene.ask({ do: 'message', result, lang });
        expect(text, JSON.stringify(result)).toBe(messageOf(result, lang));
      }
    });
  });

  describe('the option instance', () => {
    test('gives each copy of the program on one computer a separate seat', async () => {
      const license = await suite.scene.newLicense({ max_installations: 2 });
      const config = await suite.scene.program({ key: license.license_key });
      delete config.machine_id;
      const { software } = config;
      const idOf = (instance?: string) =>
        suite.scene.ask({ do: 'machine-id', software, store: config.store, instance });
      const own = await idOf();
      const ids = [await idOf('caja-1'), await idOf(' caja-2 ')];
      expect(await idOf(' ')).toBe(own);
      expect(new Set([own, ...ids]).size).toBe(3);
      if (existsSync('/etc/machine-id') && own.length === 64) {
        const system = readFileSync('/etc/machine-id', 'utf8').trim();
        const hash = createHash('sha256').update(`${system}\n${software}\ncaja-2`).digest('hex');
        expect(ids[1]).toBe(hash);
      }
      for (const instance of ['caja-1', 'caja-2']) {
        const copy = { ...config, store: suite.scene.newPath(), instance };
        expect(await suite.scene.check(copy)).toEqual(good);
      }
      const machines = (await suite.machinesOf(license.id)) as { machine_id: string }[];
      expect(machines.map(({ machine_id }) => machine_id).sort()).toEqual(ids.sort());
    });

    test('is invalid together with a machine id', async () => {
      const config = await suite.scene.program({ instance: 'caja-1' });
      expect(await suite.scene.ask({ do: 'open', ...config })).toMatch(/^instance: /i);
      const { machine_id: _, ...own } = config;
      expect(await suite.scene.ask({ do: 'open', ...own })).toBeNull();
    });
  });
}
