import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Migrations, migrationFiles, migrationsIn } from '../server/db/migrations/index.ts';

const OWN = join(import.meta.dirname, '..', 'server', 'db', 'migrations');

/**
 * The migrations of this program and some of a later version, which a test makes.
 * @param statements of each, by its name; a blank line ends a statement
 */
export function laterMigrations(statements: Record<string, string>): Migrations {
  const folder = mkdtempSync(join(tmpdir(), 'lm-later-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of [...migrationFiles().values()].flat()) copyFileSync(join(OWN, file), join(folder, file));
  for (const [name, text] of Object.entries(statements)) writeFileSync(join(folder, `${name}.sql`), text);
  return migrationsIn(folder);
}
