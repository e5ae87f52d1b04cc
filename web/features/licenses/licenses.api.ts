import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { License, LicenseRow } from '../../../contract/licenses.ts';
import { MAX_PAGE_SIZE } from '../../../contract/limits.ts';
import { request } from '../../api/http.ts';
import { type ListPage, normalizeList } from '../../api/list-page.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import { readLicense } from './read-license.ts';

export const LICENSES_PATH = '/licenses/api/licenses/';
const recordPath = (id: number) => `${LICENSES_PATH}${id}/`;

/** What narrows the list, by the names that the server gives it; absent is not sent (SEED-7.4-02). */
export interface LicenseFilters {
  search?: string | undefined;
  status?: string | undefined;
  /** A category word, or the id of a catalogue type (D060). */
  license_type?: string | undefined;
  is_active?: string | undefined;
}

/**
 * Rows that one request brings. They are paged here, so that turning a page asks nobody (SEED-2.8-14), and a
 * multiple of every page size on offer, so that no page lies across two blocks. The server gives no more at a time,
 * and a list of a million is never loaded (D045).
 */
export const BLOCK_ROWS = MAX_PAGE_SIZE;

/** One block of the list, from 1; the answer may also be a bare list, which is then all there is (D044, D045). */
export const licenseBlockQuery = (filters: LicenseFilters, block: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'list', filters, block],
    queryFn: async ({ signal }): Promise<ListPage<LicenseRow>> => {
      const answer = await request<unknown>('GET', LICENSES_PATH, {
        query: { ...filters, page: block, page_size: BLOCK_ROWS },
        signal,
      });
      const list = normalizeList<LicenseRow>(answer, { page: block, pageSize: BLOCK_ROWS });
      return { ...list, rows: list.rows.map(readLicense) };
    },
    placeholderData: keepPreviousData,
  });

/** One licence with its installations, read anew whenever its dialog opens: what a person edits must be fresh. */
export const licenseQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'record', id],
    queryFn: async ({ signal }) => readLicense(await request<License>('GET', recordPath(id), { signal })),
    staleTime: 0,
  });

/** Creates a licence, or saves one over the version it was read in; resolves when the lists are fresh. */
export function useSaveLicense() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, payload, context }: SaveLicense) => {
      const saved =
        id === null
          ? await request<License>('POST', LICENSES_PATH, { body: payload, headers: context.headers })
          : await request<License>('PUT', recordPath(id), {
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

/** Sends the licence's message to its client once more. */
export function useResendEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) =>
      readLicense(await request<License>('POST', `${recordPath(id)}resend_email/`)),
    onSuccess: (license) => {
      queryClient.setQueryData(licenseQuery(license.id).queryKey, license);
      return queryClient.invalidateQueries({ queryKey: [KEYS.licenses] });
    },
  });
}
