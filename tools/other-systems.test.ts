import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { moveRunningNode, npmEnvironment, npmProgram } from './npm.mjs';
import { projectRoot } from './prepare.mjs';

/** What must also run on Windows and macOS: `npm start`, the commands, and the tests on SQLite (OPS-07). */

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lm-systems-'));
  return () => rmSync(root, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

function put(path: string, content = ''): string {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
  return join(root, path);
}

describe('npm', () => {
  test('is the script of the npm that runs this, with its Node, also without any npm on the PATH', () => {
    const [node, script] = [put('bin/node'), put('lib/npm-cli.js')];
    vi.stubEnv('npm_execpath', script);
    vi.stubEnv('npm_node_execpath', node);
    vi.stubEnv('PATH', '');
    expect(npmProgram(root)).toEqual([node, script]);
  });

  test.each([
    ['on Windows', 'node_modules/npm/bin/npm-cli.js'],
    ['elsewhere', '../lib/node_modules/npm/bin/npm-cli.js'],
  ])('is found beside Node %s when npm runs nothing', (_where, path) => {
    const node = put('nodejs/bin/node');
    const script = put(join('nodejs/bin', path));
    vi.stubEnv('npm_execpath', '/opt/yarn/yarn.js');
    vi.stubEnv('npm_node_execpath', node);
    expect(npmProgram(root)).toEqual([node, script]);
  });

  test('is not run by the Node that it replaces', () => {
    const own = put('node_modules/node/bin/node');
    const other = put('system/node');
    put('system/node_modules/npm/bin/npm-cli.js');
    vi.stubEnv('npm_execpath', undefined);
    vi.stubEnv('npm_node_execpath', own);
    vi.stubEnv('PATH', [join(root, 'node_modules', '.bin'), join(root, 'system')].join(delimiter));
    const [node] = npmProgram(root) ?? [];
    expect([process.execPath, other]).toContain(node);
  });

  test('gets one PATH, whatever the system calls it, without folders of packages', () => {
    vi.stubEnv('PATH', ['/a', join(root, 'node_modules', '.bin'), '/b'].join(delimiter));
    vi.stubEnv('npm_lifecycle_event', 'start');
    const env = npmEnvironment();
    expect(Object.keys(env).filter((name) => name.toUpperCase() === 'PATH')).toEqual(['PATH']);
    expect(env.PATH).toBe(['/a', '/b'].join(delimiter));
    expect(env.npm_lifecycle_event).toBeUndefined();
  });

  test('may replace the Node that runs, which is moved aside and comes back if npm puts none', () => {
    const running = put('node_modules/node/bin/node.exe', 'old');
    put('.cache/running-node-1', 'older');
    const putBack = moveRunningNode(root, running, true);
    expect([existsSync(running), readdirSync(join(root, '.cache')).length]).toEqual([false, 1]);
    rmSync(join(root, 'node_modules'), { recursive: true });
    putBack();
    expect(readFileSync(running, 'utf8')).toBe('old');
    const again = moveRunningNode(root, running, true);
    put('node_modules/node/bin/node.exe', 'new');
    again();
    expect(readFileSync(running, 'utf8')).toBe('new');
  });
});

test('the commands run where no program at all is on the PATH', { timeout: 240_000 }, () => {
  // Nothing but what Windows needs to start a process.
  const env = { PATH: root, DATA_DIR: join(root, 'data'), SystemRoot: process.env.SystemRoot };
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: projectRoot, env, encoding: 'utf8', timeout: 60_000 });
  // Missing packages: what is said, without a shell that says 'npm is not recognized'.
  for (const file of ['start.mjs', 'prepare.mjs', 'npm.mjs', 'run-with-progress.mjs']) {
    mkdirSync(join(root, 'project', 'tools'), { recursive: true });
    copyFileSync(join(projectRoot, 'tools', file), join(root, 'project', 'tools', file));
  }
  writeFileSync(join(root, 'project', 'package.json'), '{"name":"x","version":"1.0.0"}');
  writeFileSync(
    join(root, 'project', 'package-lock.json'),
    '{"name":"x","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"x","version":"1.0.0"}}}',
  );
  const npm = npmProgram(projectRoot);
  const first = spawnSync(process.execPath, ['tools/start.mjs'], {
    cwd: join(root, 'project'),
    env: {
      ...env,
      npm_execpath: npm?.[1],
      npm_node_execpath: npm?.[0],
      npm_config_cache: join(root, 'cache'),
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(first.stdout).toContain('Dependencias instaladas');

  expect(node('ops/user.ts', 'list').stderr).not.toContain('ENOENT');
  const copies = join(root, 'copies');
  mkdirSync(copies);
  const made = spawnSync(process.execPath, ['--eval', MAKE_DATABASE], {
    cwd: projectRoot,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([made.status, made.stderr]).toEqual([0, '']);
  const backup = node('ops/backup.ts', join(copies, 'copia.sqlite'));
  expect([backup.status, backup.stderr]).toEqual([0, '']);
  const restored = spawnSync(process.execPath, ['ops/restore.ts', join(copies, 'copia.sqlite')], {
    cwd: projectRoot,
    env: { ...env, DATA_DIR: join(root, 'other') },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  expect(node('ops/doctor.ts').stdout).toContain('SQLite');
});

/** Makes a migrated database in DATA_DIR, as a first start does. */
const MAKE_DATABASE = `
  import { mkdirSync } from 'node:fs';
  const { readConfig } = await import('./server/config.ts');
  const { engineOf, migrate, openDatabase } = await import('./server/db/open.ts');
  const { openSecrets } = await import('./server/secret-key.ts');
  const config = readConfig(process.env);
  mkdirSync(config.dataDir, { recursive: true });
  const db = openDatabase(engineOf(config), () => {});
  await migrate(db);
  await openSecrets(db, config);
  await db.destroy();
`;

describe('what runs on every system', () => {
  /** The program, its commands, and what starts and tests it; not what measures or releases it. */
  const sources = [
    ...globSync(['server/**/*.ts', 'ops/**/*.ts'], { cwd: projectRoot }),
    ...['start', 'prepare', 'npm', 'run-with-progress', 'test', 'test-one', 'dev', 'build', 'e2e'].map(
      (name) => `tools/${name}.mjs`,
    ),
    'tools/gate.ts',
  ].filter((file) => !/\.test\.ts$/.test(file));
  const linesWith = (pattern: RegExp) =>
    sources.flatMap((file) =>
      readFileSync(join(projectRoot, file), 'utf8')
        .split('\n')
        .flatMap((line) => (pattern.test(line) ? [`${file.replaceAll('\\', '/')}: ${line.trim()}`] : [])),
    );

  test('starts other programs by their path; git is .exe there too', () => {
    const started = linesWith(
      /\b(spawn|spawnSync|execFile|execFileSync|execSync|fork)\(\s*['"`]|shell: true/,
    );
    expect(started.sort()).toEqual([
      "tools/gate.ts: execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\\n').filter(Boolean);",
    ]);
  });

  test('names no folder of Unix', () => {
    expect(
      linesWith(/['"`]\/(tmp|var|etc|usr|dev|bin)\b/).filter((line) => !line.includes('/dev/shm')),
    ).toEqual([]);
  });

  test('needs no rights of files: where they mean nothing, nothing else hangs on them', () => {
    // Windows keeps of a mode only whether a file can be written.
    const files = new Set(linesWith(/\bchmodSync\(/).map((line) => line.split(':')[0]));
    expect([...files].sort()).toEqual([
      'ops/database-copies.ts',
      'ops/secret-key-copies.ts',
      'server/db/open.ts',
    ]);
    const file = put('x');
    chmodSync(file, 0o600);
    expect(existsSync(file)).toBe(true);
  });

  test('sends signals only to end what it started, and never waits for an answer to one', () => {
    expect(linesWith(/\.kill\(/).sort()).toEqual([
      "server/db/copies/make-copy.ts: child.kill('SIGKILL');",
      // Whether a process runs: signal 0 is sent nowhere, on Windows either.
      'server/lib/publish-file.ts: process.kill(pid, 0);',
      "tools/dev.mjs: for (const child of children) child.kill('SIGTERM');",
      'tools/gate.ts: for (const child of running) child.kill(signal);',
      "tools/prepare.mjs: child.kill('SIGTERM');",
      'tools/prepare.mjs: child.kill(signal);',
    ]);
  });

  test('flushes a file only while it may be written, and no folder on Windows', () => {
    expect(linesWith(/\bfsyncSync\(/)).toEqual(['server/lib/publish-file.ts: fsyncSync(descriptor);']);
  });
});
