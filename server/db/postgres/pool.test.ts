import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withClient } from '../../../ops/with-client.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { clusterUrl } from '../../../test/postgres/databases.ts';
import { startSilentProxy } from '../../../test/postgres/silent-proxy.ts';
import { buildApp } from '../../app.ts';
import { CALL_MS, duringCall } from '../../lib/call-time.ts';
import { isUnavailable, poolUsage } from '../dialect.ts';
import { openDatabase } from '../open.ts';
import { SilentDatabaseError } from './pool.ts';
import type { Timeouts } from './timeouts.ts';

/** Short enough for a test where it waits for them, and long enough for a statement on a busy machine. */
const TIMEOUTS = { connectMs: 20_000, statementMs: 1500, answerMs: 2000, idleInTransactionMs: 2000 };
/** Bounds what hangs. */
/** The application with a database behind a proxy that can stop forwarding data. */
async function behindProxy({
  pool = 2,
  timeouts = {},
}: {
  pool?: number;
  timeouts?: Partial<Timeouts>;
} = {}) {
  const testApp = await createTestApp();
  const proxy = await startSilentProxy(testApp.context.config.databaseUrl ?? '');
  const engine = { kind: 'postgres', url: proxy.url, pool, timeouts: { ...TIMEOUTS, ...timeouts } } as const;
  const db = openDatabase(engine, () => {});
  const app = await buildApp({ ...testApp.context, db });
  onTestFinished(async () => {
    await app.close();
    proxy.resume();
    await proxy.close();
    await db.destroy();
  });
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${testApp.token}` };
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: answer.json() };
  };
  return { testApp, proxy, db, call };
}

/** Ends the pool's open connections, as a failover does; the next statement opens a new one. */
async function endConnections(testApp: TestApp, db: ReturnType<typeof openDatabase>): Promise<void> {
  const pid = await pidOf(db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid = ${pid}`.execute(testApp.db);
  await expect.poll(() => poolUsage(db)).toMatchObject({ open: 0 });
}

const pidOf = async (db: ReturnType<typeof openDatabase>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;

describe.runIf(process.env.TEST_ENGINE === 'postgres')(
  'connections that stop answering without closing',
  () => {
    test('a connection that does not answer is closed, and the next statement gets a new one (promises)', async () => {
      const { proxy, db } = await behindProxy();
      const before = await pidOf(db);
      expect(proxy.open()).toBe(1);

      proxy.goSilent();
      const failure = await pidOf(db).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SilentDatabaseError);
      expect(isUnavailable(failure)).toBe(true);
      await expect.poll(() => proxy.open()).toBe(0);
      expect(poolUsage(db)).toMatchObject({ open: 0, waiting: 0 });

      proxy.resume();
      const after = await pidOf(db);
      expect(after).not.toBe(before);
      // The proxy may count one more, over which PostgreSQL is asked after two seconds whether the first has ended.
      expect(poolUsage(db)).toMatchObject({ open: 1, waiting: 0 });
    });

    test('idle connections are closed together with the first one that does not answer (promises)', async () => {
      const { proxy, db } = await behindProxy({ pool: 4 });
      await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.2)`.execute(db)));
      expect(poolUsage(db)).toMatchObject({ open: 4, idle: 4 });

      proxy.goSilent();
      await expect(pidOf(db)).rejects.toThrow(SilentDatabaseError);
      await expect.poll(() => proxy.open()).toBe(0);
      expect(poolUsage(db)).toMatchObject({ open: 0, waiting: 0 });
    });

    test('every call gets 503 with Retry-After, also when there are more calls than connections (promises)', async () => {
      const { testApp, proxy, call } = await behindProxy({ timeouts: { connectMs: 2500 } });
      const license = await createLicense(testApp);
      const validate = () =>
        call('POST', '/licenses/api/license/validate/', {
          license_key: license.license_key,
          machine_id: 'maquina-1',
        });
      expect((await call('GET', '/licenses/api/clients/')).status).toBe(200);
      expect((await validate()).status).toBe(200);

      proxy.goSilent();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          index % 2 === 0 ? call('GET', '/licenses/api/clients/') : validate(),
        ),
      );
      for (const { status, retryAfter, body } of answers) {
        expect([status, body.code]).toEqual([503, 'unavailable']);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
      const ready = await call('GET', '/api/health/ready/');
      expect([ready.status, ready.body.status]).toEqual([503, 'database_down']);
      const health = await call('GET', '/api/health/');
      expect([health.status, health.body.database]).toEqual([503, 'error']);

      proxy.resume();
      await expect.poll(async () => (await call('GET', '/licenses/api/clients/')).status).toBe(200);
      expect((await validate()).status).toBe(200);
      // The health check caches the result of its last write for some seconds.
      await expect.poll(async () => (await call('GET', '/api/health/')).status).toBe(200);
    });

    test('a commit without an answer is an error and is not repeated (promises)', async () => {
      const { testApp, proxy, db } = await behindProxy();
      const client = await createClient(testApp);
      let bodies = 0;
      const failure = await db
        .transaction()
        .execute(async (tx) => {
          bodies += 1;
          await tx.updateTable('clients').set({ notes: 'nuevas' }).where('id', '=', client.id).execute();
          proxy.goSilent();
        })
        .catch((error: unknown) => error);
      expect(isUnavailable(failure)).toBe(true);
      expect(bodies).toBe(1);

      // The row is not locked and unchanged.
      proxy.resume();
      const locked = testApp.db.selectFrom('clients').select('notes').where('id', '=', client.id).forUpdate();
      await expect.poll(() => locked.executeTakeFirst()).toEqual({ notes: '' });
    });

    test('a call whose time is used up waits one second for a connection, not as long as a new call (promises)', async () => {
      // The pool itself waits longer, so that the connection arrives when nobody waits for it any more.
      const { db } = await behindProxy({ pool: 2 });
      const isOver = Promise.withResolvers<void>();
      onTestFinished(() => isOver.resolve());
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const busy = [first, second].map(({ resolve }) =>
        db.connection().execute(async () => {
          resolve();
          await isOver.promise;
        }),
      );
      await Promise.all([first.promise, second.promise]);
      const failure = await new Promise((resolve) => {
        duringCall(CALL_MS, () => void pidOf(db).then(resolve, resolve));
      });
      expect(failure).toMatchObject({ name: 'SilentDatabaseError', message: /within 1000 ms/ });
      expect(isUnavailable(failure)).toBe(true);
      expect(poolUsage(db)).toMatchObject({ open: 2, idle: 0, waiting: 1 });
      isOver.resolve();
      await Promise.all(busy);
      await expect.poll(() => poolUsage(db)).toMatchObject({ open: 2, idle: 2, waiting: 0 });
    });

    test('a read-only database gives 503, and works again without a restart when it accepts writes (OPS-05)', async () => {
      const { testApp, db, call } = await behindProxy();
      const name = new URL(testApp.context.config.databaseUrl ?? '').pathname.slice(1);
      const alter = (how: string) =>
        withClient(clusterUrl(undefined), (client) => client.query(`alter database ${name} ${how}`));
      const create = () =>
        call('POST', '/licenses/api/clients/', {
          name: 'Sólo lectura',
          email: `lectura-${crypto.randomUUID()}@example.com`,
          phone: '+525512345678',
        });
      await alter('set default_transaction_read_only = on');
      await endConnections(testApp, db);
      const refused = await create();
      expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
      expect(Number(refused.retryAfter)).toBeGreaterThan(0);
      await alter('reset all');
      expect((await create()).status).toBe(201);
    });

    test('the server cancels a statement that takes too long, and the connection stays open (promises)', async () => {
      const { proxy, db } = await behindProxy({ timeouts: { answerMs: 60_000 } });
      const before = await pidOf(db);
      const failure = await sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
      expect(isUnavailable(failure)).toBe(true);
      expect(await pidOf(db)).toBe(before);
      expect(proxy.opened()).toBe(1);
    });
  },
);
