import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PASTED_MAX } from '../../../contract/base/limits.ts';
import type { Client, ClientDetails } from '../../../contract/clients/clients.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { Software } from '../../../contract/software/software.ts';
import { request } from '../../api/http.ts';
import { allRows } from '../../api/list-page.ts';
import { wholeListQuery } from '../../api/list-query.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import { recordQuery } from './record-calls.ts';

/** All licence types, or those that match: for the screen of types, the selects and the filter (D054). */
export const licenseTypesQuery = (search = '') =>
  wholeListQuery<LicenseType>({ kind: 'license_types', filters: { search } });

/** All software, inactive ones too, for the select of the licence form (SEED-7.6-11, D075). */
export const softwareOptionsQuery = queryOptions({
  queryKey: [KEYS.software, 'options'],
  queryFn: async ({ signal }) =>
    allRows<Software>(await request<unknown>('GET', apiOf('software'), { signal })),
});

/** The fields of a client that the picker shows. A licence has the same fields of its client. */
export type PickedClient = Pick<Client, 'id' | 'name' | 'email'> &
  Partial<Pick<Client, 'company' | 'status'>>;

/** One client with its licences and installations. */
export const clientQuery = (id: number) => recordQuery<ClientDetails>('clients', id);

/** The name and email address of one client, for a filter that only has its id. */
export const clientNameQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.clients, 'name', id],
    queryFn: ({ signal }) => request<PickedClient>('GET', apiOf('clients', id), { signal }),
  });

/** So many rows that the client sought is among them after a few letters (D124). */
const PICKER_PAGE_SIZE = 50;

/** The clients that the picker lists for the typed text. */
export const clientPickerQuery = (search: string) =>
  queryOptions({
    queryKey: [KEYS.clients, 'picker', search],
    queryFn: async ({ signal }) =>
      allRows<PickedClient>(
        await request<unknown>('GET', apiOf('clients'), {
          query: { search: search.slice(0, PASTED_MAX), page: 1, page_size: PICKER_PAGE_SIZE },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
