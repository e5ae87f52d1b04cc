import type { Db } from '../../db/tables.ts';
import type { NewTerm } from './license-terms.queries.ts';
import { updateTerm } from './license-terms.queries.ts';

/** What the figures need to know of the terms of courtesies (MONEY-09, decision 153). */

/** How a new term of a courtesy, or of none, is marked: it counts in no sum and in no figure of renewals. */
export const marksOf = (complimentary: boolean): Pick<NewTerm, 'complimentary' | 'is_free' | 'is_trial'> =>
  complimentary ? { complimentary, is_free: true, is_trial: true } : {};

/**
 * Says of each term of a licence with courtesies whether another one was sold after it. Triggers mark the term before a
 * new one, also where one of the two is a courtesy: but a courtesy renews nothing, and a sale after it renews the term
 * that was sold before it.
 */
export async function settleRenewed(tx: Db, licenseId: number): Promise<void> {
  const terms = await tx
    .selectFrom('license_terms')
    .select(['id', 'is_renewed', 'complimentary', 'is_test'])
    .where('license_id', '=', licenseId)
    .where('kind', 'in', ['issue', 'renewal', 'upgrade'])
    .orderBy('id', 'desc')
    .execute();
  let isRenewed = false;
  for (const term of terms) {
    if (term.is_test) continue;
    if (term.is_renewed !== isRenewed) await updateTerm(tx, term.id, { is_renewed: isRenewed });
    if (!term.complimentary) isRenewed = true;
  }
}
