import type { Db } from '../../db/tables.ts';

/** Addresses that refused a reminder or a digest for good (LIFE-08). Letters are compared without their case. */

const keyOf = (address: string) => address.toLowerCase();

/** Remembers that an address refused mail; the first refusal counts. */
export async function markBounced(db: Db, address: string, now: Date, reason: string): Promise<void> {
  await db
    .insertInto('bounced_addresses')
    .values({ address_key: keyOf(address), bounced_at: now.toISOString(), reason })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Forgets a refusal: the address took mail, or is nobody's any more. */
export async function clearBounce(db: Db, address: string): Promise<void> {
  await db.deleteFrom('bounced_addresses').where('address_key', '=', keyOf(address)).execute();
}

/** When an address refused mail; null where it did not. */
export async function bouncedAt(db: Db, address: string): Promise<string | null> {
  const row = await db
    .selectFrom('bounced_addresses')
    .select('bounced_at')
    .where('address_key', '=', keyOf(address))
    .executeTakeFirst();
  return row?.bounced_at ?? null;
}
