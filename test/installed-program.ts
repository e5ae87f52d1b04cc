import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isRoot } from './postgres/binaries.ts';

/**
 * The path of a program that a test runs, such as a proxy. As root on Debian its package is installed if it is missing.
 * @param paths where it may be
 * @param debianPackage what apt-get calls it
 * @returns undefined if it is missing and cannot be installed
 */
export function provideProgram(paths: readonly string[], debianPackage: string): string | undefined {
  const find = () => paths.find((path) => existsSync(path));
  const present = find();
  if (present !== undefined || !isRoot || !existsSync('/usr/bin/apt-get')) return present;
  console.log(`Installing ${debianPackage} with apt-get…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // A package may try to start its service, which is not needed; without init that has no effect.
  const install = ['install', '-y', '-qq', '--no-install-recommends', debianPackage];
  for (const steps of [[install], [['update', '-qq'], install]]) {
    try {
      for (const step of steps) execFileSync('apt-get', step, { env, stdio: 'ignore' });
      return find();
    } catch {
      // Without a list of packages the first attempt fails.
    }
  }
  return undefined;
}
