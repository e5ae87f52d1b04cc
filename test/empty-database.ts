import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Engine } from '../server/db/dialect.ts';
import { DATABASE_FILE, openDatabase } from '../server/db/open.ts';
import { createDatabase } from './postgres/databases.ts';

/** A database without tables of the engine in TEST_ENGINE; it is removed when the test ends. */
export async function emptyDatabase(): Promise<Engine> {
  if (process.env.TEST_ENGINE === 'postgres') {
    const database = await createDatabase();
    onTestFinished(database.drop);
    return { kind: 'postgres', url: database.url, pool: 4 };
  }
  const directory = mkdtempSync(join(tmpdir(), 'license-manager-empty-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return { kind: 'sqlite', file: join(directory, DATABASE_FILE) };
}

/** Opens a database, and closes it when the test ends. */
export function openForTest(engine: Engine) {
  const db = openDatabase(engine, () => {});
  onTestFinished(() => db.destroy());
  return db;
}
