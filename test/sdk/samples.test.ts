import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPILED, findToolchain, LANGUAGES, type Language } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createLicense, createSoftware } from '../factories.ts';

/**
 * The sample program of each SDK runs with the command in its README, from a copy of the SDK's folder (PROG-07). The
 * gate reports languages whose toolchain is missing.
 */

const sdk = join(import.meta.dirname, '..', '..', 'sdk');

/** A kid, x or y in base64url. Every example contains two keys, each as kid, x and y in this order. */
const KEY_PART = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** The constant with which a sample states whether licences are floating. Samples with it also store the typed key. */
const FLOATING = /(\bfloating\b[^=\n]*= *)(false)\b/i;

const run = promisify(execFile);

/** The command under 'The sample program' in a README. */
function commandOf(language: Language): string {
  const readme = readFileSync(join(sdk, language, 'README.md'), 'utf8');
  const command = /## The sample program[^#]*?```sh\n(.+)\n```/.exec(readme)?.[1];
  if (command === undefined)
    throw new Error(`sdk/${language}/README.md has no command for its sample program`);
  return command;
}

/** All files in a folder and its subfolders. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

const found: { language: Language; tool: string }[] = [];
for (const language of LANGUAGES) {
  const tool = await findToolchain(language);
  if (tool !== undefined) found.push({ language, tool });
}

describe('the sample programs of the SDKs', { tags: ['PROG-07'] }, () => {
  let testApp: TestApp;
  let url: string;
  let folder: string;

  test.each(LANGUAGES)('the README for %s contains one command', (language) => {
    expect(commandOf(language)).toContain('XXXXX-XXXXX-XXXXX-XXXXX-XXXXX');
  });

  beforeAll(async () => {
    testApp = await createTestApp({ ownApp: true, closeAfterTest: false });
    url = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
    folder = mkdtempSync(join(tmpdir(), 'lm-sdk-samples-'));
  });
  afterAll(async () => {
    await testApp.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  /** Copies an SDK, and puts this server's data into its example, as its README describes. */
  async function copySdk(language: Language, code: string): Promise<void> {
    const copy = join(folder, 'clone', 'sdk', language);
    cpSync(join(sdk, language), copy, { recursive: true });
    const { results } = (await testApp.call('GET', '/licenses/api/signing-keys/')).body;
    const keys = ['current', 'next'].flatMap((expected) => {
      const { kid, x, y } = results.find(({ state }: { state: string }) => state === expected).public_jwk;
      return [kid, x, y];
    });
    for (const path of examplesOf(language)) {
      const text = readFileSync(path, 'utf8')
        .replace(KEY_PART, (sample) => keys.shift() ?? sample)
        .replaceAll('https://licencias.example.com', url)
        .replaceAll('punto-de-venta', code);
      writeFileSync(path, text);
    }
    expect(keys).toEqual([]);
  }

  const examplesOf = (language: Language) =>
    filesIn(join(folder, 'clone', 'sdk', language)).filter((name) => /example/i.test(name));

  function makeFloating(path: string): void {
    const text = readFileSync(path, 'utf8').replace(FLOATING, (_, before: string, no: string) => {
      return before + (no === 'False' ? 'True' : 'true');
    });
    writeFileSync(path, text);
  }

  for (const { language, tool } of found) {
    const tags = COMPILED.has(language) ? [NIGHT] : [];
    test(`${language}: the sample prints that the licence is valid and has the feature`, {
      tags,
      // It starts the program seven times, and some languages build it each time.
      timeout: 240_000,
    }, async () => {
      const software = await createSoftware(testApp, { name: `Muestra ${language}` });
      const license = await createLicense(testApp, {
        software: software.id,
        expiry_days: null,
        features: { modulo_nomina: true },
      });
      await copySdk(language, software.code);
      // Replaced, because the first python3 may have no packages.
      const command = commandOf(language)
        .replace(/^python3/, tool)
        .replaceAll('/tmp/license-example', join(folder, `built-${language}`))
        .replace('XXXXX-XXXXX-XXXXX-XXXXX-XXXXX', license.license_key);
      const home = join(folder, `home-${language}`);
      mkdirSync(home);
      const env = {
        ...process.env,
        HOME: home,
        JAVA_TOOL_OPTIONS: `-Duser.home=${home}`,
        GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache', 'go-build'),
        LC_ALL: 'C.UTF-8',
        no_proxy: '127.0.0.1',
      };
      const start = async (text: string) =>
        (await run('sh', ['-c', text], { cwd: join(folder, 'clone'), env })).stdout.replaceAll('\r\n', '\n');
      const good = 'Licencia válida. Días restantes: sin límite\nCon el módulo de nómina.\n';
      expect(await start(command)).toBe(good);
      const sample = examplesOf(language).find((path) => FLOATING.test(readFileSync(path, 'utf8')));
      if (sample === undefined) return;
      // CODE-04: nothing can be saved where a file stands in the folder's place, and the sample says so and goes on.
      const lost = join(folder, `lost-${language}`);
      writeFileSync(lost, '');
      const said = await run('sh', ['-c', `${command} 2>&1`], {
        cwd: join(folder, 'clone'),
        env: { ...env, HOME: lost, XDG_CONFIG_HOME: '', JAVA_TOOL_OPTIONS: `-Duser.home=${lost}` },
      });
      for (const line of [...good.trim().split('\n'), 'No se pudo guardar la clave']) {
        expect(said.stdout).toContain(line);
      }
      // An editor of Windows leaves a mark and its own line end in the file of the key.
      const [keyFile] = filesIn(home).filter((path) => /clave[^/]*$/.test(path));
      if (keyFile === undefined) throw new Error(`The sample for ${language} keeps no file with the key.`);
      writeFileSync(keyFile, `\ufeff  ${readFileSync(keyFile, 'utf8')} \r\n\r\n`);
      expect(await start(command.replace(license.license_key, ''))).toBe(good);
      const machines = () =>
        testApp
          .call('GET', `/licenses/api/installations/?license=${license.id}`)
          .then(({ body }) => body.count);
      expect(await machines()).toBe(1);
      // The key is stored in the system's place for settings, and the seat of a floating licence is released.
      await testApp.call('PUT', `/licenses/api/licenses/${license.id}/`, {
        body: { ...license, seat_mode: 'floating', lease_minutes: 30 },
      });
      makeFloating(sample);
      expect(await start(command.replace(license.license_key, ''))).toBe(good);
      expect(await machines()).toBe(0);
    });
  }
});
