import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../tools/prepare.mjs';
import { commitOfRelease } from '../../tools/release-commit.ts';
import { startWatchdog } from '../postgres/cluster.ts';
import { RELEASE_BEFORE } from '../released.ts';

const run = promisify(execFile);

/**
 * Takes the files of the last release from the history into a folder of their own, and installs its dependencies.
 * @returns the folder, and a function that removes it; it is also removed when this process ends in any way
 * @throws Error without the repository's history, or if npm ci fails
 */
export async function installLastRelease() {
  const { version } = RELEASE_BEFORE;
  const commit = commitOfRelease(projectRoot, version);
  const directory = mkdtempSync(join(tmpdir(), 'lm-last-release-'));
  const watchdog = startWatchdog(directory, 'git', '-C', projectRoot, 'worktree', 'prune');
  try {
    const root = join(directory, 'files');
    await run('git', ['-C', projectRoot, 'worktree', 'add', '--quiet', '--detach', root, commit]);
    // Not in this process: it must answer vitest meanwhile, and npm takes minutes on a busy machine.
    const install =
      "import { ensureInstalled } from './tools/prepare.mjs'; ensureInstalled(process.argv[1]);";
    await run(process.execPath, ['--input-type=module', '--eval', install, root], { cwd: projectRoot });
    return { version, root, remove: watchdog.end };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}
