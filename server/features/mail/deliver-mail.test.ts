import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../test/at-night.ts';
import { createMailingApp, deliverDue, emailStatusOf, outboxOf, quiet } from '../../../test/deliver-mail.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { asSystem } from '../../../test/scope.ts';
import { type SmtpAnswer, startDroppingPeer, startSmtpPeer } from '../../../test/smtp-peer.ts';
import { claimJobs } from '../../jobs/jobs.queries.ts';
import { LEASE_MS, startJobs } from '../../jobs/runner.ts';
import { mailerOf, NO_TLS } from '../../mailer.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { mailJob } from './mail-job.ts';

/** Mail delivery to a real SMTP server that accepts, refuses, defers, hangs or disconnects (promises: Mail). */

const NOW = '2026-11-21T18:00:00.000Z';

describe('answers of the mail server', () => {
  test('a refused recipient (550) makes the mail fail, which the licence shows, and the mail can be resent', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
    const [refused] = await outboxOf(testApp);
    expect(refused).toMatchObject({ status: 'failed', attempts: 1 });
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

  test('a mail refused after its content (554) fails at once', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    peer.answers.message = () => ({ code: 554, text: 'contenido rechazado' });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
  });

  test('a temporarily refused mail (451) is retried later with the same Message-ID', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const put: SmtpAnswer[] = [{ code: 451, text: 'más tarde' }, { code: 451, text: 'más tarde' }, 'accept'];
    peer.answers.message = () => put.shift() ?? 'accept';
    const license = await createLicense(testApp);

    await deliverDue(testApp);
    const [first] = await outboxOf(testApp);
    expect(first).toMatchObject({ status: 'queued', attempts: 1 });
    expect(first?.last_error).toContain('más tarde');
    const job = await testApp.db.selectFrom('jobs').selectAll().executeTakeFirst();
    expect(job).toMatchObject({ tries: 1, claimed_until: null });
    const wait = Date.parse(job?.run_at ?? '') - Date.parse(NOW);
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

  test('after a failed login (535) the message waits', async () => {
    const peer = await startSmtpPeer({ auth: 'refuse' });
    onTestFinished(peer.stop);
    const testApp = await createTestApp({ now: NOW, env: { SMTP_URL: peer.url } });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
    expect((await outboxOf(testApp))[0]?.last_error).toContain('535');
    expect(await testApp.context.mailer.isReachable()).toBe(false);
  });

  test('a remote mail server without STARTTLS gets no mail, unless its URL says tls=off', async () => {
    const peer = await startSmtpPeer();
    onTestFinished(peer.stop);
    // On Linux 0.0.0.0 leads to this machine but does not count as loopback, so it stands for a server elsewhere.
    const elsewhere = peer.url.replace('127.0.0.1', '0.0.0.0');
    const refused = await createTestApp({ now: NOW, env: { SMTP_URL: elsewhere } });
    const license = await createLicense(refused);
    await deliverDue(refused);
    expect(await emailStatusOf(refused, license.id)).toBe('queued');
    const { results } = (await refused.call('GET', '/licenses/api/mails/')).body;
    expect(results[0]).toMatchObject({ last_error: NO_TLS });
    expect((await refused.call('GET', '/api/health/')).body.email).toBe('error');
    expect(await refused.context.mailer.problem()).toBe(NO_TLS);
    expect(peer.offered).toEqual([]);

    const accepted = await createTestApp({ now: NOW, env: { SMTP_URL: `${elsewhere}?tls=off` } });
    const sent = await createLicense(accepted);
    await deliverDue(accepted);
    expect(await emailStatusOf(accepted, sent.id)).toBe('sent');
    expect(await accepted.context.mailer.problem()).toBeNull();
  });

  test('without a mail server the message waits', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await peer.stop();
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
  });

  test('a disconnect after the content makes the message wait for a retry', async () => {
    const peer = await startDroppingPeer();
    onTestFinished(peer.stop);
    const testApp = await createTestApp({ now: NOW, env: { SMTP_URL: peer.url } });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    expect(peer.drops()).toBeGreaterThanOrEqual(1);
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await emailStatusOf(testApp, license.id)).toBe('queued');
  });

  test('a hanging mail server delays neither new licences nor the stop of the server', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    peer.answers.message = () => 'hang';
    const worker = startJobs(testApp.context, quiet, [mailJob]);
    const first = await createLicense(testApp);
    worker.nudge();
    await expect.poll(() => peer.offered).toHaveLength(1);

    const second = await createLicense(testApp);
    expect(second.email_status).toBe('queued');
    expect(peer.accepted).toHaveLength(0);

    await worker.stop();
    expect(peer.accepted).toHaveLength(0);
    const [row] = await outboxOf(testApp);
    expect(row).toMatchObject({ status: 'queued', attempts: 1 });

    peer.answers.message = () => 'accept';
    testApp.clock.advance(10_000);
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, first.id)).toBe('sent');
    expect(await emailStatusOf(testApp, second.id)).toBe('sent');
  });

  test('a mail whose file cannot be written waits and is tried again', async () => {
    const testApp = await createTestApp({ now: NOW });
    testApp.context.mailer = mailerOf({ ...testApp.context.config, dataDir: '/dev/null' });
    await createLicense(testApp);
    await deliverDue(testApp);
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'queued', attempts: 1 });
  });
});

describe('retries', () => {
  test('end after a hundred attempts, and the mail is shown as failed', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    peer.answers.message = () => ({ code: 451, text: 'más tarde' });
    const license = await createLicense(testApp);
    await testApp.db.updateTable('jobs').set({ tries: 99 }).execute();
    await deliverDue(testApp);
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
  });
});

describe('a licence and its message', () => {
  test('are both rolled back when the transaction fails', async () => {
    const testApp = await createTestApp({ now: NOW });
    const client = await createClient(testApp);
    const software = await createSoftware(testApp);
    // Makes the last step of the transaction fail: storing the answer under its key.
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

  test('deleting a licence removes its unsent message and keeps a sent one', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
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

  test.each(['smtp', 'folder'] as const)(
    'the transport of a mail is shown at the mail and its licence: %s (D011)',
    async (transport) => {
      const { testApp } =
        transport === 'smtp' ? await createMailingApp(NOW) : { testApp: await createTestApp({ now: NOW }) };
      const license = await createLicense(testApp);
      const stateOf = async () => {
        const [mail] = (await testApp.call('GET', `/licenses/api/mails/?license=${license.id}`)).body.results;
        const { body } = await testApp.call('GET', `/licenses/api/licenses/${license.id}/`);
        return [mail.status, mail.transport, body.email_status, body.email_transport];
      };
      expect(await stateOf()).toEqual(['queued', null, 'queued', null]);
      await deliverDue(testApp);
      expect(await stateOf()).toEqual(['sent', transport, 'sent', transport]);
      await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
      expect(await stateOf()).toEqual(['queued', null, 'queued', null]);
    },
  );

  test('resending a waiting message does not duplicate it', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const license = await createLicense(testApp);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
  });

  test('resending uses the current address, and is 404 for an unknown licence, 401 without a session', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
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

test('a sender with a non-ASCII domain gets an ASCII Message-ID', async () => {
  const testApp = await createTestApp({ now: NOW, env: { MAIL_FROM: 'Ventas <ventas@ñandú.example>' } });
  await createLicense(testApp);
  expect((await outboxOf(testApp))[0]?.message_id).toMatch(/^licencia-\d+-[\w-]{16}@localhost$/);
});

test("a mail without a configured sender name gets the vendor's name as sender", async () => {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  const env = { SMTP_URL: peer.url, MAIL_FROM: 'ventas@vendor.example' };
  const testApp = await createTestApp({ now: NOW, env });
  await testApp.call('PUT', '/licenses/api/settings/', { body: { vendor_name: 'Cajas & Más' } });
  await createLicense(testApp);
  await deliverDue(testApp);
  expect(peer.accepted[0]?.email.from).toEqual({ name: 'Cajas & Más', address: 'ventas@vendor.example' });
});

describe('several workers', () => {
  test('two workers send each of 1,000 mails once', {
    tags: [POSTGRES_AT_NIGHT],
    timeout: 60_000,
  }, async () => {
    const peer = await startSmtpPeer();
    const testApp = await createTestApp({ now: NOW, env: { SMTP_URL: peer.url } });
    const { id } = await createLicense(testApp);
    await testApp.db.deleteFrom('outbox').execute();
    await asSystem(testApp, async (scope) => {
      for (let number = 0; number < 1000; number += 1) {
        await enqueueMessage(scope, {
          kind: 'license_issued',
          license_id: id,
          client_id: null,
          user_id: null,
          is_contact: false,
          sender_name: '',
          reply_to: '',
          headers: {},
          secrets: [],
          to_name: `Cliente ${number}`,
          to_address: `cliente${number}@example.com`,
          subject: 'Tu licencia',
          body_text: 'Hola',
          body_html: '<p>Hola</p>',
        });
      }
    });
    const otherMailer = mailerOf(testApp.context.config);
    const workers = [
      startJobs(testApp.context, quiet, [mailJob]),
      startJobs({ ...testApp.context, mailer: otherMailer }, quiet, [mailJob]),
    ];
    await expect.poll(() => peer.accepted.length).toBeGreaterThanOrEqual(1000);
    await Promise.all(workers.map((worker) => worker.stop()));
    otherMailer.close();

    expect(peer.accepted).toHaveLength(1000);
    expect(new Set(peer.accepted.map((mail) => mail.email.messageId)).size).toBe(1000);
    expect(new Set(peer.accepted.flatMap((mail) => mail.to)).size).toBe(1000);
    const rows = await outboxOf(testApp);
    expect(rows.every((row) => row.status === 'sent' && row.attempts === 1)).toBe(true);
  });

  test('a mail of a dead worker is sent by another after its lease has ended, not before', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const license = await createLicense(testApp);
    const claim = () => claimJobs(testApp.db, mailJob.kind, 16, LEASE_MS, testApp.context.now());
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    const [message] = await outboxOf(testApp);

    testApp.clock.advance(LEASE_MS - 1000);
    await deliverDue(testApp);
    expect(peer.offered).toHaveLength(0);

    testApp.clock.advance(1000);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
    expect(peer.accepted[0]?.email.messageId).toBe(`<${message?.message_id}>`);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
  });

  test('ten concurrent workers never claim the same message', async () => {
    const testApp = await createTestApp({ now: NOW });
    for (let count = 0; count < 12; count += 1) await createLicense(testApp);
    const hands = await Promise.all(
      Array.from({ length: 10 }, () =>
        claimJobs(testApp.db, mailJob.kind, 3, LEASE_MS, testApp.context.now()),
      ),
    );
    const taken = hands.flat().map((row) => row.id);
    expect(new Set(taken).size).toBe(taken.length);
  });

  test('after a database failure during delivery the mail is sent again with the same Message-ID', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await createLicense(testApp);
    peer.answers.message = () => 'hang';
    const worker = startJobs(testApp.context, quiet, [mailJob]);
    await expect.poll(() => peer.offered).toHaveLength(1);
    await testApp.db.schema.alterTable('outbox').renameTo('elsewhere').execute();
    peer.release();
    await worker.stop();
    await testApp.db.schema.alterTable('elsewhere').renameTo('outbox').execute();
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'queued', attempts: 0 });

    peer.answers.message = () => 'accept';
    testApp.clock.advance(LEASE_MS);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(2);
    expect(new Set(peer.accepted.map((mail) => mail.email.messageId)).size).toBe(1);
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'sent', attempts: 2 });
  });

  test('a database failure is logged and does not end the worker', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await createLicense(testApp);
    await testApp.db.schema.alterTable('jobs').renameTo('elsewhere').execute();
    const errors: unknown[] = [];
    const log = { ...quiet, error: (entry: unknown) => errors.push(entry) };
    const worker = startJobs(testApp.context, log, [mailJob]);
    await expect.poll(() => errors).toHaveLength(1);
    await testApp.db.schema.alterTable('elsewhere').renameTo('jobs').execute();
    worker.nudge();
    worker.nudge();
    await expect.poll(() => peer.accepted).toHaveLength(1);
    await worker.stop();
    worker.nudge();
  });
});
