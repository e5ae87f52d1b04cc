import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SettingsAnswer, SettingsUpdate } from '../../../contract/settings/settings.ts';
import { fileAddress, request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { adoptFormats } from '../../api/vendor-formats.ts';
import type { SaveContext } from '../record/use-record-form.ts';

const PATH = '/licenses/api/settings/';
const LOGO_PATH = `${PATH}logo/`;

/** The URL of the logo. It changes with each new file, so that caches are not outdated. */
export const logoAddress = (storedAt: string) =>
  fileAddress(`${LOGO_PATH}?v=${encodeURIComponent(storedAt)}`);

/** The settings. Cached data is shown at once; opening a section always refetches. */
export const settingsQuery = queryOptions({
  queryKey: [KEYS.settings],
  queryFn: ({ signal }) => request<SettingsAnswer>('GET', PATH, { signal }),
  staleTime: 0,
});

/** Saves the given settings; the others stay unchanged. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, updatedAt }: SaveContext & { values: SettingsUpdate }) =>
      request<SettingsAnswer>('PUT', PATH, { body: { ...values, updated_at: updatedAt } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      adoptFormats(saved);
      // The first steps and the figures of the dashboard show the change when one comes back to it (DESK-06).
      return queryClient.invalidateQueries({ queryKey: [KEYS.statistics] });
    },
  });
}

/** Replaces the logo, or removes it with null. It is stored at once, not with the form. */
export function useSaveLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (file: File | null) =>
      file === null
        ? request<unknown>('DELETE', LOGO_PATH)
        : request<unknown>('PUT', LOGO_PATH, { body: file }),
    onSuccess: () =>
      Promise.all(
        [settingsQuery.queryKey, [KEYS.statistics]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
