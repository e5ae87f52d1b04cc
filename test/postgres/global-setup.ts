import { startCluster } from './cluster.ts';

/**
 * Provides PostgreSQL for the project `api-postgres`: the server in LM_TEST_POSTGRES_URL, or a temporary cluster.
 * Without fsync: these tests check answers; the durability tests start their own clusters.
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
