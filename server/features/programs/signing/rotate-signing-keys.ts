import { SIGNING_KEY_MESSAGES } from '../../../../contract/programs/license-token.ts';
import { lockRows } from '../../../db/dialect.ts';
import { AppError } from '../../../errors.ts';
import type { SecretBox } from '../../../lib/secret-box.ts';
import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { insertSigningKey, setKeyState } from './signing-keys.queries.ts';
import { newSigningKey } from './signing-keys.ts';

/**
 * Makes the next key the current one, and a new key the next one (PROG-01). Signatures of the old key stay valid: its
 * public key is published until all of them have ended.
 * @param expected the kid of the key to replace, as the caller saw it; undefined replaces the current key, whichever
 * it is
 * @throws AppError 409 conflict when another key is current by now
 */
export async function rotateSigningKeys(
  scope: Scope,
  secrets: SecretBox,
  expected: string | undefined,
): Promise<void> {
  const { tx, now } = scope;
  const rows = await lockRows(
    tx,
    tx.selectFrom('signing_keys').select(['kid', 'state']).where('state', '!=', 'retired').orderBy('kid'),
  ).execute();
  const current = rows.find(({ state }) => state === 'current');
  const next = rows.find(({ state }) => state === 'next');
  // A rotation that waited for another one finds that the keys have changed.
  if (!current || !next || (expected !== undefined && current.kid !== expected)) {
    throw new AppError(409, 'conflict', { message: SIGNING_KEY_MESSAGES.rotated });
  }
  const stamp = now.toISOString();
  await setKeyState(tx, current.kid, { state: 'retired', retired_at: stamp });
  await setKeyState(tx, next.kid, { state: 'current', current_since: stamp });
  await insertSigningKey(tx, newSigningKey(secrets, 'next', now));
  await record(scope, {
    type: 'signing_key.rotated',
    subject: { id: null, name: next.kid },
    changes: { kid: { before: current.kid, after: next.kid } },
  });
}
