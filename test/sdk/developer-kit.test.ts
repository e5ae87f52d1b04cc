import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LanguageName, SDK_LANGUAGES } from '../../contract/programs/sdk-languages.ts';
import { npmEnvironment, npmProgram } from '../../tools/npm.mjs';
import { COMPILED, findToolchain, LANGUAGES, type Language } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createSoftware } from '../factories.ts';
import { freePort } from '../postgres/free-port.ts';
import { unzip } from '../unzip.ts';

/**
 * The developer kit ('Para tu programador') works as downloaded: the command on its page runs its example with its
 * trial key against the server named in it. The gate reports languages whose toolchain is missing.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const found: { language: Language; tool: string }[] = [];
for (const language of LANGUAGES) {
  const tool = await findToolchain(language);
  if (tool !== undefined) found.push({ language, tool });
}

const tools = { c: await findToolchain('c'), delphi: await findToolchain('pascal') };

describe('the developer kit', { tags: ['PROG-08'] }, () => {
  let t: TestApp;
  let folder: string;
  beforeAll(async () => {
    const port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'lm-kit-'));
    const libraries = join(folder, 'libraries');
    mkdirSync(libraries);
    t = await createTestApp({
      env: { PUBLIC_URL: `http://127.0.0.1:${port}`, SDK_LIBRARIES: libraries },
      closeAfterTest: false,
    });
    await t.app.listen({ host: '127.0.0.1', port });
    // As `npm start` and `npm run build` do: the kit has what the SDK for JavaScript is built into (CODE-06).
    await run(process.execPath, [join(root, 'sdk', 'javascript', 'build.mjs')]);
  });
  afterAll(async () => {
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function kitOf(language: LanguageName, name: string) {
    const software = await createSoftware(t, { name });
    const { body: trial } = await t.call('POST', `/licenses/api/software/${software.id}/trial_license/`);
    const url = `/licenses/api/software/${software.id}/developer_kit/?languages=${language}&license=${trial.id}`;
    const answer = await t.app.inject({ url, headers: { authorization: `Bearer ${t.token}` } });
    return { trial, zip: answer.rawPayload, root: join(folder, `${software.code}-programador`) };
  }

  for (const { language, tool } of found) {
    const tags = COMPILED.has(language) ? [NIGHT] : [];
    test(`${language}: the command in its README runs the example with the trial key`, { tags }, async () => {
      const { trial, zip, root: kit } = await kitOf(language, `Kit ${language}`);
      for (const { path, text } of unzip(zip)) {
        mkdirSync(join(folder, path, '..'), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const command = SDK_LANGUAGES[language].run(trial.license_key);
      expect(unzip(zip).find(({ path }) => path.endsWith('LEEME.md'))?.text).toContain(command);
      const home = join(folder, `home-${language}`);
      mkdirSync(home);
      const { stdout } = await run('sh', ['-c', command.replace(/^python3/, tool)], {
        cwd: join(kit, language),
        env: {
          ...process.env,
          HOME: home,
          JAVA_TOOL_OPTIONS: `-Duser.home=${home}`,
          GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache', 'go-build'),
          LC_ALL: 'C.UTF-8',
          no_proxy: '127.0.0.1',
        },
      });
      expect(stdout).toMatch(/^Licencia válida\. Días restantes: (29|30)\n/);
      const { body } = await t.call('GET', `/licenses/api/licenses/${trial.id}/`);
      expect(body.current_installations).toBe(1);
    });
  }

  for (const name of ['c', 'cpp', 'delphi'] as const) {
    const tool = name === 'cpp' ? tools.c : tools[name];
    // The library is built for Linux alone: c.test.ts builds and runs that for Windows.
    test.runIf(tool && process.platform === 'linux')(
      `${name}: the command in its README runs the example with the library of SDK_LIBRARIES (CODE-06)`,
      { tags: [NIGHT], timeout: 300_000 },
      async () => {
        await run('sh', [join(root, 'sdk', 'c', 'build.sh'), join(folder, 'libraries'), 'linux']);
        const { trial, zip, root: kit } = await kitOf(name, `Kit ${name}`);
        for (const { path, bytes } of unzip(zip)) {
          mkdirSync(join(folder, path, '..'), { recursive: true });
          writeFileSync(join(folder, path), bytes);
        }
        const sums = 'sha256sum -c --quiet CHECKSUMS';
        for (const inKit of ['bibliotecas', name]) await run('sh', ['-c', sums], { cwd: join(kit, inKit) });
        const command = SDK_LANGUAGES[name].run(trial.license_key);
        expect(unzip(zip).find(({ path }) => path.endsWith('LEEME.md'))?.text).toContain(command);
        const home = join(folder, `home-${name}`);
        mkdirSync(home);
        const env = { ...process.env, HOME: home, LC_ALL: 'C.UTF-8', no_proxy: '127.0.0.1' };
        const { stdout } = await run('sh', ['-c', command], { cwd: join(kit, name), env });
        expect(stdout).toMatch(/Licencia válida\. Días restantes: (29|30)\n/);
      },
    );
  }

  test('the folder for JavaScript is a package: `npm i ./javascript`, then require, import and ./browser (CODE-06)', {
    timeout: 120_000,
  }, async () => {
    const { zip, root: kit } = await kitOf('javascript', 'Kit npm');
    for (const { path, bytes } of unzip(zip)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    const [node, npm] = npmProgram(root) ?? expect.unreachable('npm is missing');
    writeFileSync(join(kit, 'package.json'), '{"name": "programa", "private": true}');
    const offline = ['--offline', '--no-audit', '--no-fund'];
    await run(node, [npm, 'install', ...offline, './javascript'], { cwd: kit, env: npmEnvironment() });
    const printed = async (name: string, text: string) => {
      writeFileSync(join(kit, name), text);
      return (await run(process.execPath, [name], { cwd: kit })).stdout.trim();
    };
    const { version } = JSON.parse(readFileSync(join(kit, 'javascript', 'package.json'), 'utf8'));
    expect(await printed('a.cjs', `console.log(require('license-manager-sdk').VERSION)`)).toBe(version);
    const imported = `import { VERSION } from 'license-manager-sdk'; console.log(VERSION)`;
    expect(await printed('b.mjs', imported)).toBe(version);
    const browser = `const { createRequire } = require('node:module');
      const path = createRequire(__filename).resolve('license-manager-sdk/browser');
      const { readFileSync } = require('node:fs');
      console.log(new Function(readFileSync(path, 'utf8') + '; return LicenseManager.VERSION')())`;
    expect(await printed('c.cjs', browser)).toBe(version);
    // With `pack`, a developer puts it into a registry; the kit has no script that needs our build.
    const packed = await run(node, [npm, 'pack', '--json', './javascript'], {
      cwd: kit,
      env: npmEnvironment(),
    });
    const paths = JSON.parse(packed.stdout)[0].files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'CHANGELOG.md', 'dist/license.cjs', 'license.d.ts']),
    );
    expect(paths.join(' ')).not.toMatch(/driver|example|build/);
    await run('sh', ['-c', 'sha256sum -c CHECKSUMS'], { cwd: join(kit, 'javascript') });
  });

  const python = found.find(({ language }) => language === 'python');
  test.runIf(python)('another zip program can read the archive', async () => {
    const { zip } = await kitOf('go', 'Ñandú Móvil');
    const file = join(folder, 'kit.zip');
    writeFileSync(file, zip);
    // `testzip` verifies all checksums.
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *z.namelist(), sep="\\n")';
    const [bad, ...paths] = execFileSync(python!.tool, ['-c', script, file], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(bad).toBe('None');
    expect(paths).toEqual(unzip(zip).map(({ path }) => path));
  });
});
