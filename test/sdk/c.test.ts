import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { License } from '../../contract/licenses/licenses.ts';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { setSettings } from '../portal.ts';
import { MESSAGES } from './message-rule.ts';

/** The shared library for C, C++, Delphi, Visual FoxPro and Visual Basic, built from the SDK for Go (PROG-07). */

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..', '..', 'sdk');
const source = join(sdk, 'c');
const read = (...path: string[]) => readFileSync(join(source, ...path), 'utf8');
const [c, pascal, windows] = [
  await findToolchain('c'),
  await findToolchain('pascal'),
  await findToolchain('windows'),
];

const KEY_PART = /(?<![\w-])[\w-]{43}(?![\w-])/g;
const GOOD = 'Licencia válida. Días restantes: sin límite\nCon el módulo de nómina.\n';

const ended = () => undefined;

/** The exported functions in a text, without their prefix. */
const namedIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].sort();

describe('the shared library', { tags: ['PROG-07'] }, () => {
  const functions = namedIn(read('main.go'), /^\/\/export lm_(\w+)$/gm);

  test('each function is in the header and exported as stdcall, and the Delphi units call no other function', () => {
    expect(functions).toHaveLength(16);
    expect(namedIn(read('license_manager.h'), /^\w.*\blm_(\w+)\(/gm)).toEqual(functions);
    expect(namedIn(read('stdcall_windows.c'), /\blms_(\w+)\(/g)).toEqual(functions);
    for (const file of ['cpp/license_manager.hpp', 'pascal/LicenseManager.pas']) {
      for (const name of namedIn(read(file), /\blm_(\w+)\b/g)) expect(functions, file).toContain(name);
    }
    for (const file of ['foxpro/license.prg', 'vb/LicenseManager.bas']) {
      const names = namedIn(read(file), /\blms_(\w+)\b/g);
      expect(names.length, file).toBeGreaterThan(8);
      for (const name of names) expect(functions, file).toContain(name);
    }
  });

  describe.runIf(c && process.platform === 'linux')('built with Go and gcc', { tags: [NIGHT] }, () => {
    let testApp: TestApp;
    let url: string;
    let folder: string;
    let software: { id: number; code: string };
    let keys: { kid: string; x: string; y: string }[];

    beforeAll(async () => {
      testApp = await createTestApp({ ownApp: true, closeAfterTest: false });
      url = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
      software = await createSoftware(testApp, { name: 'Caja C' });
      const { results } = (await testApp.call('GET', '/licenses/api/signing-keys/')).body;
      keys = ['current', 'next'].map((expected) => {
        const { kid, x, y } = results.find(({ state }: { state: string }) => state === expected).public_jwk;
        return { kid, x, y };
      });
      folder = mkdtempSync(join(tmpdir(), 'lm-sdk-c-'));
      cpSync(source, join(folder, 'c'), { recursive: true });
      cpSync(join(sdk, 'go'), join(folder, 'go'), { recursive: true });
      await build();
      await compile('gcc', 'cpp/driver.c', 'driver');
    }, 300_000);
    afterAll(async () => {
      await testApp.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    });

    const env = () => ({ ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off', no_proxy: '127.0.0.1' });
    const cwd = () => join(folder, 'c');
    const build = (target?: string) =>
      run('sh', ['build.sh', folder, ...(target ? [target] : [])], { cwd: cwd(), env: env() });
    const compile = (compiler: string, from: string, to: string, ...more: string[]) =>
      run(
        compiler,
        [
          '-Wall',
          '-Wextra',
          '-Werror',
          ...more,
          '-o',
          join(folder, to),
          from,
          `-I${folder}`,
          `-L${folder}`,
          '-llicense_manager',
          `-Wl,-rpath,${folder}`,
        ],
        { cwd: cwd() },
      );

    const newLicense = (values: object = {}): Promise<License> =>
      createLicense(testApp, {
        ...{ software: software.id, expiry_days: null, max_installations: 5, self_release: true },
        ...{ features: { modulo_nomina: true, usuarios: 25, lema: 'Más "caja"', apagado: false } },
        ...values,
      });
    let number = 0;
    const optionsOf = (changes: object = {}) => {
      number += 1;
      const path = join(folder, `options-${number}.json`);
      const store = join(folder, `tienda-${number}`, 'ñ.json');
      const all = { server: url, software: software.code, keys, store, machineId: 'caja-01', timeout: 20 };
      writeFileSync(path, JSON.stringify({ ...all, ...changes }));
      return path;
    };
    /** The output lines of the driver, one for each command. */
    const drive = async (options: string, ...commands: string[]) => {
      const { stdout } = await run(join(folder, 'driver'), [options, ...commands], { env: env() });
      return stdout.trimEnd().split('\n');
    };

    test('a check takes a seat, and its result is JSON with texts as fields', async () => {
      const { license_key: key, id, license_type } = await newLicense();
      const options = optionsOf();
      const [json, ...fields] = await drive(
        ...([options, `check ${key}`, 'get ok', 'get reason', 'get daysLeft', 'get type'] as const),
        ...[
          'get features.usuarios',
          'get features.lema',
          'get features.otro',
          'get nextCheck',
          'get message.es',
        ],
        ...['has modulo_nomina', 'has apagado', 'has otro', 'get machineId', 'get offline', 'version'],
      );
      expect(JSON.parse(json!)).toMatchObject({
        ...{ ok: true, reason: null, detail: null, offline: false, daysLeft: null, storeError: null },
        ...{ type: license_type, status: 'active', nextCheck: 3600, inGrace: false },
        features: { modulo_nomina: true, usuarios: 25, lema: 'Más "caja"', apagado: false },
        offlineUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
      const { version } = JSON.parse(readFileSync(join(sdk, '..', 'package.json'), 'utf8'));
      expect(fields).toEqual([
        ...['true', '', '', license_type, '25', 'Más "caja"', '', '3600', ''],
        ...['1', '0', '0', 'caja-01', 'false', version],
      ]);
      const machines = await testApp.call('GET', `/licenses/api/installations/?license=${id}`);
      expect(machines.body.results).toMatchObject([{ machine_id: 'caja-01' }]);
    });

    test('the library works without connection, reports why a check failed, and releases the seat', async () => {
      const { license_key: key } = await newLicense();
      const options = optionsOf();
      await drive(options, `check ${key}`);
      const cut = optionsOf({ ...JSON.parse(readFileSync(options, 'utf8')), server: 'http://127.0.0.1:1' });
      const [json, offline, detail] = await drive(cut, `check ${key}`, 'get offline', 'get detail');
      expect(JSON.parse(json!)).toMatchObject({ ok: true, offline: true, features: { usuarios: 25 } });
      expect([offline, detail]).toEqual(['true', 'unreachable']);
      expect(await drive(cut, `release ${key}`, 'get releaseReason', 'get releaseDetail')).toEqual([
        ...['0', 'no_connection', 'unreachable'],
      ]);
      expect(await drive(cut, `portal ${key}`, 'get portalReason', 'get portalDetail')).toEqual([
        ...['', 'no_connection', 'unreachable'],
      ]);
      expect(await drive(options, `portal ${key}`, 'get portalReason')).toEqual(['', 'not_found']);
      await setSettings(testApp, { portal_enabled: true });
      const [address, why] = await drive(options, `portal ${key}`, 'get portalReason', 'get machineId');
      expect([address, why]).toEqual([expect.stringMatching(/\/portal#k=[\w-]{43}$/), '']);
      expect(await drive(options, `release ${key}`, 'get releaseReason', 'has modulo_nomina')).toEqual([
        ...['1', '', '0'],
      ]);
      const [, text] = await drive(optionsOf(), 'check ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ', 'get message.es');
      expect(text).toBe('La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor.');
    });

    test('the library reports usage and returns what is left of a meter (SELL-03)', async () => {
      const meters = { documentos: { limit: 5, period: 'never', overage: 'refuse' } };
      const { license_key: key, id } = await newLicense({ meters });
      const options = optionsOf();
      const lines = await drive(
        ...([
          options,
          'get remaining.documentos',
          'use documentos',
          'use Mal escrito',
          `check ${key}`,
        ] as const),
        ...['use documentos', `check ${key}`, 'get remaining.otro', 'get remaining.documentos'],
      );
      expect(lines.map((line) => (line.startsWith('{') ? '{…}' : line))).toEqual([
        ...['', '1', '0', '{…}', '1', '{…}', '', '1'],
      ]);
      const used = async () =>
        (await testApp.call('GET', `/licenses/api/licenses/${id}/usage/`)).body.results[0].used;
      expect(await used()).toBe(4);
      // What is left is known from the first line on, and nothing is kept beyond it (CODE-01).
      const refused = await drive(
        options,
        'get remaining.documentos',
        'use documentos',
        'consume documentos',
      );
      expect(refused).toEqual(['1', '0', '0']);
      const consumed = await drive(
        ...([options, `check ${key}`, 'consume documentos', 'get remaining.documentos'] as const),
        ...['consume documentos', `check ${key}`, 'get refusedUses', `check ${key}`, 'get refusedUses'],
      );
      expect(consumed.map((line) => (line.startsWith('{') ? '{…}' : line))).toEqual([
        ...['{…}', '1', '0', '0', '{…}'],
        ...['[{"amount":1,"code":"documentos","reason":"limit_reached"}]', '{…}', '[]'],
      ]);
      expect(await used()).toBe(5);
    });

    test('a start says what is kept at once although the server hangs, and pending until it has answered', {
      tags: ['CODE-04'],
    }, async () => {
      const { license_key: key } = await newLicense();
      const options = optionsOf();
      await drive(options, `check ${key}`);
      const silent = createServer(() => {});
      onTestFinished(() => void silent.close().closeAllConnections());
      await new Promise<void>((done) => void silent.listen(0, '127.0.0.1', done));
      const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const hanging = { ...JSON.parse(readFileSync(options, 'utf8')), server, timeout: 2 };
      const commands = ['get ok', 'get pending', 'get message.es', 'has modulo_nomina'];
      const all = [`start ${key}`, ...commands, 'settle', ...commands];
      expect(await drive(optionsOf(hanging), ...all)).toEqual([
        ...['1', 'true', 'true', '', '1', 'true', 'false', '', '1'],
      ]);
      const store = join(folder, 'nueva.json');
      const otherKey = 'start ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ';
      const another = await drive(options, `start ${key}`, 'get ok', otherKey, 'get ok');
      expect(another).toEqual(['1', 'true', '1', 'false']);
      expect(await drive(optionsOf({ ...hanging, store }), ...all)).toEqual([
        ...['1', 'false', 'true', '', '0', 'false', 'false', MESSAGES.es.detail_timeout, '0'],
      ]);
    });

    test('a store that cannot be used is a result', { tags: ['CODE-04'] }, async () => {
      const { license_key: key } = await newLicense();
      const store = join(optionsOf(), 'below', 'store.json');
      expect(await drive(optionsOf({ store }), `check ${key}`, 'get ok', 'get storeError')).toEqual([
        ...[expect.stringContaining('"storeError":"failed"'), 'true', 'failed'],
      ]);
    });

    test('the library starts a trial for this machine, or returns why it cannot (SELL-04)', async () => {
      expect(await drive(optionsOf(), 'trial', 'get trialReason')).toEqual(['', 'not_allowed']);
      const type = await createLicenseType(testApp, { validity_days: 15, base_price: 1 });
      await testApp.call('PATCH', `/licenses/api/software/${software.id}/`, {
        body: { trial_type: type.id },
      });
      const options = optionsOf({ machineId: 'prueba-01' });
      const [reason, key] = await drive(options, 'get trialReason', 'trial ana@example.com');
      expect([reason, key]).toEqual(['', expect.stringMatching(/^(\w{5}-){4}\w{5}$/)]);
      expect(await drive(options, 'trial', `check ${key}`, 'get ok')).toEqual([
        ...[key, expect.stringContaining('"ok":true'), 'true'],
      ]);
    });

    test('the library checks in the background and shares the last result', async () => {
      const { license_key: key } = await newLicense();
      const found = await drive(
        ...([optionsOf(), 'get ok', `start ${key}`, 'settle', 'get ok', 'has modulo_nomina'] as const),
        ...[`cached ${key}`, 'stop', 'close', `check ${key}`, 'get ok', `start ${key}`],
      );
      const [before, started, ok, has, cached, closed, ...after] = found;
      expect([before, started, ok, has]).toEqual(['false', '1', 'true', '1']);
      expect(JSON.parse(cached!)).toMatchObject({ ok: true });
      expect(JSON.parse(closed!)).toEqual({ ok: false, reason: 'closed' });
      expect(after).toEqual(['', '0']);
    });

    test('an invalid option opens nothing, and the error contains its name', async () => {
      const problem = (changes: object) =>
        drive(optionsOf(changes)).then(
          () => '',
          ({ code, stdout }) => `${code} ${stdout}`,
        );
      expect(await problem({ software: ' ' })).toMatch(/^1 software: /);
      expect(await problem({ keys: [] })).toMatch(/^1 keys: /);
      expect(await problem({ timeout: -1 })).toMatch(/^1 timeout: /);
      expect(await problem({ sofware: 'caja' })).toMatch(/^1 options: .*sofware/);
      expect(await problem({ store: 7 })).toMatch(/^1 options: /);
      expect(await problem({})).toBe('');
    });

    /** Runs a sample with the data of this server, first with the licence key, then with the stored one. */
    const runSample = async (file: string, compileSample: () => Promise<unknown>, program: string) => {
      const path = join(folder, 'c', file);
      const parts = keys.flatMap(({ kid, x, y }) => [kid, x, y]);
      const text = readFileSync(path, 'utf8')
        .replace(KEY_PART, (sample) => parts.shift() ?? sample)
        .replaceAll('https://licencias.example.com', url)
        .replaceAll('punto-de-venta', software.code);
      writeFileSync(path, text);
      await compileSample();
      const home = join(folder, `home-${program}`);
      mkdirSync(home);
      const { license_key } = await newLicense();
      const start = (...args: string[]) =>
        run(join(folder, program), args, { env: { ...env(), HOME: home, LC_ALL: 'C.UTF-8' } });
      expect((await start(license_key)).stdout).toBe(GOOD);
      expect((await start()).stdout).toBe(GOOD);
      // The key as an editor of texts writes it, then a folder in which nothing can be saved (CODE-04).
      const stored = join(home, '.punto-de-venta'.replace('punto-de-venta', software.code), 'clave.txt');
      writeFileSync(stored, `\ufeff\r\n ${license_key} \r\n\r\n`);
      expect((await start()).stdout).toBe(GOOD);
      const other = join(folder, `home-${program}-full`);
      writeFileSync(other, '');
      const { stdout, stderr } = await run(join(folder, program), [license_key], {
        env: { ...env(), HOME: other, LC_ALL: 'C.UTF-8' },
      });
      expect(stdout).toBe(GOOD);
      expect(stderr).toContain('No se pudo guardar la clave');
      await expect(start('ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ')).rejects.toMatchObject({
        ...{ code: 1, stdout: '', stderr: expect.stringContaining('La licencia no existe.') },
      });
    };

    test('the sample for C runs', () =>
      runSample('cpp/example.c', () => compile('gcc', 'cpp/example.c', 'sample-c'), 'sample-c'));

    test('the sample for C++ runs', () =>
      runSample(
        'cpp/example.cpp',
        () => compile('g++', 'cpp/example.cpp', 'sample-cpp', '-std=c++11'),
        'sample-cpp',
      ));

    test.runIf(pascal)('the sample for Delphi runs, built with Free Pascal', () => {
      const flags = [
        '-vw',
        `-Fl${folder}`,
        `-FU${folder}`,
        `-o${join(folder, 'sample-pascal')}`,
        `-k-rpath=${folder}`,
      ];
      const compilePascal = () => run('fpc', [...flags, 'Example.dpr'], { cwd: join(folder, 'c', 'pascal') });
      return runSample('pascal/Example.dpr', compilePascal, 'sample-pascal');
    });

    // Long, because the build for Windows takes half a minute of processor time, and wine first creates its folder.
    test.runIf(windows)(
      'the 64-bit DLL works under wine, with both names of its functions',
      { timeout: 400_000 },
      async () => {
        const wine = { ...env(), WINEPREFIX: join(folder, 'wine'), WINEDEBUG: '-all' };
        onTestFinished(() => run('wineserver', ['-k'], { env: wine }).then(ended, ended));
        await build('win64');
        const { license_key: key } = await newLicense({ max_installations: 2 });
        for (const define of [[], ['-DSTDCALL']]) {
          const program = join(folder, `driver${define.length}.exe`);
          await run(
            'x86_64-w64-mingw32-gcc',
            [...define, `-I${folder}`, '-o', program, 'cpp/driver.c', join(folder, 'license_manager.dll')],
            { cwd: cwd() },
          );
          const options = optionsOf({
            store: `z:${join(folder, `windows${define.length}.json`)}`,
            machineId: '',
          });
          const { stdout } = await run(
            'wine',
            [
              program,
              options,
              `check ${key}`,
              'get ok',
              'get features.lema',
              'get machineId',
              `release ${key}`,
            ],
            { env: wine },
          );
          const [json, ok, text, machine, released] = stdout.trimEnd().split(/\r?\n/);
          expect(JSON.parse(json!)).toMatchObject({ ok: true, offline: false, storeError: null });
          expect([ok, text, released]).toEqual(['true', 'Más "caja"', '1']);
          expect(machine).toMatch(/^[0-9a-f]{64}$/);
        }
      },
    );
  });

  test('no built file remains after the tests', () => {
    expect(
      readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(so|dll|o|exe|ppu)$/.test(name),
      ),
    ).toEqual([]);
  });
});
