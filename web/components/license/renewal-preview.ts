import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RenewalPreview } from '../../../contract/licenses/license-lifecycle.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/**
 * The result that a renewal with these terms would have. If the renewal would be refused, the query fails with the
 * refusal.
 */
export const renewalPreviewQuery = (id: number, body: object, enabled: boolean) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'renewal', id, body],
    queryFn: ({ signal }) =>
      request<RenewalPreview>('POST', `${apiOf('licenses', id)}renew/preview/`, { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
