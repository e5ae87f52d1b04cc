import { queryOptions } from '@tanstack/react-query';
import type { LicenseType } from '../../contract/license-types.ts';
import type { Software } from '../../contract/software.ts';
import { request } from '../api/http.ts';
import { allRows } from '../api/list-page.ts';
import { KEYS } from '../api/query-keys.ts';

/** Every licence type, or those that match: for the catalogue's own screen, the selects and the filter (D054). */
export const licenseTypesQuery = (search = '') =>
  queryOptions({
    queryKey: [KEYS.licenseTypes, 'list', search],
    queryFn: async ({ signal }) =>
      allRows<LicenseType>(
        await request<unknown>('GET', '/licenses/api/license-types/', { query: { search }, signal }),
      ),
  });

/** Every software, inactive ones too, for the select of the licence form (SEED-7.6-11, D075). */
export const softwareOptionsQuery = queryOptions({
  queryKey: [KEYS.software, 'options'],
  queryFn: async ({ signal }) =>
    allRows<Software>(await request<unknown>('GET', '/licenses/api/software/', { signal })),
});
