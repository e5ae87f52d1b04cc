import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { MigrationProvider } from 'kysely/migration';
import { type Engine, engineKind } from '../dialect.ts';

/**
 * The migrations. They run in the order of their numbers (`migrate` in server/db/open.ts says in which transactions).
 * The first is the whole schema (docs/decisions/171-one-baseline.md). A migration is one SQL file,
 * `NNN-what-it-does.sql`; if the engines need different statements, it is two files, `.sqlite.sql` and `.postgres.sql`.
 * A statement ends at a blank line, or with `;` before a line that begins the next one. If SQL cannot compute the data,
 * it is `NNN-what-it-does.ts` with a function `up(db, engine)`; this file imports nothing from this project, so that
 * later changes of the program cannot change a released migration (docs/decisions/025-migrations-are-frozen.md).
 */
const FOLDER = import.meta.dirname;

const FILE = /^(\d{3}-[a-z0-9-]+)\.(sql|sqlite\.sql|postgres\.sql|ts)$/;

/** The files of all migrations, by name, in the order in which they run. */
export function migrationFiles(folder = FOLDER): Map<string, string[]> {
  const files = readdirSync(folder).filter((file) => FILE.test(file));
  return new Map([...Map.groupBy(files.sort(), (file) => FILE.exec(file)![1]!)]);
}

/** The file that runs on an engine. */
function fileFor(name: string, files: string[], engine: Engine['kind']): string {
  return [`${name}.ts`, `${name}.sql`].find((file) => files.includes(file)) ?? `${name}.${engine}.sql`;
}

/** A blank line, or the end of a line after which another statement begins; those inside of a trigger are indented. */
const STATEMENT_END = /\n\s*\n|(?<=;)\n(?=(?:create|alter|drop|insert|update|delete) )/;

const statementsOf = (text: string): string[] =>
  text
    .split(STATEMENT_END)
    .map((statement) => statement.replace(/^--.*$/gm, '').trim())
    .filter((statement) => statement !== '');

async function run(db: Kysely<unknown>, folder: string, name: string, files: string[]): Promise<void> {
  const engine = engineKind(db);
  const file = join(folder, fileFor(name, files, engine));
  if (file.endsWith('.ts')) {
    const { href } = pathToFileURL(file);
    const { up }: { up: (db: Kysely<unknown>, engine: Engine['kind']) => Promise<void> } = await import(href);
    await up(db, engine);
    return;
  }
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) await sql.raw(statement).execute(db);
}

export type Migrations = MigrationProvider & {
  /** What a migration runs on PostgreSQL: its statements, or its code. */
  postgresText: (name: string) => string;
};

/** The migrations of a folder. */
export const migrationsIn = (folder: string): Migrations => ({
  getMigrations: async () =>
    Object.fromEntries(
      [...migrationFiles(folder)].map(([name, files]) => [
        name,
        { up: (db: Kysely<unknown>) => run(db, folder, name, files) },
      ]),
    ),
  postgresText: (name) => {
    const file = fileFor(name, migrationFiles(folder).get(name)!, 'postgres');
    return readFileSync(join(folder, file), 'utf8').replace(/^--.*$/gm, '');
  },
});

/** The migrations of this program. Tests also run those of a released version, and some of their own. */
export const migrationProvider = migrationsIn(FOLDER);
