import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { isPostgres } from '../server/db/dialect.ts';
import { BASELINE } from '../server/db/migrations/baseline.ts';
import { migrationFiles, migrationProvider } from '../server/db/migrations/index.ts';
import type { Tables } from '../server/db/tables.ts';
import { projectRoot } from '../tools/prepare.mjs';
import { RELEASED_FILE } from '../tools/release-commit.ts';

type Released = { version: string; last: string; files: Record<string, string> };

/** The released versions with the last migration of each, and the SHA-256 of every file that a release contains. */
export const RELEASED: Released[] = JSON.parse(readFileSync(join(projectRoot, RELEASED_FILE), 'utf8'));

const newest = [...migrationFiles().keys()].at(-1);

/** The last release with an older schema. While a release is made, it is in the list itself. */
export const RELEASE_BEFORE = RELEASED.findLast(({ last }) => last !== newest)!;

/** Migrates a database up to a migration, in one transaction. */
export async function migrateTo(db: Kysely<Tables>, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrationProvider }).migrateTo(name);
  if (error) throw error;
}

/** The last migration of the release before the baseline (docs/decisions/171-one-baseline.md). */
const LAST_BEFORE_BASELINE = RELEASED[0]!.last;

/**
 * Makes the schema of 0.3.0 in an empty database: that of the baseline with what only 0.3.0 has, which
 * `npm run test:faults -- upgrade` compares with the schema that 0.3.0 makes itself.
 * @param last the last migration that the database has by its names; default: that of 0.3.0
 */
export async function makeSchemaBeforeBaseline(
  db: Kysely<Tables>,
  last = LAST_BEFORE_BASELINE,
): Promise<void> {
  await migrateTo(db, BASELINE);
  await sql`delete from kysely_migration`.execute(db);
  for (const name of new Set(['001-foundation', '041-quicker-filters', last])) {
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-11-29T12:00:00.000Z')`.execute(
      db,
    );
  }
  const instant = sql.raw(isPostgres(db) ? 'timestamptz(3)' : 'text');
  await sql`create table folds (name text primary key, clean_at ${instant}, ended_at ${instant})`.execute(db);
  await sql`create index installations_without_key on installations (machine_id) where machine_key is null`.execute(
    db,
  );
  await sql`create view license_heard as select license_id, heard_on from license_last_signals`.execute(db);
  await markJobs(db);
}

/** Leaves the marks by which the jobs of 0.3.0 say that they have ended. */
export async function markJobs(db: Kysely<Tables>): Promise<void> {
  for (const name of ['machine_ids', 'search_texts', 'payment_texts']) {
    await sql`insert into folds (name, clean_at, ended_at)
      values (${name}, '2026-11-29T12:00:00.000Z', '2026-11-29T12:00:00.000Z')`.execute(db);
  }
}

/**
 * A client with a licence and a machine.
 * @param key that of the machine; null as a process of 0.2.0 writes it
 */
export async function insertFirstRows(db: Kysely<Tables>, key: string | null = 'maquina-1'): Promise<void> {
  const at = '2026-01-15T12:00:00.000Z';
  await sql`insert into clients (name, email, email_key, company, phone, phone_secondary, address, city, state, country,
      postal_code, client_type, status, contact_person, contact_position, tax_id, website, notes, search_text, created_at, updated_at)
    values ('Óscar Núñez', 'o@cliente.mx', 'o@cliente.mx', '', '', '', '', '', '', '', '', 'individual', 'active', '', '', '',
      '', 'una nota', 'oscar nunez', ${at}, ${at})`.execute(db);
  await sql`insert into software (name, version, identity_key, description, is_active, search_text, created_at, updated_at)
    values ('Nómina', '1.0', 'nomina 1.0', '', true, 'nomina', ${at}, ${at})`.execute(db);
  await sql`insert into licenses (license_key, client_id, software_id, license_type, status, price_cents,
      discount_percentage, promotion_name, promotion_description, max_installations, issued_date, notes, search_text, created_at, updated_at)
    values ('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE', 1, 1, 'premium', 'active', 120000, 0, '', '', 5, ${at}, '', 'aaaaa', ${at}, ${at})`.execute(
    db,
  );
  await sql`insert into installations (license_id, machine_id, machine_key, machine_name, mac_address, ip_address, installation_date, notes)
    values (1, 'Maquina-1', ${key}, 'Caja', '', '', ${at}, '')`.execute(db);
}
