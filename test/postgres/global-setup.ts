import { startCluster } from './cluster.ts';

/**
 * Gives the tests of the project `api-postgres` a PostgreSQL: the one named by LM_TEST_POSTGRES_URL, or else a temporary
 * cluster. Without fsync: these tests ask whether answers are right; the durability tests start clusters of their own.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LM_TEST_POSTGRES_URL) return undefined;
  const cluster = await startCluster({ fsync: false });
  process.env.LM_TEST_POSTGRES_URL = cluster.url;
  return async () => {
    delete process.env.LM_TEST_POSTGRES_URL;
    await cluster.stop();
  };
}
