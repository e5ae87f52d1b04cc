import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commitOfRelease, RELEASED_FILE } from './release-commit.ts';

let folder: string;
let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

function release(...versions: string[]): string {
  const file = join(root, RELEASED_FILE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    JSON.stringify(
      versions.map((version) => ({ version })),
      null,
      2,
    ),
  );
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message', 'release');
  return git('rev-parse', 'HEAD');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lm-release-commit-'));
  root = join(folder, 'whole');
  mkdirSync(root);
  return () => rmSync(folder, { recursive: true, force: true });
});

test('the commit of a release is the one that listed it', () => {
  git('init', '--quiet');
  const first = release('1.0.0');
  const second = release('1.0.0', '2.0.0');
  release('1.0.0', '2.0.0', '3.0.0');
  expect([commitOfRelease(root, '1.0.0'), commitOfRelease(root, '2.0.0')]).toEqual([first, second]);
});

test('without history the commit of a release is an error that says what to do', () => {
  expect(() => commitOfRelease(root, '1.0.0')).toThrow('whole history');
  git('init', '--quiet');
  release('1.0.0');
  release('1.0.0', '2.0.0');
  expect(() => commitOfRelease(root, '9.0.0')).toThrow('whole history');
  const shallow = join(folder, 'shallow');
  git('clone', '--quiet', '--depth=1', `file://${root}`, shallow);
  expect(() => commitOfRelease(shallow, '1.0.0')).toThrow('--unshallow');
});
