import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import { request } from '../../api/http.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import { readLicense } from './read-license.ts';

export const LICENSES_PATH = '/licenses/api/licenses/';
const recordPath = (id: number) => `${LICENSES_PATH}${id}/`;

/** One licence with its installations, refetched whenever its dialog opens, so that nobody edits old data. */
export const licenseQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'record', id],
    queryFn: async ({ signal }) =>
      readLicense(await request<LicenseAnswer>('GET', recordPath(id), { signal })),
    staleTime: 0,
  });

/** Creates a licence, or updates one with the version that was read; resolves when the lists are refetched. */
export function useSaveLicense() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, payload, context }: SaveLicense) => {
      const saved =
        id === null
          ? await request<LicenseAnswer>('POST', LICENSES_PATH, { body: payload, headers: context.headers })
          : await request<LicenseAnswer>('PUT', recordPath(id), {
              body: { ...payload, updated_at: context.updatedAt },
            });
      return readLicense(saved);
    },
    onSuccess: () => refreshAfterChange(queryClient, 'licenses'),
  });
}

interface SaveLicense {
  /** Null creates. */
  id: number | null;
  payload: object;
  context: SaveContext;
}

/** Deletes a licence and, with it, its installations (D013). */
export function useDeleteLicense() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<unknown>('DELETE', recordPath(id)),
    onSuccess: () => refreshAfterChange(queryClient, 'licenses'),
  });
}
