import { type SqlBool, sql } from 'kysely';
import { textOrder } from '../../../contract/base/text.ts';
import { type CLIENT_ORDERINGS, clientListQuery } from '../../../contract/clients/clients.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { isAmong } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, type Filter, since } from '../../lists/filters.ts';
import type { OrderBy } from '../../lists/orderings.ts';
import { wasImported } from '../../rules/imported.ts';
import { withTags } from '../tags/tag-filter.ts';
import { completeClients, toClient } from './clients.queries.ts';

const byType = equals<string>('clients.client_type', { byIndex: 'many', inOrder: true, kept: 'kind' });
const byEmailKey = equals<string>('clients.email_key', { byIndex: 'few' });
const byEmail: Filter<string> = (email, moment) => byEmailKey(mailKey(email), moment);

const licenseCount = () =>
  sql<number>`(select n from licenses_of_clients where licenses_of_clients.client_id = clients.id)`;

const clientsOfIds = prepared((db, { ids, now }: { ids: number[]; now: string }) =>
  completeClients(db, now).where((eb) => isAmong(db, eb.ref('clients.id'), ids)),
);

/**
 * An index on `company_order` finds the candidates. In it, names that differ only in case or accents are equal, so
 * the exact name is tested too.
 */
const byCompany: Filter<string> = (company) => ({
  holds: sql<SqlBool>`(clients.company_order = ${textOrder(company)} and (clients.company = ${company}) is true)`,
  byIndex: 'few',
});

/** The filters of D053; `client_type` is an alias of `type`. */
export const clientList = defineList({
  table: 'clients',
  query: clientListQuery,
  filters: {
    status: equals('clients.status', { byIndex: 'many', inOrder: true, kept: 'status' }),
    type: byType,
    client_type: byType,
    country: equals('clients.country', { byIndex: 'many' }),
    state: equals('clients.state'),
    city: equals('clients.city'),
    company: byCompany,
    email: byEmail,
    external_id: equals('clients.external_id', { byIndex: 'few' }),
    updated_since: since('clients.updated_at'),
    tag: withTags('clients'),
    import: (id: number, { now }) => ({
      holds: wasImported('client', 'clients.id', id, now.toISOString()),
      byIndex: 'few',
    }),
  },
  orderings: {
    created_at: { by: 'clients.created_at', of: 'instant' },
    name: { by: 'clients.name_order', of: 'text' },
    company: { by: 'clients.company_order', of: 'text' },
    client_type: { by: 'clients.client_type', of: 'text', ties: 'clients.created_at' },
    status: { by: 'clients.status', of: 'text', ties: 'clients.created_at' },
    license_count: {
      by: licenseCount,
      of: 'number',
      through: {
        table: 'licenses_of_clients',
        key: 'client_id',
        by: 'licenses_of_clients.n',
        column: 'clients.id',
      },
    },
    updated_at: { by: 'clients.updated_at', of: 'instant' },
  } satisfies Record<(typeof CLIENT_ORDERINGS)[number] | 'updated_at', OrderBy>,
  order: { by: 'clients.created_at', of: 'instant', descending: true },
  searched: [{ table: 'clients' }],
  countedBy: 'clients',
  rows: async (db, ids, { now }) => {
    const rows = await clientsOfIds(db, { ids, now: now.toISOString() });
    return rows.map(toClient);
  },
});
