import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { provideProgram } from '../installed-program.ts';
import { freePort } from '../postgres/free-port.ts';

/**
 * A real nginx with deploy/nginx/license-manager.conf, in which only addresses, folders and the certificate are
 * replaced. If nginx is not available, the summary of the run counts these tests as skipped.
 */

const nginx = provideProgram(
  ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'],
  'nginx-light',
);
const NAME = 'panel.example.com';
const PORTAL = 'clientes.example.com';

const PAYMENT = 'k3Zp_9QeT-xYw7LmN2bVc8RaHs4UdJf6GtKo1Ei5Bqc';
const API_KEY = 'lmk_4fGh7JkL9mNpQrStUvWxYz2A3b4C5d6E7f8G';
const CERTIFICATE = 'abcd-EFGH-jkmn-pqrs';

describe.runIf(nginx !== undefined)('deploy/nginx', () => {
  const folder = mkdtempSync('/tmp/lm-nginx-');
  let t: TestApp;
  let stop = async () => {};
  let [plain, secure, unreachable] = [0, 0, 0];

  beforeAll(async () => {
    t = await createTestApp({
      env: { PUBLIC_URL: `http://${NAME}`, PORTAL_URL: `http://${PORTAL}`, TRUST_PROXY: '1' },
      closeAfterTest: false,
    });
    const server = Number(new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port);
    [plain, secure, unreachable] = await Promise.all([freePort(), freePort(), freePort()]);
    const example = readFileSync(
      join(import.meta.dirname, '..', '..', 'deploy', 'nginx', 'license-manager.conf'),
      'utf8',
    )
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${secure};`)
      .replace(/^ *ssl_.*$/gm, '')
      .replaceAll('licencias.example.com', NAME)
      .replaceAll('/var/log/nginx', folder)
      .replace('127.0.0.1:3000', `127.0.0.1:${server}`);
    // The host of the portal, as docs/portal.md shows it, and one whose server is stopped.
    const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'portal.md'), 'utf8');
    const [, block = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? [];
    const ofPortal = block
      .replace('listen 443 ssl;', `listen 127.0.0.1:${secure};`)
      .replace(/^ *ssl_.*$/gm, '')
      .replaceAll('/var/log/nginx', folder);
    const stopped = ofPortal.replace(PORTAL, 'stopped.example.com').replace(':3000', `:${unreachable}`);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/main-error.log;
      events {} http { access_log ${folder}/access.log;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      ${example} ${ofPortal.replace('127.0.0.1:3000', `127.0.0.1:${server}`)} ${stopped} }`,
    );
    const child = spawn(nginx!, ['-c', join(folder, 'nginx.conf'), '-p', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    stop = async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    for (let tries = 0; (await statusOf('/api/health/')) !== 200; tries += 1) {
      if (child.exitCode !== null || tries > 100) throw new Error(`nginx does not answer:\n${said}`);
      await setTimeout(50);
    }
  });

  afterAll(async () => {
    await stop();
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends a request as it stands: `fetch` would tidy its path. */
  async function statusOf(path: string, host = NAME, { port = secure, more = '' } = {}): Promise<number> {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`),
    );
    return Number((await text(socket).catch(() => '')).split(' ')[1]);
  }

  const logs = async () => {
    await setTimeout(100);
    return ['license-manager.log', 'license-manager-error.log', 'access.log', 'main-error.log']
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  };

  const encoded = (secret: string) =>
    [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

  const SECRETS = [PAYMENT, API_KEY, CERTIFICATE, CERTIFICATE.replaceAll('-', '')];
  /** A secret as it is, encoded, and encoded twice. */
  const forms = (secret: string) => [secret, encoded(secret), encoded(secret).replaceAll('%', '%25')];
  const PLACES: ((written: string) => string)[] = [
    (written) => `/pagar/${written}`,
    (written) => `//pagar//${written}//prueba`,
    (written) => `/licenses/api/pay/./${written}/checkout/`,
    (written) => `/licenses/api/verif%79/${written}/`,
    (written) => `/licenses/api/verify%2F${written}`,
    (written) => `/licenses/api/verify%252F${written}`,
    (written) => `/VERIFICAR/x/../${written}`,
    (written) => `/x%0A/unsubscribe/${written}`,
    (written) => `/licenses/api/unsubscribe/${written}?q=${written}`,
    (written) => `/licenses/api/licenses/${written}/`,
    (written) => `/licenses/api/licenses/${written}/pay/x/`,
    (written) => `/unsubscribe%5c${written}`,
    (written) => `/${written}/a%2520b`,
    (written) => `/%ff${written}`,
    (written) => `/assets/${written}`,
  ];
  const doors = () => [
    { host: NAME, port: secure },
    { host: NAME, port: plain },
    { host: PORTAL, port: secure },
    { host: 'stopped.example.com', port: secure },
  ];

  test('logs no code of a payment, a certificate or an unsubscription and no API key', async () => {
    const paths = SECRETS.flatMap(forms).flatMap((written) => PLACES.map((place) => place(written)));
    for (const path of paths)
      for (const { host, port } of doors()) expect(await statusOf(path, host, { port })).toBeGreaterThan(199);
    const written = await logs();
    expect(written.split('\n').length).toBeGreaterThan(600);
    expect(written).toContain(' 502 ');
    expect(written).toContain('GET /licenses/api/pay/*** ');
    const parts = SECRETS.flatMap(forms).flatMap((form) =>
      Array.from({ length: form.length - 11 }, (_, at) => form.slice(at, at + 12)),
    );
    expect(parts.filter((part) => written.includes(part))).toEqual([]);
  }, 60_000);

  test('logs other paths as they are', async () => {
    const paths = [
      '/assets/license-type-form-page-BbA3dkQ9.js',
      '/licenses/api/payment-requests/export/',
      '/licenses/api/webhooks/3/deliveries/123456789/resend/',
      '/licenses/api/mail-templates/weekly_digest/preview/',
    ];
    for (const path of paths) await statusOf(path);
    const written = await logs();
    for (const path of paths) expect(written).toContain(`GET ${path} `);
  });

  test('no caller invents the host: X-Forwarded-Host is written by nginx (PORTAL-07)', async () => {
    const more = `Authorization: Bearer ${t.token}\r\nX-Forwarded-Host: ${NAME}\r\n`;
    expect(await statusOf('/licenses/api/clients/', NAME, { more })).toBe(200);
    expect(await statusOf('/licenses/api/clients/', PORTAL, { more })).toBe(404);
    // A name that no block has gets to the first one.
    expect(await statusOf('/licenses/api/clients/', '127.0.0.1', { more })).toBe(421);
    expect(await statusOf('/api/health/', '127.0.0.1', { more })).toBe(200);
  });
});
