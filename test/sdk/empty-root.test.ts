import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type LanguageName, SDK_LANGUAGES } from '../../contract/programs/sdk-languages.ts';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createSoftware } from '../factories.ts';
import { freePort } from '../postgres/free-port.ts';
import { unzip } from '../unzip.ts';
import { EmptyRoot } from './empty-root.ts';

/**
 * The developer kit needs no more than it says (CODE-06): downloaded from a server, it runs in an empty Debian to which only
 * the packages of one language were added. `root` and debootstrap are needed; the gate says where they are missing.
 */

const run = promisify(execFile);
const project = join(import.meta.dirname, '..', '..');

/** What Debian calls what LEEME.md says under 'Necesita'. No other SDK runs on Debian. */
const PACKAGES = {
  javascript: ['nodejs'],
  python: ['python3', 'python3-cryptography'],
  php: ['php-cli'],
  java: ['default-jdk-headless'],
  go: ['golang-go'],
  csharp: ['mono-mcs', 'mono-runtime', 'libmono-system-net-http4.0-cil', 'libmono-system-numerics4.0-cil'],
  c: ['gcc', 'libc6-dev'],
  cpp: ['g++'],
  delphi: ['fp-compiler', 'fp-units-rtl'],
} as const satisfies Partial<Record<LanguageName, readonly string[]>>;
const NAMES = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];

const isPossible = (await findToolchain('emptyRoot')) !== undefined;
const canBuildLibrary = (await findToolchain('c')) !== undefined;
const canBuildDlls = process.arch === 'x64' && (await findToolchain('mingw')) !== undefined;

describe.runIf(isPossible)('the developer kit in an empty Debian', { tags: ['CODE-06', NIGHT] }, () => {
  let t: TestApp;
  let url: string;
  let libraries: string;
  let empty: EmptyRoot;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    libraries = mkdtempSync(join(tmpdir(), 'lm-empty-root-libraries-'));
    for (const target of [
      ...(canBuildLibrary ? ['linux'] : []),
      ...(canBuildDlls ? ['win64', 'win32'] : []),
    ]) {
      await run('sh', [join(project, 'sdk', 'c', 'build.sh'), libraries, target]);
    }
    t = await createTestApp({ env: { PUBLIC_URL: url, SDK_LIBRARIES: libraries }, closeAfterTest: false });
    await t.app.listen({ host: '127.0.0.1', port });
    await run(process.execPath, [join(project, 'sdk', 'javascript', 'build.mjs')]);
    empty = await EmptyRoot.create();
  }, 600_000);
  afterAll(async () => {
    empty?.remove();
    await t?.close();
    rmSync(libraries, { recursive: true, force: true });
  });

  async function kitOf(language: LanguageName, suffix = '') {
    const software = await createSoftware(t, { name: `Kit ${language}${suffix}` });
    const { body: trial } = await t.call('POST', `/licenses/api/software/${software.id}/trial_license/`);
    const answer = await fetch(
      `${url}/licenses/api/software/${software.id}/developer_kit/?languages=${language}&license=${trial.id}`,
      { headers: { authorization: `Bearer ${t.token}` } },
    );
    expect(answer.status).toBe(200);
    return {
      trial,
      files: unzip(Buffer.from(await answer.arrayBuffer())),
      name: `${software.code}-programador`,
    };
  }

  for (const language of NAMES) {
    const isRunnable = canBuildLibrary || !('library' in SDK_LANGUAGES[language]);
    test.runIf(isRunnable)(
      `${language}: runs with ${PACKAGES[language].join(', ')} alone, and without network after its first start`,
      { timeout: 600_000 },
      async () => {
        const { trial, files, name } = await kitOf(language);
        const root = await empty.with(PACKAGES[language]);
        onTestFinished(() => root.remove());
        root.write('srv', files);
        const at = `/srv/${name}/${language}`;
        await root.run('sha256sum -c --quiet CHECKSUMS', { at });

        const { run: command } = SDK_LANGUAGES[language];
        const first = await root.run(command(trial.license_key), { at });
        expect(first.stdout).toMatch(/^Licencia válida\. Días restantes: (29|30)$/m);
        const { body } = await t.call('GET', `/licenses/api/licenses/${trial.id}/`);
        expect(body.current_installations).toBe(1);

        // It knows its key, and its seat: an empty system has no machine id of its own.
        const again = await root.run(command('').trim(), { at, network: false });
        expect(again.stdout).toMatch(/^Licencia válida\. Días restantes: (29|30)( \(sin conexión\))?$/m);
      },
    );
  }

  // Debian's wine runs programs of the width of its system alone, so each width has its own system.
  for (const [bits, architecture, compiler, library] of [
    [64, undefined, 'x86-64', 'license_manager.dll'],
    [32, 'i386', 'i686', 'license_manager32.dll'],
  ] as const) {
    const packages = [`gcc-mingw-w64-${compiler}-win32`, 'wine', `wine${bits}`];
    test.runIf(canBuildDlls)(
      `the DLL of ${bits} bits: a program in C runs with wine, and without network after its first start`,
      { timeout: 900_000 },
      async () => {
        const { trial, files, name } = await kitOf('c', ` ${bits}`);
        const system = architecture ? await EmptyRoot.create(architecture) : empty;
        if (architecture) onTestFinished(() => system.remove());
        const root = await system.with(packages);
        onTestFinished(() => root.remove());
        root.write('srv', files);
        const at = `/srv/${name}/c`;
        const start = async (key: string, network: boolean) => {
          // LEEME.md has the command for 64 bits.
          const command = SDK_LANGUAGES.c.or
            .run(key)
            .replace('&& ', '&& wine ')
            .replace('x86_64', compiler.replace('-', '_'))
            .replace('license_manager.dll', library);
          const env = { WINEDEBUG: '-all' };
          const { stdout } = await root.run(`${command}; wineserver -k`, { at, network, env });
          expect(stdout).toMatch(/^Licencia válida\. Días restantes: (29|30)\r?$/m);
        };
        await start(trial.license_key, true);
        const { body } = await t.call('GET', `/licenses/api/licenses/${trial.id}/`);
        expect(body.current_installations).toBe(1);
        await start('', false);
      },
    );
  }

  test('an empty Debian has none of the languages, and leaves nothing when it is removed', async () => {
    const copy = await empty.with([]);
    const found = await copy.run(
      'for name in node python3 php go javac mcs gcc g++ fpc; do command -v $name || true; done',
    );
    expect(found.stdout).toBe('');
    copy.remove();
    expect(existsSync(copy.folder)).toBe(false);
  });
});
