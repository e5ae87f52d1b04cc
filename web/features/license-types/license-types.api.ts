import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseType, LicenseTypeValues } from '../../../contract/licenses/license-types.ts';
import { request } from '../../api/http.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';

const TYPES_PATH = '/licenses/api/license-types/';
const pathOf = (id: number) => `${TYPES_PATH}${id}/`;

/** One licence type. Cached data shows at once; opening it always refetches. */
export const licenseTypeQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenseTypes, 'record', id],
    queryFn: ({ signal }) => request<LicenseType>('GET', pathOf(id), { signal }),
    staleTime: 0,
  });

/** Creates (`id` null) or updates a type, then refetches the queries that show it. */
export function useSaveLicenseType(id: number | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, headers, updatedAt }: SaveContext & { values: LicenseTypeValues }) =>
      id === null
        ? request<LicenseType>('POST', TYPES_PATH, { body: values, headers })
        : request<LicenseType>('PUT', pathOf(id), { body: { ...values, updated_at: updatedAt }, headers }),
    onSuccess: () => refreshAfterChange(queryClient, 'licenseTypes'),
  });
}

/** Deletes a type; its licences keep their terms (D013). */
export function useDeleteLicenseType() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<unknown>('DELETE', pathOf(id)),
    onSuccess: (_answer, id) => {
      queryClient.removeQueries({ queryKey: licenseTypeQuery(id).queryKey });
      return refreshAfterChange(queryClient, 'licenseTypes');
    },
  });
}

/** Switches a type between active and inactive; the call has no body (SEED-4-16, D082). Returns the updated type. */
export function useToggleLicenseType() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<LicenseType>('PATCH', `${pathOf(id)}toggle-status/`),
    onSuccess: () => refreshAfterChange(queryClient, 'licenseTypes'),
  });
}

/**
 * Takes a switch between active and inactive back. The version of the switched type goes with it, so that a change that
 * somebody made meanwhile is never undone with it (412).
 */
export function useRestoreLicenseType() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, is_active, updated_at }: LicenseType) =>
      request<LicenseType>('PUT', pathOf(id), { body: { is_active: !is_active, updated_at } }),
    onSuccess: () => refreshAfterChange(queryClient, 'licenseTypes'),
  });
}
