import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TokenCall } from '../../../../contract/programs/license-token.ts';
import { readFreshToken } from './read-token.ts';

/** The cases that every SDK must accept or refuse as docs/offline.md describes. */
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../sdk/vectors.json'), 'utf8'));
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';

type Case = {
  name: string;
  kind: 'fresh' | 'stored' | 'file';
  input: string;
  call?: TokenCall;
  nonce?: string;
  license_key?: string;
  released_on?: string;
  expect: { accepted: true; valid: boolean; reason: string | null } | { accepted: false; error: string };
};

/** These faults only concern stored tokens: their time, and which call they answer. */
const OF_KEPT = ['clock_back', 'future', 'expired', 'call'];

/** The call that a token answers; a default if it has no valid form. */
function callIn(token: string): TokenCall {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).call;
  } catch {
    return 'heartbeat';
  }
}

const cases = (vectors.cases as Case[]).filter(
  (one) =>
    // Excludes cases with a build day, which the console does not have.
    one.released_on === undefined &&
    (one.kind === 'fresh' ||
      (one.kind === 'stored' && (one.expect.accepted || !OF_KEPT.includes(one.expect.error)))),
);

test.each(cases)('the console verifies a signed answer like a program does: $name (PROG-08)', async (one) => {
  const reading = await readFreshToken(one.input, {
    keys: vectors.keys,
    software: vectors.audience,
    machineId: vectors.machine_id,
    licenseKey: one.license_key ?? vectors.license_key,
    call: one.call ?? callIn(one.input),
    nonce: one.nonce ?? NONCE,
  });
  if (!one.expect.accepted) expect(reading).toEqual({ fault: one.expect.error });
  else
    expect(reading).toMatchObject({
      claims: { valid: one.expect.valid, reason: one.expect.reason },
      kid: expect.any(String),
    });
});
