import { addDays, daysBetween, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { findLastTerm, updateTerm } from './license-terms.queries.ts';
import { updateLicense } from './licenses.queries.ts';

type Ending = Pick<LicenseRecord, 'id' | 'issued_date'> & { expiry_date: string };

/**
 * Moves the end of a locked licence and of its last term, without a sale.
 * @param from the days count from the local day of this instant
 * @param mark further values of the term
 */
export async function moveEnd(
  { tx, timeZone }: Scope,
  row: Ending,
  from: string,
  days: number,
  version: string,
  mark: { extended_at?: string } = {},
): Promise<void> {
  const ends = endOfLocalDay(addDays(localDay(from, timeZone), days), timeZone);
  const expiry_days = daysBetween(localDay(row.issued_date, timeZone), localDay(ends, timeZone));
  await updateLicense(tx, row.id, { expiry_date: ends, expiry_days }, version);
  const term = mustExist(await findLastTerm(tx, row.id), `term of license ${row.id}`);
  const moved = daysBetween(localDay(row.expiry_date, timeZone), localDay(ends, timeZone));
  await updateTerm(tx, term.id, { ends, moved_days: term.moved_days + moved, ...mark });
}
