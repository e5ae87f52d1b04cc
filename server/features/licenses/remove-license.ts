import { LICENSE_MESSAGES } from '../../../contract/licenses.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { refuseStaleDeletion } from '../../lib/held-version.ts';
import { deleteUnsentMessages } from '../outbox/outbox.queries.ts';
import { deleteLicense, findLicense } from './licenses.queries.ts';

/**
 * Deletes a licence; its installations go with it (D013), and a message about it that has not left never will.
 * @param ifMatch the If-Match header: the version that the caller has read (D091)
 * @throws notFound (404), stale (412) with the current record
 */
export async function removeLicense(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  id: number,
  ifMatch: string | undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await refuseStaleDeletion(tx, { table: 'licenses', id, ifMatch }, () =>
      findLicense(tx, id, now(), config.timeZone),
    );
    await deleteUnsentMessages(tx, id);
    if (!(await deleteLicense(tx, id))) throw notFound(LICENSE_MESSAGES.notFound);
  });
}
