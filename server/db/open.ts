import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Kysely, sql, type Transaction } from 'kysely';
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
import {
  type Hindrance,
  hasOldNames,
  hindranceOf,
  OlderSchemaError,
  removeFalseMark,
  takeOver,
} from './migrations/baseline.ts';
import { type Migrations, migrationProvider } from './migrations/index.ts';
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
 * @throws OlderSchemaError when 0.3.0 must bring the database up to date first
 * @throws BusyTablesError when tables stay in use; the migrations before stay applied
 */
export async function migrate(
  db: Kysely<Tables>,
  onRepeat: (reason: unknown) => void = () => {},
  migrations = migrationProvider,
): Promise<void> {
  try {
    await migrateInTurn(db, onRepeat, migrations);
  } catch (error) {
    if (error instanceof OlderSchemaError && error.hindrance.kind === 'unfinished') await removeFalseMark(db);
    throw error;
  }
}

async function migrateInTurn(
  db: Kysely<Tables>,
  onRepeat: (reason: unknown) => void,
  migrations: Migrations,
): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied.length === 0 || !isPostgres(db)) {
    await db.transaction().execute((tx) => migrateIn(tx, { migrations }));
    return;
  }
  for (let failed = 0; ; ) {
    try {
      if (!(await db.transaction().execute((tx) => migrateNext(tx, failed, migrations)))) return;
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
export async function migrateNext(
  tx: Transaction<Tables>,
  failed = 0,
  migrations = migrationProvider,
): Promise<boolean> {
  await lockMigrations(tx);
  const [next] = (await ownState(tx, migrations)).missing;
  if (next === undefined) return false;
  const all = await migrations.getMigrations();
  // Right before its statements, because what the migrator looks up first takes longer than most migrations.
  const up = async (db: Kysely<unknown>) => {
    await takeTables(tx, migrations.postgresText(next), failed);
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
export async function migrateIn(
  tx: Transaction<Tables>,
  { last, migrations = migrationProvider }: { last?: string; migrations?: Migrations } = {},
): Promise<void> {
  await lockMigrations(tx);
  await ownState(tx, migrations);
  const migrator = new Migrator({ db: tx, provider: migrations });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw error;
}

/** The state of a database that is this program's, or is taken over now. */
async function ownState(tx: Transaction<Tables>, migrations: Migrations): Promise<MigrationState> {
  const state = await migrationState(tx, migrations);
  if (state.hindrance !== null) throw new OlderSchemaError(state.hindrance);
  if (state.unknown.length > 0) {
    throw new NewerSchemaError(
      `${newerSchemaText(state.unknown)} Actualiza el programa o restaura una copia anterior.`,
    );
  }
  if (!hasOldNames(state.applied)) return state;
  await takeOver(tx);
  return migrationState(tx, migrations);
}

export type MigrationState = {
  /** The names of the applied migrations, of those that the database lacks, and of those that are unknown. */
  applied: string[];
  missing: string[];
  unknown: string[];
  /** Why this program does not take a database of an earlier version over; null if it does, or need not. */
  hindrance: Hindrance | null;
};

/** Compares the migrations of a database with those of this program. */
export async function migrationState(
  db: Kysely<Tables>,
  migrations = migrationProvider,
): Promise<MigrationState> {
  const known = Object.keys(await migrations.getMigrations());
  const applied = await appliedMigrations(db);
  if (hasOldNames(applied)) {
    const ask = async (statement: string) => (await sql.raw(statement).execute(db)).rows;
    return { applied, missing: known, unknown: [], hindrance: await hindranceOf(applied, ask) };
  }
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    hindrance: null,
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
