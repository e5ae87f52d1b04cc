import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withClient } from '../../../ops/with-client.ts';
import { NIGHT } from '../../../test/at-night.ts';
import { openForTest as open } from '../../../test/empty-database.ts';
import { startCluster } from '../../../test/postgres/cluster.ts';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { migrate } from '../open.ts';

/** A standby that does not respond: each commit waits for it, and does not notice that its caller has given up. */

vi.setConfig({ testTimeout: 90_000 });

const POOL = 4;
const TIMEOUTS = { connectMs: 600, statementMs: 400, answerMs: 500, idleInTransactionMs: 2000 };

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a standby that does not answer (OPS-04)', () => {
  test('writes that wait for it use no more connections than the pool has, and later writes succeed', {
    tags: [NIGHT],
  }, async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const database = await createDatabase({ adminUrl: cluster.url });
    const engine = { kind: 'postgres', url: database.url, pool: POOL } as const;
    await migrate(open(engine));
    const db = open({ ...engine, timeouts: TIMEOUTS });
    const standby = (names: string) =>
      withClient(cluster.url, async (client) => {
        // This session must not wait for the standby that it sets.
        await client.query('set synchronous_commit = local');
        await client.query(`alter system set synchronous_standby_names = '${names}'`);
        await client.query('select pg_reload_conf()');
        await sleep(300);
      });
    const connections = () =>
      withClient(database.url, async (client) => {
        const { rows } = await client.query<{ n: string }>(
          `select count(*) as n from pg_stat_activity where datname = '${database.name}' and pid <> pg_backend_pid()`,
        );
        return Number(rows[0]?.n);
      });
    const write = (name: string) =>
      sql`insert into settings_of_test values (${name})`.execute(db).catch((error: unknown) => error);
    await sql`create table settings_of_test (name text)`.execute(db);

    await standby('one_that_stands_still');
    const most: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const failures = await Promise.all(Array.from({ length: POOL }, (_, n) => write(`${round}-${n}`)));
      for (const failure of failures) expect(failure).toBeInstanceOf(Error);
      most.push(await connections());
    }
    expect(Math.max(...most)).toBeGreaterThanOrEqual(POOL);
    expect(Math.max(...most)).toBeLessThanOrEqual(POOL + 2);

    await standby('');
    await expect.poll(() => write('after')).not.toBeInstanceOf(Error);
  });
});
