import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { day } from '../base/text.ts';

/** The change from thirty days ago in percent, one decimal; null if the earlier value was 0 (D105). */
const change = z.number().nullable();

const statistics = z
  .object({
    active_licenses: z.number().int(),
    total_clients: z.number().int(),
    total_licenses: z.number().int(),
    trial_licenses: z.number().int(),
    total_software: z.number().int(),
    last_updated: z.string(),
    changes: z.object({
      active_licenses: change,
      total_clients: change,
      trial_licenses: change,
      total_software: change,
    }),
    /** The same changes as counts. After an import '+202' says more than '+1,561.5 %' (decision 139). */
    differences: z.object({
      active_licenses: z.number().int(),
      total_clients: z.number().int(),
      trial_licenses: z.number().int(),
      total_software: z.number().int(),
    }),
  })
  .meta({ id: 'Statistics' });
export type Statistics = z.infer<typeof statistics>;

const answer = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ success: z.literal(true), statistics: z.object(shape) });

export const statisticsAnswer = z
  .object({ success: z.literal(true), statistics })
  .meta({ id: 'StatisticsAnswer' });

const counts = z.record(z.string(), z.number().int());
const monthCount = z.object({ month: z.string().meta({ examples: ['2026-01'] }), count: z.number().int() });

export const licenseStatistics = answer({
  total: z.number().int(),
  active: z.number().int(),
  expired: z.number().int(),
  by_status: counts,
  by_type: counts,
  by_license_type: z.array(
    z.object({ id: z.number().int().nullable(), name: z.string(), count: z.number().int() }),
  ),
  by_software: z.array(
    z.object({ id: z.number().int(), name: z.string(), version: z.string(), count: z.number().int() }),
  ),
  expiring_30_days: z.number().int(),
  issued_by_month: z.array(monthCount),
  last_updated: z.string(),
}).meta({ id: 'LicenseStatistics' });
/** Licences issued in each of the last twelve local months, the oldest first. */
export type IssuedByMonth = z.infer<typeof licenseStatistics>['statistics']['issued_by_month'];

export const clientStatistics = answer({
  total: z.number().int(),
  by_status: counts,
  by_type: counts,
  with_active_licenses: z.number().int(),
  without_licenses: z.number().int(),
  new_by_month: z.array(monthCount),
  top_clients: z.array(z.object({ id: z.number().int(), name: z.string(), license_count: z.number().int() })),
  last_updated: z.string(),
}).meta({ id: 'ClientStatistics' });

export const dateRange = z.object({ start_date: day.optional(), end_date: day.optional() });

const namedTotal = z.object({ id: z.number().int().nullable(), name: z.string(), total: z.number() });

/** The sales in one currency. */
const revenue = {
  currency: currencyCode,
  total: z.number(),
  license_count: z.number().int(),
  average_price: z.number(),
  by_month: z.array(z.object({ month: z.string(), total: z.number(), count: z.number().int() })),
  by_software: z.array(namedTotal),
  by_license_type: z.array(namedTotal),
};

/** The top-level figures are in the setting's currency. Amounts of different currencies are never added (MONEY-01). */
export const revenueStatistics = answer({
  start_date: z.string(),
  end_date: z.string(),
  ...revenue,
  /** One row for each currency with sales in the range, the setting's currency first. */
  by_currency: z.array(z.object(revenue)),
}).meta({ id: 'RevenueStatistics' });

export const usageStatistics = answer({
  start_date: z.string(),
  end_date: z.string(),
  total_installations: z.number().int(),
  active_installations: z.number().int(),
  inactive_installations: z.number().int(),
  never_reported: z.number().int(),
  new_installations: z.number().int(),
  seats_total: z.number().int(),
  seats_used: z.number().int(),
  utilization_percent: z.number(),
  by_software: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      installations: z.number().int(),
      active: z.number().int(),
    }),
  ),
}).meta({ id: 'UsageStatistics' });
