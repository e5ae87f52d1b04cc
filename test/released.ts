import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrationFiles, migrationProvider } from '../server/db/migrations/index.ts';
import type { Tables } from '../server/db/tables.ts';
import { RELEASED_FILE } from '../tools/release-commit.ts';

type Released = { version: string; last: string; files: Record<string, string> };

/** The released versions with the last migration of each, and the SHA-256 of every file that a release contains. */
export const RELEASED: Released[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', RELEASED_FILE), 'utf8'),
);

const newest = [...migrationFiles().keys()].at(-1);

/** The last release with an older schema. While a release is made, it is in the list itself. */
export const RELEASE_BEFORE = RELEASED.findLast(({ last }) => last !== newest)!;

/** Migrates a database up to a migration, in one transaction. */
export async function migrateTo(db: Kysely<Tables>, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrationProvider }).migrateTo(name);
  if (error) throw error;
}

/** One row in each table of user data, as the first version stored it. */
export async function insertFirstRows(db: Kysely<Tables>): Promise<void> {
  const at = '2026-01-15T12:00:00.000Z';
  const no = process.env.TEST_ENGINE === 'postgres' ? sql`false` : sql`0`;
  const yes = process.env.TEST_ENGINE === 'postgres' ? sql`true` : sql`1`;
  await sql`insert into users (username, username_key, password_hash, names, last_name, email, is_active, created_at)
    values ('Ana', 'ana', 'x', 'Ana', 'Ríos', 'ana@vendedor.mx', ${yes}, ${at})`.execute(db);
  await sql`insert into clients (name, email, email_key, company, phone, phone_secondary, address, city, state, country,
      postal_code, client_type, status, contact_person, contact_position, tax_id, website, notes, search_text, created_at, updated_at)
    values ('Óscar Núñez', 'o@cliente.mx', 'o@cliente.mx', 'Núñez', '+525512345678', '', 'Calle 1', 'CDMX', 'CDMX', 'México',
      '01000', 'individual', 'active', '', '', '', '', 'una nota', 'oscar nunez o@cliente.mx', ${at}, ${at})`.execute(
    db,
  );
  await sql`insert into software (name, version, identity_key, description, is_active, search_text, created_at, updated_at)
    values ('Nómina', '1.0', 'nomina 1.0', '', ${yes}, 'nomina 1.0', ${at}, ${at})`.execute(db);
  await sql`insert into license_types (name, description, base_price_cents, max_installations, validity_days, is_promotion,
      promotion_name, promotion_description, is_active, search_text, created_at, updated_at)
    values ('Anual', '', 120000, 5, 365, ${no}, '', '', ${yes}, 'anual', ${at}, ${at})`.execute(db);
  await sql`insert into licenses (license_key, client_id, software_id, license_type_id, license_type, status, price_cents,
      discount_percentage, promotion_name, promotion_description, max_installations, current_installations, expiry_days,
      issued_date, expiry_date, notes, search_text, created_at, updated_at)
    values ('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE', 1, 1, 1, 'premium', 'active', 120000, 0, '', '', 5, 1, 365, ${at},
      '2027-01-16T05:59:59.000Z', '', 'aaaaa-bbbbb-ccccc-ddddd-eeeee', ${at}, ${at})`.execute(db);
  await sql`insert into installations (license_id, machine_id, machine_name, mac_address, ip_address, installation_date, notes)
    values (1, 'maquina-1', 'Caja', '', '', ${at}, '')`.execute(db);
}
