import { LABELS } from '../../../contract/base/labels.ts';
import type { MonthKind } from '../../../contract/figures/report-description.ts';
import type { ReportAnswers } from '../../../contract/figures/reports.ts';
import { vendorCurrency } from '../../text/format.ts';
import { type DayRange, monthEnd, monthsBefore } from './period.ts';
import { zeroesOf } from './report-rows.ts';
import type { ReportFilters } from './reports.api.ts';

/**
 * Reports in which all figures are 0. They are rendered invisibly while the real ones load, so that every state
 * (loaded, empty or failed) has the same height and nothing moves.
 */
export function blankReports(filters: ReportFilters): ReportAnswers {
  const { from, to } = filters;
  const currency = filters.currency ?? vendorCurrency();
  const head = { success: true, as_of: '', from, to, software: null, currency: null } as const;
  const inMonths = <Kind extends MonthKind>(kind: Kind, days: DayRange = filters) => ({
    ...head,
    months: monthsIn(days).map((month) => ({
      ...zeroesOf(kind),
      month: month.slice(0, 7),
      from: month,
      to: monthEnd(month),
      currency,
    })),
    totals: [{ ...zeroesOf(kind), currency, change: 0, conversion_rate: null, grr: null, nrr: null }],
  });
  const client = { id: 0, name: LABELS.client };
  return {
    revenue: {
      ...inMonths('revenue'),
      previous_from: from,
      previous_to: to,
    },
    renewals: {
      ...inMonths('renewals', { from: to, to: monthsBefore(to, -11) }),
      renewal_rate: 0,
      rate_from: from,
      rate_to: to,
      ended: 0,
      renewed: 0,
    },
    licenses: inMonths('licenses'),
    usage: {
      ...head,
      ...NO_SEATS,
      silent: 1,
      silent_days: 7,
      unused_amounts: [{ currency, amount: 1000 }],
      by_software: rows((id) => ({ software: { id, name: LABELS.software, version: '1' }, ...NO_SEATS })),
      by_software_is_complete: true,
    },
    versions: {
      ...head,
      installations: 0,
      results: rows((id) => ({ version: String(id), installations: 0 })),
      is_complete: true,
    },
    trials: inMonths('trials'),
    clients: {
      ...head,
      clients: 0,
      by_country: rows((id) => ({ country: String(id), clients: 0 })),
      by_country_is_complete: true,
      top: rows((id) => ({ client: { ...client, id }, amount: 0, currency })),
      at_risk: rows((id) => ({
        client: { ...client, id },
        reason: 'ended' as const,
        licenses: 1,
        ends: to,
        amount: 0,
        currency,
      })),
      at_risk_clients: 0,
    },
    recurring: inMonths('recurring'),
    checks: {
      ...head,
      days: CHECK_REASONS.map((reason) => ({ day: from, reason, count: 1 })),
    },
  };
}

/** As many reasons as a report usually has. */
const CHECK_REASONS = [null, 'expired', 'suspended', 'installation_limit'] as const;

/** How many rows of a list are shown at first. */
export const ROWS_SHOWN = 6;

const rows = <Row>(make: (id: number) => Row): Row[] =>
  Array.from({ length: ROWS_SHOWN }, (_, position) => make(position + 1));

const NO_SEATS = {
  seats_total: 0,
  seats_used: 0,
  used_percent: 0,
  installations: 0,
  silent: 0,
  unused: 0,
  full: 0,
};

/** The first days of the months in a period. */
export function monthsIn({ from, to }: DayRange): string[] {
  const months: string[] = [];
  for (let month = monthsBefore(from, 0); month <= to; month = monthsBefore(month, -1)) months.push(month);
  return months;
}
