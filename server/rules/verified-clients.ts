import { isTrial } from '../../contract/licenses/license-lifecycle.ts';
import type { LicenseStatus } from '../../contract/licenses/licenses.fields.ts';
import type { Db } from '../db/tables.ts';

/**
 * Clients whose email address is not verified: a trial made them of what somebody wrote into a program. Until the
 * client signs in at the portal, or staff save the address or transfer a licence to the client, their trials answer
 * as those of 'Pruebas' do, and their mails contain no text of that person (SELL-04, docs/decisions/114).
 */

type OwnedLicense = { status: LicenseStatus; license_type: string; email_verified: boolean };

/**
 * Whether a program must not hear whose licence this is: else a trial would tell whether its address is a client's.
 */
export const hidesClient = (license: OwnedLicense): boolean => !license.email_verified && isTrial(license);

/** The client's name for an installed program; empty if the licence {@link hidesClient}. */
export const nameForProgram = (license: OwnedLicense & { client_name: string }): string =>
  hidesClient(license) ? '' : license.client_name;

/** Stores that a client's address is verified. 'Pruebas' is nobody, so it never is. */
export async function markVerified(tx: Db, clientId: number): Promise<void> {
  await tx
    .updateTable('clients')
    .set({ email_verified: true })
    .where('id', '=', clientId)
    .where('email_verified', '=', false)
    .where('is_system', '=', false)
    .execute();
}

export async function markUnverified(tx: Db, clientId: number): Promise<void> {
  await tx.updateTable('clients').set({ email_verified: false }).where('id', '=', clientId).execute();
}

/** How mails call a client whose name was written by a stranger. */
const ANYBODY = 'cliente';

/** The variables of a client without what a stranger may have written. */
export const withoutFreeText = <Client extends { name: string; company: string | null }>(
  client: Client,
): Client => ({ ...client, name: ANYBODY, company: null });
