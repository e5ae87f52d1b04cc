import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFreshToken } from './read-token.ts';

/** The cases that every SDK must judge as docs/offline.md says. */
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../sdk/vectors.json'), 'utf8'));
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';

type Case = {
  name: string;
  kind: 'fresh' | 'stored' | 'file';
  input: string;
  nonce?: string;
  expect: { accepted: true; valid: boolean; reason: string | null } | { accepted: false; error: string };
};

/** The faults of time concern what was kept; an answer that was just asked for has none. */
const OF_TIME = ['clock_back', 'future', 'expired'];

const cases = (vectors.cases as Case[]).filter(
  (one) => one.kind !== 'file' && (one.expect.accepted || !OF_TIME.includes(one.expect.error)),
);

test.each(cases)('the console judges an answer as a program does: $name (PROG-08)', async (one) => {
  const reading = await readFreshToken(one.input, {
    keys: vectors.keys,
    software: vectors.audience,
    machineId: vectors.machine_id,
    nonce: one.nonce ?? NONCE,
  });
  if (!one.expect.accepted) expect(reading).toEqual({ fault: one.expect.error });
  else
    expect(reading).toMatchObject({
      claims: { valid: one.expect.valid, reason: one.expect.reason },
      kid: expect.any(String),
    });
});
