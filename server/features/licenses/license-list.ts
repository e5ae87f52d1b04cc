import { sql } from 'kysely';
import { type LicenseRow, licenseListQuery } from '../../../contract/licenses.ts';
import { HOLDING_STATUSES } from '../../../contract/limits.ts';
import { countOfActive, whereActive } from '../../db/active-licenses.ts';
import { isAmong } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, type Filter } from '../../lists/filters.ts';
import { completeLicenses, toLicense } from './licenses.queries.ts';

const byCategory = equals<string>('licenses.license_type', { byIndex: true, kept: 'kind' });
const byType = equals<number>('licenses.license_type_id', { byIndex: true });

/** Filters by active: status and date (D067). */
const isActive: Filter<boolean> = (wanted, { now }) => {
  const active = whereActive(now.toISOString());
  return {
    holds: wanted ? active : sql`not ${active}`,
    count: async (db) => {
      const count = await countActive(db, now.toISOString());
      return wanted ? count : (await countKept(db, { table: 'licenses' })) - count;
    },
  };
};

async function countActive(db: Db, at: string): Promise<number> {
  const count = countOfActive(db.selectFrom('licenses'), at);
  const { rows } = await sql<{ n: number }>`select ${count} as n`.execute(db);
  return rows[0]!.n;
}

/** Orders by the client's name, ignoring case and accents. */
const clientName = () =>
  sql<string>`(select clients.name_order from clients where clients.id = licenses.client_id)`;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Licences that are usable now and end within some days. */
const expiringWithin: Filter<number> = (days, { now }) => {
  const endsBy = new Date(now.getTime() + days * DAY_MS).toISOString();
  return {
    holds: sql`(licenses.status in (${sql.join(HOLDING_STATUSES)})
      and licenses.expiry_date >= ${now.toISOString()} and licenses.expiry_date <= ${endsBy})`,
    byIndex: true,
  };
};

const licensesOfIds = prepared((db, { ids }: { ids: number[] }) =>
  completeLicenses(db).where((eb) => isAmong(db, eb.ref('licenses.id'), ids)),
);

export const licenseList = defineList({
  table: 'licenses',
  query: licenseListQuery,
  filters: {
    status: equals('licenses.status', { byIndex: true, kept: 'status' }),
    // A category, or the id of a catalogue type (D060).
    license_type: (value, moment) =>
      typeof value === 'string' ? byCategory(value, moment) : byType(value, moment),
    license_type_config: byType,
    client: equals('licenses.client_id', { byIndex: true }),
    software: equals('licenses.software_id', { byIndex: true }),
    is_active: isActive,
    expiring_within: expiringWithin,
  },
  orderings: {
    created_at: { by: 'licenses.created_at' },
    issued_date: { by: 'licenses.issued_date' },
    expiry_date: { by: 'licenses.expiry_date', nullable: true },
    price: { by: 'licenses.price_cents' },
    status: { by: 'licenses.status' },
    client_name: { by: clientName },
  },
  order: { by: 'licenses.created_at', descending: true },
  search: [
    { table: 'clients', by: ['licenses.client_id'] },
    { table: 'licenses' },
    { table: 'software', by: ['licenses.software_id'] },
  ],
  rows: async (db, ids, { now, timeZone }): Promise<LicenseRow[]> =>
    (await licensesOfIds(db, { ids })).map((row) => toLicense(row, now, timeZone)),
});
