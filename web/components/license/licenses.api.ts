import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import type { LicenseBatchResult } from '../../../contract/licenses/licenses.ts';
import { request } from '../../api/http.ts';
import { apiOf } from '../../record-kinds.ts';
import { recordQuery, saveCall, useRecordCall } from '../record/record-calls.ts';
import type { SaveContext } from '../record/use-record-form.ts';
import { readLicense } from './read-license.ts';

/** One licence with its installations. */
export const licenseQuery = (id: number) => recordQuery<LicenseAnswer>('licenses', id, readLicense);

/** Issues several licences with the same terms (SELL-05). */
export const useIssueBatch = () =>
  useRecordCall('licenses', ({ values, headers }: SaveContext & { values: object }) =>
    request<LicenseBatchResult>('POST', `${apiOf('licenses')}batch/`, { body: values, headers }),
  );

/** Creates (`id` null) or changes a licence; resolves after the lists were refetched. */
export function useSaveLicense(id: number | null) {
  const save = saveCall<object, LicenseAnswer>('licenses', id);
  return useRecordCall('licenses', async (given: SaveContext & { values: object }) =>
    readLicense(await save(given)),
  );
}
