import type { Selectable } from 'kysely';
import type { AppContext } from '../../context.ts';
import { hasOneProcess } from '../../db/dialect.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { Db, PaymentCheckoutsTable } from '../../db/tables.ts';
import { leaseClock } from '../../jobs/lease-clock.ts';

/**
 * Claims: while one call of a provider makes a page, no other does (PAY-02). A claim ends with its process. Where only
 * one process works on the database, that is known at once; elsewhere a claim ends after {@link CLAIM_MS}, and the
 * process that holds it renews it as long as the provider has not answered.
 */

const CLAIM_MS = 5000;
/** Several renewals may fail before a claim ends. */
const RENEW_MS = CLAIM_MS / 4;

type Claims = {
  /** The clock that all replicas share. */
  clock: () => Promise<Date>;
  /** The claims that calls in this process hold. */
  claimed: Set<string>;
};

const known = perDatabase(
  (_db, context: Pick<AppContext, 'db' | 'now'>): Claims => ({
    clock: leaseClock(context),
    claimed: new Set(),
  }),
);

/** The claims of this process. */
export const claimsOf = (context: Pick<AppContext, 'db' | 'now'>): Claims => known(context.db, context);

/** The columns of a claim that begins or is renewed now. */
export const claimColumns = (claim: string, at: Date) => ({
  claimed_by: claim,
  claimed_until: new Date(at.getTime() + CLAIM_MS).toISOString(),
});

/** The columns of a page that nobody claims. */
export const UNCLAIMED = { claimed_by: null, claimed_until: null };

/** Whether the page is being made, by a process that is not known to be gone. */
export function isClaimed(
  db: Db,
  { claimed_by, claimed_until }: Pick<Selectable<PaymentCheckoutsTable>, 'claimed_by' | 'claimed_until'>,
  { claimed, at }: Pick<Claims, 'claimed'> & { at: Date },
): boolean {
  if (claimed_until === null) return false;
  if (hasOneProcess(db)) return claimed_by !== null && claimed.has(claimed_by);
  return claimed_until > at.toISOString();
}

/** Renews the claim on a page while `work` runs. */
export async function whileClaimed<Result>(
  context: Pick<AppContext, 'db' | 'now'>,
  { id, claim }: { id: number; claim: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const { clock } = claimsOf(context);
  const renew = async () => {
    await context.db
      .updateTable('payment_checkouts')
      .set(claimColumns(claim, await clock()))
      .where('id', '=', id)
      .where('claimed_by', '=', claim)
      .execute();
  };
  // A claim that cannot be renewed ends. Then another call makes the page with the same idempotency key.
  const renewal = setInterval(() => void renew().catch(() => {}), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}
