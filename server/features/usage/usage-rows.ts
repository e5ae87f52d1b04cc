import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { type MeterSpan, type MeterTerm, meterSpan } from '../../../contract/licenses/meter-period.ts';
import { type Meter, remainingOf, type UsageRow } from '../../../contract/licenses/meters.ts';
import type { Db } from '../../db/tables.ts';
import { countsOf, termsOf } from './usage.queries.ts';

type Moment = { now: Date; timeZone: string };
type MeteredLicense = Pick<LicenseRow, 'id' | 'issued_date' | 'meters'>;

const spanNow = (
  { issued_date: issuedDate }: MeteredLicense,
  { period }: Meter,
  terms: readonly MeterTerm[],
  { now, timeZone }: Moment,
): MeterSpan => meterSpan(period, now.toISOString(), { issuedDate, terms, timeZone });

/** The present period of a meter of a licence. */
export async function presentSpan(
  db: Db,
  license: MeteredLicense,
  meter: Meter,
  moment: Moment,
): Promise<MeterSpan> {
  const terms = meter.period === 'term' ? await termsOf(db, [license.id]) : null;
  return spanNow(license, meter, terms?.get(license.id) ?? [], moment);
}

/** A meter with its used amount. */
export const toUsageRow = (code: string, meter: Meter, used: number, span: MeterSpan): UsageRow => ({
  code,
  limit: meter.limit,
  period: meter.period,
  overage: meter.overage,
  used,
  remaining: remainingOf(meter.limit, used),
  starts: span.starts,
  resets_at: span.resetsAt,
});

/** The meters of a licence, each in its present period (SELL-03). */
export async function usageOf(db: Db, license: MeteredLicense, moment: Moment): Promise<UsageRow[]> {
  const meters = Object.entries(license.meters);
  if (meters.length === 0) return [];
  const needsTerms = meters.some(([, { period }]) => period === 'term');
  const terms = needsTerms ? ((await termsOf(db, [license.id])).get(license.id) ?? []) : [];
  const spans = meters.map(([code, meter]) => ({
    code,
    meter,
    span: spanNow(license, meter, terms, moment),
  }));
  const counts = await countsOf(
    db,
    license.id,
    spans.map(({ code, span }) => ({ code, period: span.key })),
  );
  return spans.map(({ code, meter, span }) => toUsageRow(code, meter, counts.get(code)?.used ?? 0, span));
}
