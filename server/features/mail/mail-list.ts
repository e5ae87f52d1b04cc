import { type SqlBool, sql } from 'kysely';
import { type MailStatus, mailListQuery } from '../../../contract/mail/mails.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, type Filter } from '../../lists/filters.ts';
import { listMails } from './mails.queries.ts';
import { changedAt } from './outbox.queries.ts';

/**
 * Waiting and failed mails are few and have partial indexes. SQLite uses these only if the status is literally in the
 * statement.
 */
const status: Filter<MailStatus> = (value) => ({
  holds: sql<SqlBool>`outbox.status = ${sql.lit(value)}`,
  ...(value === 'queued' || value === 'failed' ? { byIndex: 'few' } : {}),
});

/** Mails of versions without `client_id` belong to the client of their licence. */
const ofClient: Filter<number> = (client) => ({
  holds: sql<SqlBool>`outbox.id in (
    select own.id from outbox as own where own.client_id = ${client}
    union all
    select older.id from licenses join outbox as older on older.license_id = licenses.id
      where licenses.client_id = ${client} and older.client_id is null)`,
  byIndex: 'few',
});

const changedSince: Filter<string> = (instant) => ({
  holds: sql<SqlBool>`${changedAt} >= ${instant}`,
  byIndex: 'few',
});

/**
 * Addresses with this beginning, in upper or lower case: a range in byte order, for which there is an index
 * (outbox_by_address).
 */
const addressBegins: Filter<string> = (beginning) => {
  const key = sql<string>`lower(outbox.to_address) collate "binary"`;
  return {
    holds: sql<SqlBool>`(${key} >= ${beginning} and ${key} < ${`${beginning}\uffff`})`,
    byIndex: 'few',
  };
};

export const mailList = defineList({
  table: 'outbox',
  query: mailListQuery,
  filters: {
    status,
    license: equals('outbox.license_id', { byIndex: 'few' }),
    client: ofClient,
    address: addressBegins,
    kind: equals('outbox.kind', { byIndex: 'many', inOrder: true }),
    updated_since: changedSince,
  },
  orderings: { updated_at: { by: () => changedAt, of: 'instant' } },
  order: { by: 'outbox.id', of: 'number', descending: true },
  rows: listMails,
});
