import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeRelease, notesOf, packPictures } from './release.ts';

/** A release consists of a tag with notes, an archive, an SBOM and checksums (OPS-06). */

const CHANGELOG =
  '# Changelog\n\n## [2.0.0] - 2026-11-30\n\n### Added\n\n- Two.\n\n## [1.0.0] - 2026-11-01\n\n- One.\n';
const PACKAGE = { name: 'shop', version: '2.0.0', dependencies: { left: '1.2.3' } };
const LOCK = {
  ...{ name: 'shop', version: '2.0.0', lockfileVersion: 3, requires: true },
  packages: {
    '': PACKAGE,
    'node_modules/left': { version: '1.2.3', resolved: 'https://example.com/left.tgz', license: 'MIT' },
    'node_modules/only-for-tests': { version: '9.9.9', dev: true },
  },
};

let root: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const upgraded = { tryProduct: () => {} };
const listOf = (archive: string) => execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).split('\n');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lm-release-'));
  const files = {
    'package.json': JSON.stringify(PACKAGE),
    'package-lock.json': JSON.stringify(LOCK),
    'CHANGELOG.md': CHANGELOG,
    '.gitignore': 'release/\n',
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  git('init', '--quiet');
  git('config', 'user.name', 'x');
  git('config', 'user.email', 'x@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return () => rmSync(root, { recursive: true, force: true });
});

test('the release notes of a version are its section of the changelog', () => {
  expect(notesOf(CHANGELOG, '2.0.0')).toBe('### Added\n\n- Two.');
  expect(notesOf(CHANGELOG, '1.0.0')).toBe('- One.');
  expect(() => notesOf(CHANGELOG, '3.0.0')).toThrow('[3.0.0]');
});

test('the shared library of a release is in its checksums (CODE-06)', () => {
  const makeLibraries = (folder: string, whole: string) => {
    writeFileSync(join(folder, `${whole}-sdk-libraries.tar.gz`), 'x');
    return [`${whole}-sdk-libraries.tar.gz`];
  };
  const files = makeRelease(root, 'release', { ...upgraded, makers: [makeLibraries] });
  expect(files).toContain('release/shop-2.0.0-sdk-libraries.tar.gz');
  expect(read('release/SHA256SUMS')).toMatch(/^[\da-f]{64} {2}shop-2\.0\.0-sdk-libraries\.tar\.gz$/m);
});

test('a release has a tag with notes, an archive with all runtime parts, and correct checksums', () => {
  expect(makeRelease(root, 'release', upgraded)).toEqual([
    'release/shop-2.0.0.tar.gz',
    'release/shop-2.0.0.sbom.json',
    'release/shop-2.0.0.notes.md',
    'release/SHA256SUMS',
  ]);
  expect(git('tag', '--list', '--format=%(contents)').trim()).toBe('shop 2.0.0\n\n### Added\n\n- Two.');
  expect(listOf(join(root, 'release/shop-2.0.0.tar.gz'))).toContain('shop-2.0.0/CHANGELOG.md');
  const { metadata, components } = JSON.parse(read('release/shop-2.0.0.sbom.json'));
  expect(metadata.component).toMatchObject({ name: 'shop', version: '2.0.0' });
  expect(components).toMatchObject([{ name: 'left', version: '1.2.3' }]);
  const sumOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(root, 'release', file)))
      .digest('hex');
  const lines = read('release/SHA256SUMS').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const [sum, file] of lines.map((line) => line.split('  '))) expect(sumOf(file!)).toBe(sum);
  // Repeated for the same commit, the archive is identical.
  const sums = read('release/SHA256SUMS').split('\n')[0];
  makeRelease(root, 'release', upgraded);
  expect(read('release/SHA256SUMS').split('\n')[0]).toBe(sums);
});

test('a release is refused with uncommitted changes, or if the version was released from another commit', () => {
  writeFileSync(join(root, 'new.txt'), 'x');
  expect(() => makeRelease(root, 'release', upgraded)).toThrow('Commit everything first.');
  git('add', '.');
  git('commit', '--quiet', '--message', 'second');
  makeRelease(root, 'release', upgraded);
  git('commit', '--quiet', '--allow-empty', '--message', 'third');
  expect(() => makeRelease(root, 'release', upgraded)).toThrow('v2.0.0 is another commit');
});

test('the pictures of a release are one archive, with a page that shows them (MAIL-05)', () => {
  const pictures = packPictures({
    screens: (folder) => writeFileSync(join(folder, 'clients-light-390.png'), 'x'),
    mails: (folder) => writeFileSync(join(folder, 'digest-dark-320.png'), 'x'),
  });
  const files = makeRelease(root, 'release', { ...upgraded, makers: [pictures] });
  expect(files).toContain('release/shop-2.0.0-pictures.tar.gz');
  expect(read('release/SHA256SUMS')).toMatch(/^[\da-f]{64} {2}shop-2\.0\.0-pictures\.tar\.gz$/m);
  const archive = join(root, 'release/shop-2.0.0-pictures.tar.gz');
  expect(listOf(archive)).toEqual(
    expect.arrayContaining([
      'shop-2.0.0-pictures/screens/clients-light-390.png',
      'shop-2.0.0-pictures/mails/digest-dark-320.png',
    ]),
  );
  const page = execFileSync('tar', ['-xzOf', archive, 'shop-2.0.0-pictures/index.html'], {
    encoding: 'utf8',
  });
  expect(page).toContain('src="mails/digest-dark-320.png"');
});

test('the files of a release can be made in a folder outside the project', () => {
  const to = mkdtempSync(join(tmpdir(), 'lm-release-to-'));
  try {
    const files = makeRelease(root, join(to, 'new'), upgraded);
    expect(files.every((file) => existsSync(file))).toBe(true);
    expect(readdirSync(join(to, 'new'))).toHaveLength(files.length);
    expect(existsSync(join(root, 'release'))).toBe(false);
    expect(git('status', '--porcelain')).toBe('');
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
});

/** Expects the release to fail without a tag and without files. */
function expectNothing(steps: Parameters<typeof makeRelease>[2]): void {
  expect(() => makeRelease(root, 'release', steps)).toThrow('deadlock detected');
  expect(git('tag', '--list')).toBe('');
  expect(existsSync(join(root, 'release'))).toBe(false);
}
const fail = () => {
  throw new Error('deadlock detected');
};

test('a release whose upgrade from the last one fails gets no tag and no files', () =>
  expectNothing({ tryProduct: fail }));

test('a release whose pictures cannot be taken gets no tag and no files', () =>
  expectNothing({ ...upgraded, makers: [packPictures({ screens: fail })] }));
