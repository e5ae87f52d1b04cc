// npm run dev: runs the server, restarting it on changes, and the console's development server in front of it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, orExplain, projectNode, projectRoot } from './prepare.mjs';

await orExplain(() => ensureInstalled(projectRoot));

const node = projectNode(projectRoot) ?? process.execPath;
const programs = [
  ['--watch', '--watch-preserve-output', 'server/main.ts'],
  [join('node_modules', 'vite', 'bin', 'vite.js')],
];
const children = programs.map((args) => spawn(node, args, { cwd: projectRoot, stdio: 'inherit' }));

let ending = false;

/** Ends both processes when either ends or a signal arrives. */
function endAll(code) {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
}

for (const child of children) {
  child.once('error', (error) => {
    console.error(error.message);
    endAll(1);
  });
  child.once('exit', (code) => endAll(code ?? 1));
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => endAll(0));
