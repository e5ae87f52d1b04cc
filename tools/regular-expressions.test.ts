import { join } from 'node:path';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { regularExpressions } from './regular-expressions.ts';

const { literals, built } = regularExpressions(join(import.meta.dirname, '..'));

/**
 * A minute for one pattern: it takes milliseconds, and longer where the tool has no binary for the machine. What its tries
 * may cost is counted in characters: by the clock, a busy machine would make a pattern slow. A pattern with a look behind
 * is tried with texts drawn at random, the same ones in every run.
 */
const PARAMETERS = {
  timeout: 60_000,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  randomSeed: 1,
};

test('every regular expression takes linear time for any text', {
  timeout: 600_000,
}, async () => {
  expect(literals.length).toBeGreaterThan(100);
  const slow: string[] = [];
  for (const { pattern, flags, places } of literals) {
    const found = await check(pattern, flags, PARAMETERS);
    if (found.status === 'safe') continue;
    const degree = found.status === 'vulnerable' ? found.complexity.summary : found.status;
    slow.push(`/${pattern}/${flags}: ${degree} (${places.join(', ')})`);
  }
  expect(slow).toEqual([]);
});

test('a pattern that is built from strings must be listed here, so that somebody reviews it', () => {
  // None has two quantifiers that can take the same characters, and no text of others becomes a part of one.
  expect(built.map((code) => code.split(':')[0]).sort()).toEqual([
    'contract/licenses/license-key.ts',
    'contract/people/username.ts',
    'contract/programs/license-file.ts',
    'server/features/imports/read-cell.ts',
    'server/features/mail-templates/check-template.ts',
    'server/http/other-methods.ts',
    'server/lib/api-key-text.ts',
    'server/serve-pages.ts',
  ]);
});
