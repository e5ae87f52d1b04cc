import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { MigrationProvider } from 'kysely/migration';
import { type Engine, engineKind } from '../dialect.ts';

/**
 * The migrations. They run in the order of their numbers (`migrate` in server/db/open.ts says in which transactions).
 * A migration is one SQL file, `NNN-what-it-does.sql`, in which a blank line ends a statement. If the engines need
 * different statements, it is two files, `.sqlite.sql` and `.postgres.sql`. If SQL cannot compute the data, it is `NNN-what-it-does.ts` with a
 * function `up(db, engine)`; this file imports nothing from this project, so that later changes of the program cannot
 * change a released migration (docs/decisions/025-migrations-are-frozen.md).
 */
const FOLDER = import.meta.dirname;

const FILE = /^(\d{3}-[a-z0-9-]+)\.(sql|sqlite\.sql|postgres\.sql|ts)$/;

/** The files of all migrations, by name, in the order in which they run. */
export function migrationFiles(): Map<string, string[]> {
  const files = readdirSync(FOLDER).filter((file) => FILE.test(file));
  return new Map([...Map.groupBy(files.sort(), (file) => FILE.exec(file)![1]!)]);
}

/** The file that runs on an engine. */
function fileFor(name: string, files: string[], engine: Engine['kind']): string {
  return [`${name}.ts`, `${name}.sql`].find((file) => files.includes(file)) ?? `${name}.${engine}.sql`;
}

const readText = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** What a migration runs on PostgreSQL: its statements, or its code. */
export const postgresText = (name: string): string =>
  readText(fileFor(name, migrationFiles().get(name)!, 'postgres')).replace(/^--.*$/gm, '');

const statementsOf = (file: string): string[] =>
  readText(file)
    .split(/\n\s*\n/)
    .map((statement) => statement.replace(/^--.*$/gm, '').trim())
    .filter((statement) => statement !== '');

async function run(db: Kysely<unknown>, name: string, files: string[]): Promise<void> {
  const engine = engineKind(db);
  const file = fileFor(name, files, engine);
  if (file.endsWith('.ts')) {
    const { href } = pathToFileURL(join(FOLDER, file));
    const { up }: { up: (db: Kysely<unknown>, engine: Engine['kind']) => Promise<void> } = await import(href);
    await up(db, engine);
    return;
  }
  for (const statement of statementsOf(file)) await sql.raw(statement).execute(db);
}

export const migrationProvider: MigrationProvider = {
  getMigrations: async () =>
    Object.fromEntries(
      [...migrationFiles()].map(([name, files]) => [
        name,
        { up: (db: Kysely<unknown>) => run(db, name, files) },
      ]),
    ),
};
