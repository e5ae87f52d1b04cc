import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWER_ATTACKS } from './attacks.ts';
import { CLOCK_ATTACKS } from './clock-attacks.ts';
import { RELAY_ATTACKS, RELEASE_ATTACKS, USE_ATTACKS } from './relay-attacks.ts';
import { STORE_ATTACKS } from './store-attacks.ts';
import { SITUATIONS } from './suite-reads.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'sdks.md'), 'utf8');

/** The rows of a table between its markers, without its head. */
const rowsOf = (name: string) =>
  text
    .split(`<!-- ${name} -->`)[1]!
    .split(`<!-- end of ${name} -->`)[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);

test('docs/sdks.md lists every attack, and every tested language refuses it', { tags: ['PROG-07'] }, () => {
  const rows = rowsOf('table');
  const attacks = rows.map((line) => line.split('|')[1]!.trim());
  const names = [
    ...ANSWER_ATTACKS,
    ...RELAY_ATTACKS,
    ...RELEASE_ATTACKS,
    ...USE_ATTACKS,
    ...STORE_ATTACKS,
    ...CLOCK_ATTACKS,
  ].map(({ name }) => name);
  expect(names.filter((name) => !attacks.includes(name))).toEqual([]);
  expect(rows.filter((line) => !/^\|[^|]+(\| (refused|—) ){6}\|$/.test(line))).toEqual([]);
});

test('docs/sdks.md lists the messages that the user of a program reads', { tags: ['PROG-07'] }, () => {
  const rows = rowsOf('reads');
  for (const { name, text: read } of SITUATIONS) {
    expect(rows.filter((line) => line.startsWith(`| ${name} | ${read} |`))).toHaveLength(1);
  }
  expect(rows.filter((line) => !/^\|[^|]+\|[^|]+(\| (read|—) ){6}\|$/.test(line))).toEqual([]);
});
