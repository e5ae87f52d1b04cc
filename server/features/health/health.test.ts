import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../../contract/auth.ts';
import { createTestApp } from '../../../test/app.ts';
import { freePort } from '../../../test/postgres/free-port.ts';
import { buildApp } from '../../app.ts';
import { openDatabase } from '../../db/open.ts';

/** The same application, but its database is a PostgreSQL that nobody runs. */
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

test('SEED-7.1-06 SEED-2.4-09 SEED-7.6-09 D036 D006: both health paths answer anyone, with the same body', async () => {
  const testApp = await createTestApp({ now: '2026-11-21T19:00:00.000Z' });
  for (const url of ['/api/health/', '/licenses/api/health/', '/api/health']) {
    const answer = await testApp.call('GET', url, { token: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      status: 'ok',
      database: 'ok',
      email: 'ok',
      version: testApp.context.config.version,
      timestamp: '2026-11-21T19:00:00.000Z',
      demo_account: true,
      business_timezone: 'America/Mexico_City',
    });
  }
});

test('D006: outside of demo mode nobody is told of a demo account, even where one has its name and password', async () => {
  const testApp = await createTestApp({ env: { DEMO: '0' } });
  const { status } = await testApp.call('POST', '/api/auth/register/', {
    token: null,
    body: { ...DEMO_ACCOUNT, names: 'Ana', email: 'ana@example.com' },
  });
  const answer = await testApp.call('GET', '/api/health/', { token: null });
  expect([status, answer.body.demo_account]).toEqual([201, false]);
});

test('D036: without its database the server is alive and says what is wrong, with 503', async () => {
  const app = await appWithoutDatabase();
  const answer = await app.inject({ url: '/api/health/' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ success: false, status: 'error', database: 'error' });
});

test('D016: a mail server that takes calls and says nothing is told of, and keeps nobody waiting', async () => {
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

test('promises: ready while it serves, 503 as soon as it is told to stop, and then each answer closes its connection', async () => {
  const testApp = await createTestApp();
  const ready = await testApp.call('GET', '/api/health/ready/', { token: null });
  expect([ready.status, ready.body]).toEqual([200, { success: true, status: 'ready' }]);
  expect(ready.headers.connection).not.toBe('close');

  testApp.drain();
  const draining = await testApp.call('GET', '/api/health/ready/', { token: null });
  expect([draining.status, draining.body]).toEqual([503, { success: false, status: 'draining' }]);

  // It is not ready for more, yet it is alive, and what comes all the same is served.
  const alive = await testApp.call('GET', '/api/health/', { token: null });
  const served = await testApp.call('GET', '/licenses/api/clients/');
  expect([alive.status, served.status]).toEqual([200, 200]);
  expect([alive.headers.connection, served.headers.connection]).toEqual(['close', 'close']);
});

test('promises: not ready without its database, and other calls are told when to come back', async () => {
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
