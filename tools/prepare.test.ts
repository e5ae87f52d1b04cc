import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { consoleHash, ensureConsole, isConsoleBuilt, isInstalled, projectRoot } from './prepare.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lm-prepare-'));
  return () => rmSync(root, { recursive: true, force: true });
});

function put(path: string, content: unknown): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

describe('isInstalled', () => {
  const zod = { version: '4.0.0', integrity: 'sha512-a' };
  const other = { version: '1.0.0', integrity: 'sha512-b', optional: true };

  beforeEach(() => {
    put('package-lock.json', {
      packages: { '': {}, 'node_modules/zod': zod, 'node_modules/other-system': other },
    });
  });

  test('is false before the first installation', () => {
    expect(isInstalled(root)).toBe(false);
  });

  test('is true when only optional packages of other systems are missing', () => {
    put('node_modules/.package-lock.json', { packages: { 'node_modules/zod': zod } });
    expect(isInstalled(root)).toBe(true);
  });

  test('is false when a package is missing, as after an installation without dev dependencies', () => {
    put('node_modules/.package-lock.json', { packages: { 'node_modules/other-system': other } });
    expect(isInstalled(root)).toBe(false);
  });

  test('is false when the lock file has another version or another content', () => {
    put('node_modules/.package-lock.json', {
      packages: { 'node_modules/zod': { ...zod, version: '4.0.1' } },
    });
    expect(isInstalled(root)).toBe(false);
    put('node_modules/.package-lock.json', {
      packages: { 'node_modules/zod': { ...zod, integrity: 'sha512-c' } },
    });
    expect(isInstalled(root)).toBe(false);
  });

  test('is false when an interrupted installation left a partial file', () => {
    put('node_modules/.package-lock.json', '{"packages": {"node_mod');
    expect(isInstalled(root)).toBe(false);
  });
});

describe('isConsoleBuilt', () => {
  beforeEach(() => {
    put('web/main.tsx', 'export const a = 1;');
    put('contract/client.ts', 'export const b = 1;');
    put('dist/web/index.html', '<!doctype html>');
    put('dist/web.stamp', consoleHash(root));
  });

  test('is true while the sources are unchanged, whatever their file times are', () => {
    expect(isConsoleBuilt(root)).toBe(true);
    utimesSync(join(root, 'web/main.tsx'), new Date(), new Date(Date.now() + 60_000));
    put('web/main.test.tsx', 'tests are not part of the console');
    put('sdk/python/__pycache__/license.pyc', 'what running an SDK leaves behind is not either');
    put('sdk/java/Example.class', '');
    expect(isConsoleBuilt(root)).toBe(true);
  });

  test.each([
    ['a source changes', () => put('web/main.tsx', 'export const a = 2;')],
    ['the contract changes', () => put('contract/client.ts', 'export const b = 2;')],
    ['a source is added', () => put('web/new.ts', '')],
    ['an SDK changes', () => put('sdk/python/license.py', '')],
    ['a source goes', () => rmSync(join(root, 'web/main.tsx'))],
    ['the dependencies change', () => put('package-lock.json', '{}')],
    ['the build is gone', () => rmSync(join(root, 'dist/web'), { recursive: true })],
    ['the build was interrupted', () => rmSync(join(root, 'dist/web.stamp'))],
  ])('is false when %s', (_what, change) => {
    change();
    expect(isConsoleBuilt(root)).toBe(false);
  });

  test('a failed build reports its error and does not count as finished', async () => {
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
    put('vite.config.ts', "throw new Error('no such plugin');");
    await expect(ensureConsole(root)).rejects.toThrow(/no such plugin/);
    expect(isConsoleBuilt(root)).toBe(false);
  });

  test('is true after a build, which does not run again', async () => {
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
    put('web/index.html', '<!doctype html><title>x</title><script type="module" src="/main.tsx"></script>');
    put('vite.config.ts', "export default { root: 'web', build: { outDir: '../dist/web' } };");
    await ensureConsole(root);
    expect(isConsoleBuilt(root)).toBe(true);

    // Another build would empty the folder.
    put('dist/web/from-the-first-build', '');
    await ensureConsole(root);
    expect(existsSync(join(root, 'dist/web/from-the-first-build'))).toBe(true);
  });
});

test('the build of the console builds the SDK for JavaScript too, for the developer kit (CODE-06)', async () => {
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  put('web/index.html', '<!doctype html><title>x</title>');
  put('vite.config.ts', "export default { root: 'web', build: { outDir: '../dist/web' } };");
  for (const file of ['build.mjs', 'license.js', 'license.d.ts', 'package.json'])
    cpSync(join(projectRoot, 'sdk', 'javascript', file), join(root, 'sdk', 'javascript', file));
  await ensureConsole(root);
  expect(isConsoleBuilt(root)).toBe(true);
  rmSync(join(root, 'sdk', 'javascript', 'dist', 'license.cjs'));
  expect(isConsoleBuilt(root)).toBe(false);
});

describe('npm start', () => {
  /** A project with a minimal server, the real scripts and the real Node. */
  function projectWithServer(source: string): void {
    cpSync(join(projectRoot, 'tools'), join(root, 'tools'), { recursive: true });
    mkdirSync(join(root, 'node_modules', 'node', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(root, 'node_modules', 'node', 'bin', 'node'));
    put('package-lock.json', { packages: {} });
    put('node_modules/.package-lock.json', { packages: {} });
    put('dist/web/index.html', '');
    put('dist/web.stamp', consoleHash(root));
    put('server/main.ts', source);
  }

  test('returns the exit code and passes arguments on', () => {
    projectWithServer('console.log(process.argv.slice(2).join()); process.exit(7 as number);');
    const { status, stdout } = spawnSync(process.execPath, ['tools/start.mjs', '--a', 'b'], {
      cwd: root,
      encoding: 'utf8',
    });
    // Only the server's own output: preparation prints nothing if there is nothing to do.
    expect(stdout).toBe('--a,b\n');
    expect(status).toBe(7);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'forwards %s, so that the server can stop cleanly',
    async (signal) => {
      projectWithServer(`
      process.on('${signal}', () => { console.log('closing'); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log('ready');`);
      const start = spawn(process.execPath, ['tools/start.mjs'], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => {
        start.kill('SIGKILL');
      });
      let printed = '';
      start.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed === 'ready\n') start.kill(signal);
      });
      const [code] = await once(start, 'exit');
      expect(printed).toBe('ready\nclosing\n');
      expect(code).toBe(0);
    },
  );

  test('stops the server when npm is stopped, although npm’s shell does not forward the signal', async () => {
    projectWithServer(`
      process.on('SIGTERM', () => { console.log('closing'); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log('ready');`);
    put('package.json', { name: 'x', scripts: { start: 'node tools/start.mjs' } });
    const npm = spawn('npm', ['start', '--silent'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    npm.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed === 'ready\n') npm.kill('SIGTERM');
    });
    // The pipe closes after the last process, the server, has ended.
    await once(npm.stdout, 'close');
    expect(printed).toBe('ready\nclosing\n');
  });

  test('shows npm’s error after a failed installation and does not start the server', () => {
    projectWithServer("console.log('started');");
    put('package.json', { name: 'x' });
    rmSync(join(root, 'package-lock.json'));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/start.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stderr).toContain('No se pudieron instalar las dependencias (npm ci)');
    expect(stdout).toMatch(/^Instalando las dependencias \(npm ci\)…\n/);
    expect(stderr).toMatch(/npm error/);
    expect(stdout).not.toContain('started');
    expect(status).toBe(1);
  });
});
