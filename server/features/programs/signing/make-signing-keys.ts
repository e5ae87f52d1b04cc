import type { Kysely } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { SecretBox } from '../../../lib/secret-box.ts';
import { insertSigningKey, listSigningKeys } from './signing-keys.queries.ts';
import { newSigningKey } from './signing-keys.ts';

/**
 * Makes the keys that are missing: at the first start the current one and the next, so that programs ship with both
 * (PROG-01). Replicas that start together keep the keys of the first, and a start that was killed is completed by the
 * next one.
 */
export async function makeSigningKeys(
  { db, secrets }: { db: Kysely<Tables>; secrets: SecretBox },
  now: Date,
): Promise<void> {
  const known = new Set((await listSigningKeys(db)).map(({ state }) => state));
  const missing = (['current', 'next'] as const).filter((state) => !known.has(state));
  if (missing.length === 0) return;
  await db.transaction().execute(async (tx) => {
    for (const state of missing) await insertSigningKey(tx, newSigningKey(secrets, state, now));
  });
}
