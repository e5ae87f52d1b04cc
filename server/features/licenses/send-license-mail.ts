import { LICENSE_MESSAGES, type License } from '../../../contract/licenses.ts';
import { notFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { enqueueMessage } from '../mail/enqueue-message.ts';
import { deleteUnsentMessages } from '../mail/outbox.queries.ts';
import { type LicenseNotice, licenseMessage } from './license-mail.ts';
import { findLicense } from './licenses.queries.ts';

/**
 * Puts the message about a licence into the outbox (promises: Mail).
 * @returns the licence as it is now
 */
export const queueLicenseMail = (scope: Scope, license: License): Promise<License> =>
  notifyClient(scope, license, 'issued');

/**
 * Queues a message about what was done with a licence.
 * @returns the licence as it is now
 */
export async function notifyClient(scope: Scope, license: License, notice: LicenseNotice): Promise<License> {
  await enqueueMessage(scope, licenseMessage(license, scope.timeZone, notice));
  return { ...license, email_status: 'queued' };
}

/**
 * Queues the message about a licence again, to the client's current address. It replaces a message that waits or was
 * refused.
 * @throws notFound (404)
 */
export async function resendLicenseMail(scope: Scope, id: number): Promise<License> {
  const license = await findLicense(scope.tx, id, scope.now, scope.timeZone);
  if (!license) throw notFound(LICENSE_MESSAGES.notFound);
  await deleteUnsentMessages(scope.tx, id);
  return queueLicenseMail(scope, license);
}
