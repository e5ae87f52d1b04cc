// node tools/first-start.mjs: runs `npm start` in a fresh clone until the program answers, then ends it. For systems.yml.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmProgram } from './npm.mjs';
import { projectRoot } from './prepare.mjs';

const PORT = '3987';
const LIMIT_MS = 10 * 60_000;

const npm = npmProgram(projectRoot);
if (npm === undefined) throw new Error('npm is missing.');
const [node, script] = npm;
const child = spawn(node, [script, 'start'], {
  cwd: projectRoot,
  env: { ...process.env, PORT, DATA_DIR: mkdtempSync(join(tmpdir(), 'lm-first-start-')) },
  stdio: 'inherit',
});
child.once('exit', (code) => {
  console.error(`npm start ended with ${code} before it answered.`);
  process.exit(1);
});

const answers = () =>
  fetch(`http://127.0.0.1:${PORT}/login`).then(
    async (response) => response.ok && (await response.text()).includes('<div id="root"'),
    () => false,
  );
const until = Date.now() + LIMIT_MS;
while (!(await answers())) {
  if (Date.now() > until) throw new Error(`npm start did not answer within ${LIMIT_MS / 60_000} minutes.`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
console.log('npm start answers.');
child.removeAllListeners('exit');
child.kill();
process.exit(0);
