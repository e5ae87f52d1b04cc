import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { dateOf, isAnchored } from '../../../contract/base/months.ts';
import { localDay } from '../../../contract/base/time.ts';
import { ADDED_KINDS, type MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, LicenseTermRow } from '../../db/tables.ts';

/** On which day of the month a term in months ends (MONEY-10). */

/** A term, as far as a row of terms in months is made of it. */
export type TermSpan = Pick<LicenseTermRow, 'starts' | 'ends' | 'months' | 'moved_days'>;

/**
 * The day of the month on which a term in months ends that begins at `starts`: that on which the first of the terms in
 * months in a row began. A row breaks where days or a date were sold, where an end was moved, and where a term began
 * at another moment than the end of the one before, such as today.
 * @param earlier the terms before it, newest first
 */
export function anchorOf(starts: string, earlier: readonly TermSpan[], timeZone: string): number {
  let first = starts;
  for (const term of earlier) {
    if (term.months === null || term.starts === null || term.moved_days !== 0) break;
    if (term.ends === null || Date.parse(term.ends) !== Date.parse(first)) break;
    first = term.starts;
  }
  const day = localDay(starts, timeZone);
  const anchor = dateOf(localDay(first, timeZone));
  // The end may have been set by an import, or when another zone applied.
  return isAnchored(day, anchor) ? anchor : dateOf(day);
}

/**
 * From where changed months of a licence count: the start of its present term (MONEY-10).
 * @param terms its terms, newest first, without those that have no end of their own
 * @returns null while its present term has not started
 */
export function presentMonths([last, ...earlier]: readonly TermSpan[], timeZone: string): MonthsFrom | null {
  if (!last?.starts) return null;
  return { from: last.starts, anchor: anchorOf(last.starts, earlier, timeZone) };
}

/** The terms of each of some licences, newest first, without those that have no end of their own. */
export async function termSpans(db: Db, licenseIds: number[]): Promise<Map<number, TermSpan[]>> {
  if (licenseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('license_terms')
    .select(['license_id', 'starts', 'ends', 'months', 'moved_days'])
    .where((eb) => isAmong(db, eb.ref('license_id'), licenseIds))
    .where('kind', 'not in', ADDED_KINDS)
    .orderBy('license_id')
    .orderBy('id', 'desc')
    .execute();
  return Map.groupBy(rows, ({ license_id }) => license_id);
}

/** The newest terms of a licence; so many that a row in months of any length is among them. */
export const termSpansOf = (db: Db, licenseId: number): Promise<TermSpan[]> =>
  db
    .selectFrom('license_terms')
    .select(['starts', 'ends', 'months', 'moved_days'])
    .where('license_id', '=', licenseId)
    .where('kind', 'not in', ADDED_KINDS)
    .orderBy('id', 'desc')
    .limit(UNPAGED_ROWS)
    .execute();
