import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDemoData } from '../../server/features/demo/demo-data.ts';
import { npmEnvironment, npmProgram } from '../../tools/npm.mjs';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';

/**
 * The clients that docs/generated-clients.md makes from the OpenAPI document of a running server: its
 * commands are run, and its programs compiled and started. The generators are those of api-clients/package.json.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'generated-clients.md'), 'utf8');
const python = await findToolchain('pythonClients');

/** The text of a block of code of the page, by the words behind its fence. */
function block(fence: string): string {
  const [, text] = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  return text ?? expect.unreachable(`docs/generated-clients.md has no block '${fence}'`);
}

/** The lines of a block that make something. Packages are installed beforehand, in the versions that they name. */
const commands = (fence: string) =>
  block(fence)
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('npm install'));

describe('clients that are made from the OpenAPI document', { tags: ['CODE-08', NIGHT] }, () => {
  let t: TestApp;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lm-api-clients-'));
    cpSync(join(import.meta.dirname, 'api-clients'), folder, { recursive: true });
    const [node, npm] = npmProgram(root) ?? expect.unreachable('npm is missing');
    await run(node, [npm, 'ci', '--no-audit', '--no-fund'], { cwd: folder, env: npmEnvironment() });
    t = await createTestApp({ ownApp: true, closeAfterTest: false });
    await insertDemoData(t.context);
    const SERVER = await t.app.listen({ host: '127.0.0.1', port: 0 });
    const { body } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['clients:read', 'licenses:read', 'licenses:write'] },
    });
    // As on a developer's computer: npx offers what is installed, and asks nothing.
    env = { ...npmEnvironment(), SERVER, KEY: body.key, no_proxy: '127.0.0.1', npm_config_offline: 'true' };
  }, 300_000);
  afterAll(async () => {
    await t?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const inFolder = (command: string, ...args: string[]) => run(command, args, { cwd: folder, env });

  /** What each client prints: a key with its seats, a refusal, and rows of a list. */
  const PRINTED =
    /^((?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}) \d+\n400 invalid \[ ?'client' ?\]\n(?:(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5} .+\n){1,5}$/;

  async function isIssued(stdout: string) {
    const [, key] = PRINTED.exec(stdout) ?? expect.unreachable(stdout);
    const { body } = await t.call('GET', `/licenses/api/licenses/?search=${key}`);
    expect(body.count).toBe(1);
  }

  test('the TypeScript client compiles without a complaint, and calls', { timeout: 300_000 }, async () => {
    for (const command of commands('sh typescript')) await inFolder('sh', '-c', command);
    writeFileSync(join(folder, 'client.ts'), block('ts client.ts'));
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--allowImportingTsExtensions'];
    const modules = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    await inFolder(process.execPath, 'node_modules/typescript/bin/tsc', ...options, ...modules, 'client.ts');
    const { stdout } = await inFolder(process.execPath, 'client.ts');
    await isIssued(stdout);
  });

  test.runIf(python)('the Python client compiles, and calls', { timeout: 300_000 }, async () => {
    for (const command of commands('sh python')) await inFolder('sh', '-c', command);
    writeFileSync(join(folder, 'client.py'), block('python client.py'));
    await inFolder(python!, '-W', 'error', '-m', 'compileall', '-q', 'license_manager.py', 'client.py');
    const { stdout } = await inFolder(python!, 'client.py');
    await isIssued(stdout);
  });

  test('the versions that the page names are those that are tried', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const named = [...page.matchAll(/(?:npm install|npx) (\S+)@([\d.]+)/g)].map(([, name, at]) => [name, at]);
    expect(named).toHaveLength(3);
    for (const [name, at] of named) expect([name, dependencies[name!]]).toEqual([name, at]);
  });
});
