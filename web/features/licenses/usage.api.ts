import { queryOptions } from '@tanstack/react-query';
import type { UsageRow } from '../../../contract/licenses/meters.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { useRecordCall } from '../../components/record/record-calls.ts';
import { apiOf } from '../../record-kinds.ts';

/** The meters of a licence in their current periods. */
export const usageQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'usage', id],
    queryFn: ({ signal }) =>
      request<{ results: UsageRow[] }>('GET', `${apiOf('licenses', id)}usage/`, { signal }),
    select: ({ results }) => results,
    staleTime: 0,
  });

/** Sets the used amount of a meter in its current period. */
export const useAdjustUsage = (id: number) =>
  useRecordCall('licenses', ({ code, ...body }: { code: string; used: number; reason: string }) =>
    request<UsageRow>('POST', `${apiOf('licenses', id)}usage/${encodeURIComponent(code)}/adjust/`, { body }),
  );
