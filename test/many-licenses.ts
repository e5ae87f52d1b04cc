import { type Kysely, sql } from 'kysely';
import type { Tables } from '../server/db/tables.ts';
import { insertFirstTerms } from '../server/features/licenses/license-terms.queries.ts';

/** The number of rows in one statement, which PostgreSQL cancels after five seconds. */
const STATEMENT_ROWS = 5000;

/**
 * Inserts thousands of licences directly into the table, for tests of reading. All have the same client and software
 * and differ only in their keys; every tenth is a trial.
 */
export async function insertManyLicenses(db: Kysely<Tables>, count: number): Promise<void> {
  const stamp = new Date(Date.UTC(2026, 0, 1)).toISOString();
  const client = await db
    .insertInto('clients')
    .values({
      name: 'Muchas, S.A.',
      name_order: 'muchas, s.a.',
      email: 'muchas@example.com',
      email_key: 'muchas@example.com',
      company: '=1+1',
      company_order: '=1+1',
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
      name_order: 'masivo',
      code: 'masivo',
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
  const first = await db
    .insertInto('licenses')
    .values({
      license_key: 'MASIV-0',
      client_id: client.id,
      software_id: software.id,
      license_type_id: null,
      license_type: 'trial',
      status: 'active',
      price_cents: 1999,
      original_price_cents: null,
      discount_percentage: 0,
      promotion_name: '',
      promotion_description: '',
      max_installations: 1,
      current_installations: 0,
      expiry_days: null,
      issued_date: stamp,
      expiry_date: null,
      notes: 'Una entre muchas',
      search_text: '',
      created_at: stamp,
      updated_at: stamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const copied = sql`client_id, software_id, license_type_id, status, price_cents,
    original_price_cents, discount_percentage, promotion_name, promotion_description, max_installations,
    current_installations, expiry_days, issued_date, expiry_date, notes, search_text, created_at, updated_at`;
  for (let from = 1; from < count; from += STATEMENT_ROWS) {
    const last = Math.min(from + STATEMENT_ROWS, count) - 1;
    await sql`
      with recursive numbers (n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < ${sql.lit(last)})
      insert into licenses (license_key, license_type, ${copied})
      select 'MASIV-' || n, case when n % 10 = 0 then 'trial' else 'basic' end, ${copied} from licenses, numbers where licenses.id = ${first.id}
    `.execute(db);
    await insertFirstTerms(db);
  }
}
