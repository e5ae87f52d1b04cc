import type { FigureKind } from '../figures/stored-figures.ts';
import { type ClientStatistics, countClients } from './client-counts.queries.ts';
import { type RevenueStatistics, sumRevenue } from './revenue.queries.ts';
import { countNewInstallations, measureUsage, type SeatUse } from './usage.queries.ts';

/** These figures read a whole table, so they are computed at most once in five minutes. */
const FRESH_MS = 5 * 60_000;

/** Clients by status, type and licences (SEED-7.6-03). */
export const CLIENT_STATISTICS: FigureKind<ClientStatistics> = {
  part: 'statistics-clients',
  measure: (db, _asked, now, timeZone) => countClients(db, now, timeZone),
  freshFor: FRESH_MS,
};

/** Sales in a period; `currency` is the one in the settings (SEED-7.6-04). */
export const REVENUE: FigureKind<RevenueStatistics> = {
  part: 'statistics-revenue',
  measure: (db, { range, currency }, _now, timeZone) => sumRevenue(db, range!, timeZone, currency!),
  freshFor: FRESH_MS,
};

/** The present use of seats and machines (SEED-7.6-05). */
export const USE: FigureKind<SeatUse> = {
  part: 'statistics-usage',
  measure: (db, _asked, now) => measureUsage(db, now),
  freshFor: FRESH_MS,
};

/** The installations made in a period (SEED-7.6-05). */
export const NEW_MACHINES: FigureKind<number> = {
  part: 'statistics-machines',
  measure: (db, { range }, _now, timeZone) => countNewInstallations(db, range!, timeZone),
  freshFor: FRESH_MS,
};
