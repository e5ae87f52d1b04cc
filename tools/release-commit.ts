import { execFileSync } from 'node:child_process';

/** Where the released versions are listed, from the root of the project. */
export const RELEASED_FILE = 'server/db/migrations/released.json';

const NO_HISTORY =
  'The files of the last release come from the history of the repository, which is not here. ' +
  'Clone it with its whole history (git fetch --unshallow; fetch-depth: 0 of actions/checkout).';

/**
 * The commit that added a version to the list of released ones.
 * @param root the folder of the project
 * @throws Error without the repository's history
 */
export function commitOfRelease(root: string, version: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    // In a shallow clone every file seems to have been added by its oldest commit.
    if (git('rev-parse', '--is-shallow-repository') === 'false') {
      const added = git('log', '--reverse', '--format=%H', `-S"version": "${version}"`, '--', RELEASED_FILE);
      const [commit] = added.split('\n');
      if (commit) return commit;
    }
  } catch (error) {
    throw new Error(NO_HISTORY, { cause: error });
  }
  throw new Error(NO_HISTORY);
}
