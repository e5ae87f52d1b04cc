import type { Kysely } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { SecretBox } from '../../../lib/secret-box.ts';
import { insertSigningKey, listSigningKeys } from './signing-keys.queries.ts';
import { newSigningKey } from './signing-keys.ts';

/**
 * Creates the missing signing keys: at the first start the current key and the next one, so that programs can contain
 * both (PROG-01). If several replicas start at once, the keys of the first are used. A start that was killed is
 * completed by the next one.
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
