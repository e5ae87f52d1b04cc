import { fromMinorUnits } from '../../../contract/base/money.ts';
import { percentOf } from '../../../contract/figures/report-columns.ts';
import {
  REPORT_ROWS_MAX,
  REPORT_SILENT_DAYS,
  type UsageReport,
  type VersionsReport,
} from '../../../contract/figures/reports.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { currencyOrder } from '../figures/by-currency.ts';
import { storedOrLive } from '../figures/stored-figures.ts';
import type { Asked, Filters } from './in-currencies.ts';
import { USAGE } from './report-figures.ts';
import { mostUsed, sumUse, type Use } from './usage-figures.ts';

/** The reports on machines. They have no period: they describe the moment `as_of`. */

const ofFilters =
  ({ software, currency }: Filters) =>
  (use: Use) =>
    (software === null || use.software === software) && (currency === null || use.currency === currency);

/** Sold and used seats, and silent machines, in total and by software. */
export async function reportUsage(context: AppContext, asked: Asked, db: Db) {
  const { as_of, figures } = await storedOrLive(context, USAGE, {}, db);
  const uses = figures.filter(ofFilters(asked));
  const bySoftware = [...Map.groupBy(uses, ({ software }) => software)]
    .map(([id, rows]) => ({ id, figures: seatsOf(rows) }))
    .sort((a, b) => b.figures.seats_total - a.figures.seats_total || a.id - b.id);
  const listed = bySoftware.slice(0, REPORT_ROWS_MAX.software);
  const known = await db
    .selectFrom('software')
    .select(['id', 'name', 'version'])
    .where('id', 'in', [0, ...listed.map(({ id }) => id)])
    .execute();
  const unused = [...Map.groupBy(uses, ({ currency }) => currency)]
    .map(([currency, rows]) => ({ currency, cents: sumUse(rows).unused_cents }))
    .filter(({ cents }) => cents > 0)
    .sort(currencyOrder(asked.first));
  return {
    as_of,
    ...seatsOf(uses),
    silent_days: REPORT_SILENT_DAYS,
    unused_amounts: unused.map(({ currency, cents }) => ({
      currency,
      amount: fromMinorUnits(cents, currency),
    })),
    by_software: listed.flatMap(({ id, figures }) => {
      // A software that was deleted after the figures were computed has no name, and is left out.
      const software = known.find((row) => row.id === id);
      return software ? [{ software, ...figures }] : [];
    }),
    by_software_is_complete: listed.length === bySoftware.length,
  } satisfies Partial<UsageReport>;
}

function seatsOf(uses: Use[]) {
  const { unused_cents: _cents, ...seats } = sumUse(uses);
  return { ...seats, used_percent: percentOf(seats.seats_used, seats.seats_total) ?? 0 };
}

/** Machines by the version that their program last reported. */
export async function reportVersions(context: AppContext, asked: Asked, db: Db) {
  const { as_of, figures } = await storedOrLive(context, USAGE, {}, db);
  const uses = figures.filter(ofFilters(asked));
  const { installations } = sumUse(uses);
  const counts = new Map<string, number>();
  // Figures stored by an earlier release have no versions.
  for (const { version, installations } of uses.flatMap(({ versions = [] }) => versions)) {
    counts.set(version, (counts.get(version) ?? 0) + installations);
  }
  const listed = mostUsed(counts).slice(0, REPORT_ROWS_MAX.versions);
  const counted = listed.reduce((sum, row) => sum + row.installations, 0);
  return {
    as_of,
    installations,
    results: listed.map((row) => ({ ...row, version: row.version || null })),
    is_complete: counted === installations,
  } satisfies Partial<VersionsReport>;
}
