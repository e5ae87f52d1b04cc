import { joinAdvice } from '../../../contract/base/advice.ts';
import { CLIENT_FIELDS, CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import { taxIdWarnings } from '../../../contract/clients/tax-ids.ts';
import type {
  PortalClient,
  PortalMe,
  PortalMeSaved,
  PortalMeUpdate,
} from '../../../contract/portal/portal.ts';
import { PORTAL_MESSAGES, type PortalFeature } from '../../../contract/portal/portal-words.ts';
import { mailShown } from '../../../contract/reading/mail-addresses.ts';
import { compactPhone, isPossiblePhone, repairedPhone } from '../../../contract/reading/phones.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
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

const shown = (client: PortalClient): PortalClient => ({ ...client, ...mailShown(client.email) });

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
    client: session.ticket ? null : shown(mustExist(row, `client ${clientId}`)),
    vendor: await vendorOf(db),
    // Only offered if there is a way to pay (PORTAL-05).
    features: { ...session.features, pay: session.features.pay && (await canBePaid(db, config)) },
    contact: session.contact,
    read_only: session.kind === 'view',
  };
}

/**
 * Changes the client's own data, by the same rules as for staff but for the phone.
 * @throws AppError (403, not_allowed) for a field whose feature is off; invalid (400) on `phone`
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
  const { phone, ...others } = changes;
  const meant = phone === undefined ? null : await phoneOf(scope.tx, clientId, phone);
  const values = { ...others, ...(meant && { phone: meant.phone }) };
  const saved = await replaceClient({ ...scope, expected: null }, clientId, values);
  const client = shown(Object.fromEntries(SHOWN.map((field) => [field, saved[field]])) as PortalClient);
  const { warnings } = joinAdvice([
    { warnings: { tax_id: taxIdWarnings(saved.country, saved.tax_id) } },
    { warnings: { phone: meant?.isRepaired ? [PORTAL_MESSAGES.phoneStored(meant.phone)] : [] } },
  ]);
  return { client, ...(warnings && { warnings }) };
}

/**
 * The phone to store for a client in the portal: the number of the client's country that was meant (INPUT-02). Staff
 * get a suggestion instead, because the specification's rule stores what they send. Of another text that is no number
 * of any country nothing is left out: without its separators it would be stored as a number that nobody can call.
 * @throws invalid (400) on `phone` for a text that no phone can be
 */
async function phoneOf(tx: Db, id: number, typed: string): Promise<{ phone: string; isRepaired: boolean }> {
  const row = await tx.selectFrom('clients').select('country').where('id', '=', id).executeTakeFirst();
  const repaired = repairedPhone(typed, mustExist(row, `client ${id}`).country);
  const plain = isPossiblePhone(typed) ? compactPhone(typed) : typed;
  const checked = CLIENT_FIELDS.phone.schema.safeParse(repaired ?? plain);
  if (!checked.success) throw invalid({ phone: [fault('invalid', CLIENT_MESSAGES.phone)] });
  return { phone: checked.data, isRepaired: repaired !== null };
}
