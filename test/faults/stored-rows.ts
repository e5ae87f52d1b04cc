import { join } from 'node:path';
import { forLongWork } from '../../server/db/dialect.ts';
import { DATABASE_FILE, openDatabase } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';
import type { RunningServer, ServerEnv } from '../start-server.ts';

/** Runs a function on the database of a server, with separate connections. */
export async function withDatabase<Result>(
  server: Pick<RunningServer, 'dataDir'>,
  env: ServerEnv,
  work: (db: ReturnType<typeof openDatabase>) => Promise<Result>,
): Promise<Result> {
  const db =
    env.DATABASE_URL === undefined
      ? openDatabase({ kind: 'sqlite', file: join(server.dataDir, DATABASE_FILE) }, () => {})
      : openDatabase(forLongWork({ kind: 'postgres', url: env.DATABASE_URL, pool: 2 }), () => {});
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** The acknowledged records that are not in the database; there must be none. */
export async function missingRows(
  server: Pick<RunningServer, 'dataDir'>,
  env: ServerEnv,
  table: keyof Tables & ('clients' | 'licenses'),
  acknowledged: Iterable<number>,
): Promise<number[]> {
  const rows = await withDatabase(server, env, (db) => db.selectFrom(table).select('id').execute());
  const stored = new Set(rows.map((row) => row.id));
  return [...acknowledged].filter((id) => !stored.has(id));
}
