import { SOFTWARE_MESSAGES } from '../../../contract/software.ts';
import { isForeignKeyViolation } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { inUse, notFound } from '../../errors.ts';
import { countLicensesOfSoftware, deleteSoftware } from './software.queries.ts';

/**
 * Deletes a software that no licence needs. The database itself refuses to part with one that is needed, so that
 * a licence issued at the same moment is counted too.
 * @throws inUse (409) with the number of licences (D013), notFound (404)
 */
export async function removeSoftware(db: Db, id: number): Promise<void> {
  let isDeleted: boolean;
  try {
    isDeleted = await deleteSoftware(db, id);
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
