import { describe, expect, test } from 'vitest';
import type { MailRow } from '../../../contract/mail/mails.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue, emailStatusOf, outboxOf, quiet } from '../../../test/deliver-mail.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { asSystem } from '../../../test/scope.ts';
import { startJobs } from '../../jobs/runner.ts';
import { mailJob } from './mail-job.ts';
import { queueMail } from './queue-mail.ts';

/** 'Correos': the list of mails (MAIL-04). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/mails/';

const list = async (testApp: TestApp, query = ''): Promise<MailRow[]> =>
  (await testApp.call('GET', `${URL}${query}`)).body.results;
const post = (testApp: TestApp, id: number | undefined, action: 'resend' | 'cancel') =>
  testApp.call('POST', `${URL}${id}/${action}/`);

describe('the list', { tags: ['MAIL-04'] }, () => {
  test('returns each mail with its licence and client, newest first, and can be filtered', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const ana = await createClient(testApp, { name: 'Ana', email: 'ana@example.com' });
    const first = await createLicense(testApp, { client: ana.id });
    await deliverDue(testApp);
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    const second = await createLicense(testApp);
    await deliverDue(testApp);
    await testApp.call('POST', `/licenses/api/licenses/${first.id}/suspend/`, { body: { notify: true } });

    const [suspended, failed, sent] = await list(testApp);
    expect(suspended).toMatchObject({ kind: 'license_suspended', status: 'queued', attempts: 0 });
    expect(failed).toMatchObject({ status: 'failed', last_error: expect.stringContaining('no existe') });
    expect(sent).toEqual({
      id: expect.any(Number),
      kind: 'license_issued',
      status: 'sent',
      to: 'ana@example.com',
      to_name: 'Ana',
      contact: null,
      subject: expect.stringContaining('Su licencia de'),
      attempts: 1,
      created_at: NOW,
      sent_at: NOW,
      transport: 'smtp',
      sent_to: 'server',
      last_error: null,
      license: { id: first.id, license_key: first.license_key },
      client: { id: ana.id, name: 'Ana' },
      updated_at: NOW,
    });
    const idsOf = async (query: string) => (await list(testApp, query)).map(({ id }) => id);
    expect(await idsOf('?status=failed')).toEqual([failed?.id]);
    expect(await idsOf('?status=queued')).toEqual([suspended?.id]);
    expect(await idsOf('?status=sent')).toEqual([sent?.id]);
    expect(await idsOf('?kind=license_suspended')).toEqual([suspended?.id]);
    expect(await idsOf(`?client=${ana.id}`)).toEqual([suspended?.id, sent?.id]);
    expect(await idsOf(`?license=${second.id}`)).toEqual([failed?.id]);
    expect(await idsOf(`?client=${ana.id}&status=cancelled`)).toEqual([]);
    const page = await testApp.call('GET', `${URL}?page=2&page_size=2`);
    expect(page.body).toMatchObject({ count: 3, total_pages: 2, results: [{ id: sent?.id }] });
    expect((await testApp.call('GET', `${URL}?status=otro`)).status).toBe(400);
  });

  test('can be searched by the beginning of an address, in any case and with any character', async () => {
    const { testApp } = await createMailingApp(NOW);
    for (const email of [
      'ana.rios@example.com',
      'Ana_R+1@example.com',
      'luis@example.com',
      'rosa@example.com',
    ]) {
      const { id } = await createClient(testApp, { email });
      await createLicense(testApp, { client: id });
    }
    const found = async (address: string) =>
      (await list(testApp, `?address=${encodeURIComponent(address)}`)).map(({ to }) => to);

    expect(await found('ANA')).toEqual(['Ana_R+1@example.com', 'ana.rios@example.com']);
    expect(await found(' ana.rios@example.com ')).toEqual(['ana.rios@example.com']);
    expect(await found('ana_r+')).toEqual(['Ana_R+1@example.com']);
    expect(await found('example.com')).toEqual([]);
    expect(await found('')).toHaveLength(4);
    const { body } = await testApp.call('GET', `${URL}?address=luis&status=queued&page=1&page_size=5`);
    expect(body).toMatchObject({ count: 1, total_pages: 1 });
  });

  test('a mail is shown as it was sent, with its key masked, or without content after the content was deleted', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const { license_key } = await createLicense(testApp);
    await deliverDue(testApp);
    const [row] = await list(testApp);
    const { body } = await testApp.call('GET', `${URL}${row?.id}/`);
    const shown = (sent: string | undefined) =>
      sent?.trim().replaceAll(license_key, `•••${license_key.slice(-4)}`);
    expect(peer.accepted[0]?.email.text).toContain(license_key);
    expect(shown(peer.accepted[0]?.email.html)).toBe(body.html);
    expect(shown(peer.accepted[0]?.email.text)).toBe(body.text);
    await testApp.db.updateTable('outbox').set({ body_html: '', body_text: '' }).execute();
    expect((await testApp.call('GET', `${URL}${row?.id}/`)).body).toMatchObject({ html: null, text: null });
    expect((await post(testApp, row?.id, 'resend')).body).toMatchObject({
      code: 'conflict',
      message: 'El contenido de este correo ya se borró',
    });
    expect((await testApp.call('GET', `${URL}999/`)).status).toBe(404);
    expect((await testApp.call('GET', URL, { token: null })).status).toBe(401);
  });

  test('no answer contains a token or a code, and a one-time link cannot be sent again', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const id = await asSystem(testApp, (scope) =>
      queueMail(scope, {
        kind: 'portal_link',
        to: { name: 'Ana', address: 'ana@example.com' },
        variables: {
          client: { name: 'Ana', company: null, email: 'ana@example.com' },
          code: '739154',
          link: 'https://licencias.example.com/portal?a=1&token=abc123secreto',
          minutes: 10,
        },
      }),
    );
    await deliverDue(testApp);
    expect(peer.accepted[0]?.email.subject).toContain('739154');
    expect(peer.accepted[0]?.email.text).toContain('abc123secreto');
    expect(peer.accepted[0]?.email.html).toContain('a=1&amp;token=abc123secreto');
    const answers = [await testApp.call('GET', URL), await testApp.call('GET', `${URL}${id}/`)];
    const events = await testApp.call('GET', '/licenses/api/events/?type=mail.sent');
    for (const { text } of [...answers, events]) expect(text).not.toMatch(/739154|abc123secreto/);
    expect(answers[1]?.body).toMatchObject({
      html: null,
      text: null,
      subject: expect.stringContaining('•••'),
    });
    const resent = await post(testApp, id, 'resend');
    expect(resent).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

test('the event of a mail shows that it was only stored in the outbox folder', async () => {
  const events = async (testApp: TestApp) =>
    (await testApp.call('GET', '/licenses/api/events/?type=mail.sent')).body.results;
  const folder = await createTestApp({ now: NOW });
  await createLicense(folder);
  await deliverDue(folder);
  expect(await events(folder)).toMatchObject([{ changes: { transport: { before: null, after: 'folder' } } }]);
  const { testApp } = await createMailingApp(NOW);
  await createLicense(testApp);
  await deliverDue(testApp);
  expect(await events(testApp)).toMatchObject([{ changes: {} }]);
  expect((await events(testApp))[0].changes).toEqual({});
});

describe('cancelling', { tags: ['MAIL-04'] }, () => {
  test('a cancelled mail is never sent, and cancelling a sent, failed or cancelled one is 409', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const license = await createLicense(testApp);
    const [row] = await list(testApp);
    const cancelled = await post(testApp, row?.id, 'cancel');
    expect(cancelled.body).toMatchObject({ id: row?.id, status: 'cancelled', sent_at: null });
    await deliverDue(testApp);
    expect(peer.offered).toEqual([]);
    expect(await emailStatusOf(testApp, license.id)).toBeNull();
    const { body } = await testApp.call('GET', '/licenses/api/events/?type=mail.failed');
    expect(body.results).toMatchObject([
      { actor: { kind: 'user' }, reason: 'Cancelado antes de enviarse', license: { id: license.id } },
    ]);
    expect((await post(testApp, row?.id, 'cancel')).body.message).toContain('no está en espera');
    await createLicense(testApp);
    await deliverDue(testApp);
    const [sent] = await list(testApp, '?status=sent');
    expect(await post(testApp, sent?.id, 'cancel')).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'El correo ya se envió: no se puede cancelar' },
    });
    expect((await post(testApp, 999, 'cancel')).status).toBe(404);
  });

  test('a mail that is being sent cannot be cancelled, and one left by a dead worker can be cancelled later', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await createLicense(testApp);
    const [row] = await list(testApp);
    peer.answers.message = () => 'hang';
    const worker = startJobs(testApp.context, quiet, [mailJob]);
    await expect.poll(() => peer.offered).toHaveLength(1);
    expect((await post(testApp, row?.id, 'cancel')).body.message).toContain('se está enviando');
    expect((await post(testApp, row?.id, 'resend')).status).toBe(409);
    peer.release();
    await worker.stop();
    expect((await outboxOf(testApp))[0]).toMatchObject({ status: 'sent', sending_until: null });

    await createLicense(testApp);
    const [next] = await list(testApp);
    const until = new Date(Date.parse(NOW) + 60_000).toISOString();
    await testApp.db.updateTable('outbox').set({ sending_until: until }).where('id', '=', next!.id).execute();
    expect((await post(testApp, next?.id, 'cancel')).status).toBe(409);
    testApp.clock.advance(60_000);
    expect((await post(testApp, next?.id, 'cancel')).status).toBe(200);
  });

  test('when a worker and a cancellation run at the same moment, the mail is either sent or cancelled, never both', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    for (let count = 0; count < 30; count += 1) await createLicense(testApp);
    const rows = await list(testApp, '?page_size=100');
    const worker = startJobs(testApp.context, quiet, [mailJob]);
    worker.nudge();
    const answers = await Promise.all(rows.map(({ id }) => post(testApp, id, 'cancel')));
    await expect.poll(() => list(testApp, '?status=queued')).toEqual([]);
    await worker.stop();
    const cancelled = rows.filter((_row, at) => answers[at]?.status === 200).map(({ id }) => id);
    const stored = await outboxOf(testApp);
    expect(stored.filter(({ status }) => status === 'cancelled').map(({ id }) => id)).toEqual(
      cancelled.toSorted((a, b) => a - b),
    );
    const sent = stored.filter(({ status }) => status === 'sent').map(({ message_id }) => `<${message_id}>`);
    expect(peer.offered.map(({ email }) => email.messageId).sort()).toEqual(sent.sort());
    expect(sent.length + cancelled.length).toBe(30);
  });
});

test('mail of an earlier version without a client belongs to the client of its licence', {
  tags: ['MAIL-04'],
}, async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  const client = await createClient(testApp, { name: 'Ana' });
  const license = await createLicense(testApp, { client: client.id });
  await testApp.db.updateTable('outbox').set({ client_id: null }).execute();
  await testApp.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { email: 'nueva@example.com' } });
  await createLicense(testApp);
  const [row, ...more] = await list(testApp, `?client=${client.id}`);
  expect(row).toMatchObject({ license: { id: license.id }, client: { id: client.id, name: 'Ana' } });
  expect(more).toEqual([]);
  await post(testApp, row?.id, 'resend');
  await deliverDue(testApp);
  expect(peer.accepted.map(({ to }) => to)).toContainEqual(['nueva@example.com']);
  const { body } = await testApp.call('GET', `/licenses/api/events/?type=mail.sent&client=${client.id}`);
  expect(body.results).toHaveLength(1);
});

describe('sending again', { tags: ['MAIL-04'] }, () => {
  test('queues a copy to the current address, once per Idempotency-Key', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const client = await createClient(testApp, { email: 'vieja@example.com' });
    const license = await createLicense(testApp, { client: client.id });
    await deliverDue(testApp);
    const [first] = await list(testApp);
    await testApp.call('PUT', `/licenses/api/clients/${client.id}/`, {
      body: { email: 'nueva@example.com' },
    });
    const options = { headers: { 'idempotency-key': 'otra-vez' } };
    const url = `${URL}${first?.id}/resend/`;
    const copy = await testApp.call('POST', url, options);
    expect(copy).toMatchObject({ status: 200, body: { status: 'queued', to: 'nueva@example.com' } });
    expect((await testApp.call('POST', url, options)).body.id).toBe(copy.body.id);
    await deliverDue(testApp);
    expect(peer.accepted.map(({ to }) => to)).toEqual([['vieja@example.com'], ['nueva@example.com']]);
    expect(peer.accepted[1]?.email.text).toBe(peer.accepted[0]?.email.text);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
    const { body } = await testApp.call('GET', `/licenses/api/events/?type=mail.sent&license=${license.id}`);
    expect(body.results).toHaveLength(2);
  });

  test('cancels a waiting mail and queues a copy, and can send a cancelled mail', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await createLicense(testApp);
    const [waiting] = await list(testApp);
    expect((await post(testApp, waiting?.id, 'resend')).status).toBe(200);
    expect((await list(testApp)).map(({ status }) => status)).toEqual(['queued', 'cancelled']);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(1);
    expect((await post(testApp, waiting?.id, 'resend')).status).toBe(200);
    await deliverDue(testApp);
    expect(peer.accepted).toHaveLength(2);
  });

  test('sends no mail of a cancelled licence again, except the notice of the cancellation (DESK-01)', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const { id } = await createLicense(testApp);
    await deliverDue(testApp);
    await testApp.call('POST', `/licenses/api/licenses/${id}/cancel/`, { body: { notify: true } });
    await deliverDue(testApp);
    const [cancelled, issued] = await list(testApp);
    expect([cancelled?.kind, issued?.kind]).toEqual(['license_cancelled', 'license_issued']);
    const refused = await post(testApp, issued?.id, 'resend');
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'conflict',
      'La licencia está cancelada: su correo ya no se puede reenviar',
    ]);
    expect((await post(testApp, cancelled?.id, 'resend')).status).toBe(200);
    await deliverDue(testApp);
    expect(peer.accepted.map(({ email }) => email.subject)).toEqual([
      issued?.subject,
      cancelled?.subject,
      cancelled?.subject,
    ]);
  });

  test("uses the user's current address, or the earlier one when the user has none", async () => {
    const { testApp } = await createMailingApp(NOW);
    const queue = (user: number | null) =>
      asSystem(testApp, (scope) =>
        queueMail(scope, {
          kind: 'license_reminder',
          to: { name: 'Ana', address: 'antes@example.com' },
          user,
          variables: {
            client: { name: 'Ana', company: null, email: 'antes@example.com' },
            licenses: [],
            count: 0,
            when: 'vence hoy',
            payment_url: null,
          },
        }),
      );
    const ids = [await queue(1), await queue(null)];
    const copyOf = async (id: number) => (await post(testApp, id, 'resend')).body;
    await testApp.db.updateTable('users').set({ names: 'Eva', email: 'ahora@example.com' }).execute();
    expect(await copyOf(ids[0]!)).toMatchObject({ to: 'ahora@example.com', to_name: 'Eva', client: null });
    expect(await copyOf(ids[1]!)).toMatchObject({ to: 'antes@example.com', to_name: 'Ana', license: null });
    await testApp.db.updateTable('users').set({ email: '' }).execute();
    expect(await copyOf(ids[0]!)).toMatchObject({ to: 'antes@example.com', to_name: 'Ana' });
  });

  test('a failed mail followed by a cancelled one still counts as failed', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    const license = await createLicense(testApp);
    await deliverDue(testApp);
    const [failed] = await list(testApp);
    const copy = await post(testApp, failed?.id, 'resend');
    await post(testApp, copy.body.id, 'cancel');
    expect(await emailStatusOf(testApp, license.id)).toBe('failed');
    const found = await testApp.call('GET', '/licenses/api/licenses/?email_status=failed');
    expect(found.body.count).toBe(1);
    expect((await testApp.call('GET', '/licenses/api/statistics/today/')).body.failed_mails).toBe(1);
  });
});
