import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { BULK_IDS_MAX } from '../../../contract/base/limits.ts';
import type { LicenseBulkPreview } from '../../../contract/licenses/license-bulk.ts';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import type { LicenseTerm, LicenseTerms, MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import type { BulkLifeAction, LicenseAction } from '../../../contract/licenses/verbs/index.ts';
import { request } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { KEYS, refreshAfterChange } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import type { BulkTarget } from '../list/bulk-call.ts';
import { licenseQuery } from './licenses.api.ts';
import { readLicense } from './read-license.ts';

const termsOf = (id: number) => ({
  queryKey: [KEYS.licenses, 'terms', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request<LicenseTerms>('GET', `${apiOf('licenses', id)}terms/`, { signal }),
  staleTime: 0,
});

/** The terms of a licence, newest first. */
export const termsQuery = (id: number) =>
  queryOptions({ ...termsOf(id), select: ({ results }): LicenseTerm[] => results });

/** From where changed months of a licence count (MONEY-10). */
export const monthsFromQuery = (id: number) =>
  queryOptions({ ...termsOf(id), select: ({ months_from }): MonthsFrom | null => months_from ?? null });

/** The latest term of a licence, or its updates; undefined if it has none. Seats that were added renew nothing. */
export const lastTermQuery = (id: number) =>
  queryOptions({
    ...termsOf(id),
    select: ({ results }): LicenseTerm | undefined => results.find(({ kind }) => kind !== 'seats'),
  });

/** How many licences an action with these terms would change. Ids are sent in calls of a hundred, as for the action itself. */
export const bulkPreviewQuery = (target: BulkTarget, action: BulkLifeAction, terms: object) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'bulk preview', target, action, terms],
    queryFn: async ({ signal }) => {
      const ask = (selection: object) =>
        request<LicenseBulkPreview>('POST', `${apiOf('licenses')}bulk_action/preview/`, {
          body: { ...selection, action, ...terms },
          signal,
        });
      if (target.kind === 'filters') {
        const given = Object.entries(target.filters).filter(([, value]) => value !== undefined);
        return ask({ filters: Object.fromEntries(given) });
      }
      const parts: LicenseBulkPreview[] = [];
      for (let from = 0; from < target.ids.length; from += BULK_IDS_MAX) {
        parts.push(await ask({ ids: target.ids.slice(from, from + BULK_IDS_MAX) }));
      }
      return inOne(parts);
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });

/** Combines the previews of several calls; equal reasons are added up. */
function inOne(parts: readonly LicenseBulkPreview[]): LicenseBulkPreview {
  const refused = new Map<string, LicenseBulkPreview['refused'][number]>();
  for (const reason of parts.flatMap((part) => part.refused)) {
    const known = refused.get(reason.message);
    refused.set(reason.message, { ...reason, count: reason.count + (known?.count ?? 0) });
  }
  const sum = (of: (part: LicenseBulkPreview) => number) => parts.reduce((all, part) => all + of(part), 0);
  return {
    total: sum(({ total }) => total),
    possible: sum(({ possible }) => possible),
    machines: sum(({ machines }) => machines),
    refused: [...refused.values()],
  };
}

/** Calls an action on the version of a licence that was read. */
const call = (
  { id, updated_at }: Pick<LicenseAnswer, 'id' | 'updated_at'>,
  action: LicenseAction | 'undo_renewal',
  body: object,
  headers: Record<string, string> = {},
) =>
  request<LicenseAnswer>('POST', `${apiOf('licenses', id)}${action}/`, {
    body,
    headers: { ...headers, 'If-Match': `"${updated_at}"` },
  });

function useShowChanged() {
  const queryClient = useQueryClient();
  return (license: LicenseAnswer) => {
    queryClient.setQueryData(licenseQuery(license.id).queryKey, license);
    return refreshAfterChange(queryClient, 'licenses');
  };
}

/** Runs an action on a licence, at most once for each attempt. */
export function useLicenseAction(license: Pick<LicenseAnswer, 'id' | 'updated_at'>) {
  const onSuccess = useShowChanged();
  const once = useIdempotentAttempt();
  return useMutation({
    mutationFn: async ({ action, body }: { action: LicenseAction; body: object }) =>
      readLicense(await once((headers) => call(license, action, body, headers))),
    onSuccess,
  });
}

/**
 * Undoes the renewal that created this version of a licence. If the licence was changed after it, the server refuses.
 */
export function useUndoRenewal() {
  const onSuccess = useShowChanged();
  return useMutation({
    mutationFn: async (renewed: LicenseAnswer) => readLicense(await call(renewed, 'undo_renewal', {})),
    onSuccess,
  });
}
