import type { MergePreview } from '../../../contract/clients/merge.ts';
import { readTags } from '../../db/features.ts';
import type { Db } from '../../db/tables.ts';
import { joinedClient } from './joined-client.ts';
import { clientsOf } from './merge-clients.ts';
import { mergeRefusal } from './merge-refusal.ts';
import { countRows, type Pair } from './move-records.ts';

/**
 * What a merge would do, without storing anything.
 * @throws as {@link clientsOf}
 */
export async function previewMerge(db: Db, pair: Pair, now: Date): Promise<MergePreview> {
  const both = await clientsOf(db, pair, false);
  const { taken, contacts, left } = joinedClient(both.into, both.from);
  const { from } = pair;
  const { seats } = await db
    .selectFrom('licenses')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('current_installations'), eb.lit(0)).as('seats'))
    .where('client_id', '=', from)
    .executeTakeFirstOrThrow();
  return {
    taken,
    moves: {
      licenses: await countRows(db, 'licenses', from),
      installations: Number(seats),
      payment_requests: await countRows(db, 'payment_requests', from),
      payments: await countRows(db, 'payments', from),
      mails: await countRows(db, 'outbox', from),
      notes: await countRows(db, 'notes', from),
      tags: readTags(both.from.tags).length - left.tags,
      contacts: contacts.length,
    },
    left,
    refusal: await mergeRefusal(db, both, now),
  };
}
