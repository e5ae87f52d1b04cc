import { type Kysely, sql } from 'kysely';
import { keepCounts } from '../kept-counts.ts';

/** Reports on licences: what is counted by software and type is kept, and what is summed by time lies in one index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keepCounts(db, 'licenses', { status: null, kind: 'software_id' }, 'licenses_by_software');
  await keepCounts(db, 'licenses', { status: null, kind: 'license_type_id' }, 'licenses_by_type');
  await sql`create index licenses_by_issue_complete on licenses
    (issued_date, status, license_type, expiry_date, software_id, license_type_id, price_cents)`.execute(db);
  await sql`drop index licenses_by_issue`.execute(db);
}
