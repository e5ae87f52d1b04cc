import { expect, test } from 'vitest';
import type { MailRow } from '../../../contract/mail/mails.ts';
import { signInAs, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue } from '../../../test/deliver-mail.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import type { SmtpPeer } from '../../../test/smtp-peer.ts';

/** Mails that changed since a moment (API-01), and copies of mails whose key is no longer valid (MAIL-04, LIFE-04). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/mails/';
const MINUTE_MS = 60_000;

const list = async (t: TestApp, query = ''): Promise<MailRow[]> =>
  (await t.call('GET', `${URL}${query}`)).body.results;
const since = async (t: TestApp, moment: Date) =>
  (await list(t, `?updated_since=${moment.toISOString()}`)).map(({ id }) => id);
const resend = (t: TestApp, id: number) => t.call('POST', `${URL}${id}/resend/`);
const textOf = async (t: TestApp, id: number) => {
  const { subject, text, html } = (await t.call('GET', `${URL}${id}/`)).body;
  return `${subject}\n${text}\n${html}`;
};
const act = (t: TestApp, id: number, action: string, body: object) =>
  t.call('POST', `/licenses/api/licenses/${id}/${action}/`, { body });

test('updated_since finds the mails that were queued, sent, refused, retried or cancelled since then (API-01)', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  await createLicense(t);
  await createLicense(t);
  const [second, first] = (await list(t)).map(({ id }) => id) as [number, number];
  const start = t.context.now();
  expect((await since(t, start)).sort()).toEqual([first, second]);
  t.clock.advance(MINUTE_MS);
  expect(await since(t, t.context.now())).toEqual([]);

  const cancelled = await t.call('POST', `${URL}${second}/cancel/`);
  expect(cancelled.body.updated_at).toBe(t.context.now().toISOString());
  expect(await since(t, t.context.now())).toEqual([second]);

  t.clock.advance(MINUTE_MS);
  peer.answers.recipient = () => ({ code: 450, text: 'más tarde' });
  await deliverDue(t);
  expect(await since(t, t.context.now())).toEqual([first]);
  t.clock.advance(MINUTE_MS);
  expect(await since(t, t.context.now())).toEqual([]);

  peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
  t.clock.advance(60 * MINUTE_MS);
  t.token = await signInAs(t, 'admin', 'admin123');
  await deliverDue(t);
  expect(await list(t, `?updated_since=${t.context.now().toISOString()}`)).toMatchObject([
    { id: first, status: 'failed', updated_at: t.context.now().toISOString() },
  ]);
});

test('updated_since works with the other filters, with pages and with the order, and an invalid value is refused at its name', async () => {
  const { testApp: t } = await createMailingApp(NOW);
  const client = await createClient(t);
  await createLicense(t);
  t.clock.advance(MINUTE_MS);
  const { id } = await createLicense(t, { client: client.id });
  const [later, earlier] = (await list(t)).map((mail) => mail.id);
  const moment = encodeURIComponent(t.context.now().toISOString());
  expect((await list(t, `?updated_since=${moment}&client=${client.id}`)).map((mail) => mail.id)).toEqual([
    later,
  ]);
  expect(await list(t, `?updated_since=${moment}&status=sent`)).toEqual([]);
  await act(t, id, 'suspend', { notify: true });
  const page = await t.call('GET', `${URL}?updated_since=${moment}&ordering=updated_at&page=1&page_size=1`);
  expect(page.body).toMatchObject({ count: 2, results: [{ id: later }] });
  const ordered = async (ordering: string) => (await list(t, `?ordering=${ordering}`)).map((mail) => mail.id);
  expect((await ordered('updated_at'))[0]).toBe(earlier);
  expect((await ordered('-updated_at')).at(-1)).toBe(earlier);
  const wrong = await t.call('GET', `${URL}?updated_since=ayer`);
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['updated_since']]);
});

test('mail of an earlier version counts as changed when it was delivered, otherwise when it was created (API-01)', async () => {
  const { testApp: t } = await createMailingApp(NOW);
  await createLicense(t);
  t.clock.advance(MINUTE_MS);
  await deliverDue(t);
  const sentAt = t.context.now();
  t.clock.advance(MINUTE_MS);
  await createLicense(t);
  const madeAt = t.context.now();
  await t.db.updateTable('outbox').set({ changed_at: null }).execute();
  const times = (await list(t)).map(({ updated_at }) => updated_at);
  expect(times).toEqual([madeAt.toISOString(), sentAt.toISOString()]);
  expect(await since(t, sentAt)).toHaveLength(2);
  expect(await since(t, madeAt)).toHaveLength(1);
});

/** The texts that have arrived, with their subjects. */
const arrived = ({ accepted }: SmtpPeer) => accepted.map(({ email }) => `${email.subject}\n${email.text}`);

test('resending a mail about a licence whose key was replaced sends the new key (MAIL-04, LIFE-04)', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  await t.call('PUT', '/licenses/api/mail-templates/license_suspended/', {
    body: { body: 'La clave {{ license.key }} está suspendida. {% if reason %}{{ reason }}{% endif %}' },
  });
  const { id, license_key: old } = await createLicense(t);
  t.clock.advance(1000);
  await act(t, id, 'suspend', { notify: true, reason: 'Falta el pago de noviembre' });
  await act(t, id, 'reinstate', { notify: true });
  await deliverDue(t);
  const mails = await list(t, `?license=${id}`);
  expect(arrived(peer)).toEqual(mails.map(() => expect.stringContaining(old)));
  const shownBefore = await Promise.all(mails.map((mail) => textOf(t, mail.id)));
  t.clock.advance(MINUTE_MS);
  const { license_key } = (await act(t, id, 'replace_key', { notify: false })).body;
  for (const mail of mails) {
    const copy = await resend(t, mail.id);
    expect(copy).toMatchObject({ status: 200, body: { kind: mail.kind, status: 'queued', license: { id } } });
    await deliverDue(t);
    const text = arrived(peer).at(-1)!;
    expect([mail.kind, text.includes(license_key), text.includes(old)]).toEqual([mail.kind, true, false]);
    expect(text.includes('Falta el pago de noviembre')).toBe(mail.kind === 'license_suspended');
    expect(await textOf(t, copy.body.id)).toContain(`•••${license_key.slice(-4)}`);
  }
  // The first mails stay as they were sent.
  expect(await Promise.all(mails.map((mail) => textOf(t, mail.id)))).toEqual(shownBefore);
  for (const shown of shownBefore) expect(shown).toContain(`•••${old.slice(-4)}`);
});

test('resending a mail sends the new key only to the client who has the licence now (MAIL-04, LIFE-04)', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { id, license_key } = await createLicense(t);
  await deliverDue(t);
  const [issued] = await list(t);
  await act(t, id, 'transfer', { client: (await createClient(t)).id, notify: false });
  // The earlier client already knows this key.
  expect((await resend(t, issued!.id)).status).toBe(200);
  await deliverDue(t);
  expect(arrived(peer).at(-1)).toContain(license_key);
  await act(t, id, 'replace_key', { notify: false });
  const before = await list(t);
  expect(await resend(t, issued!.id)).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: expect.stringContaining('otro cliente') },
  });
  expect(await list(t)).toEqual(before);
});

test('waiting mails are rewritten with the new key, except mails to an earlier client (MAIL-04, LIFE-04)', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { id, license_key: old } = await createLicense(t);
  const client = await createClient(t);
  await act(t, id, 'transfer', { client: client.id, notify: true });
  t.clock.advance(MINUTE_MS);
  const { status, body } = await act(t, id, 'replace_key', { notify: false });
  expect(status).toBe(200);
  await deliverDue(t);
  const texts = arrived(peer);
  expect(texts).toHaveLength(2);
  expect(texts.filter((text) => text.includes(old))).toEqual([expect.stringContaining('ya está lista')]);
  expect(texts.filter((text) => text.includes(body.license_key))).toEqual([
    expect.stringContaining('Se transfirió a su nombre'),
  ]);
});

test('a waiting mail about several licences gets the key that replaced one of them, and keeps the others (LIFE-04)', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const client = await createClient(t);
  const software = await createSoftware(t);
  const { body } = await t.call('POST', '/licenses/api/licenses/batch/', {
    body: { client: client.id, software: software.id, license_type: 'premium', price: 5, quantity: 3 },
  });
  const [first, second, third] = body.licenses;
  const replaced = await act(t, second.id, 'replace_key', { notify: false });
  await deliverDue(t);
  const text = arrived(peer)[0]!;
  for (const { license_key } of [first, replaced.body, third]) expect(text).toContain(license_key);
  expect(text).not.toContain(second.license_key);
  // A copy of the mail that was sent has the present keys too.
  const again = await act(t, third.id, 'replace_key', { notify: false });
  await resend(t, (await list(t))[0]!.id);
  await deliverDue(t);
  const copy = arrived(peer)[1]!;
  for (const { license_key } of [first, replaced.body, again.body]) expect(copy).toContain(license_key);
  expect(copy).not.toContain(third.license_key);
});
