import { LICENSE_MESSAGES } from '../../../contract/licenses.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { deleteUnsentMessages } from '../outbox/outbox.queries.ts';
import { deleteLicense } from './licenses.queries.ts';

/**
 * Deletes a licence; its installations go with it (D013), and a message about it that has not left never will.
 * @throws notFound (404)
 */
export async function removeLicense({ db }: Pick<AppContext, 'db'>, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await deleteUnsentMessages(tx, id);
    if (!(await deleteLicense(tx, id))) throw notFound(LICENSE_MESSAGES.notFound);
  });
}
