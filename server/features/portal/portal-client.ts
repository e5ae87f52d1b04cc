import type {
  PortalClient,
  PortalMe,
  PortalMeSaved,
  PortalMeUpdate,
} from '../../../contract/portal/portal.ts';
import type { PortalFeature } from '../../../contract/portal/portal-words.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { PortalSession } from '../../principal.ts';
import type { Scope } from '../../scope.ts';
import { replaceClient } from '../clients/save-client.ts';
import { vendorOf } from '../licenses/license-certificate.ts';
import { canBePaid } from '../payments/payment-accounts.ts';

/** The client's own data in the portal (PORTAL-04). */

const SHOWN = [
  'name',
  'company',
  'email',
  'contact_person',
  'phone',
  'tax_id',
  'tax_regime',
  'cfdi_use',
  'tax_condition',
  'postal_code',
  'reminders',
] as const satisfies readonly (keyof PortalClient)[];

/** @throws AppError (403, not_allowed) if the vendor has not enabled the feature */
export function requireOffered({ features }: Pick<PortalSession, 'features'>, feature: PortalFeature): void {
  if (!features[feature]) throw new AppError(403, 'not_allowed');
}

/** The signed-in client, the vendor, and the features that the vendor has enabled. */
export async function meOf(
  db: Db,
  clientId: number,
  session: PortalSession,
  config: { demo: boolean },
): Promise<PortalMe> {
  const row = await db.selectFrom('clients').select(SHOWN).where('id', '=', clientId).executeTakeFirst();
  return {
    client: session.ticket ? null : mustExist(row, `client ${clientId}`),
    vendor: await vendorOf(db),
    // Only offered if there is a way to pay (PORTAL-05).
    features: { ...session.features, pay: session.features.pay && (await canBePaid(db, config)) },
    read_only: session.kind === 'view',
  };
}

/**
 * Changes the client's own data, by the same rules as for staff.
 * @throws AppError (403, not_allowed) for a field whose feature is off
 */
export async function changeMe(
  scope: Scope,
  clientId: number,
  session: PortalSession,
  changes: PortalMeUpdate,
): Promise<PortalMeSaved> {
  const { reminders, ...taxData } = changes;
  if (reminders !== undefined) requireOffered(session, 'reminders');
  if (Object.values(taxData).some((value) => value !== undefined)) requireOffered(session, 'tax_data');
  // No version is compared: the answer to a stale save would contain the whole record, and a client may only see a
  // part of it.
  const saved = await replaceClient({ ...scope, expected: null }, clientId, changes);
  const client = Object.fromEntries(SHOWN.map((field) => [field, saved[field]])) as PortalClient;
  return { client, ...(saved.warnings && { warnings: saved.warnings }) };
}
