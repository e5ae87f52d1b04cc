import { queryOptions } from '@tanstack/react-query';
import type { TodayList } from '../../../contract/desk/today.ts';
import type { IssuedByMonth, Statistics } from '../../../contract/figures/statistics.ts';
import type { Today } from '../../../contract/figures/today.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { request } from '../../api/http.ts';
import { normalizeList } from '../../api/list-page.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/** SEED-4-29, SEED-4-30, SEED-9-11. */
const STATISTICS_REFRESH_MS = 30_000;
const RECENT_REFRESH_MS = 60_000;
/** Refreshed less often: the monthly counts change slowly, and the query reads all licences. */
const MONTHLY_REFRESH_MS = 5 * 60_000;
/** SEED-9-12. */
const RECENT_COUNT = 5;

/** The counts of the dashboard. Other servers may not send `changes` and `differences`. */
export type DashboardStatistics = Omit<Statistics, 'changes' | 'differences'> & {
  changes?: Partial<Statistics['changes']>;
  differences?: Partial<Statistics['differences']>;
};

/** The fields of a recent licence. Client and software may be an id, an object, or missing (D092, SEED-2.5-19). */
export type RecentLicense = Pick<LicenseRow, 'id' | 'license_key' | 'status' | 'issued_date'> & {
  client?: unknown;
  client_name?: string | null;
  software?: unknown;
  software_name?: string | null;
  expiry_date?: string | null;
  grace_days?: number;
};

export const statisticsQuery = queryOptions({
  queryKey: [KEYS.statistics, 'dashboard'],
  queryFn: async ({ signal }) => {
    const answer = await request<{ statistics: DashboardStatistics }>('GET', '/licenses/api/statistics/', {
      signal,
    });
    return answer.statistics;
  },
  staleTime: STATISTICS_REFRESH_MS,
  refetchInterval: STATISTICS_REFRESH_MS,
});

export const todayQuery = queryOptions({
  queryKey: [KEYS.statistics, 'today'],
  queryFn: ({ signal }) => request<Today>('GET', '/licenses/api/statistics/today/', { signal }),
  staleTime: STATISTICS_REFRESH_MS,
  refetchInterval: STATISTICS_REFRESH_MS,
});

export const INBOX = '/licenses/api/today/';

/** What somebody must do now, in its order of urgency (DESK-01). */
export const inboxQuery = queryOptions({
  queryKey: [KEYS.statistics, 'inbox'],
  queryFn: ({ signal }) => request<TodayList>('GET', INBOX, { signal }),
  staleTime: STATISTICS_REFRESH_MS,
  refetchInterval: STATISTICS_REFRESH_MS,
});

/** The number of licences issued in each of the last months, oldest first. */
export const monthlyQuery = queryOptions({
  queryKey: [KEYS.statistics, 'monthly'],
  queryFn: async ({ signal }) => {
    const answer = await request<{ statistics: { issued_by_month: IssuedByMonth } }>(
      'GET',
      '/licenses/api/statistics/licenses/',
      { signal },
    );
    return answer.statistics.issued_by_month;
  },
  staleTime: MONTHLY_REFRESH_MS,
});

export const recentLicensesQuery = queryOptions({
  queryKey: [KEYS.licenses, 'recent'],
  queryFn: async ({ signal }) => {
    const answer = await request<unknown>('GET', apiOf('licenses'), {
      query: { page_size: RECENT_COUNT, ordering: '-created_at' },
      signal,
    });
    return normalizeList<RecentLicense>(answer, { page: 1, pageSize: RECENT_COUNT }).rows;
  },
  staleTime: RECENT_REFRESH_MS,
  refetchInterval: RECENT_REFRESH_MS,
});
