import { sql } from 'kysely';
import { clientCreate } from '../../../contract/clients/clients.ts';
import { TRIALS_CLIENT } from '../../../contract/programs/trial-terms.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import type { Scope } from '../../scope.ts';
import { findClientsByEmail } from './clients.queries.ts';
import { createClient } from './save-client.ts';

const NOTES = 'Aquí están las pruebas que empezaron desde un programa sin dejar un correo nuevo.';

/**
 * Returns 'Pruebas', the client for trials whose user entered no email address, or one that a client already has. It is
 * created with the first such trial (SELL-04). The caller must hold the trials lock.
 * @returns its id
 */
export async function systemClient(scope: Scope): Promise<number> {
  const { tx } = scope;
  const known = await tx
    .selectFrom('clients')
    .select('id')
    .where('is_system', '=', sql.lit(true))
    .executeTakeFirst();
  if (known) return known.id;
  const { name, email } = TRIALS_CLIENT;
  const [taken] = (await findClientsByEmail(tx, [mailKey(email)])).values();
  const id = taken ?? (await made(scope, name, email));
  await tx
    .updateTable('clients')
    .set({ is_system: true, email_verified: false })
    .where('id', '=', id)
    .execute();
  return id;
}

async function made(scope: Scope, name: string, email: string): Promise<number> {
  const values = clientCreate.parse({ name, email, phone: '+000000000', reminders: false, notes: NOTES });
  return (await createClient(scope, { ...values, phone: '' })).id;
}
