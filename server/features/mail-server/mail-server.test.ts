import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { makeCertificate } from '../../../test/certificate.ts';
import { deliverDue, outboxOf } from '../../../test/deliver-mail.ts';
import { createLicense } from '../../../test/factories.ts';
import { startMailServer, startOther } from '../../../test/mail-server.ts';
import { MAIL_PORT, ownAddress } from '../../../test/smtp-peer.ts';
import { openMailer } from '../../mail-server.ts';

/** Configuración › Correos, 'Servidor de correo', with real mail servers (DESK-07). */

const URL = '/licenses/api/settings/mail/';
const NOW = '2026-11-21T18:00:00.000Z';
const PASSWORD = 'clave secreta del buzón';
const USER = { username: 'ventas@example.com', password: PASSWORD };

const put = (t: TestApp, body: object) => t.call('PUT', URL, { body });
const tryIt = (t: TestApp, body: object = {}) => t.call('POST', `${URL}test/`, { body });
const plain = ({ host, port }: { host: string; port: number }) => ({ host, port, security: 'none' });

/** Stores a server and sends a test mail by it. */
async function testedWith(t: TestApp, settings: object) {
  const saved = await put(t, settings);
  expect([saved.status, saved.body.errors]).toEqual([200, undefined]);
  return (await tryIt(t)).body;
}

describe('settings', () => {
  test('a server is stored without showing its password, and mail leaves by it from the next message on', async () => {
    const t = await createTestApp({ now: NOW });
    expect((await t.call('GET', URL)).body).toMatchObject({ host: '', has_password: false, smtp_url: false });
    const peer = await startMailServer();
    const { body, headers } = await put(t, { ...plain(peer), from: 'Ventas <ventas@vendor.example>' });
    expect(body).toEqual({
      host: peer.host,
      port: MAIL_PORT,
      security: 'none',
      username: '',
      has_password: false,
      from: 'Ventas <ventas@vendor.example>',
      smtp_url: false,
      sender: 'Ventas <ventas@vendor.example>',
      updated_at: expect.any(String),
    });
    expect(headers.etag).toBeDefined();
    expect((await t.call('GET', '/api/auth/user/')).body.settings.email_transport).toBe('smtp');
    expect((await t.call('GET', '/api/health/')).body).toMatchObject({ email_transport: 'smtp' });

    await createLicense(t);
    await deliverDue(t);
    const mail = await peer.waitFor(({ email }) => email.subject?.includes('licencia') ?? false);
    expect(mail.from).toBe('ventas@vendor.example');
    // The Message-ID has the sender's domain.
    expect(mail.email.messageId).toContain('@vendor.example');
    const [row] = (await t.call('GET', '/licenses/api/mails/?kind=license_issued')).body.results;
    expect(row).toMatchObject({ status: 'sent', transport: 'smtp', sent_to: 'server' });
  });

  test.each(['0x24b', '5.87e2', '587.0', '', true, null, [587], { valueOf: 587 }])(
    'a port of %j is refused at its field',
    async (port) => {
      const { status, body } = await put(await createTestApp({ now: NOW }), {
        host: 'smtp.example.com',
        port,
      });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['port']]);
    },
  );

  test('a port may be a text of digits', async () => {
    const { status, body } = await put(await createTestApp({ now: NOW }), {
      host: 'smtp.example.com',
      port: ' 465 ',
      security: 'tls',
    });
    expect([status, body.port]).toEqual([200, 465]);
  });

  test.each([
    ['ventas@vendor.example', '', 'ventas@vendor.example'],
    ['López, S.A. de C.V. <ventas@vendor.example>', 'López, S.A. de C.V.', 'ventas@vendor.example'],
    ['"López, S.A." <ventas@vendor.example>', 'López, S.A.', 'ventas@vendor.example'],
    ['Ventas: México <ventas@vendor.example>', 'Ventas: México', 'ventas@vendor.example'],
    [
      'otra@vendor.example, Ventas <ventas@vendor.example>',
      'otra@vendor.example, Ventas',
      'ventas@vendor.example',
    ],
  ])('a mail from %s has one sender', async (from, name, address) => {
    const t = await createTestApp({ now: NOW });
    const peer = await startMailServer();
    expect((await put(t, { ...plain(peer), from })).status).toBe(200);
    expect((await tryIt(t)).body).toMatchObject({ success: true });
    const sent = peer.accepted.find(({ email }) => email.subject === 'Prueba del servidor de correo');
    expect([sent?.from, sent?.email.from]).toEqual([address, { name, address }]);
  });

  test.each([
    [{ host: 'smtp.example.com', port: 110 }, 'port'],
    [{ host: 'smtp.example.com', port: 'abc' }, 'port'],
    [{ host: 'smtp.example.com:587' }, 'host'],
    [{ host: 'https://smtp.example.com' }, 'host'],
    [{ host: 'usuario@smtp.example.com' }, 'host'],
    [{ host: 'smtp.example.com\r\nMAIL' }, 'host'],
    [{ port: 587 }, 'host'],
    [{ host: 'smtp.example.com', security: 'ssl' }, 'security'],
    [{ host: 'smtp.example.com', from: 'ventas' }, 'from'],
    [{ host: 'smtp.example.com', from: 'a@example.com, b@example.com' }, 'from'],
    [{ host: 'smtp.example.com', username: 'a' }, 'password'],
    [{ host: 'smtp.example.com', username: 'a', password: '' }, 'password'],
    [{ host: 'smtp.example.com', password: 'x' }, 'username'],
    [{ host: '127.0.0.1', security: 'none', username: 'a', password: 'x' }, 'username'],
    [{ host: '10.0.0.5', port: 25 }, 'host'],
    [{ host: '169.254.169.254' }, 'host'],
    [{ host: '::ffff:192.168.1.1' }, 'host'],
    [{ host: '93.184.216.34', security: 'none' }, 'security'],
  ])('%j is refused with an error of %s', async (body, field) => {
    const t = await createTestApp({ now: NOW });
    const answer = await put(t, body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, [field]]);
    expect((await t.call('GET', URL)).body.host).toBe('');
  });

  test('a change of server, port, security or user asks for the password again, and keeps it otherwise', async () => {
    const t = await createTestApp({ now: NOW });
    const first = { host: 'smtp.example.com', port: 587, security: 'starttls', ...USER };
    expect((await put(t, first)).body).toMatchObject({ has_password: true });
    for (const change of [
      { host: 'smtp.example.net' },
      { port: 465 },
      { security: 'tls' },
      { username: 'otro@example.com' },
    ]) {
      const refused = await put(t, change);
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        { password: ['Escribe la contraseña otra vez: la guardada era de la conexión anterior'] },
      ]);
      expect((await put(t, { ...change, password: '' })).status).toBe(400);
    }
    expect((await put(t, { from: 'a@example.com' })).body).toMatchObject({ has_password: true });
    expect((await put(t, { host: 'SMTP.example.com' })).body).toMatchObject({ has_password: true });
    expect((await put(t, { username: '' })).body).toMatchObject({ username: '', has_password: false });
    expect((await put(t, { ...first, host: 'smtp.example.net' })).body).toMatchObject({ has_password: true });
    const { body } = await put(t, { host: '' });
    expect(body).toMatchObject({ host: '', username: '', has_password: false, from: '' });
  });

  test('the password is in no answer, event, notice or copy, and is sealed in the database', async () => {
    const t = await createTestApp({ now: NOW });
    await t.call('POST', '/licenses/api/webhooks/', {
      body: { url: 'http://127.0.0.1:9/', types: ['settings.updated'] },
    });
    const saved = await put(t, { host: 'smtp.example.com', ...USER, from: 'a@example.com' });
    const changed = await put(t, { host: 'smtp.example.net', ...USER });
    const events = await t.call('GET', '/licenses/api/events/?type=settings.updated');
    const texts = [saved.text, changed.text, events.text];
    for (const table of ['mail_settings', 'events', 'outbox', 'webhook_deliveries', 'jobs'] as const)
      texts.push(JSON.stringify(await t.db.selectFrom(table).selectAll().execute()));
    for (const text of texts) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(Buffer.from(PASSWORD).toString('base64'));
    }
    expect(events.body.results[0].changes).toEqual({
      mail_server: { before: 'smtp.example.com:587', after: 'smtp.example.net:587' },
      mail_password: { before: '•••', after: '•••' },
    });
  });

  test('a save with an older version gets 412, and one that changes nothing writes no event', async () => {
    const t = await createTestApp({ now: NOW });
    const { body } = await put(t, { host: 'smtp.example.com' });
    expect((await put(t, { host: 'smtp.example.com', has_password: false })).body.updated_at).toBe(
      body.updated_at,
    );
    await put(t, { host: 'smtp.example.net' });
    const stale = await put(t, { host: 'smtp.example.org', updated_at: body.updated_at });
    expect([stale.status, stale.body.current.host]).toEqual([412, 'smtp.example.net']);
    expect((await t.call('GET', '/licenses/api/events/?type=settings.updated')).body.results).toHaveLength(2);
  });

  test('only people who confirmed who they are may change or test it; keys, other roles and nobody may not', async () => {
    const t = await createTestApp({ now: NOW });
    const key = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'x', permissions: ['settings:manage', 'mails:send', 'mails:read'] },
    });
    const calls = [
      ['GET', URL],
      ['PUT', URL],
      ['POST', `${URL}test/`],
    ] as const;
    for (const [method, url] of calls) {
      const as = async (token: string | null) => (await t.call(method, url, { token, body: {} })).body.code;
      expect([method, await as(key.body.key), await as(null)]).toEqual([method, 'forbidden', 'unauthorized']);
    }
    t.clock.advance(11 * 60_000);
    expect((await t.call('GET', URL)).status).toBe(200);
    expect((await put(t, { host: 'smtp.example.com' })).body.code).toBe('step_up_required');
    expect((await tryIt(t)).body.code).toBe('step_up_required');
  });

  test('the administrators are told of a change by the server of before', async () => {
    const t = await createTestApp({ now: NOW });
    const [older, newer] = [await startMailServer(), await startMailServer()];
    await put(t, plain(older));
    await deliverDue(t);
    expect(older.accepted.map(({ email }) => email.subject)).toEqual(['Cambió el servidor de correo']);

    await put(t, plain(newer));
    await deliverDue(t);
    expect(newer.accepted).toEqual([]);
    expect(older.accepted).toHaveLength(2);
    const { email, to } = older.accepted[1]!;
    expect(to).toEqual(['admin@example.com']);
    expect(email.text).toContain(`Los correos salen ahora por ${newer.host}:2525.`);
    expect(email.text).toContain(`Antes salían por ${older.host}:2525.`);
    expect((await outboxOf(t)).map(({ via }) => via)).toEqual([null, null]);
  });

  test('if the server of before is gone for long, the administrators are told by the new one', async () => {
    const t = await createTestApp({ now: NOW });
    const older = await startMailServer();
    await put(t, plain(older));
    await deliverDue(t);
    await older.stop();
    const newer = await startMailServer();
    await put(t, plain(newer));
    await deliverDue(t);
    expect(newer.accepted).toEqual([]);
    await t.db.updateTable('jobs').set({ tries: 10 }).where('kind', '=', 'mail').execute();
    t.clock.advance(60 * 60_000);
    await deliverDue(t);
    expect(newer.accepted.map(({ email }) => email.subject)).toEqual(['Cambió el servidor de correo']);
  });

  test('SMTP_URL is used instead, and the answer says so', async () => {
    const [fixed, stored] = [await startMailServer(), await startMailServer()];
    const t = await createTestApp({
      now: NOW,
      env: { SMTP_URL: fixed.url, MAIL_FROM: 'ventas@example.com' },
    });
    const { body } = await put(t, { ...plain(stored), from: 'otra@example.com' });
    expect(body).toMatchObject({ smtp_url: true, sender: 'ventas@example.com' });
    expect((await tryIt(t)).body).toMatchObject({ success: true, code: 250 });
    await createLicense(t);
    await deliverDue(t);
    expect(stored.offered).toEqual([]);
    expect(fixed.accepted.map(({ from }) => from)).toEqual(Array(3).fill('ventas@example.com'));
  });

  test('another replica sends its next mail by the changed server', async () => {
    const t = await createTestApp({ now: NOW });
    const [first, second] = [await startMailServer(), await startMailServer()];
    const other = openMailer(t.context);
    const send = () =>
      other.send(
        {
          messageId: `${Math.random()}@x`,
          to: { name: '', address: 'a@example.com' },
          subject: 'x',
          text: 'x',
          html: 'x',
        },
        new AbortController().signal,
      );
    await put(t, plain(first));
    expect(await send()).toBe('smtp');
    await put(t, plain(second));
    expect(await send()).toBe('smtp');
    expect([first.accepted.length, second.accepted.length]).toEqual([1, 1]);
    await put(t, { host: '' });
    expect(await send()).toBe('folder');
    other.close();
  });
});

describe('addresses', () => {
  const PRODUCTION = { DEMO: '0', ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'tres tristes tigres 9' };

  test('loopback and private addresses need MAIL_ALLOW_PRIVATE=1 outside of demo mode', async () => {
    const peer = await startMailServer();
    const refused = await createTestApp({ now: NOW, env: PRODUCTION });
    const answer = await put(refused, plain(peer));
    expect([answer.status, answer.body.errors.host]).toEqual([
      400,
      [expect.stringContaining('MAIL_ALLOW_PRIVATE=1')],
    ]);

    const allowed = await createTestApp({ now: NOW, env: { ...PRODUCTION, MAIL_ALLOW_PRIVATE: '1' } });
    expect(
      await testedWith(allowed, plain(peer)).then(() => tryIt(allowed, { to: 'a@example.com' })),
    ).toMatchObject({
      body: { success: true, code: 250 },
    });
    expect((await put(allowed, { host: '10.0.0.5', security: 'starttls' })).status).toBe(200);
  });

  test('a name is looked up for each connection: one that leads into the network later is not reached', async () => {
    const peer = await startMailServer();
    const t = await createTestApp({ now: NOW, env: PRODUCTION });
    const looked: string[] = [];
    let address = '93.184.216.34';
    t.context.lookUp = async (name) => {
      looked.push(name);
      return [{ address, family: 4 }];
    };
    expect((await put(t, { host: 'mail.vendor.example', port: MAIL_PORT })).status).toBe(200);
    address = peer.host;
    expect((await tryIt(t, { to: 'a@example.com' })).body).toEqual({
      success: false,
      code: null,
      text: 'el servidor está en una red privada, y falta MAIL_ALLOW_PRIVATE=1',
    });
    await createLicense(t);
    await deliverDue(t);
    expect((await outboxOf(t)).at(-1)?.last_error).toContain('red privada');
    expect(looked.length).toBeGreaterThan(2);
    expect(peer.offered).toEqual([]);
  });

  test('without encryption a name that no longer leads to this machine is not reached', async () => {
    const t = await createTestApp({ now: NOW });
    t.context.lookUp = async () => [{ address: '127.0.0.1', family: 4 }];
    expect((await put(t, { host: 'correo.local', port: 25, security: 'none' })).status).toBe(200);
    t.context.lookUp = async () => [{ address: '93.184.216.34', family: 4 }];
    expect((await tryIt(t)).body.text).toBe('sin cifrado solo se admite un servidor de este mismo equipo');
  });
});

describe('test mails', () => {
  afterEach(() => setDefaultCACertificates(getCACertificates('bundled')));

  /** A server with a certificate that this process trusts. */
  async function trustedServer(from: 'start' | 'starttls') {
    const host = ownAddress();
    const made = makeCertificate(host);
    setDefaultCACertificates([...getCACertificates('bundled'), made.cert]);
    return startMailServer({ host, tls: { from, ...made }, signIn: USER });
  }

  test.each([
    ['tls', 'start'],
    ['starttls', 'starttls'],
  ] as const)('with %s, and a password, a mail really arrives', async (security, from) => {
    const peer = await trustedServer(from);
    const t = await createTestApp({ now: NOW });
    const settings = { host: peer.host, port: peer.port, security, ...USER, from: 'v@vendor.example' };
    expect(await testedWith(t, settings)).toMatchObject({ success: true, code: 250, text: /^250 / });
    expect(peer.accepted.map(({ to, email }) => [to, email.subject])).toEqual([
      [['admin@example.com'], 'Prueba del servidor de correo'],
    ]);
    expect((await tryIt(t, { to: 'cliente@example.com' })).body.success).toBe(true);
    expect(peer.accepted[1]?.to).toEqual(['cliente@example.com']);
    await deliverDue(t);
    expect(peer.accepted).toHaveLength(3);
  });

  test.each([
    ['tls', 'start'],
    ['starttls', 'starttls'],
  ] as const)(
    'with %s a certificate that the server signed itself is refused in words',
    async (security, from) => {
      const host = ownAddress();
      const peer = await startMailServer({ host, tls: { from, ...makeCertificate(host) }, signIn: USER });
      const t = await createTestApp({ now: NOW });
      expect(await testedWith(t, { host, port: peer.port, security, ...USER })).toEqual({
        success: false,
        code: null,
        text: 'el certificado del servidor no es de confianza: lo firmó él mismo',
      });
      expect(peer.offered).toEqual([]);
    },
  );

  test('a server without STARTTLS gets neither password nor mail', async () => {
    const peer = await startMailServer({ signIn: USER });
    const t = await createTestApp({ now: NOW });
    const { host, port } = peer;
    expect(await testedWith(t, { host, port, security: 'starttls', ...USER })).toMatchObject({
      success: false,
      text: expect.stringContaining('no ofrece cifrado (STARTTLS)'),
    });
  });

  test('a wrong password is told with the code, and what the server repeats of it is masked', async () => {
    const peer = await trustedServer('start');
    const t = await createTestApp({ now: NOW });
    const wrong = 'una clave equivocada';
    const { host, port } = peer;
    const answer = await testedWith(t, { host, port, security: 'tls', username: 'ana', password: wrong });
    expect(answer).toEqual({ success: false, code: 535, text: '535 no: ana •••' });
    await createLicense(t);
    await deliverDue(t);
    const mails = await t.call('GET', '/licenses/api/mails/');
    expect(mails.text).toContain('535');
    expect(mails.text).not.toContain(wrong);
  });

  test.each([
    [
      'greets otherwise',
      (socket: import('node:net').Socket) => void socket.end('SSH-2.0-OpenSSH_9.2 secreto\r\n'),
    ],
    ['greets with 554', (socket: import('node:net').Socket) => void socket.end('554 secreto\r\n')],
    ['answers HTTP', (socket: import('node:net').Socket) => void socket.end('HTTP/1.1 400 secreto\r\n\r\n')],
    ['closes at once', (socket: import('node:net').Socket) => void socket.end()],
    ['sends without end', (socket: import('node:net').Socket) => void socket.write('secreto '.repeat(1000))],
  ])('what %s is only no mail server, in the test and in the list of mails', async (_what, onConnection) => {
    const other = await startOther(onConnection);
    const t = await createTestApp({ now: NOW });
    const nothing = { success: false, code: null, text: 'no es un servidor de correo' };
    expect(await testedWith(t, plain(other))).toEqual(nothing);
    await createLicense(t);
    await deliverDue(t);
    const mails = await t.call('GET', '/licenses/api/mails/');
    expect(mails.body.results[0].last_error).toBe('no es un servidor de correo');
    expect(mails.text).not.toContain('secreto');
  });

  test('what never greets, or drips its greeting, ends after ten seconds as no mail server', async () => {
    const silent = await startOther(() => {});
    const dripping = await startOther((socket) => {
      const timer = setInterval(() => socket.write('2'), 300);
      socket.on('close', () => clearInterval(timer));
    });
    for (const other of [silent, dripping]) {
      const t = await createTestApp({ now: NOW });
      const started = performance.now();
      expect(await testedWith(t, plain(other))).toMatchObject({
        code: null,
        text: 'no es un servidor de correo',
      });
      // Half of what the sending of a mail may take.
      expect(performance.now() - started).toBeLessThan(30_000);
    }
  });

  test('a server that refuses the recipient says so, in at most 500 characters', async () => {
    const peer = await startMailServer();
    peer.answers.recipient = () => ({ code: 550, text: 'no '.repeat(400) });
    const t = await createTestApp({ now: NOW });
    const answer = await testedWith(t, plain(peer));
    expect(answer).toMatchObject({ success: false, code: 550, text: expect.stringMatching(/^550 no no/) });
    expect(answer.text.length).toBeLessThanOrEqual(500);
  });

  test('nothing listening, no server and a wrong address are told apart', async () => {
    const t = await createTestApp({ now: NOW });
    expect((await tryIt(t)).body).toMatchObject({
      success: false,
      text: expect.stringContaining('no hay un servidor'),
    });
    expect(await testedWith(t, { host: ownAddress(), port: 25, security: 'none' })).toMatchObject({
      success: false,
      text: 'no se pudo conectar con el servidor',
    });
    const wrong = await tryIt(t, { to: 'ana' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['to']]);
  });

  test('the eleventh test of an hour is refused', async () => {
    const t = await createTestApp({ now: NOW });
    for (let n = 0; n < 10; n += 1) expect((await tryIt(t)).status).toBe(200);
    const refused = await tryIt(t);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
  });
});
