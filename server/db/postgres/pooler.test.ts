import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { NIGHT } from '../../../test/at-night.ts';
import { openForTest as open } from '../../../test/empty-database.ts';
import { SHARED } from '../../../test/faults/engines.ts';
import { createDatabase } from '../../../test/postgres/databases.ts';
import { providePgBouncer, startPgBouncer } from '../../../test/postgres/pgbouncer.ts';
import { startServer } from '../../../test/start-server.ts';
import { readConfig } from '../../config.ts';
import { statementTimeout } from '../../features/system/checks/database.ts';
import { isUnavailable } from '../dialect.ts';
import { migrate, migrationState } from '../open.ts';
import { lendsByTransaction } from './pooler-probe.ts';
import { LONG_WORK_TIMEOUTS, REQUEST_TIMEOUTS } from './timeouts.ts';

/**
 * A real PgBouncer in transaction mode. `npm test -- api-pooler` runs the whole API suite through it. If PgBouncer is
 * not available, the summary of the run counts these tests as skipped.
 */

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

  /** Takes a connection for long enough that a second caller gets another one. */
  const slow = (url: string) => sql`select pg_sleep(0.2)`.execute(openBehind(url, REQUEST_TIMEOUTS));

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

  const IGNORING = 'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout';

  test.each([
    ['one connection', ['default_pool_size = 1']],
    ['several connections', []],
    ['several connections in turn', ['server_round_robin = 1']],
  ])('without DATABASE_POOLER a pooler that ignores the settings is noticed: %s', async (_name, settings) => {
    const url = await behindPgBouncer([IGNORING, ...settings]);
    // The pooler has connections that it may lend, as beside other replicas.
    if (settings[0] !== 'default_pool_size = 1')
      await Promise.all(Array.from({ length: 4 }, () => slow(url)));
    expect(await lendsByTransaction(url)).toBe(true);
  });

  test('a pooler that ignores the settings is noticed while other replicas use it', async () => {
    const url = await behindPgBouncer([IGNORING]);
    let isOver = false;
    const busy = Array.from({ length: 8 }, async () => {
      const db = openBehind(url, REQUEST_TIMEOUTS);
      while (!isOver) await sql`select pg_sleep(0.001)`.execute(db);
    });
    for (let times = 0; times < 5; times += 1) expect(await lendsByTransaction(url)).toBe(true);
    isOver = true;
    await Promise.all(busy);
  });

  test('neither PostgreSQL itself nor a pooler in session mode counts as one', async () => {
    const session = ['pool_mode = session', IGNORING];
    expect(await lendsByTransaction(await behindPgBouncer(session))).toBe(false);
    const full = await behindPgBouncer([...session, 'default_pool_size = 1']);
    expect(await lendsByTransaction(full)).toBe(false);
    const database = await createDatabase();
    onTestFinished(database.drop);
    expect(await lendsByTransaction(database.url)).toBe(false);
  });

  test('without DATABASE_POOLER the server does not start behind a pooler that ignores the settings', async () => {
    const behind = await behindPgBouncer([IGNORING]);
    // A role's own timeout hides that the program's was dropped.
    await sql
      .raw(`alter database "${new URL(behind).pathname.slice(1)}" set statement_timeout = '9s'`)
      .execute(openBehind(behind));
    await expect(startServer({ DATABASE_URL: behind })).rejects.toThrow(
      /hay un pooler, como PgBouncer\. Escribe DATABASE_POOLER=transaction\./,
    );
    const config = readConfig({ DEMO: '1', DATABASE_URL: behind });
    const { mailer, now } = (await createTestApp()).context;
    const found = await statementTimeout.run({ db: openBehind(behind), config, mailer, now });
    expect(found).toMatchObject({ state: 'failure', remedy: 'Escribe DATABASE_POOLER=transaction.' });
  });

  test('the start log names a pooler in session mode that drops statement_timeout', {
    tags: [NIGHT],
  }, async () => {
    const behind = await behindPgBouncer(['pool_mode = session', 'default_pool_size = 40', IGNORING]);
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
