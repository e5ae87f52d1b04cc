import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';
import { engineKind } from '../dialect.ts';

/**
 * The migrations: for each a file of SQL for either engine, `NNN-what-it-does.sqlite.sql` and `.postgres.sql`, in which a
 * blank line ends a statement. They run in the order of their numbers, all in one transaction. They are SQL and nothing
 * else, so that no change of the program changes what a released one does (docs/decisions/025-migrations-are-sql.md).
 */
const FOLDER = import.meta.dirname;

const FILE = /^(\d{3}-[a-z0-9-]+)\.(sqlite|postgres)\.sql$/;

/** The statements of a migration for one engine, in their order. */
export function statementsOf(name: string, engine: 'sqlite' | 'postgres'): string[] {
  return readFileSync(join(FOLDER, `${name}.${engine}.sql`), 'utf8')
    .split(/\n\s*\n/)
    .map((statement) => statement.replace(/^--.*$/gm, '').trim())
    .filter((statement) => statement !== '');
}

/** The names of all migrations, in the order in which they run. */
export function migrationNames(): string[] {
  return [...new Set(readdirSync(FOLDER).flatMap((file) => FILE.exec(file)?.[1] ?? []))].sort();
}

async function run(db: Kysely<unknown>, name: string): Promise<void> {
  for (const statement of statementsOf(name, engineKind(db))) await sql.raw(statement).execute(db);
}

const toMigration = (name: string): [string, Migration] => [name, { up: (db) => run(db, name) }];

export const migrationProvider: MigrationProvider = {
  getMigrations: async () => Object.fromEntries(migrationNames().map(toMigration)),
};
