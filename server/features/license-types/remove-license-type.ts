import { LICENSE_TYPE_MESSAGES } from '../../../contract/license-types.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { refuseStaleDeletion } from '../../lib/held-version.ts';
import { deleteLicenseType, findLicenseType } from './license-types.queries.ts';

/**
 * Deletes a licence type; the licences that were made from it keep their terms (D013).
 * @param ifMatch the If-Match header: the version that the caller has read (D091)
 * @throws notFound (404), stale (412) with the current record
 */
export async function removeLicenseType(
  { db }: Pick<AppContext, 'db'>,
  id: number,
  ifMatch: string | undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await refuseStaleDeletion(tx, { table: 'license_types', id, ifMatch }, () => findLicenseType(tx, id));
    if (!(await deleteLicenseType(tx, id))) throw notFound(LICENSE_TYPE_MESSAGES.notFound);
  });
}
