import { once } from 'node:events';
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type KyselyPlugin, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../../../contract/people/auth.ts';
import { createTestApp, type TestApp } from '../../../../test/app.ts';
import { freePort } from '../../../../test/postgres/free-port.ts';
import { buildApp } from '../../../app.ts';
import { tryRoom } from '../../../db/dialect.ts';
import { DATABASE_FILE, openDatabase } from '../../../db/open.ts';

/** The application with the address of a PostgreSQL that is not running. */
async function appWithoutDatabase() {
  const testApp = await createTestApp();
  const url = `postgres://nadie@127.0.0.1:${await freePort()}/nada`;
  const db = openDatabase({ kind: 'postgres', url, pool: 2 }, () => {});
  const app = await buildApp({ ...testApp.context, db });
  onTestFinished(async () => {
    await app.close();
    await db.destroy();
  });
  return app;
}

test('health paths answer without a session, with the same body', {
  tags: ['SEED-7.1-06', 'SEED-2.4-09', 'SEED-7.6-09', 'D036', 'D006'],
}, async () => {
  const testApp = await createTestApp({ now: '2026-11-21T19:00:00.000Z' });
  for (const url of ['/api/health/', '/licenses/api/health/', '/api/health']) {
    const answer = await testApp.call('GET', url, { token: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      status: 'ok',
      database: 'ok',
      email: 'ok',
      email_transport: 'folder',
      outbound: true,
      version: testApp.context.config.version,
      timestamp: '2026-11-21T19:00:00.000Z',
      demo_account: true,
      business_timezone: 'America/Mexico_City',
    });
  }
});

test('the answers say whether mail is sent by SMTP or stored in a folder (D011)', async () => {
  const url = 'smtp://127.0.0.1:9';
  for (const [env, transport] of [
    [{}, 'folder'],
    [{ SMTP_URL: url }, 'smtp'],
  ] as const) {
    const t = await createTestApp({ env });
    expect((await t.call('GET', '/api/health/', { token: null })).body.email_transport).toBe(transport);
    expect((await t.call('GET', '/api/auth/user/')).body.settings.email_transport).toBe(transport);
  }
});

test('the demo account is not shown outside demo mode, even if an account has its name and password (D006)', async () => {
  const testApp = await createTestApp({ env: { DEMO: '0' } });
  const { status } = await testApp.call('POST', '/api/auth/register/', {
    token: null,
    body: { ...DEMO_ACCOUNT, names: 'Ana', email: 'ana@example.com' },
  });
  const answer = await testApp.call('GET', '/api/health/', { token: null });
  expect([status, answer.body.demo_account]).toEqual([201, false]);
});

test('without its database the server answers 503 with the cause (D036)', async () => {
  const app = await appWithoutDatabase();
  const answer = await app.inject({ url: '/api/health/' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ success: false, status: 'error', database: 'error' });
});

test('a mail server that does not answer is reported and does not delay the answer (D016)', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The silent server has no port.');
  const testApp = await createTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${address.port}` } });

  const started = performance.now();
  const answer = await testApp.call('GET', '/api/health/', { token: null });
  expect(performance.now() - started).toBeLessThan(2500);
  expect([answer.status, answer.body.email]).toEqual([200, 'error']);
});

test('ready is 200 while the server runs, and after the stop signal 503 with closed connections (promises)', async () => {
  const testApp = await createTestApp();
  const ready = await testApp.call('GET', '/api/health/ready/', { token: null });
  expect([ready.status, ready.body]).toEqual([200, { success: true, status: 'ready' }]);
  expect(ready.headers.connection).not.toBe('close');

  testApp.drain();
  const draining = await testApp.call('GET', '/api/health/ready/', { token: null });
  expect([draining.status, draining.body]).toEqual([503, { success: false, status: 'draining' }]);

  // It is not ready, but it is alive and still answers requests.
  const alive = await testApp.call('GET', '/api/health/', { token: null });
  const served = await testApp.call('GET', '/licenses/api/clients/');
  expect([alive.status, served.status]).toEqual([200, 200]);
  expect([alive.headers.connection, served.headers.connection]).toEqual(['close', 'close']);
});

test('ready is 503 without the database, and other calls get Retry-After (promises)', async () => {
  const app = await appWithoutDatabase();
  const answer = await app.inject({ url: '/api/health/ready/' });
  expect([answer.statusCode, answer.json()]).toEqual([503, { success: false, status: 'database_down' }]);

  const call = await app.inject({
    url: '/licenses/api/clients/',
    headers: { authorization: 'Bearer cualquiera' },
  });
  expect(call.statusCode).toBe(503);
  expect(Number(call.headers['retry-after'])).toBeGreaterThan(0);
  expect(call.json()).toMatchObject({ success: false, code: 'unavailable' });
});

const HEALTH_PATHS = ['/api/health/', '/licenses/api/health/'];

/** Waits until both paths have this answer; the write check is cached for some seconds. */
const untilHealthIs = (testApp: TestApp, expected: [status: number, database: string]) => {
  const answerOf = async (url: string) => {
    const { status, body } = await testApp.call('GET', url, { token: null });
    return [status, body.database];
  };
  const answers = () => Promise.all(HEALTH_PATHS.map(answerOf));
  return expect.poll(answers, { interval: 200 }).toEqual(HEALTH_PATHS.map(() => expected));
};

test('a read-only database is an error until it accepts writes again (D036)', async () => {
  const testApp = await createTestApp();
  await testApp.db.schema.alterTable('throttles').renameTo('elsewhere').execute();
  await untilHealthIs(testApp, [503, 'error']);
  expect((await testApp.call('GET', '/licenses/api/clients/')).status).toBe(200);

  await testApp.db.schema.alterTable('elsewhere').renameTo('throttles').execute();
  await untilHealthIs(testApp, [200, 'ok']);
});

test('concurrent health calls write to the database one at a time and leave no extra row (D036)', async () => {
  const testApp = await createTestApp();
  let writes = 0;
  const countWrites: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'InsertQueryNode') writes += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const app = await buildApp({ ...testApp.context, db: testApp.db.withPlugin(countWrites) });
  onTestFinished(() => app.close());
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => app.inject({ url: '/api/health/' }).then((answer) => answer.statusCode)),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(writes).toBe(1);
  const rows = await testApp.db.selectFrom('throttles').select('key').where('key', '=', 'health').execute();
  expect(rows).toHaveLength(1);
});

test.runIf(process.env.TEST_ENGINE === 'sqlite')(
  'a data folder without free space is an error, and the check leaves no file (D036)',
  async () => {
    const testApp = await createTestApp();
    const { dataDir } = testApp.context.config;
    // A folder at the path of the file makes the check's write fail.
    const inTheWay = join(dataDir, `${DATABASE_FILE}.room`, 'taken');
    mkdirSync(inTheWay, { recursive: true });
    await untilHealthIs(testApp, [503, 'error']);
    rmdirSync(inTheWay);
    rmdirSync(join(inTheWay, '..'));
    await untilHealthIs(testApp, [200, 'ok']);
    expect(readdirSync(dataDir).filter((name) => name.includes('room'))).toEqual([]);
  },
);

test.runIf(process.env.TEST_ENGINE === 'postgres')(
  'the check writes to the disk of the database and frees the space again (D036)',
  async () => {
    const { db } = await createTestApp();
    const written = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select temp_bytes as bytes from pg_stat_database where datname = current_database()`.execute(db);
      return rows[0]?.bytes ?? 0;
    };
    const before = await written();
    await tryRoom(db);
    // PostgreSQL publishes the statistics of a connection with a delay.
    await expect.poll(written).toBeGreaterThan(before + 100_000);
    const left = await sql`select * from pg_ls_tmpdir()`.execute(db);
    expect(left.rows).toEqual([]);
  },
);
