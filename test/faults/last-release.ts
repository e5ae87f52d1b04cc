import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationFiles } from '../../server/db/migrations/index.ts';
import { ensureInstalled, projectRoot } from '../../tools/prepare.mjs';
import { startWatchdog } from '../postgres/cluster.ts';
import { RELEASED, RELEASED_FILE } from '../released.ts';

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', projectRoot, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const NO_HISTORY =
  'The upgrade is tested with the files of the last release, which are in the history of the repository. ' +
  'Clone it with its whole history (git fetch --unshallow; fetch-depth: 0 of actions/checkout).';

/** The last release with an older schema. While a release is made, it is in the list itself. */
function releaseBefore() {
  const newest = [...migrationFiles().keys()].at(-1);
  return RELEASED.findLast(({ last }) => last !== newest)!;
}

/**
 * The commit that added a version to the list of released ones.
 * @throws Error without the repository's history
 */
function commitOf(version: string): string {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') throw new Error(NO_HISTORY);
    const added = git('log', '--reverse', '--format=%H', `-S"version": "${version}"`, '--', RELEASED_FILE);
    const [commit] = added.split('\n');
    if (commit) return commit;
  } catch (error) {
    throw new Error(NO_HISTORY, { cause: error });
  }
  throw new Error(NO_HISTORY);
}

/**
 * Takes the files of the last release from the history into a folder of their own, and installs its dependencies.
 * @returns the folder, and a function that removes it; it is also removed when this process ends in any way
 * @throws Error without the repository's history, or if npm ci fails
 */
export async function installLastRelease() {
  const { version, last } = releaseBefore();
  const commit = commitOf(version);
  const directory = mkdtempSync(join(tmpdir(), 'lm-last-release-'));
  const watchdog = startWatchdog(directory, 'git', '-C', projectRoot, 'worktree', 'prune');
  try {
    const root = join(directory, 'files');
    git('worktree', 'add', '--detach', root, commit);
    ensureInstalled(root);
    return { version, last, root, remove: watchdog.end };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}
