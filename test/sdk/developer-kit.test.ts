import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SDK_LANGUAGES } from '../../contract/programs/sdk-languages.ts';
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
const found: { language: Language; tool: string }[] = [];
for (const language of LANGUAGES) {
  const tool = await findToolchain(language);
  if (tool !== undefined) found.push({ language, tool });
}

describe('the developer kit', { tags: ['PROG-08'] }, () => {
  let t: TestApp;
  let folder: string;
  beforeAll(async () => {
    const port = await freePort();
    t = await createTestApp({
      env: { PUBLIC_URL: `http://127.0.0.1:${port}` },
      closeAfterTest: false,
    });
    await t.app.listen({ host: '127.0.0.1', port });
    folder = mkdtempSync(join(tmpdir(), 'lm-kit-'));
  });
  afterAll(async () => {
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function kitOf(language: Language, name: string) {
    const software = await createSoftware(t, { name });
    const { body: trial } = await t.call('POST', `/licenses/api/software/${software.id}/trial_license/`);
    const url = `/licenses/api/software/${software.id}/developer_kit/?languages=${language}&license=${trial.id}`;
    const answer = await t.app.inject({ url, headers: { authorization: `Bearer ${t.token}` } });
    return { trial, zip: answer.rawPayload, root: join(folder, `${software.code}-programador`) };
  }

  for (const { language, tool } of found) {
    const tags = COMPILED.has(language) ? [NIGHT] : [];
    test(`${language}: the command in its README runs the example with the trial key`, { tags }, async () => {
      const { trial, zip, root } = await kitOf(language, `Kit ${language}`);
      for (const { path, text } of unzip(zip)) {
        mkdirSync(join(folder, path, '..'), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const command = SDK_LANGUAGES[language].run(trial.license_key);
      expect(unzip(zip).find(({ path }) => path.endsWith('LEEME.md'))?.text).toContain(command);
      const home = join(folder, `home-${language}`);
      mkdirSync(home);
      const { stdout } = await run('sh', ['-c', command.replace(/^python3/, tool)], {
        cwd: join(root, language),
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
