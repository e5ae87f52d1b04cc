import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  SYSTEM_PATH,
  type SystemAnswer,
  type SystemJob,
  type SystemJobState,
} from '../../../contract/system/system.ts';
import { request } from '../../api/http.ts';
import { normalizeList } from '../../api/list-page.ts';
import { KEYS } from '../../api/query-keys.ts';

/** How often the open section is refetched. */
const AGAIN_MS = 30_000;

export const systemQuery = queryOptions({
  queryKey: [KEYS.system, 'state'],
  queryFn: ({ signal }) => request<SystemAnswer>('GET', SYSTEM_PATH, { signal }),
  staleTime: 0,
  refetchInterval: AGAIN_MS,
});

const JOBS_PER_PAGE = 10;

/** Background jobs, the newest first. */
export const systemJobsQuery = (state: SystemJobState | undefined, page: number) =>
  queryOptions({
    queryKey: [KEYS.system, 'jobs', state, page],
    queryFn: async ({ signal }) => {
      const query = { state, page, page_size: JOBS_PER_PAGE };
      const answer = await request<unknown>('GET', `${SYSTEM_PATH}jobs/`, { query, signal });
      return normalizeList<SystemJob>(answer, { page, pageSize: JOBS_PER_PAGE });
    },
    staleTime: 0,
    refetchInterval: AGAIN_MS,
  });

const LOOK_MS = 1000;
/** Long, because a check may wait for a server or domain that does not answer. */
const WAIT_MS = 60_000;

const lastCheck = ({ checks }: SystemAnswer): string =>
  checks
    .map((check) => check.checked_at)
    .sort()
    .at(-1) ?? '';

/**
 * Starts the checks and waits until they are finished.
 * @returns false if they take longer than a minute
 */
export function useCheckSystem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (before: SystemAnswer): Promise<boolean> => {
      await request('POST', `${SYSTEM_PATH}check/`);
      for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        const now = await queryClient.fetchQuery({ ...systemQuery, staleTime: 0 });
        if (lastCheck(now) !== lastCheck(before)) return true;
      }
      return false;
    },
  });
}

/** 'Reintentar': retries a failed job. */
export function useRetryJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<SystemJob>('POST', `${SYSTEM_PATH}jobs/${id}/retry/`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEYS.system] }),
  });
}
