import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseAction, RenewalPreview } from '../../../contract/license-lifecycle.ts';
import type { License } from '../../../contract/licenses.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import { LICENSES_PATH, licenseQuery } from './licenses.api.ts';
import { readLicense } from './read-license.ts';

/** What a renewal with these terms would be; a refusal is the error of the query. */
export const renewalPreviewQuery = (id: number, body: object, enabled: boolean) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'renewal', id, body],
    queryFn: ({ signal }) =>
      request<RenewalPreview>('POST', `${LICENSES_PATH}${id}/renew/preview/`, { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** An action's call on the version of a licence that was read. */
const call = (
  { id, updated_at }: Pick<License, 'id' | 'updated_at'>,
  action: LicenseAction | 'undo_renewal',
  body: object,
  headers: Record<string, string> = {},
) =>
  request<License>('POST', `${LICENSES_PATH}${id}/${action}/`, {
    body,
    headers: { ...headers, 'If-Match': `"${updated_at}"` },
  });

/** Shows a changed licence everywhere. */
function useShowChanged() {
  const queryClient = useQueryClient();
  return (license: License) => {
    queryClient.setQueryData(licenseQuery(license.id).queryKey, license);
    return refreshAfterChange(queryClient, 'licenses');
  };
}

/** Does an action on a licence, once per attempt. */
export function useLicenseAction(license: License) {
  const onSuccess = useShowChanged();
  const once = useIdempotentAttempt();
  return useMutation({
    mutationFn: async ({ action, body }: { action: LicenseAction; body: object }) =>
      readLicense(await once((headers) => call(license, action, body, headers))),
    onSuccess,
  });
}

/** Takes back the renewal that made a version of a licence; a later change stays. */
export function useUndoRenewal() {
  const onSuccess = useShowChanged();
  return useMutation({
    mutationFn: async (renewed: License) => readLicense(await call(renewed, 'undo_renewal', {})),
    onSuccess,
  });
}
