import type { ExpressionBuilder } from 'kysely';
import type { TermKind } from '../../../../contract/licenses/license-lifecycle.ts';
import { REQUEST_KIND_LABELS, REQUEST_KINDS } from '../../../../contract/portal/portal-words.ts';
import type { Changes } from '../../../../contract/system/events.ts';
import type { Tables } from '../../../db/tables.ts';
import { licenseLink } from '../../../records/links.ts';
import { presentClient } from '../../../rules/merged-clients.ts';
import { recentRequests } from '../../events/client-requests.queries.ts';
import { isSomebody } from './licenses.queries.ts';
import { OF_NOBODY, type TodayRow, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';

/** The newest term of some kinds that was sold to the licence of a request since then; null for none. */
const soldSince = (eb: ExpressionBuilder<Tables, 'events'>, kinds: readonly TermKind[]) =>
  eb
    .selectFrom('license_terms')
    .whereRef('license_terms.license_id', '=', 'events.license_id')
    .whereRef('license_terms.created_at', '>', 'events.at')
    .where('license_terms.kind', 'in', kinds)
    .select((term) => term.fn.max('license_terms.id').as('id'));

/**
 * What clients asked for in the portal (PORTAL-05), the newest first. One for a renewal is settled once the licence
 * was sold again, one for seats once seats were sold.
 */
export const clientRequests: TodaySource = {
  kind: 'client_request',
  find: async (db, { now }, { limit, offset, record, fact }) => {
    const event = fact === undefined ? undefined : /^\d{1,15}$/.test(fact) ? Number(fact) : 0;
    const rows = await recentRequests(db, now)
      .innerJoin('clients', (join) => join.on('clients.id', '=', presentClient('events.client_id')))
      .leftJoin('software', 'software.id', 'events.software_id')
      .$if(record !== undefined, (query) => query.where('events.client_id', '=', record!))
      .$if(event !== undefined, (query) => query.where('events.id', '=', event!))
      .select((eb) => [
        'events.id',
        'events.at',
        'events.client_id as asked_by',
        'events.license_id',
        'events.license_key',
        'events.changes',
        'events.reason',
        'clients.id as client_id',
        'clients.name',
        'clients.email',
        'clients.is_system',
        'software.name as software_name',
        'software.version as software_version',
        soldSince(eb, ['renewal', 'upgrade']).as('sold_since'),
        soldSince(eb, ['seats']).as('seats_since'),
      ])
      .orderBy('events.at', 'desc')
      .orderBy('events.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map((row): TodayRow | null => {
      const { id, at, client_id, name, email, is_system, software_name, software_version } = row;
      // The event of an erased client says no kind any more.
      const { kind } = JSON.parse(row.changes) as Changes;
      const asked = REQUEST_KINDS.find((known) => known === kind?.after) ?? 'other';
      if (!isSomebody({ id: client_id, email, is_system })) return null;
      if (asked === 'renewal' && row.sold_since !== null) return null;
      if (asked === 'seats' && row.seats_since !== null) return null;
      const software = software_name === null ? null : `${software_name} ${software_version}`;
      return {
        ...OF_NOBODY,
        // Of a merged client its own id, so that what is done stays done (MERGE-01).
        record: row.asked_by ?? client_id,
        fact: String(id),
        at,
        title: TEXTS.clientRequest(name, REQUEST_KIND_LABELS[asked]),
        detail: TEXTS.requestDetail(software, row.reason),
        client: { id: client_id, name },
        license: licenseLink(row),
      };
    });
  },
};
