import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Config } from '../config.ts';
import {
  createDialect,
  type Engine,
  forLongWork,
  lockMigrations,
  type OnBackgroundError,
} from './dialect.ts';
import { migrationProvider } from './migrations/index.ts';
import type { Tables } from './tables.ts';

export const DATABASE_FILE = 'license-manager.sqlite';

/** A newer program has changed the database. This program could destroy data that it does not know. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError';
}

/** The configured engine: PostgreSQL if DATABASE_URL is set, else a SQLite file in DATA_DIR. */
export function engineOf({
  databaseUrl,
  databasePool,
  databasePooler = null,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'> &
  Partial<Pick<Config, 'databasePooler'>>): Engine {
  return databaseUrl !== null
    ? { kind: 'postgres', url: databaseUrl, pool: databasePool, pooler: databasePooler }
    : { kind: 'sqlite', file: join(dataDir, DATABASE_FILE) };
}

/** Creates the data folder; only its owner can read it. */
export function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
}

export function openDatabase(engine: Engine, onBackgroundError: OnBackgroundError): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: createDialect(engine, onBackgroundError) });
}

/** Two connections: one holds a lock, the other does the work. */
const LONG_WORK_POOL = 2;

type Databases = {
  /** For requests and jobs: statements have the timeouts of a request. */
  db: Kysely<Tables>;
  /**
   * For migrations, first rows and housekeeping. On SQLite it is the same object as `db`; on PostgreSQL it has
   * separate connections.
   */
  forLongWork: Kysely<Tables>;
  close: () => Promise<void>;
};

export function openDatabases(engine: Engine, onBackgroundError: OnBackgroundError): Databases {
  const db = openDatabase(engine, onBackgroundError);
  if (engine.kind === 'sqlite') return { db, forLongWork: db, close: () => db.destroy() };
  const patient = openDatabase(forLongWork({ ...engine, pool: LONG_WORK_POOL }), onBackgroundError);
  return {
    db,
    forLongWork: patient,
    close: async () => {
      await Promise.all([db.destroy(), patient.destroy()]);
    },
  };
}

/**
 * Migrates the schema in one transaction. Replicas that start at the same time wait for each other.
 * @throws NewerSchemaError when the schema is newer than this program
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const { unknown } = await migrationState(db);
  if (unknown.length > 0) {
    throw new NewerSchemaError(
      `La base de datos es de una versión más nueva del programa (${unknown.join(', ')}). ` +
        'Actualiza el programa o restaura una copia anterior.',
    );
  }
  await db.transaction().execute(migrateIn);
}

/** Migrates the schema as a part of a transaction. */
export async function migrateIn(tx: Transaction<Tables>): Promise<void> {
  await lockMigrations(tx);
  const { error } = await new Migrator({ db: tx, provider: migrationProvider }).migrateToLatest();
  if (error) throw error;
}

/**
 * The names of the applied migrations, of those that the database lacks, and of those that this program does not
 * know.
 */
export async function migrationState(
  db: Kysely<Tables>,
): Promise<{ applied: string[]; missing: string[]; unknown: string[] }> {
  const known = Object.keys(await migrationProvider.getMigrations());
  const applied = await appliedMigrations(db);
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}
