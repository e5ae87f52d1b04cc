import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { recordQuery, saveCall, useRecordCall } from '../../components/record/record-calls.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';
import { apiOf } from '../../record-kinds.ts';
import { readLicense } from './read-license.ts';

/** One licence with its installations. */
export const licenseQuery = (id: number) => recordQuery<LicenseAnswer>('licenses', id, readLicense);

/** Creates (`id` null) or updates a licence; resolves when the lists are refetched. */
export function useSaveLicense(id: number | null) {
  const save = saveCall<object, LicenseAnswer>('licenses', id);
  return useRecordCall('licenses', async (given: SaveContext & { values: object }) =>
    readLicense(await save(given)),
  );
}

/** Sends the licence's mail to its client again. */
export function useResendEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) =>
      readLicense(await request<LicenseAnswer>('POST', `${apiOf('licenses', id)}resend_email/`)),
    onSuccess: (license) => {
      queryClient.setQueryData(licenseQuery(license.id).queryKey, license);
      return queryClient.invalidateQueries({ queryKey: [KEYS.licenses] });
    },
  });
}
