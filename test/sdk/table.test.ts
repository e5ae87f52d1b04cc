import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWER_ATTACKS } from './attacks.ts';
import { CLOCK_ATTACKS } from './clock-attacks.ts';
import { RELAY_ATTACKS, RELEASE_ATTACKS } from './relay-attacks.ts';
import { STORE_ATTACKS } from './store-attacks.ts';

test('docs/sdks.md has every attack, refused by every language that was run', { tags: ['PROG-07'] }, () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'sdks.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  const attacks = rows.map((line) => line.split('|')[1]!.trim());
  const names = [
    ...ANSWER_ATTACKS,
    ...RELAY_ATTACKS,
    ...RELEASE_ATTACKS,
    ...STORE_ATTACKS,
    ...CLOCK_ATTACKS,
  ].map(({ name }) => name);
  expect(names.filter((name) => !attacks.includes(name))).toEqual([]);
  expect(rows.filter((line) => !/^\|[^|]+(\| (refused|—) ){6}\|$/.test(line))).toEqual([]);
});
