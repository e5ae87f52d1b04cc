import { SOFTWARE_MESSAGES } from '../../../contract/software.ts';
import type { AppContext } from '../../context.ts';
import { isForeignKeyViolation } from '../../db/dialect.ts';
import { inUse, notFound } from '../../errors.ts';
import { refuseStaleDeletion } from '../../lib/held-version.ts';
import { countLicensesOfSoftware, deleteSoftware, findSoftware } from './software.queries.ts';

/**
 * Deletes a software that no licence needs. The database itself refuses to part with one that is needed, so that
 * a licence issued at the same moment is counted too.
 * @param ifMatch the If-Match header: the version that the caller has read (D091)
 * @throws notFound (404), stale (412) with the current record, inUse (409) with the number of licences (D013)
 */
export async function removeSoftware(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  id: number,
  ifMatch: string | undefined,
): Promise<void> {
  let isDeleted: boolean;
  try {
    isDeleted = await db.transaction().execute(async (tx) => {
      await refuseStaleDeletion(tx, { table: 'software', id, ifMatch }, () => findSoftware(tx, id, now()));
      return deleteSoftware(tx, id);
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw softwareInUse(await countLicensesOfSoftware(db, id));
    throw error;
  }
  if (!isDeleted) throw notFound(SOFTWARE_MESSAGES.notFound);
}

const softwareInUse = (licenses: number) =>
  inUse(
    `No se puede eliminar el software porque tiene ${licenses} ${licenses === 1 ? 'licencia asociada' : 'licencias asociadas'}.`,
  );
