import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './prepare.mjs';

/** What `npm start` says while it installs and builds (OPS-07). */

/** Runs a program of some milliseconds, and returns what was said. */
function printed(source: string): string[] {
  const script = `import { runWithProgress } from './tools/run-with-progress.mjs';
    const words = { doing: 'Compilando la consola', done: 'Consola compilada' };
    const { ok, output } = await runWithProgress(words, [process.execPath, '-e', ${JSON.stringify(source)}], {});
    console.log(JSON.stringify({ ok, output }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  return stdout.trim().split('\n');
}

test('it says at once what is done, again every five seconds, and how long it took', () => {
  expect(printed('setTimeout(() => console.log(1), 11_000)')).toEqual([
    'Compilando la consola…',
    'Compilando la consola… 5 s',
    'Compilando la consola… 10 s',
    expect.stringMatching(/^Consola compilada \(1[12] s\)$/),
    '{"ok":true,"output":"1\\n"}',
  ]);
}, 40_000);

test('after a failure it returns what the program printed, also where there is no such program', () => {
  expect(printed('console.error(2); process.exit(3)')).toEqual([
    'Compilando la consola…',
    '{"ok":false,"output":"2\\n"}',
  ]);
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { runWithProgress } from './tools/run-with-progress.mjs';
       console.log((await runWithProgress({ doing: 'x', done: 'y' }, ['${join(projectRoot, 'no-such')}'], {})).ok);`,
    ],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  expect(stdout).toBe('x…\nfalse\n');
});
