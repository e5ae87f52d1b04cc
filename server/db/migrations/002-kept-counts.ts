import type { Kysely } from 'kysely';
import { createCounts, keepCounts } from '../kept-counts.ts';

/** The rows of the large tables are counted as they come and go; lists say their number without counting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCounts(db);
  await keepCounts(db, 'clients', { status: 'status', kind: 'client_type' });
  await keepCounts(db, 'licenses', { status: 'status', kind: 'license_type' });
  await keepCounts(db, 'installations', { status: null, kind: null });
}
