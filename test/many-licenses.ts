import type { Insertable, Kysely } from 'kysely';
import type { LicensesTable, Tables } from '../server/db/tables.ts';

const BATCH = 500;

/**
 * Licences by the thousand, written straight into the table: the tests that need so many ask about reading. All of one
 * client and one software, issued a second apart.
 */
export async function insertManyLicenses(db: Kysely<Tables>, count: number): Promise<void> {
  const stamp = new Date(Date.UTC(2026, 0, 1)).toISOString();
  const client = await db
    .insertInto('clients')
    .values({
      name: 'Muchas, S.A.',
      email: 'muchas@example.com',
      email_key: 'muchas@example.com',
      company: '=1+1',
      phone: '+525512345678',
      phone_secondary: '',
      address: '',
      city: '',
      state: '',
      country: 'México',
      postal_code: '00000',
      client_type: 'individual',
      status: 'active',
      contact_person: '',
      contact_position: '',
      tax_id: '',
      website: '',
      notes: '',
      last_contact: null,
      search_text: 'muchas',
      created_at: stamp,
      updated_at: stamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const software = await db
    .insertInto('software')
    .values({
      name: 'Masivo',
      version: '1.0',
      identity_key: 'masivo\n1.0',
      description: '',
      is_active: true,
      search_text: 'masivo',
      created_at: stamp,
      updated_at: stamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    for (let first = 0; first < count; first += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) =>
        licenseRow(first + index, client.id, software.id),
      );
      await tx.insertInto('licenses').values(rows).execute();
    }
  });
}

function licenseRow(number: number, client: number, software: number): Insertable<LicensesTable> {
  const issued = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  const key = `MASIV-${String(number).padStart(9, '0')}`;
  return {
    license_key: key,
    client_id: client,
    software_id: software,
    license_type_id: null,
    license_type: 'basic',
    status: 'active',
    price_cents: 100 + number,
    original_price_cents: null,
    discount_percentage: 0,
    promotion_name: '',
    promotion_description: '',
    max_installations: 1,
    current_installations: 0,
    expiry_days: null,
    issued_date: issued,
    expiry_date: null,
    notes: `Nota ${number}`,
    search_text: key.toLowerCase(),
    created_at: issued,
    updated_at: issued,
  };
}
