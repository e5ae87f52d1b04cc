import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WORDS_MAX = 15;

/** The entries of a changelog; a line that is indented goes on with the entry above it. */
const entriesOf = (changelog: string): string[] =>
  changelog
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice('- '.length));

const tooLong = (changelog: string): string[] =>
  entriesOf(changelog).filter((entry) => entry.trim().split(/\s+/).length > WORDS_MAX);

test('an entry of the changelog that goes on in the next line counts whole', () => {
  expect(tooLong(`- ${'word '.repeat(10)}\n  ${'word '.repeat(5)}\n- short\n`)).toEqual([]);
  expect(tooLong(`- ${'word '.repeat(10)}\n  ${'word '.repeat(6)}\n- short\n`)).toHaveLength(1);
});

test('every entry of the changelog is a release note of at most 15 words', () => {
  const changelog = readFileSync(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8');
  expect(entriesOf(changelog).length).toBeGreaterThan(0);
  expect(tooLong(changelog)).toEqual([]);
});
