import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../../e2e/support/server.ts';
import { NIGHT } from '../../../test/at-night.ts';
import { openForTest as open } from '../../../test/empty-database.ts';
import { SHARED } from '../../../test/faults/engines.ts';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { providePgBouncer, startPgBouncer } from '../../../test/postgres/pgbouncer.ts';
import { isUnavailable } from '../dialect.ts';
import { migrate, migrationState } from '../open.ts';
import { LONG_WORK_TIMEOUTS } from './timeouts.ts';

/**
 * A real PgBouncer in transaction mode. `npm test -- api-pooler` runs the whole API suite through it. If PgBouncer is
 * not available, the summary of the run counts these tests as skipped.
 */

vi.setConfig({ testTimeout: 60_000 });

const TIMEOUTS = { connectMs: 5000, statementMs: 700, answerMs: 5000, idleInTransactionMs: 700 };
const program = process.env.TEST_ENGINE === 'postgres' ? providePgBouncer() : undefined;

async function behindPgBouncer(settings: string[] = []) {
  const database = await createDatabase();
  const bouncer = await startPgBouncer(program!, database.url, settings);
  onTestFinished(async () => {
    await bouncer.stop();
    await database.drop();
  });
  const address = new URL(database.url);
  address.host = bouncer.host;
  return address.toString();
}

describe.runIf(program !== undefined)('PgBouncer in transaction mode (OPS-04)', () => {
  const openBehind = (url: string, timeouts = TIMEOUTS) =>
    open({ kind: 'postgres', url, pool: 4, pooler: 'transaction', timeouts });

  test('PostgreSQL cancels a single statement that takes too long', async () => {
    const db = openBehind(await behindPgBouncer());
    const failure = await sql`select pg_sleep(30)`.execute(db).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '57014' });
    expect((await sql<{ n: number }>`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }]);
  });

  test('PostgreSQL cancels a statement in a transaction that takes too long', async () => {
    const db = openBehind(await behindPgBouncer());
    const failure = await db
      .transaction()
      .execute((tx) => sql`select pg_sleep(30)`.execute(tx))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '57014' });
  });

  test('PostgreSQL ends a transaction that stays idle', async () => {
    const db = openBehind(await behindPgBouncer());
    const failure = await db
      .transaction()
      .execute(async (tx) => {
        await sql`select 1`.execute(tx);
        await delay(1500);
        await sql`select 1`.execute(tx);
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failure)).toBe(true);
  });

  test('no timeout remains on the connection for the next caller', async () => {
    const url = await behindPgBouncer();
    await sql`select 1`.execute(openBehind(url));
    const other = openBehind(url, { ...TIMEOUTS, statementMs: 4321 });
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(other);
    expect(rows).toEqual([{ statement_timeout: '4321ms' }]);
  });

  test('without DATABASE_POOLER the server does not start behind PgBouncer, and its message names the variable', async () => {
    const behind = await behindPgBouncer();
    await expect(startServer({ DATABASE_URL: behind })).rejects.toThrow(
      /hay un pooler, como PgBouncer\. Escribe DATABASE_POOLER=transaction\./,
    );
  });

  test('the start log names a pooler that drops statement_timeout', { tags: [NIGHT] }, async () => {
    const ignored = 'statement_timeout, idle_in_transaction_session_timeout';
    const behind = await behindPgBouncer([`ignore_startup_parameters = ${ignored}`]);
    const server = await startServer({ DATABASE_URL: behind });
    onTestFinished(async () => {
      await server.stop();
    });
    expect(server.output()).toContain('un pooler que no deja pasar statement_timeout');
  });

  test('replicas that start together change the schema one after another', async () => {
    const url = await behindPgBouncer();
    const replicas = Array.from({ length: 4 }, () => openBehind(url, LONG_WORK_TIMEOUTS));
    // They start a moment apart, so that the pooler gives the first one's connection to the second.
    const started = replicas.map(async (db, number) => {
      await delay(number * 40);
      await migrate(db);
    });
    await Promise.all(started);
    expect((await migrationState(replicas[0]!)).missing).toEqual([]);
  });

  test('two replicas behind PgBouncer migrate, start and answer', { tags: [NIGHT] }, async () => {
    const env = {
      DATABASE_URL: await behindPgBouncer(),
      DATABASE_POOLER: 'transaction',
      ...SHARED,
    };
    const replicas = await Promise.all([startServer(env), startServer(env)]);
    onTestFinished(async () => {
      await Promise.all(replicas.map((server) => server.stop()));
    });
    for (const { url: address, output } of replicas) {
      expect((await fetch(`${address}/api/health/ready/`)).status).toBe(200);
      expect(output()).not.toContain('statement_timeout');
    }
  });
});
