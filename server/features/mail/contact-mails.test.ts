import { describe, expect, onTestFinished, test } from 'vitest';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { deliverDue } from '../../../test/deliver-mail.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { setSettings } from '../../../test/portal.ts';
import { runJob } from '../../../test/run-job.ts';
import { startSmtpPeer } from '../../../test/smtp-peer.ts';
import { reminderJob } from '../reminders/reminder-job.ts';

/** Which mails the contacts of a client get, each as a mail of its own (DESK-04). */

const NOW = '2026-11-21T18:00:00.000Z';
const MAILS = '/licenses/api/mails/';

async function mailing() {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  const t = await createTestApp({
    now: NOW,
    env: { SMTP_URL: peer.url, PUBLIC_URL: 'https://licencias.example.com' },
  });
  await setSettings(t, { portal_enabled: true });
  return { t, peer };
}

const person = (name: string, receives: Contact['receives']): Contact => ({
  name,
  email: `${name.toLowerCase()}@otra.example`,
  phone: '',
  receives,
});
const CONTACTS = [
  person('Claves', ['keys']),
  person('Avisos', ['reminders']),
  person('Pagos', ['payments']),
  person('Portal', ['portal']),
];
const clientOf = (t: TestApp, contacts = CONTACTS) =>
  createClient(t, { name: 'Papelería López', email: 'ana@example.com', contacts });

type Listed = { id: number; kind: string; to: string; contact: { name: string; email: string } | null };
const listed = async (t: TestApp, query = ''): Promise<Listed[]> =>
  (await t.call('GET', `${MAILS}?page_size=100&${query}`)).body.results.reverse();
const sentTo = async (t: TestApp, kind: string) =>
  (await listed(t, `kind=${kind}`)).map(({ to }) => to.split('@')[0]);
const license = async (t: TestApp, id: number, verb: string, body: object = {}) => {
  const answer = await t.call('POST', `/licenses/api/licenses/${id}/${verb}/`, {
    body: { ...body, ...(verb !== 'resend_email' && { notify: true }) },
  });
  expect([verb, answer.status]).toEqual([verb, answer.status < 300 ? answer.status : answer.text]);
};

describe('the contacts of a client', () => {
  test('get the mails of their kinds and no others, beside the client', async () => {
    const { t } = await mailing();
    const { id: client } = await clientOf(t);
    const { id, software } = await createLicense(t, { client, expiry_days: 30 });
    await license(t, id, 'renew');
    await license(t, id, 'suspend', { reason: 'Falta de pago' });
    await license(t, id, 'reinstate');
    await license(t, id, 'replace_key', { reason: 'Se filtró' });
    await license(t, id, 'cancel', { reason: 'Fin' });
    await t.call('POST', '/licenses/api/licenses/batch/', {
      body: { client, software: software.id, license_type: 'premium', price: 5, quantity: 2 },
    });
    await t.call('POST', `/licenses/api/clients/${client}/portal/invite/`);
    for (const kind of [
      'license_issued',
      'license_renewed',
      'license_suspended',
      'license_reinstated',
      'key_replaced',
      'license_cancelled',
      'licenses_issued',
    ]) {
      expect([kind, await sentTo(t, kind)]).toEqual([kind, ['ana', 'claves']]);
    }
    expect(await sentTo(t, 'portal_invitation')).toEqual(['ana', 'portal']);
    // A contact signs in with its own address, so its invitation names that one.
    for (const { id: mail, to } of await listed(t, 'kind=portal_invitation')) {
      const { body } = await t.call('GET', `${MAILS}${mail}/`);
      expect(body.text).toContain(`escriba su correo, ${to}, y reciba un código`);
    }
    const { id: paid } = await createLicense(t, { client, expiry_days: 30 });
    const { body: request } = await t.call('POST', '/licenses/api/payment-requests/', {
      body: { lines: [{ license: paid, kind: 'renewal' }] },
      headers: { 'idempotency-key': 'uno' },
    });
    await t.call('POST', `/licenses/api/payment-requests/${request.id}/mark_paid/`, {
      body: { method: 'transfer' },
    });
    expect(await sentTo(t, 'payment_request')).toEqual(['ana', 'pagos']);
    expect(await sentTo(t, 'payment_received')).toEqual(['ana', 'pagos']);
  });

  test('are named in mails/, with the client and the licence; the client and staff are not', async () => {
    const { t } = await mailing();
    const { id: client } = await clientOf(t);
    const { id } = await createLicense(t, { client });
    const [own, copy] = await listed(t, `license=${id}`);
    expect(own!.contact).toBeNull();
    expect(copy).toMatchObject({
      to: 'claves@otra.example',
      contact: { name: 'Claves', email: 'claves@otra.example' },
      client: { id: client },
      license: { id },
    });
    const { body } = await t.call('GET', `${MAILS}${copy!.id}/`);
    expect(body.contact).toEqual({ name: 'Claves', email: 'claves@otra.example' });
    expect(body.text).toContain('Usted recibe este correo como contacto de');
    expect(body.text).toContain('Papelería López');
    expect((await t.call('GET', `${MAILS}${own!.id}/`)).body.text).not.toContain('como contacto de');
  });

  test('get one envelope each from a real mail server, and a refusal of theirs is not the client’s', async () => {
    const { t, peer } = await mailing();
    peer.answers.recipient = (address) =>
      address === 'claves@otra.example' ? { code: 550, text: 'no such user' } : 'accept';
    const { id: client } = await clientOf(t);
    const { id } = await createLicense(t, { client });
    await deliverDue(t);
    expect(peer.accepted.map(({ to }) => to)).toEqual([['ana@example.com']]);
    const { body: stored } = await t.call('GET', `/licenses/api/licenses/${id}/`);
    expect(stored.email_status).toBe('sent');
    const filtered = async (status: string) =>
      (await t.call('GET', `/licenses/api/licenses/?email_status=${status}`)).body.count;
    expect([await filtered('sent'), await filtered('failed')]).toEqual([1, 0]);
    // Staff read of it all the same.
    const { body: bell } = await t.call('GET', '/licenses/api/notifications/');
    expect(JSON.stringify(bell)).toContain('claves@otra.example');
  });

  test('get a mail again only while the client still names them for it', async () => {
    const { t } = await mailing();
    const { id: client } = await clientOf(t);
    await createLicense(t, { client });
    const [, copy] = await listed(t, 'kind=license_issued');
    const resend = () => t.call('POST', `${MAILS}${copy!.id}/resend/`);
    const again = await resend();
    expect([again.status, again.body.to, again.body.contact?.name]).toEqual([
      200,
      'claves@otra.example',
      'Claves',
    ]);
    const put = (contacts: Contact[]) =>
      t.call('PATCH', `/licenses/api/clients/${client}/`, { body: { contacts } });
    for (const contacts of [[], [person('Claves', ['portal'])]]) {
      await put(contacts);
      const refused = await resend();
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    }
  });

  test('get the licence again with the client, in place of what waits or failed', async () => {
    const { t } = await mailing();
    const { id: client } = await clientOf(t);
    const { id } = await createLicense(t, { client });
    await license(t, id, 'resend_email');
    expect(await sentTo(t, 'license_issued')).toEqual(['ana', 'claves']);
  });

  test('of a client that a trial made get no text that a stranger wrote (SELL-04)', async () => {
    const { t } = await mailing();
    const { id: client } = await clientOf(t);
    await t.db.updateTable('clients').set({ email_verified: false }).where('id', '=', client).execute();
    await createLicense(t, { client });
    const [own, copy] = await t.db.selectFrom('outbox').selectAll().orderBy('id').execute();
    expect([own!.to_name, copy!.to_name]).toEqual(['', 'Claves']);
    expect(`${copy!.body_text}${copy!.body_html}`).not.toContain('Papelería');
  });

  test('carry no header of their own making', async () => {
    const { t, peer } = await mailing();
    const { id: client } = await clientOf(t, [
      { ...person('Claves', ['keys']), name: '"Luis", <x@y.mx> =?utf-8?q?Bcc?=: z@w.mx' },
    ]);
    await createLicense(t, { client });
    await deliverDue(t);
    const copy = peer.accepted.find(({ to }) => to.includes('claves@otra.example'))!;
    expect(copy.to).toHaveLength(1);
    expect(copy.raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im);
  });
});

describe('reminders', () => {
  async function reminding(contacts = [person('Uno', ['reminders']), person('Dos', ['reminders'])]) {
    const { t, peer } = await mailing();
    await runJob(t.context, reminderJob);
    const { id: client } = await clientOf(t, contacts);
    await createLicense(t, { client, expiry_date: '2026-11-29' });
    const remind = async (moment: string) => {
      t.clock.set(moment);
      await runJob(t.context, reminderJob);
      const rows = await t.db
        .selectFrom('outbox')
        .select(['to_address', 'body_text', 'headers'])
        .where('kind', '=', 'license_reminder')
        .orderBy('id')
        .execute();
      return rows;
    };
    return { t, peer, client, remind };
  }
  const DAY = '2026-11-22T15:00:00.000Z';
  const tokenIn = (text: string) => /unsubscribe\/([\w-]+)/.exec(text)![1]!;

  test('go to the client and to each contact, with an unsubscribe link of its own each and one event', async () => {
    const { t, client, remind } = await reminding();
    const rows = await remind(DAY);
    expect(rows.map(({ to_address }) => to_address)).toEqual([
      'ana@example.com',
      'uno@otra.example',
      'dos@otra.example',
    ]);
    expect(new Set(rows.map(({ body_text }) => tokenIn(body_text))).size).toBe(3);
    expect(rows[1]!.headers).toContain(tokenIn(rows[1]!.body_text));
    const events = await t.db
      .selectFrom('events')
      .select('type')
      .where('client_id', '=', client)
      .where('type', '=', 'license.reminded')
      .execute();
    expect(events).toHaveLength(1);
    expect(await remind('2026-11-22T16:00:00.000Z')).toHaveLength(3);
  });

  test('end for the contact who unsubscribes, and for nobody else; the history says who it was', async () => {
    const { t, client, remind } = await reminding();
    const rows = await remind(DAY);
    const link = `/licenses/api/unsubscribe/${tokenIn(rows[1]!.body_text)}/`;
    const asked = await t.call('GET', link, { token: null });
    expect([asked.status, asked.text.includes('<form')]).toEqual([200, true]);
    for (let times = 0; times < 2; times += 1) {
      expect((await t.call('POST', link, { token: null })).status).toBe(200);
    }
    t.clock.set(NOW);
    const { body } = await t.call('GET', `/licenses/api/clients/${client}/`);
    expect(body.contacts.map(({ receives }: Contact) => receives)).toEqual([[], ['reminders']]);
    expect(body.reminders).toBe(true);
    const events = await t.db
      .selectFrom('events')
      .select(['actor_kind', 'actor_name'])
      .where('type', '=', 'client.updated')
      .execute();
    expect(events).toEqual([{ actor_kind: 'client', actor_name: 'Papelería López (Uno)' }]);
    await t.call('PATCH', `/licenses/api/clients/${client}/`, { body: { contacts: [] } });
    expect((await t.call('POST', link, { token: null })).status).toBe(404);
  });

  test('of a client that wants none still go to its contacts, and an address that bounces gets no more', async () => {
    const { t, peer, client, remind } = await reminding();
    await t.call('PATCH', `/licenses/api/clients/${client}/`, { body: { reminders: false } });
    peer.answers.recipient = (address) =>
      address === 'uno@otra.example' ? { code: 550, text: 'no such user' } : 'accept';
    expect((await remind(DAY)).map(({ to_address }) => to_address)).toEqual([
      'uno@otra.example',
      'dos@otra.example',
    ]);
    await deliverDue(t);
    const later = await remind('2026-11-28T15:00:00.000Z');
    expect(later.slice(2).map(({ to_address }) => to_address)).toEqual(['dos@otra.example']);
    t.clock.set(NOW);
    const { body } = await t.call('GET', `/licenses/api/clients/${client}/`);
    expect(body.contacts_bounced).toEqual([{ email: 'uno@otra.example', bounced_at: expect.any(String) }]);
    expect(body.email_bounced_at).toBeNull();
  });
});
