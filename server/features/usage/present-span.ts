import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { type MeterSpan, meterSpan } from '../../../contract/licenses/meter-period.ts';
import type { Meter } from '../../../contract/licenses/meters.ts';
import type { Db } from '../../db/tables.ts';
import { termsOf } from './usage.queries.ts';

/** The present period of a meter of a licence. */
export async function presentSpan(
  db: Db,
  { id, issued_date: issuedDate }: Pick<LicenseRow, 'id' | 'issued_date'>,
  { period }: Meter,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<MeterSpan> {
  const terms = period === 'term' ? ((await termsOf(db, [id])).get(id) ?? []) : [];
  return meterSpan(period, now.toISOString(), { issuedDate, terms, timeZone });
}
