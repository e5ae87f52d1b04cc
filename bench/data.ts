import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Engine, forLongWork } from '../server/db/dialect.ts';
import { DATABASE_FILE, migrate, openDatabase } from '../server/db/open.ts';
import type { Tables } from '../server/db/tables.ts';
import { projectRoot } from './processes.ts';
import { seedReports } from './reports-data.ts';
import { type Size, seed } from './seed.ts';

/** Databases for the measurements: created once per size and schema, and copied for each run. */

const fail = (error: unknown) => {
  throw error;
};

/** A hash of the schema and of the seed, so that an outdated database is not reused. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const migrations = join(projectRoot, 'server', 'db', 'migrations');
  const files = [
    ...readdirSync(migrations).map((name) => join(migrations, name)),
    join(projectRoot, 'bench', 'seed.ts'),
    join(projectRoot, 'bench', 'reports-data.ts'),
  ];
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** The rows of a new database: those of {@link seed}; with `grown` also a renewal of each licence. */
type Rows = { grown?: boolean };

const fill = (db: Kysely<Tables>, size: Size, { grown = false }: Rows) =>
  (grown ? seedReports : seed)(db, size, new Date());

/** Creates a folder with a copy of a seeded SQLite database for the caller. As in the product, nobody runs ANALYZE. */
export async function sqliteCopy(size: Size, parent: string, rows: Rows = {}): Promise<string> {
  const store = join(tmpdir(), 'license-manager-bench');
  mkdirSync(store, { recursive: true });
  const kind = rows.grown ? 'grown-' : '';
  const made = join(
    store,
    `${kind}${size.clients}-${size.licenses}-${size.installations}-${fingerprint()}.sqlite`,
  );
  if (!existsSync(made)) await makeSqlite(size, made, rows);
  const folder = mkdtempSync(join(parent, 'data-'));
  cpSync(made, join(folder, DATABASE_FILE));
  return folder;
}

async function makeSqlite(size: Size, file: string, rows: Rows): Promise<void> {
  const draft = `${file}.${process.pid}`;
  const db = openDatabase({ kind: 'sqlite', file: draft }, fail);
  await migrate(db);
  await fill(db, size, rows);
  await db.destroy();
  renameSync(draft, file);
}

/** Fills an empty PostgreSQL database. */
export async function fillPostgres(url: string, size: Size, rows: Rows = {}): Promise<void> {
  const db = openDatabase(forLongWork({ kind: 'postgres', url, pool: 4 }), fail);
  await migrate(db);
  await fill(db, size, rows);
  // PostgreSQL runs ANALYZE automatically after a while. A grown database is also measured before that.
  if (!rows.grown) await sql`vacuum analyze`.execute(db);
  await db.destroy();
}

/** Adds rows to a filled database. PostgreSQL analyzes them, as it does by itself after a while. */
export async function addRows(engine: Engine, insert: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const db = openDatabase(forLongWork(engine), fail);
  try {
    await insert(db);
    if (engine.kind === 'postgres') await sql`vacuum analyze`.execute(db);
  } finally {
    // Before its server stops, whose end would hide the error.
    await db.destroy();
  }
}
