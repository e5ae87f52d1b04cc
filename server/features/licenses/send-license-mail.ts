import { LICENSE_MESSAGES, type License, type LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { LicenseMailKind } from '../../../contract/mail/mails.ts';
import { TRIALS_CLIENT } from '../../../contract/programs/trial-terms.ts';
import { notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { deleteUnsentMessages } from '../mail/outbox.queries.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientVariables, licenseVariables } from '../mail-templates/license-variables.ts';
import { findLicense } from './licenses.queries.ts';

/** The kinds of mail about what was done with one licence. */
type LicenseNotice = Exclude<LicenseMailKind, 'license_reminder'>;

/**
 * Puts the message about a licence into the outbox (promises: Mail).
 * @returns the licence as it is now
 */
export const queueLicenseMail = (scope: Scope, license: License): Promise<License> =>
  notifyClient(scope, license, 'license_issued');

/**
 * Queues a message about what was done with a licence.
 * @param reason what a template may say as `reason`
 * @returns the licence as it is now
 */
export async function notifyClient(
  scope: Scope,
  license: License,
  notice: LicenseNotice,
  reason?: string,
): Promise<License> {
  const { client } = license;
  // 'Pruebas' is nobody who reads mail (SELL-04).
  if (client.email === TRIALS_CLIENT.email) return license;
  await queueMail(scope, {
    kind: notice,
    to: { name: client.name, address: client.email },
    license: license.id,
    client: client.id,
    variables: {
      client: clientVariables(client),
      license: licenseVariables(license, scope.now, scope.timeZone),
      reason: reason || null,
    },
  });
  return { ...license, email_status: 'queued', email_transport: null };
}

/** Queues one message about licences of one client that were issued together, with all their keys (SELL-05). */
export async function queueBatchMail(scope: Scope, licenses: readonly LicenseRow[]): Promise<void> {
  const first = mustExist(licenses[0], 'the first licence of a batch');
  const { key: _key, ...terms } = licenseVariables(first, scope.now, scope.timeZone);
  await queueMail(scope, {
    kind: 'licenses_issued',
    to: { name: first.client.name, address: first.client.email },
    client: first.client.id,
    variables: {
      client: clientVariables(first.client),
      license: terms,
      licenses: licenses.map(({ license_key }, index) => ({ number: index + 1, key: license_key })),
      count: licenses.length,
    },
  });
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
