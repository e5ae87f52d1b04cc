import { shownUrl, WEBHOOK_MESSAGES, type Webhook } from '../../../contract/system/webhooks.ts';
import { lockRows } from '../../db/dialect.ts';
import type { WebhookRow } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { RecordKind, Removable } from '../../records/save-record.ts';
import { findWebhook, findWebhookRow, typesOf } from './webhooks.queries.ts';

/** A webhook as the subject of an event: its address without the query, which may contain a secret. */
export const subjectOf = ({ id, url }: Pick<WebhookRow, 'id' | 'url'>) => ({ id, name: shownUrl(url) });

/** Housekeeping deletes the messages of a deleted webhook, because they may be many. */
export const webhookRecord: RecordKind<WebhookRow, WebhookRow, Webhook> & Removable = {
  name: 'webhook',
  table: 'webhooks',
  notFound: WEBHOOK_MESSAGES.notFound,
  lock: (tx, ids) =>
    lockRows(tx, tx.selectFrom('webhooks').selectAll().where('id', 'in', ids).orderBy('id')).execute(),
  find: ({ tx }, id) => findWebhookRow(tx, id),
  complete: async ({ tx, now }, { id }) => mustExist(await findWebhook(tx, id, now), `webhook ${id}`),
  written: ({ url, types, description, is_active, old_secret_until }) => ({
    url: shownUrl(url),
    types: typesOf({ types }),
    description,
    is_active,
    old_secret_until,
  }),
  about: (webhook) => ({ subject: subjectOf(webhook) }),
};
