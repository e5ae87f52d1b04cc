import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningServer } from '../../test/start-server.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');

/** Runs `npm run user -- …` beside a server with a SQLite file; @returns what it prints */
export async function runUserCommand({ dataDir, url }: RunningServer, words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: url };
  const { stdout } = await run(process.execPath, ['ops/user.ts', ...words], { cwd: ROOT, env });
  return stdout;
}
