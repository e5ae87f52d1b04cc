import { join } from 'node:path';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { regularExpressions } from './regular-expressions.ts';

const { literals, built } = regularExpressions(join(import.meta.dirname, '..'));

/**
 * At most a minute for each pattern. It usually takes milliseconds, but longer if the tool has no binary for the
 * machine. The cost of an attack is counted in characters, because measured time depends on the load of the machine. A
 * pattern with a lookbehind is tested with random texts, the same in every run.
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
  // None of them has two quantifiers that can match the same characters, and no user input becomes part of a pattern.
  expect(built.map((code) => code.split(':')[0]).sort()).toEqual([
    'contract/people/username.ts',
    'contract/programs/license-file.ts',
    'contract/reading/license-keys.ts',
    'contract/reading/license-keys.ts',
    'contract/reading/search-folding.ts',
    'contract/reading/search-folding.ts',
    'contract/reading/search-folding.ts',
    'server/features/mail-templates/check-template.ts',
    'server/http/other-methods.ts',
    'server/lib/api-key-text.ts',
    'server/serve-pages.ts',
  ]);
});
