import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { PortalRequest } from '../../../contract/portal/portal-licenses.ts';
import { REQUEST_KIND_LABELS } from '../../../contract/portal/portal-words.ts';
import type { PortalSession } from '../../principal.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutClient } from '../clients/client.record.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientVariables, licenseVariables } from '../mail-templates/license-variables.ts';
import { userActor } from '../people/sign-in/auth.queries.ts';
import { mailedAdmins } from '../people/users/users.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';

/** The recipients of a request: the support address, else every active administrator with an address. */
async function receiversOf({ tx }: Scope): Promise<{ name: string; address: string; user: number | null }[]> {
  const { support_email, vendor_name } = await readSettings(tx);
  if (support_email !== '') return [{ name: vendor_name, address: support_email, user: null }];
  const admins = await mailedAdmins(tx);
  return admins.map((admin) => ({ name: userActor(admin).name, address: admin.email, user: admin.id }));
}

/**
 * A client makes a request about a licence: staff get a mail with the address of who asked as Reply-To, and a
 * notification (PORTAL-05).
 * @param contact the contact who is signed in for the client; null for the client itself
 */
export async function askVendor(
  scope: Scope,
  license: LicenseRow,
  { kind, message }: PortalRequest,
  contact: PortalSession['contact'],
): Promise<void> {
  const { client } = license;
  await record(scope, {
    type: 'client.requested',
    ...aboutClient(client),
    license: { id: license.id, license_key: license.license_key },
    software: license.software.id,
    changes: { kind: { before: null, after: kind } },
    reason: message,
  });
  for (const { name, address, user } of await receiversOf(scope)) {
    await queueMail(scope, {
      kind: 'client_request',
      to: { name, address },
      client: client.id,
      user,
      replyTo: contact?.email ?? client.email,
      variables: {
        client: clientVariables(client),
        license: licenseVariables(license, scope.now, scope.timeZone),
        asked: REQUEST_KIND_LABELS[kind],
        message: message || null,
        link: `${scope.publicUrl}/licenses/${license.id}`,
      },
    });
  }
}
