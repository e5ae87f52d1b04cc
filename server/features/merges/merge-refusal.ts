import { MERGE_LICENSES_MAX } from '../../../contract/base/limits.ts';
import { MERGE_MESSAGES } from '../../../contract/clients/merge.ts';
import { ERASED_DOMAIN } from '../../../contract/clients/privacy.ts';
import type { ClientRow, Db } from '../../db/tables.ts';
import { mergeUnderWay } from '../../rules/merged-clients.ts';
import { mailsOfClient } from '../privacy/personal-rows.queries.ts';
import { countRows, type Pair } from './move-records.ts';

const isErased = ({ email_key }: ClientRow) => email_key.endsWith(`@${ERASED_DOMAIN}`);

const hasMailUnderWay = async (db: Db, client: number, now: Date): Promise<boolean> =>
  (await mailsOfClient(db, client)
    .select('id')
    .where('status', '=', 'queued')
    .where('sending_until', '>', now.toISOString())
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Whether this merge has begun: then its records move already, and it is only to be ended. */
export async function isBegun(db: Db, { id, from }: Pair): Promise<boolean> {
  const begun = await mergeUnderWay(db, [from]);
  return begun?.from_id === from && begun.into_id === id;
}

/**
 * Why two clients cannot be merged, first those that last (MERGE-01).
 * @returns the message of a 409; null if they can
 */
export async function mergeRefusal(
  db: Db,
  clients: { into: ClientRow; from: ClientRow },
  now: Date,
): Promise<string | null> {
  const both = [clients.into, clients.from];
  if (both.some((client) => client.is_system)) return MERGE_MESSAGES.system;
  if (both.some(isErased)) return MERGE_MESSAGES.erased;
  const most = MERGE_LICENSES_MAX + 1;
  if ((await countRows(db, 'licenses', clients.from.id, most)) === most) return MERGE_MESSAGES.tooMany;
  const ids = both.map(({ id }) => id);
  if (await mergeUnderWay(db, ids)) return MERGE_MESSAGES.underWay;
  for (const id of ids) if (await hasMailUnderWay(db, id, now)) return MERGE_MESSAGES.mailUnderWay;
  return null;
}
