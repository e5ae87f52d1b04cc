import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Kysely, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Config } from '../config.ts';
import {
  createDialect,
  type Engine,
  forLongWork,
  isLostRace,
  isPostgres,
  lockMigrations,
  type OnBackgroundError,
} from './dialect.ts';
import { endFoldsOfNew } from './folds.ts';
import { migrationProvider, postgresText } from './migrations/index.ts';
import { takeTables } from './postgres/take-tables.ts';
import type { Tables } from './tables.ts';

export const DATABASE_FILE = 'license-manager.sqlite';

/** What staff read of a database with migrations that this program does not know. */
export const newerSchemaText = (unknown: readonly string[]): string =>
  `La base de datos es de una versión más nueva del programa (${unknown.join(', ')}).`;

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

/** How often a migration tries to get its tables: for about two and a half minutes. */
const TRIES = 30;
/** The pause after the first try; it grows by as much with each, so that writers get their work done in between. */
const PAUSE_MS = 200;

/**
 * Migrates the schema. On PostgreSQL, where replicas of the old version may be working, each migration is one
 * transaction that first takes its tables; it is repeated when others use them. An empty database and a SQLite file,
 * with which nobody else works, are migrated in one transaction. Replicas that start at the same time wait for each
 * other.
 * @param onRepeat called with the reason before a migration is repeated
 * @throws NewerSchemaError when the schema is newer than this program
 * @throws BusyTablesError when tables stay in use; the migrations before stay applied
 */
export async function migrate(
  db: Kysely<Tables>,
  onRepeat: (reason: unknown) => void = () => {},
): Promise<void> {
  const { applied } = await knownState(db);
  if (applied.length === 0 || !isPostgres(db)) {
    await db.transaction().execute(async (tx) => {
      await migrateIn(tx);
      if (applied.length === 0) await endFoldsOfNew(tx, new Date().toISOString());
    });
    return;
  }
  for (let failed = 0; ; ) {
    try {
      if (!(await db.transaction().execute((tx) => migrateNext(tx, failed)))) return;
      failed = 0;
    } catch (error) {
      failed += 1;
      if (!isLostRace(error) || failed === TRIES) throw error;
      onRepeat(error);
      await setTimeout(failed * PAUSE_MS);
    }
  }
}

/**
 * Runs the next migration in a transaction of PostgreSQL, which holds the tables until it ends.
 * @param failed how often this migration was tried before
 * @returns false if none is left
 */
export async function migrateNext(tx: Transaction<Tables>, failed = 0): Promise<boolean> {
  await lockMigrations(tx);
  const [next] = (await knownState(tx)).missing;
  if (next === undefined) return false;
  const all = await migrationProvider.getMigrations();
  // Right before its statements, because what the migrator looks up first takes longer than most migrations.
  const up = async (db: Kysely<unknown>) => {
    await takeTables(tx, postgresText(next), failed);
    await all[next]!.up(db);
  };
  const provider = { getMigrations: async () => ({ ...all, [next]: { up } }) };
  const { error } = await new Migrator({ db: tx, provider }).migrateTo(next);
  if (error) throw error;
  return true;
}

/**
 * Migrates the schema as a part of a transaction.
 * @param last the last migration to run; default: the newest
 */
export async function migrateIn(tx: Transaction<Tables>, last?: string): Promise<void> {
  await lockMigrations(tx);
  const migrator = new Migrator({ db: tx, provider: migrationProvider });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw error;
}

async function knownState(db: Kysely<Tables>): ReturnType<typeof migrationState> {
  const state = await migrationState(db);
  if (state.unknown.length === 0) return state;
  throw new NewerSchemaError(
    `${newerSchemaText(state.unknown)} Actualiza el programa o restaura una copia anterior.`,
  );
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
