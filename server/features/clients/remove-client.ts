import { CLIENT_MESSAGES } from '../../../contract/clients.ts';
import type { AppContext } from '../../context.ts';
import { isForeignKeyViolation } from '../../db/dialect.ts';
import { inUse, notFound } from '../../errors.ts';
import { refuseStaleDeletion } from '../../lib/held-version.ts';
import { countLicensesOfClient, deleteClient } from './clients.queries.ts';
import { clientDetailsOf } from './save-client.ts';

/**
 * Deletes a client who has no licences (D013).
 * @param ifMatch the If-Match header: the version that the caller has read (D091)
 * @throws notFound (404), stale (412) with the current record, inUse (409) with the number of licences
 */
export async function removeClient(
  context: AppContext,
  id: number,
  ifMatch: string | undefined,
): Promise<void> {
  const isDeleted = await context.db
    .transaction()
    .execute(async (tx) => {
      await refuseStaleDeletion(tx, { table: 'clients', id, ifMatch }, () =>
        clientDetailsOf(tx, id, context),
      );
      const licenses = await countLicensesOfClient(tx, id);
      if (licenses > 0) throw clientInUse(licenses);
      return deleteClient(tx, id);
    })
    .catch((error) => {
      // A licence that was issued in between: the database says so.
      throw isForeignKeyViolation(error) ? clientInUse(1) : error;
    });
  if (!isDeleted) throw notFound(CLIENT_MESSAGES.notFound);
}

const clientInUse = (licenses: number) =>
  inUse(
    `No se puede eliminar el cliente porque tiene ${licenses} ${licenses === 1 ? 'licencia asociada' : 'licencias asociadas'}.`,
  );
