import { sql } from 'kysely';
import {
  type LICENSE_ORDERINGS,
  type LicenseRow,
  licenseListQuery,
} from '../../../contract/licenses/licenses.ts';
import { isAmong } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import { defineList } from '../../lists/define-list.ts';
import type { OrderBy } from '../../lists/orderings.ts';
import { licenseFilterConditions } from './license-filters.ts';
import { completeLicenses, toLicense } from './licenses.queries.ts';

/** Orders by a name, ignoring case and accents. */
const clientName = () =>
  sql<string>`(select clients.name_order from clients where clients.id = licenses.client_id)`;
const softwareName = () =>
  sql<string>`(select software.name_order from software where software.id = licenses.software_id)`;

const licensesOfIds = prepared((db, { ids }: { ids: number[] }) =>
  completeLicenses(db).where((eb) => isAmong(db, eb.ref('licenses.id'), ids)),
);

export const licenseList = defineList({
  table: 'licenses',
  query: licenseListQuery,
  filters: licenseFilterConditions,
  orderings: {
    created_at: { by: 'licenses.created_at', of: 'instant' },
    issued_date: { by: 'licenses.issued_date', of: 'instant' },
    expiry_date: { by: 'licenses.expiry_date', of: 'instant', nullable: true },
    // Amounts of different currencies cannot be compared.
    price: { by: 'licenses.price_cents', of: 'number', within: 'licenses.currency' },
    status: { by: 'licenses.status', of: 'text', ties: 'licenses.created_at' },
    client_name: {
      by: clientName,
      of: 'text',
      through: { table: 'clients', by: 'clients.name_order', column: 'licenses.client_id' },
      ties: 'licenses.created_at',
    },
    software_name: {
      by: softwareName,
      of: 'text',
      through: { table: 'software', by: 'software.name_order', column: 'licenses.software_id' },
      ties: 'licenses.created_at',
    },
    license_type: { by: 'licenses.license_type', of: 'text', ties: 'licenses.created_at' },
    current_installations: { by: 'licenses.current_installations', of: 'number' },
    updated_at: { by: 'licenses.updated_at', of: 'instant' },
  } satisfies Record<(typeof LICENSE_ORDERINGS)[number] | 'updated_at', OrderBy>,
  order: { by: 'licenses.created_at', of: 'instant', descending: true },
  searched: [
    { table: 'clients', by: ['licenses.client_id'] },
    { table: 'licenses' },
    { table: 'software', by: ['licenses.software_id'], isSmall: true },
  ],
  // A key is found in any spelling (API-02).
  searchesKeys: true,
  countedBy: 'licenses',
  rows: async (db, ids, { now, timeZone }): Promise<LicenseRow[]> =>
    (await licensesOfIds(db, { ids })).map((row) => toLicense(row, now, timeZone)),
});
