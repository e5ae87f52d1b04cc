import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { type SmtpAnswer, startDroppingPeer, startSmtpPeer } from '../../../test/smtp-peer.ts';
import { createFileMailer, createSmtpMailer } from '../../lib/mailer.ts';
import { CLAIM_MS, retryDelay, startOutboxWorker } from './deliver-mail.ts';
import { claimDueMessages, enqueueMessage, hasDueMessages } from './outbox.queries.ts';

/** Mail as it leaves: over a real SMTP peer that takes, refuses, puts off, hangs or drops it (promises: Mail). */

const NOW = '2026-11-21T18:00:00.000Z';
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** One turn of a worker: everything that is due just now is tried once. */
async function deliverDue(testApp: TestApp): Promise<void> {
  const worker = startOutboxWorker(testApp.context, quiet);
  await vi.waitFor(async () => expect(await hasDueMessages(testApp.db, testApp.context.now())).toBe(false), {
    timeout: 15_000,
    interval: 10,
  });
  await worker.stop();
}

const outboxOf = (testApp: TestApp) => testApp.db.selectFrom('outbox').selectAll().orderBy('id').execute();
const emailStatusOf = async (testApp: TestApp, id: number) =>
  (await testApp.call('GET', `/licenses/api/licenses/${id}/`)).body.email_status;

async function withPeer() {
  const peer = await startSmtpPeer();
  const testApp = await createTestApp({
    now: NOW,
    env: { SMTP_URL: peer.url, MAIL_FROM: 'Ventas <ventas@vendor.example>' },
  });
  return { peer, testApp };
}

describe('what the client gets (SEED-1-08, SEED-1-11, SEED-9-17, D011, D012)', () => {
  test('one message to the client alone, with the key and the terms, as text and as HTML', async () => {
    const { peer, testApp } = await withPeer();
    const client = await createClient(testApp, { name: 'Ana López', email: 'ana.lopez@example.com' });
    const software = await createSoftware(testApp, { name: 'Punto de Venta', version: '4.2.1' });
    const license = await createLicense(testApp, {
      client: client.id,
      software: software.id,
      license_type: 'enterprise',
      max_installations: 12,
      expiry_days: 30,
    });
    expect(license.email_status).toBe('queued');

    await deliverDue(testApp);

    expect(peer.accepted).toHaveLength(1);
    const [mail] = peer.accepted;
    expect(mail?.to).toEqual(['ana.lopez@example.com']);
    expect(mail?.email).toMatchObject({
      from: { name: 'Ventas', address: 'ventas@vendor.example' },
      to: [{ name: 'Ana López', address: 'ana.lopez@example.com' }],
      subject: 'Tu licencia de Punto de Venta 4.2.1',
    });
    const facts = [
      license.license_key,
      'Punto de Venta 4.2.1',
      'Empresarial',
      '12',
      '21/12/2026',
      'Ana López',
    ];
    for (const fact of facts) {
      expect(mail?.email.text).toContain(fact);
      expect(mail?.email.html).toContain(fact);
    }
    expect(mail?.email.text).toContain('Guarda esta clave en un lugar seguro');
    expect(mail?.email.text).not.toMatch(/precio|\$/i);
    const [row] = await outboxOf(testApp);
    expect(row).toMatchObject({
      status: 'sent',
      attempts: 1,
      sent_at: NOW,
      claimed_until: null,
      last_error: null,
    });
    expect(mail?.email.messageId).toBe(`<${row?.message_id}>`);
    expect(row?.message_id).toMatch(/@vendor\.example$/);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
  });

  test('a licence that never ends says so; a catalogue type is called by its name', async () => {
    const testApp = await createTestApp({ now: NOW });
    const type = (
      await testApp.call('POST', '/licenses/api/license-types/', {
        body: { name: 'Anual Plus', base_price: 10, max_installations: 1, validity_days: 10 },
      })
    ).body;
    await createLicense(testApp, { license_type_config: type.id, expiry_days: null, expiry_date: null });
    const [mail] = await testApp.deliveredMail();
    expect(mail?.text).toContain('Válida hasta: Sin expiración');
    expect(mail?.text).toContain('Tipo de licencia: Anual Plus');
  });

  test('what stands in a field is text in the HTML part, whatever it looks like', async () => {
    const testApp = await createTestApp({ now: NOW });
    const client = await createClient(testApp, { name: `<script>alert("1")</script> & 'Hijos'` });
    const software = await createSoftware(testApp, { name: '<b>Caja</b>' });
    await createLicense(testApp, { client: client.id, software: software.id });
    const [mail] = await testApp.deliveredMail();
    expect(mail?.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Hijos&#39;');
    expect(mail?.html).not.toMatch(/<script|<b>/);
    expect(mail?.text).toContain(`<script>alert("1")</script> & 'Hijos'`);
  });

  test('without SMTP_URL the message is a file, readable by its owner alone, and counts as sent', async () => {
    const testApp = await createTestApp({ now: NOW });
    const license = await createLicense(testApp);
    const [mail] = await testApp.deliveredMail();
    expect(mail?.text).toContain(license.license_key);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
    expect(await testApp.context.mailer.isReachable()).toBe(true);
  });
});

describe('exactly one recipient, whatever the fields hold', () => {
  const send = {
    messageId: 'id@vendor.example',
    from: 'V <v@vendor.example>',
    subject: 's',
    text: 't',
    html: 'h',
  };
  const never = new AbortController().signal;

  test.for([
    'Pérez, Ana <otra@example.org>',
    'Ana "La Jefa" López, Luis',
    'grupo: uno@example.org, dos@example.org;',
    '<uno@example.org>, <dos@example.org>',
    'José =?utf-8?q?x?= (nota)',
    '日本 العربية 👩‍💻',
  ])('client named %s', async (name) => {
    const { peer, testApp } = await withPeer();
    const client = await createClient(testApp, { name, email: 'solo@example.com' });
    await createLicense(testApp, { client: client.id });
    await deliverDue(testApp);
    expect(peer.accepted.map((mail) => mail.to)).toEqual([['solo@example.com']]);
    expect(peer.accepted[0]?.email.to).toEqual([{ name, address: 'solo@example.com' }]);
  });

  test.for(['Ana\r\nBcc: otra@example.org', 'Ana\nX: 1', 'Ana\0', 'Ana\u001b'])(
    'a client named %j is refused, so no header can be made of the name',
    async (name) => {
      const testApp = await createTestApp({ now: NOW });
      const answer = await testApp.call('POST', '/licenses/api/clients/', {
        body: { name, email: 'a@example.com', phone: '+525512345678' },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toHaveProperty('name');
    },
  );

  test('even a name and a subject with breaks, and an address with a comma, reach one mailbox or none', async () => {
    const peer = await startSmtpPeer();
    const mailer = createSmtpMailer(peer.url);
    const tails = ['', '\r\nBcc: otra@example.org\r\n', '\0', ', otra@example.org'];
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 7);
    const hostile = texts.flatMap((text) =>
      tails.map((tail) => ({ name: text + tail, subject: tail + text })),
    );
    await Promise.all(
      hostile.map(({ name, subject }) =>
        mailer.send({ ...send, to: { name, address: 'solo@example.com' }, subject }, never),
      ),
    );
    for (const address of ['a@example.com, b@example.com', 'a@example.com\r\nRCPT TO:<b@example.com>']) {
      await mailer.send({ ...send, to: { name: '', address } }, never).catch(() => {});
    }
    mailer.close();
    for (const mail of peer.accepted) {
      expect(mail.to).toHaveLength(1);
      expect(mail.email.bcc ?? []).toEqual([]);
      expect(mail.email.headers.filter((header) => header.key === 'bcc')).toEqual([]);
      expect(mail.raw).not.toContain('\0');
    }
    expect(peer.accepted.filter((mail) => mail.to[0] === 'solo@example.com')).toHaveLength(hostile.length);
  });
});

describe('what the other side may do', () => {
  test('it refuses the recipient for good (550): failed, said where the licence is read, and sent again when asked', async () => {
    const { peer, testApp } = await withPeer();
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
    const [refused] = await outboxOf(testApp);
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, claimed_until: null });
    expect(refused?.last_error).toContain('no existe');

    testApp.clock.advance(10 * 60_000);
    await deliverDue(testApp);
    expect((await outboxOf(testApp))[0]?.attempts).toBe(1);

    peer.answers.recipient = () => 'accept';
    const resent = await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
    expect(resent.status).toBe(200);
    expect(resent.body.email_status).toBe('queued');
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
  });

  test('it refuses the message for good (554 after its content): failed at once', async () => {
    const { peer, testApp } = await withPeer();
    peer.answers.message = () => ({ code: 554, text: 'contenido rechazado' });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
  });

  test('it puts it off (451): tried again after a while, under one Message-ID, and taken', async () => {
    const { peer, testApp } = await withPeer();
    const put: SmtpAnswer[] = [{ code: 451, text: 'más tarde' }, { code: 451, text: 'más tarde' }, 'accept'];
    peer.answers.message = () => put.shift() ?? 'accept';
    const license = await createLicense(testApp);

    await deliverDue(testApp);
    const [first] = await outboxOf(testApp);
    expect(first).toMatchObject({ status: 'queued', attempts: 1, claimed_until: null });
    expect(first?.last_error).toContain('más tarde');
    const wait = Date.parse(first?.next_attempt_at ?? '') - Date.parse(NOW);
    expect(wait).toBeGreaterThanOrEqual(3750);
    expect(wait).toBeLessThanOrEqual(6250);

    testApp.clock.advance(3000);
    await deliverDue(testApp);
    expect(peer.offered).toHaveLength(1);

    testApp.clock.advance(4000);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
    testApp.clock.advance(20_000);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
    expect(peer.offered).toHaveLength(3);
    expect(new Set(peer.offered.map((mail) => mail.email.messageId)).size).toBe(1);
    expect(peer.accepted).toHaveLength(1);
    expect((await outboxOf(testApp))[0]).toMatchObject({ attempts: 3, last_error: null });
  });

  test('it does not let us in (535): that is no fault of the message, which waits', async () => {
    const peer = await startSmtpPeer({ auth: 'refuse' });
    const testApp = await createTestApp({ now: NOW, env: { SMTP_URL: peer.url } });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
    expect((await outboxOf(testApp))[0]?.last_error).toContain('535');
    expect(await testApp.context.mailer.isReachable()).toBe(false);
  });

  test('it is not there: the message waits', async () => {
    const { peer, testApp } = await withPeer();
    await peer.close();
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
  });

  test('it takes the message in whole and drops the connection: the message waits for another try', async () => {
    const peer = await startDroppingPeer();
    const testApp = await createTestApp({ now: NOW, env: { SMTP_URL: peer.url } });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(peer.drops()).toBeGreaterThanOrEqual(1);
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
  });

  test('it hangs: licences are issued meanwhile, and a server that is told to stop does not wait for it', async () => {
    const { peer, testApp } = await withPeer();
    peer.answers.message = () => 'hang';
    const worker = startOutboxWorker(testApp.context, quiet);
    const first = await createLicense(testApp);
    worker.nudge();
    await vi.waitFor(() => expect(peer.offered).toHaveLength(1));

    const second = await createLicense(testApp);
    expect(second.email_status).toBe('queued');
    expect(peer.accepted).toHaveLength(0);

    await worker.stop();
    expect(peer.accepted).toHaveLength(0);
    const [row] = await outboxOf(testApp);
    expect(row).toMatchObject({ status: 'queued', attempts: 1, claimed_until: null });

    peer.answers.message = () => 'accept';
    testApp.clock.advance(10_000);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, first.id)).toBe('sent');
    expect(await emailStatusOf(testApp, second.id)).toBe('sent');
  });

  test('the file cannot be written: the message waits', async () => {
    const testApp = await createTestApp({ now: NOW });
    testApp.context.mailer = createFileMailer('/dev/null/outbox');
    await createLicense(testApp);
    await deliverDue(testApp);
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'queued', attempts: 1 });
  });
});

describe('the wait before another try', () => {
  test('doubles from five seconds to half an hour, give or take a quarter', () => {
    const middle = (attempts: number) => retryDelay(attempts, () => 0.5);
    expect([1, 2, 3, 4].map(middle)).toEqual([5000, 10_000, 20_000, 40_000]);
    expect(middle(30)).toBe(30 * 60_000);
    expect(retryDelay(1, () => 0)).toBe(3750);
    expect(retryDelay(1, () => 1)).toBe(6250);
  });

  test('differs from message to message', () => {
    expect(new Set(Array.from({ length: 50 }, () => retryDelay(5))).size).toBeGreaterThan(40);
  });

  test('ends after a hundred tries: then it has failed, for all to see', async () => {
    const { peer, testApp } = await withPeer();
    peer.answers.message = () => ({ code: 451, text: 'más tarde' });
    const license = await createLicense(testApp);
    await testApp.db.updateTable('outbox').set({ attempts: 99 }).execute();
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
  });
});

describe('licence and message are one', () => {
  test('a transaction that fails leaves neither', async () => {
    const testApp = await createTestApp({ now: NOW });
    const client = await createClient(testApp);
    const software = await createSoftware(testApp);
    // The last step of the transaction, keeping the answer under its key, is made impossible.
    await testApp.db.schema.dropTable('idempotency_keys').execute();
    const answer = await testApp.call('POST', '/licenses/api/licenses/', {
      headers: { 'idempotency-key': 'una' },
      body: { client: client.id, software: software.id, license_type: 'basic', price: 1 },
    });
    expect(answer.status).toBe(500);
    const refused = await testApp.call('POST', '/licenses/api/licenses/', {
      body: { client: 999, software: software.id, license_type: 'basic', price: 1 },
    });
    expect(refused.status).toBe(400);
    expect(await outboxOf(testApp)).toEqual([]);
    expect(await testApp.db.selectFrom('licenses').select('id').execute()).toEqual([]);
  });

  test('the message of a licence that is deleted does not leave; one that left stays on record', async () => {
    const { peer, testApp } = await withPeer();
    const sent = await createLicense(testApp);
    await deliverDue(testApp);
    const waiting = await createLicense(testApp);
    for (const { id } of [sent, waiting]) {
      expect((await testApp.call('DELETE', `/licenses/api/licenses/${id}/`)).status).toBe(200);
    }
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
    expect(await outboxOf(testApp)).toMatchObject([{ status: 'sent', license_id: null }]);
  });

  test('asking for it again while it waits does not double it', async () => {
    const { peer, testApp } = await withPeer();
    const license = await createLicense(testApp);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
  });

  test('resend: to the address of today; unknown licence 404; without a session 401', async () => {
    const { peer, testApp } = await withPeer();
    const client = await createClient(testApp, { email: 'vieja@example.com' });
    const license = await createLicense(testApp, { client: client.id });
    await deliverDue(testApp);
    await testApp.call('PUT', `/licenses/api/clients/${client.id}/`, {
      body: { email: 'nueva@example.com' },
    });
    const url = `/licenses/api/licenses/${license.id}/resend_email/`;
    expect((await testApp.call('POST', url, { token: null })).status).toBe(401);
    expect((await testApp.call('POST', '/licenses/api/licenses/999999/resend_email/')).status).toBe(404);
    expect((await testApp.call('POST', url)).status).toBe(200);
    await deliverDue(testApp);
    expect(peer.accepted.map((mail) => mail.to)).toEqual([['vieja@example.com'], ['nueva@example.com']]);
    expect(new Set(peer.accepted.map((mail) => mail.email.messageId)).size).toBe(2);
  });
});

test('a sender whose domain is not written in plain letters still makes a Message-ID that is', async () => {
  const testApp = await createTestApp({ now: NOW, env: { MAIL_FROM: 'Ventas <ventas@ñandú.example>' } });
  await createLicense(testApp);
  expect((await outboxOf(testApp))[0]?.message_id).toMatch(/^licencia-\d+-[\w-]{16}@localhost$/);
});

describe('many workers', () => {
  test('two on one outbox of 1,000 messages: each is sent once', async () => {
    const peer = await startSmtpPeer();
    const testApp = await createTestApp({ now: NOW, env: { SMTP_URL: peer.url } });
    const { id } = await createLicense(testApp);
    await testApp.db.deleteFrom('outbox').execute();
    await testApp.db.transaction().execute(async (tx) => {
      for (let number = 0; number < 1000; number += 1) {
        await enqueueMessage(
          tx,
          {
            license_id: id,
            to_name: `Cliente ${number}`,
            to_address: `cliente${number}@example.com`,
            subject: 'Tu licencia',
            body_text: 'Hola',
            body_html: '<p>Hola</p>',
          },
          testApp.context.config.mailFrom,
          testApp.context.now(),
        );
      }
    });
    const otherMailer = createSmtpMailer(peer.url);
    const workers = [
      startOutboxWorker(testApp.context, quiet),
      startOutboxWorker({ ...testApp.context, mailer: otherMailer }, quiet),
    ];
    await vi.waitFor(() => expect(peer.accepted.length).toBeGreaterThanOrEqual(1000), {
      timeout: 50_000,
      interval: 50,
    });
    await Promise.all(workers.map((worker) => worker.stop()));
    otherMailer.close();

    expect(peer.accepted).toHaveLength(1000);
    expect(new Set(peer.accepted.map((mail) => mail.email.messageId)).size).toBe(1000);
    expect(new Set(peer.accepted.flatMap((mail) => mail.to)).size).toBe(1000);
    const rows = await outboxOf(testApp);
    expect(rows.every((row) => row.status === 'sent' && row.attempts === 1)).toBe(true);
  }, 60_000);

  test('what a worker had in hand when it died is taken over once its time is up, and not before', async () => {
    const { peer, testApp } = await withPeer();
    const license = await createLicense(testApp);
    const inHand = await claimDueMessages(testApp.db, 16, CLAIM_MS, testApp.context.now());
    expect(inHand).toHaveLength(1);
    expect(await claimDueMessages(testApp.db, 16, CLAIM_MS, testApp.context.now())).toEqual([]);

    testApp.clock.advance(CLAIM_MS - 1000);
    await deliverDue(testApp);
    expect(peer.offered).toHaveLength(0);

    testApp.clock.advance(1000);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
    expect(peer.accepted[0]?.email.messageId).toBe(`<${inHand[0]?.message_id}>`);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
  });

  test('ten that ask at once share out what is due', async () => {
    const testApp = await createTestApp({ now: NOW });
    for (let count = 0; count < 12; count += 1) await createLicense(testApp);
    const hands = await Promise.all(
      Array.from({ length: 10 }, () => claimDueMessages(testApp.db, 3, CLAIM_MS, testApp.context.now())),
    );
    const taken = hands.flat().map((row) => row.id);
    expect(new Set(taken).size).toBe(taken.length);
  });

  test('the database goes away while a message is in hand: it leaves once more, under the same Message-ID', async () => {
    const { peer, testApp } = await withPeer();
    await createLicense(testApp);
    peer.answers.message = () => 'hang';
    const worker = startOutboxWorker(testApp.context, quiet);
    await vi.waitFor(() => expect(peer.offered).toHaveLength(1));
    await testApp.db.schema.alterTable('outbox').renameTo('elsewhere').execute();
    peer.release();
    await worker.stop();
    await testApp.db.schema.alterTable('elsewhere').renameTo('outbox').execute();
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'queued', attempts: 0 });

    peer.answers.message = () => 'accept';
    testApp.clock.advance(CLAIM_MS);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(2);
    expect(new Set(peer.accepted.map((mail) => mail.email.messageId)).size).toBe(1);
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('a database that fails is told to the log, and does not end the worker', async () => {
    const { peer, testApp } = await withPeer();
    await createLicense(testApp);
    await testApp.db.schema.alterTable('outbox').renameTo('elsewhere').execute();
    const errors: unknown[] = [];
    const worker = startOutboxWorker(testApp.context, {
      ...quiet,
      error: (entry: unknown) => errors.push(entry),
    });
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    await testApp.db.schema.alterTable('elsewhere').renameTo('outbox').execute();
    worker.nudge();
    worker.nudge();
    await vi.waitFor(() => expect(peer.accepted).toHaveLength(1), { timeout: 5000 });
    await worker.stop();
    worker.nudge();
  });
});
