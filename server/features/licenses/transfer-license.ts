import type { z } from 'zod';
import {
  LIFECYCLE_MESSAGES,
  type licenseKeyReplacement,
  type licenseTransfer,
} from '../../../contract/licenses/license-lifecycle.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { fault, invalid } from '../../errors.ts';
import { markVerified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { renewWaitingMails } from '../mail/resend-mail.ts';
import { cancelRequestOf } from '../payment-requests/close-request.ts';
import { createLicenseKey } from './issue-license.ts';
import { actOnLicense } from './license-actions.ts';
import { unknownReferences } from './license-references.ts';
import { searchTextOf, updateLicense } from './licenses.queries.ts';

/**
 * Transfers a licence to another active client; its key stays the same (LIFE-04).
 * @throws as {@link actOnLicense}, and invalid (400) on `client`
 */
export function transferLicense(
  scope: Scope,
  id: number,
  { client, release_seats, notify, reason }: z.output<typeof licenseTransfer>,
): Promise<License> {
  const { tx } = scope;
  return actOnLicense(scope, id, 'transfer', { reason, notify }, async (row, version) => {
    const errors = await unknownReferences(tx, { client });
    if (Object.keys(errors).length > 0) throw invalid(errors);
    if (client === row.client_id)
      throw invalid({ client: [fault('not_allowed', LIFECYCLE_MESSAGES.sameClient)] });
    const { status } = await tx
      .selectFrom('clients')
      .select('status')
      .where('id', '=', client)
      .executeTakeFirstOrThrow();
    if (status !== 'active')
      throw invalid({ client: [fault('not_allowed', LIFECYCLE_MESSAGES.inactiveClient)] });
    await cancelRequestOf(scope, id);
    if (release_seats) await tx.deleteFrom('installations').where('license_id', '=', id).execute();
    const seats = release_seats ? { current_installations: 0 } : {};
    await updateLicense(tx, id, { client_id: client, ...seats }, version);
    // Who transfers a licence knows its client; a program only passes on what somebody wrote.
    if (scope.actor.kind !== 'machine') await markVerified(tx, client);
  });
}

/**
 * Replaces the key of a licence: the old key is invalid at once, and the seats stay (LIFE-04). Mails that still wait
 * get the new key.
 * @throws as {@link actOnLicense}
 */
export function replaceKey(
  scope: Scope,
  id: number,
  { reason, notify }: z.output<typeof licenseKeyReplacement>,
): Promise<License> {
  return actOnLicense(
    scope,
    id,
    'replace_key',
    { reason, notify },
    async ({ external_id, client_id }, version) => {
      const license_key = createLicenseKey();
      const search_text = searchTextOf({ license_key, external_id });
      await updateLicense(scope.tx, id, { license_key, search_text }, version);
      await renewWaitingMails(scope, id, client_id);
    },
  );
}
