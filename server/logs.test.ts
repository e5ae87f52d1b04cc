import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../contract/people/auth.ts';
import { POSTGRES_AT_NIGHT } from '../test/at-night.ts';
import { engineEnv, startForTest } from '../test/faults/engines.ts';
import { call, newLicense, signIn } from '../test/faults/http.ts';

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

test('no log line contains a password, token or licence key, at any log level (promises)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const server = await startForTest({ ...(await engineEnv(engine)), LOG_LEVEL: 'trace', METRICS: '1' });
  const session = await signIn(server);
  const { token } = session;
  const post = (path: string, body: unknown, more = {}) =>
    call(server, 'POST', path, { token, body, ...more });

  const wrong = 'contraseña-equivocada-1';
  await post('/api/auth/login/', { username: DEMO_ACCOUNT.username, password: wrong });
  const registered = {
    username: 'nueva',
    password: 'contraseña-nueva-2',
    names: 'N',
    last_name: 'N',
    email: 'n@example.com',
  };
  await post('/api/auth/register/', registered);
  await post('/api/auth/register/', registered);
  const refreshed = await post('/api/auth/refresh/', { refresh_token: session.refresh_token });
  await post('/api/auth/refresh/', { refresh_token: `${session.refresh_token}x` });

  const license = await newLicense(server, token, { max_installations: 1 });
  const key = license.license_key;
  for (const machine_id of ['una', 'otra']) {
    await post('/licenses/api/installations/', { license_key: key, machine_id });
    await post('/licenses/api/license/validate/', { license_key: key, machine_id });
    await post('/licenses/api/installation/heartbeat/', { license_key: key, machine_id });
  }
  // What a client calls on the page to pay (PAY-02, MONEY-11, MONEY-12), also with its address as the reference.
  const asked = await post('/licenses/api/payment-requests/', {
    lines: [{ license: license.id, kind: 'renewal', price: 100, expiry_days: 30 }],
    notify: false,
  });
  const payCode = String(asked.body.url).split('/').at(-1)!;
  const given = await call(server, 'POST', `/licenses/api/pay/${payCode}/notice/`, {
    body: { reference: asked.body.url },
  });
  expect(given.status).toBe(202);
  await post(`/licenses/api/payment-requests/${asked.body.id}/mark_paid/`, { method: 'transfer' });
  expect((await call(server, 'GET', `/licenses/api/pay/${payCode}/receipt/?payment=1`)).status).toBe(200);
  await call(server, 'GET', `/pagar/${payCode}/recibo?payment=1`);
  await call(server, 'GET', `/licenses/api/pay/${payCode}/recibo/${payCode}`);

  const unknownKey = 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ';
  await post('/licenses/api/license/validate/', { license_key: unknownKey, machine_id: 'una' });
  // Each line sends the key in another place: search query, path of a wrong call, invalid JSON body, invalid token.
  await call(server, 'GET', `/licenses/api/licenses/?search=${key}`, { token });
  await call(server, 'GET', `/licenses/api/licenses/${key}/`, { token });
  await call(server, 'GET', '/licenses/api/licenses/export/', { token });
  await call(server, 'GET', '/api/auth/user/', { token: `${token}y` });
  await post('/licenses/api/clients/', { name: key, email: 'mal', notes: token });
  await fetch(`${server.url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: `{"username":"admin","password":"${wrong}"`,
  });
  await call(server, 'GET', '/metrics');
  await call(server, 'POST', '/api/auth/logout/', { token });
  await server.stop();

  const log = server.output();
  expect(log.split('\n').filter((line) => line.includes('solicitud')).length).toBeGreaterThan(20);
  // The demo password is not a secret: the server prints it at the start, and the sign-in page shows it.
  const [, afterStart = ''] = log.split(`contraseña ${DEMO_ACCOUNT.password}`);
  const secrets = {
    demoPassword: DEMO_ACCOUNT.password,
    wrong,
    registered: registered.password,
    token,
    refresh: session.refresh_token,
    newToken: refreshed.body.token,
    newRefresh: refreshed.body.refresh_token,
    key,
    unknownKey,
    payCode,
  };
  for (const [name, secret] of Object.entries(secrets)) {
    const lines = afterStart.split('\n').filter((line) => line.includes(secret));
    expect(lines, name).toEqual([]);
  }
});

test('a caller who disconnects in the middle of a body causes one log line, no warning', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const server = await startForTest({ ...(await engineEnv(engine)), LOG_LEVEL: 'debug' });
  const { hostname, port } = new URL(server.url);
  const linesOf = (path: string) =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes(path));
  const head = [
    'POST /api/auth/login/?abandonada HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    'Content-Length: 500',
  ];
  for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await new Promise<void>((resolve) =>
      socket.write(`${head.join('\r\n')}\r\n\r\n{"username":"`, () => resolve()),
    );
    // The server has received the first part of the body before the caller disconnects.
    await call(server, 'GET', '/api/health/');
    socket[leave]();
    socket.resume();
  }

  await expect.poll(() => linesOf('"path":"/api/auth/login/"')).toHaveLength(3);
  await server.stop();

  const lines = server.output().split('\n');
  expect(lines.filter((line) => /"level":(?:40|50|60)|"stack"/.test(line))).toEqual([]);
  for (const line of linesOf('"path":"/api/auth/login/"')) {
    expect(JSON.parse(line)).toMatchObject({ level: 30, method: 'POST', msg: 'solicitud interrumpida' });
  }
});
