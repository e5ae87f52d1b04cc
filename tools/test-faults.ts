// npm run test:faults [-- words…]: runs the long fault tests, or those whose file names contain a word. All of them take
// more than an hour.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** A limit for hanging only: `payments` alone takes longer than a quarter of an hour on a busy machine. */
const BOUND_MS = 3 * 60 * 60_000;
const root = join(import.meta.dirname, '..');

const child = spawn(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/faults/vitest.config.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
const timer = setTimeout(() => {
  console.error('The fault tests did not end within three hours and are broken off.');
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
}, BOUND_MS);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  clearTimeout(timer);
  process.exitCode = code ?? 1;
});
