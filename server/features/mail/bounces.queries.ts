import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';

/** Addresses that permanently refused a reminder or a digest (LIFE-08). They are compared in lower case. */

/** Stores that an address refused mail; only the first refusal is stored. */
export async function markBounced(db: Db, address: string, now: Date, reason: string): Promise<void> {
  await db
    .insertInto('bounced_addresses')
    .values({ address_key: mailKey(address), bounced_at: now.toISOString(), reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const remove = prepared((db, { key }: { key: string }) =>
  db.deleteFrom('bounced_addresses').where('address_key', '=', key),
);

/** Deletes a stored refusal: the address accepted mail, or nobody has it any more. */
export async function clearBounce(db: Db, address: string): Promise<void> {
  await remove(db, { key: mailKey(address) });
}

const refusalOf = prepared((db, { key }: { key: string }) =>
  db.selectFrom('bounced_addresses').select('bounced_at').where('address_key', '=', key),
);

/** When an address refused mail; null if it never did. */
export async function bouncedAt(db: Db, address: string): Promise<string | null> {
  const [row] = await refusalOf(db, { key: mailKey(address) });
  return row?.bounced_at ?? null;
}

/** The contacts whose addresses refused mail, each with the time of the first refusal; no query without contacts. */
export async function bouncedContacts(
  db: Db,
  contacts: readonly { email: string }[],
): Promise<{ email: string; bounced_at: string }[]> {
  const bounced: { email: string; bounced_at: string }[] = [];
  for (const { email } of contacts) {
    const bounced_at = await bouncedAt(db, email);
    if (bounced_at !== null) bounced.push({ email, bounced_at });
  }
  return bounced;
}
