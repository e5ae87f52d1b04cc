import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestApp } from '../app.ts';

/** The log lines of a call (docs/security.md, V14 and V16). */

/** The lines that the server logs from now on. */
async function logLines() {
  // Waits for the log line of the test's sign-in, which must not be among them.
  await nextTurn();
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return async (): Promise<Record<string, unknown>[]> => {
    await nextTurn();
    return written
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  };
}

const ENV = { LOG_LEVEL: 'info', TRUST_PROXY: '1' };

test('the log line of an answer has the same address of its caller as the rate limits use', async () => {
  const { call } = await createTestApp({ env: ENV });
  const lines = await logLines();
  await call('GET', '/licenses/api/clients/', { headers: { 'x-forwarded-for': '203.0.113.7' } });
  await call('GET', '/licenses/api/clients/', { token: null });
  expect(await lines()).toMatchObject([
    { path: '/licenses/api/clients/', status: 200, ip: '203.0.113.7' },
    { path: '/licenses/api/clients/', status: 401, ip: '127.0.0.1' },
  ]);
});

test('a failed sign-in of an unknown name logs a line with its address and without the name', async () => {
  const { call } = await createTestApp({ env: ENV });
  const lines = await logLines();
  await call('POST', '/api/auth/login/', {
    body: { username: 'MiClave-Secreta9', password: 'otra-clave-secreta' },
    headers: { 'x-forwarded-for': '203.0.113.8' },
    token: null,
  });
  const all = await lines();
  expect(all).toMatchObject([
    {
      msg: 'inicio de sesión fallido de un usuario desconocido',
      ip: '203.0.113.8',
      reqId: expect.any(String),
    },
    { path: '/api/auth/login/', status: 401, ip: '203.0.113.8' },
  ]);
  expect(JSON.stringify(all).toLowerCase()).not.toMatch(/miclave|otra-clave/);
});

test('no log line has a certificate code, the token of a link or a licence key', async () => {
  const { call } = await createTestApp({ env: ENV });
  const lines = await logLines();
  for (const path of [
    '/licenses/api/verify/ABCD-EFGH-JKLM-NPQR/',
    '/licenses/api/verif%79/ABCD-EFGH-JKLM-NPQR/',
    '/verificar/ABCD-EFGH-JKLM-NPQR',
    '/licenses/api/unsubscribe/ABCD-EFGH-JKLM-NPQR/',
    '/licenses/api/licenses/ABCDE-EFGHJ-JKLMN-NPQRS-TUVWX/',
  ])
    await call('GET', path);
  const text = JSON.stringify(await lines());
  expect(text).toContain('***');
  expect(text).not.toMatch(/EFGH/);
});
