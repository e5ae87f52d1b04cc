import { TRIAL_DAYS, TRIAL_SEATS } from '../../../contract/base/limits.ts';
import { stepOf } from '../../../contract/base/money.ts';
import { clientCreate } from '../../../contract/clients/clients.ts';
import { licenseCreate } from '../../../contract/licenses/licenses.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { SOFTWARE_MESSAGES } from '../../../contract/software/software.fields.ts';
import { lockTrials } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { findClientsByEmail } from '../clients/clients.queries.ts';
import { createClient } from '../clients/save-client.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { findSoftware } from '../software/software.queries.ts';

/** The phone for the vendor's own client: a client needs one, and the vendor's settings have none. */
const NO_PHONE = '+000000000';
/** The address if the settings have none. Its domain can never exist (RFC 2606), so no mail reaches a stranger. */
const NO_EMAIL = 'pruebas@empresa.invalid';
const CLIENT_NOTES = 'Tu propia empresa: aquí están las claves de prueba de quienes programan tu software.';
const LICENSE_NOTES = 'Clave de prueba para quien programa el software.';

/**
 * A trial key for the developer of a software: a licence whose client is the vendor itself, and about which no mail
 * is sent. A trial that is still valid and has a free seat is used again, so that a second ZIP file does not issue a
 * second licence.
 * @returns the licence, and whether it is new
 * @throws notFound (404)
 */
export async function trialFor(scope: Scope, id: number): Promise<{ license: number; isNew: boolean }> {
  const { tx, now } = scope;
  // Prevents two calls from both finding nothing and creating the client or the trial twice.
  await lockTrials(tx);
  const software = await findSoftware(tx, id, now);
  if (!software) throw notFound(SOFTWARE_MESSAGES.notFound);
  const client = await ownClient(scope);
  const found = await findTrial(tx, { client, software: id, now });
  if (found !== undefined) return { license: found, isNew: false };
  const { currency } = await readSettings(tx);
  const values = licenseCreate.parse({
    client,
    software: id,
    status: 'trial',
    license_type: 'trial',
    // A price cannot be 0, so it is the smallest amount of the currency.
    price: Number(stepOf(currency)),
    currency,
    max_installations: TRIAL_SEATS,
    expiry_days: TRIAL_DAYS,
    notes: LICENSE_NOTES,
  });
  const license = await issueLicense(scope, values, { notify: false });
  return { license: license.id, isNew: true };
}

/** The vendor as a client of itself, found by the address in its settings. */
async function ownClient(scope: Scope): Promise<number> {
  const { vendor_name, support_email, reply_to } = await readSettings(scope.tx);
  const email = support_email || reply_to || NO_EMAIL;
  const found = (await findClientsByEmail(scope.tx, [mailKey(email)])).get(mailKey(email));
  if (found !== undefined) return found;
  const client = await createClient(
    scope,
    clientCreate.parse({
      name: vendor_name,
      company: vendor_name,
      email,
      phone: NO_PHONE,
      reminders: false,
      notes: CLIENT_NOTES,
    }),
  );
  return client.id;
}

/** The valid trial with a free seat that ends last. */
async function findTrial(
  tx: Db,
  { client, software, now }: { client: number; software: number; now: Date },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('licenses')
    .select('id')
    .where('client_id', '=', client)
    .where('software_id', '=', software)
    .where('status', '=', 'trial')
    .where('expiry_date', '>', now.toISOString())
    .whereRef('current_installations', '<', 'max_installations')
    .orderBy('expiry_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
