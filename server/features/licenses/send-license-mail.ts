import { LICENSE_MESSAGES, type License } from '../../../contract/licenses.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { deleteUnsentMessages, enqueueMessage } from '../outbox/outbox.queries.ts';
import { licenseMessage } from './license-mail.ts';
import { findLicense } from './licenses.queries.ts';

/**
 * Puts the message about a licence into the outbox, in the transaction that is given (promises: Mail).
 * @returns the licence as it is now
 */
export async function queueLicenseMail(
  tx: Db,
  license: License,
  { now, config }: Pick<AppContext, 'now' | 'config'>,
): Promise<License> {
  await enqueueMessage(tx, licenseMessage(license, config.timeZone), config.mailFrom, now());
  return { ...license, email_status: 'queued' };
}

/**
 * Sends the message about a licence once more, to where its client is reached today. One that still waits or was
 * refused is replaced, not doubled.
 * @throws notFound (404)
 */
export async function resendLicenseMail(context: AppContext, id: number): Promise<License> {
  return context.db.transaction().execute(async (tx) => {
    const license = await findLicense(tx, id, context.now(), context.config.timeZone);
    if (!license) throw notFound(LICENSE_MESSAGES.notFound);
    await deleteUnsentMessages(tx, id);
    return queueLicenseMail(tx, license, context);
  });
}
