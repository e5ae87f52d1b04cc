import { startCluster } from './cluster.ts';
import { templateName } from './databases.ts';
import { dropPooledDatabases } from './pooled-databases.ts';

/**
 * Provides PostgreSQL for the project `api-postgres`: the server in LM_TEST_POSTGRES_URL, or a temporary cluster
 * without fsync, because these tests only check answers. The durability tests start their own clusters.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.LM_TEST_POSTGRES_URL;
  if (given) return () => dropPooledDatabases(given, templateName(process.pid));
  const cluster = await startCluster({ fsync: false });
  process.env.LM_TEST_POSTGRES_URL = cluster.url;
  return async () => {
    delete process.env.LM_TEST_POSTGRES_URL;
    await cluster.stop();
  };
}
