import { startCluster } from '../postgres/cluster.ts';

/** A PostgreSQL that flushes every commit to disk, as in production, because these tests check durability. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LM_TEST_POSTGRES_URL) return undefined;
  const cluster = await startCluster();
  process.env.LM_TEST_POSTGRES_URL = cluster.url;
  return async () => {
    delete process.env.LM_TEST_POSTGRES_URL;
    await cluster.stop();
  };
}
