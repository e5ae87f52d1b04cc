import { onTestFinished } from 'vitest';
import { type RunningServer, type ServerEnv, startServer } from '../../e2e/support/server.ts';
import { createDatabase } from '../postgres/databases.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINES)[number];

/**
 * The environment of a server: nothing for SQLite, which uses its data folder, and the address of an empty database
 * for PostgreSQL. The database is removed after the test.
 * @param adminUrl the cluster; LM_TEST_POSTGRES_URL by default
 */
export async function engineEnv(engine: EngineName, adminUrl?: string): Promise<ServerEnv> {
  if (engine === 'sqlite') return {};
  const database = await createDatabase({ ...(adminUrl !== undefined && { adminUrl }) });
  onTestFinished(database.drop);
  return { DATABASE_URL: database.url, DATABASE_POOL: '10' };
}

/** What the processes of one database share: the key of its secrets. */
export const SHARED: ServerEnv = { SECRET_KEY: 'q0Vf7yXn2LsT9cWmB4hKdR1uJ6gZpE3a' };

/** Starts the real server; it ends with the test. */
export async function startForTest(env: ServerEnv): Promise<RunningServer> {
  const server = await startServer(env);
  // Awaited, because the server's folder is removed last.
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}
