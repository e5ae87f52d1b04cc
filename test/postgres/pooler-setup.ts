import setupPostgres from './global-setup.ts';
import { providePgBouncer, startPgBouncer } from './pgbouncer.ts';

/** Provides PostgreSQL behind PgBouncer in transaction mode, for the project `api-pooler` (OPS-04). */
export default async function setup(): Promise<() => Promise<void>> {
  const program = providePgBouncer();
  if (program === undefined)
    throw new Error('PgBouncer is not installed (Debian: apt-get install pgbouncer).');
  const end = await setupPostgres();
  const bouncer = await startPgBouncer(program, process.env.LM_TEST_POSTGRES_URL ?? '');
  process.env.LM_TEST_POOLER = bouncer.host;
  return async () => {
    await bouncer.stop();
    await end();
  };
}
