import { lockRows } from '../db/dialect.ts';
import type { Db } from '../db/tables.ts';
import { stale } from '../errors.ts';
import { isCurrentVersion } from './version.ts';

type Versioned = 'clients' | 'software' | 'license_types' | 'licenses';

/**
 * Refuses to delete a record of which the caller has read another version (D091), and holds the record until the
 * transaction ends. A record that is not there passes: the deletion itself tells so.
 * @param ifMatch the If-Match header; absent means any version
 * @param find the record as it is answered
 * @throws stale (412) with the current record
 */
export async function refuseStaleDeletion(
  tx: Db,
  { table, id, ifMatch }: { table: Versioned; id: number; ifMatch: string | undefined },
  find: () => Promise<{ updated_at: string } | undefined>,
): Promise<void> {
  if (ifMatch === undefined) return;
  await lockRows(tx, tx.selectFrom(table).select('id').where('id', '=', id)).execute();
  const current = await find();
  if (current && !isCurrentVersion(current.updated_at, { ifMatch })) throw stale(current);
}
