import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Currency } from '../../../contract/base/money.ts';
import type {
  ChecksReport,
  ClientsReport,
  LicensesReport,
  RenewalsReport,
  ReportKind,
  RevenueReport,
  TrialsReport,
  UsageReport,
  VersionsReport,
} from '../../../contract/figures/reports.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { DayRange } from './period.ts';

export interface ReportAnswers {
  revenue: RevenueReport;
  renewals: RenewalsReport;
  licenses: LicensesReport;
  usage: UsageReport;
  versions: VersionsReport;
  trials: TrialsReport;
  clients: ClientsReport;
  checks: ChecksReport;
}

/** The period and the filters of the address, which all sections use. */
export interface ReportFilters extends DayRange {
  software: number | undefined;
  currency: Currency | undefined;
  /** True if the period ends today. Only then lists of current records match the last figures. */
  isUntilToday: boolean;
}

const REPORTS_PATH = '/licenses/api/reports/';
/** How long a report is cached: figures change slowly, and those of a large database are computed at night. */
const FRESH_MS = 60_000;

export const exportPathOf = (kind: ReportKind) => `${REPORTS_PATH}${kind}/export/`;

/** The API parameters of a report and of its export. Renewals always cover the twelve months from today. */
export function wireFiltersOf(kind: ReportKind, { from, to, software, currency }: ReportFilters) {
  if (kind === 'renewals') return { software, currency };
  return kind === 'checks' ? { from, to, software } : { from, to, software, currency };
}

/** The query of a report. While another period loads, the old figures stay. */
export const reportQuery = <Kind extends ReportKind>(kind: Kind, filters: ReportFilters) =>
  queryOptions({
    queryKey: [KEYS.statistics, 'report', kind, wireFiltersOf(kind, filters)],
    queryFn: ({ signal }) =>
      request<ReportAnswers[Kind]>('GET', `${REPORTS_PATH}${kind}/`, {
        query: wireFiltersOf(kind, filters),
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
