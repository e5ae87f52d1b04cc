import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFile, checkFresh, checkStored, type Program, type Verdict } from '../test/reference-program.ts';

/** sdk/vectors.json, written by tools/sdk-vectors.ts, must agree with the reference program (PROG-01 to PROG-03). */

type Vector = {
  name: string;
  kind: 'fresh' | 'stored' | 'file';
  input: string;
  call?: 'validate' | 'activate' | 'heartbeat' | 'release';
  nonce?: string;
  license_key?: string;
  released_on?: string;
  clock: number;
  mark: number | null;
  expect: Verdict;
};

const text = readFileSync(join(import.meta.dirname, '..', 'sdk', 'vectors.json'), 'utf8');
const vectors: Pick<Program, 'keys' | 'audience' | 'machine_id' | 'license_key'> & { cases: Vector[] } =
  JSON.parse(text);

function verdictOf({ kind, input, call = 'heartbeat', nonce = '', clock, mark, ...others }: Vector): Verdict {
  const program = { ...vectors, ...others, clock, mark };
  if (kind === 'fresh') return checkFresh(input, { call, nonce }, program);
  return kind === 'file' ? checkFile(input, program) : checkStored(input, program);
}

describe('the test vectors for SDKs', { tags: ['PROG-01', 'PROG-02', 'PROG-03'] }, () => {
  test.each(vectors.cases.map((vector) => [vector.name, vector] as const))(
    'the expected result is right for: %s',
    (_name, vector) => {
      expect(verdictOf(vector)).toEqual(vector.expect);
    },
  );

  test('every reason to refuse has a case, names are unique, and no private key is included', () => {
    const errors = vectors.cases.map(({ expect: verdict }) => (verdict.accepted ? 'none' : verdict.error));
    expect(new Set(errors)).toEqual(
      new Set([
        'none',
        'malformed',
        'algorithm',
        'type',
        'unknown_key',
        'signature',
        'audience',
        'machine',
        'key_hash',
        'call',
        'seat',
        'nonce',
        'clock_back',
        'future',
        'expired',
      ]),
    );
    expect(new Set(vectors.cases.map(({ name }) => name)).size).toBe(vectors.cases.length);
    expect(text).not.toContain('"d"');
    expect(text).not.toContain('PRIVATE');
  });
});
