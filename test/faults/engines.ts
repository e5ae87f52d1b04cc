import { onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/databases.ts';
import { type RunningServer, type ServerEnv, startServer } from '../start-server.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINES)[number];

/**
 * The environment of a server: empty for SQLite, which uses its data folder; for PostgreSQL the URL of an empty
 * database, which is removed after the test.
 * @param adminUrl the cluster; default: LM_TEST_POSTGRES_URL
 */
export async function engineEnv(engine: EngineName, adminUrl?: string): Promise<ServerEnv> {
  if (engine === 'sqlite') return {};
  const database = await createDatabase({ ...(adminUrl !== undefined && { adminUrl }) });
  onTestFinished(database.drop);
  return { DATABASE_URL: database.url, DATABASE_POOL: '10' };
}

/** The key of the secrets, which all processes of a database share. */
export const SHARED: ServerEnv = { SECRET_KEY: 'q0Vf7yXn2LsT9cWmB4hKdR1uJ6gZpE3a' };

/**
 * Starts the real server; it is stopped when the test ends.
 * @param root the folder of the program; default: this project
 */
export async function startForTest(env: ServerEnv, root?: string): Promise<RunningServer> {
  const server = await startServer(env, root);
  // Awaited, because the server's folder is removed after it.
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}
