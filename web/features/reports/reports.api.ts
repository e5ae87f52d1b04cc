import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Currency } from '../../../contract/base/money.ts';
import type { ReportAnswers, ReportKind } from '../../../contract/figures/reports.ts';
import { ApiError } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { RETRY_DELAY_MS, shouldRetry } from '../../api/query-client.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { DayRange } from './period.ts';

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

/** Whether the server is still computing the figures: the first ones of a period, in a large database. */
export const arePending = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'figures_pending';

/** How often the console asks again for figures that are being computed: for some five minutes. */
const PENDING_TRIES = 60;

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
    retry: (failures, error) => (arePending(error) ? failures < PENDING_TRIES : shouldRetry(failures, error)),
    retryDelay: (_failures, error) => (arePending(error) ? (error.retryAfter ?? 5) * 1000 : RETRY_DELAY_MS),
  });
