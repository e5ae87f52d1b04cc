import { type SqlBool, sql } from 'kysely';
import { type MailStatus, mailListQuery } from '../../../contract/mail/mails.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, type Filter } from '../../lists/filters.ts';
import { listMails } from './mails.queries.ts';
import { changedAt } from './outbox.queries.ts';

/**
 * Waiting and failed mails are few and have indexes, which SQLite uses only where the status is written into the
 * statement.
 */
const status: Filter<MailStatus> = (value) => ({
  holds: sql<SqlBool>`outbox.status = ${sql.lit(value)}`,
  ...(value === 'queued' || value === 'failed' ? { byIndex: 'few' } : {}),
});

/** Mail of the versions without a client has that of its licence. */
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

/** An address that begins so, in any case: a range in the order of bytes, which an index has (migration 048). */
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
  orderings: { updated_at: { by: () => changedAt } },
  order: { by: 'outbox.id', descending: true },
  rows: listMails,
});
