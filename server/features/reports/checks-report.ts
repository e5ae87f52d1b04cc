import type { ChecksReport } from '../../../contract/figures/reports.ts';
import type { Refusal } from '../../../contract/licenses/license-state.ts';
import type { Db } from '../../db/tables.ts';
import type { DayRange } from '../figures/periods.ts';
import type { Asked } from './in-currencies.ts';

/**
 * The checks of installed programs by day, and their answers (SELL-07). The sums are stored within seconds, so they
 * are never older than that. Without a filter on software, calls with unknown keys are counted too.
 */
export async function reportChecks(db: Db, { start_date, end_date }: DayRange, { software, now }: Asked) {
  let days = db.selectFrom('check_days').where('day', '>=', start_date).where('day', '<=', end_date);
  if (software !== null) days = days.where('software_id', '=', software);
  const rows = await days
    .groupBy(['day', 'reason'])
    .select((eb) => ['day', 'reason', eb.fn.sum<number>('count').as('count')])
    .orderBy('day')
    .orderBy('reason')
    .execute();
  return {
    as_of: now.toISOString(),
    days: rows.map(({ day, reason, count }) => ({
      day,
      // The cast is safe: only reasons are stored in this column, and '' for a valid licence.
      reason: reason === '' ? null : (reason as Refusal),
      count: Number(count),
    })),
  } satisfies Partial<ChecksReport>;
}
