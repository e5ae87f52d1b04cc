import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrationFiles, migrationProvider, migrationsIn } from '../server/db/migrations/index.ts';
import type { Tables } from '../server/db/tables.ts';
import { projectRoot } from '../tools/prepare.mjs';
import { commitOfRelease, RELEASED_FILE } from '../tools/release-commit.ts';

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

/** The release before the baseline: its migrations are in the history only. */
const BEFORE_BASELINE = RELEASED[0]!;

/** The migrations of the release before the baseline, from its commit. */
function migrationsBeforeBaseline(): { folder: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'lm-released-'));
  const commit = commitOfRelease(projectRoot, BEFORE_BASELINE.version);
  const files = execFileSync('git', ['-C', projectRoot, 'archive', commit, 'server/db/migrations'], {
    maxBuffer: 64e6,
  });
  execFileSync('tar', ['-x', '-C', root], { input: files });
  // For those that are code.
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  return {
    folder: join(root, 'server', 'db', 'migrations'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/**
 * Makes the schema of the release before the baseline in an empty database, as that release does.
 * @param upTo the last migration; default: that of the release, with the marks of its jobs, as in a new installation
 */
export async function makeSchemaBeforeBaseline(db: Kysely<Tables>, upTo?: string): Promise<void> {
  const { folder, remove } = migrationsBeforeBaseline();
  try {
    const provider = migrationsIn(folder);
    const { error } = await new Migrator({ db, provider }).migrateTo(upTo ?? BEFORE_BASELINE.last);
    if (error) throw error;
  } finally {
    remove();
  }
  if (upTo !== undefined) return;
  // As `endFoldsOfNew` in server/db/folds.ts of 0.3.0.
  await sql`create unique index if not exists installations_by_machine_key
    on installations (machine_key, license_id) where machine_key is not null`.execute(db);
  await sql`create unique index if not exists trials_by_machine_key
    on trials (code, machine_key) where machine_key is not null`.execute(db);
  await sql`create index if not exists installations_without_key
    on installations (machine_id) where machine_key is null`.execute(db);
  await sql`drop index if exists installations_by_machine`.execute(db);
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
