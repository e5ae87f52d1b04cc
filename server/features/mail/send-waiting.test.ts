import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { deliverDue, outboxOf, quiet } from '../../../test/deliver-mail.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { startMailServer } from '../../../test/mail-server.ts';
import { runJob } from '../../../test/run-job.ts';
import { startJobs } from '../../jobs/runner.ts';
import { reminderJob } from '../reminders/reminder-job.ts';
import { waitingMailsJob } from './send-waiting.ts';

/** 'Enviar los N que esperan': mails that were only written to the folder, once there is a mail server (DESK-07). */

const NOW = '2026-11-21T18:00:00.000Z';
const DAY_MS = 24 * 60 * 60_000;
const URL = '/licenses/api/mails/send_waiting/';

const TERMS = { license_type: 'premium', price: 10, quantity: 2 };

const act = (t: TestApp, id: number, verb: string, body: object = {}) =>
  t.call('POST', `/licenses/api/licenses/${id}/${verb}/`, { body });

/** Configures a real mail server, and delivers the notice about it. */
async function withServer(t: TestApp) {
  const peer = await startMailServer();
  const body = { host: peer.host, port: peer.port, security: 'none' };
  expect((await t.call('PUT', '/licenses/api/settings/mail/', { body })).status).toBe(200);
  await deliverDue(t);
  peer.accepted.length = 0;
  return peer;
}

/** Sends what waits, to its end. */
async function sendAll(t: TestApp): Promise<number> {
  const answer = await t.call('POST', URL);
  expect(answer.status).toBe(202);
  const runner = startJobs(t.context, quiet, [waitingMailsJob]);
  // Also the job that a runner has claimed: a runner that stops breaks it off after three seconds.
  const unfinished = () =>
    t.db.selectFrom('jobs').select('id').where('kind', '=', waitingMailsJob.kind).execute();
  await expect.poll(unfinished, { interval: 10 }).toEqual([]);
  await runner.stop();
  await deliverDue(t);
  return answer.body.count;
}

const waiting = async (t: TestApp) => (await t.call('GET', URL)).body.count;
const sentEvents = async (t: TestApp) =>
  (
    await t.db
      .selectFrom('events')
      .select(['subject_id', 'changes'])
      .where('type', '=', 'mail.sent')
      .execute()
  ).filter(({ changes }) => !String(changes).includes('folder'));

test('mails of the folder are sent once, with their keys, to the present address, with one event each', async () => {
  const t = await createTestApp({ now: NOW });
  const client = await createClient(t, { email: 'antes@example.com' });
  const [first, second] = [await createLicense(t, { client: client.id }), await createLicense(t)];
  await deliverDue(t);
  const before = (await t.call('GET', '/licenses/api/mails/')).body.results;
  expect(before.map(({ sent_to }: { sent_to: string }) => sent_to)).toEqual(['folder', 'folder']);
  await t.call('PATCH', `/licenses/api/clients/${client.id}/`, { body: { email: 'ahora@example.com' } });
  const none = await t.call('POST', URL);
  expect([none.status, none.body.code]).toEqual([409, 'conflict']);

  const peer = await withServer(t);
  expect(await waiting(t)).toBe(2);
  const events = (await sentEvents(t)).length;
  expect(await sendAll(t)).toBe(2);
  expect(peer.accepted.map(({ to }) => to[0]).sort()).toEqual(
    [second.client.email, 'ahora@example.com'].sort(),
  );
  const mail = peer.accepted.find(({ to }) => to[0] === 'ahora@example.com');
  expect(mail?.email.text).toContain(first.license_key);
  expect((await sentEvents(t)).length).toBe(events + 2);
  const after = (await t.call('GET', '/licenses/api/mails/?kind=license_issued')).body.results;
  expect(after.map(({ sent_to, status }: Record<string, string>) => [status, sent_to])).toEqual([
    ['sent', 'server'],
    ['sent', 'server'],
  ]);
  // No key stays readable in the stored row.
  expect(JSON.stringify(await outboxOf(t))).not.toContain(first.license_key);
  expect(await waiting(t)).toBe(0);
  expect(await sendAll(t)).toBe(0);
  expect(peer.accepted).toHaveLength(2);
});

test('client and contacts each get their own mail, and who is no contact any more gets none (DESK-04)', async () => {
  const t = await createTestApp({ now: NOW });
  const contacts = ['luis', 'eva', 'ida', 'leo'].map((name) => ({
    name,
    email: `${name}@otra.example`,
    receives: ['keys' as const],
  }));
  const client = await createClient(t, { email: 'ana@example.com', contacts });
  await createLicense(t, { client: client.id });
  const { software } = await createLicense(t, { client: client.id });
  await t.call('POST', '/licenses/api/licenses/batch/', {
    body: { client: client.id, software: software.id, license_type: 'premium', price: 5, quantity: 2 },
  });
  await deliverDue(t);
  await t.call('PATCH', `/licenses/api/clients/${client.id}/`, {
    // One is gone, and one gets no keys any more.
    body: { contacts: [...contacts.slice(0, 2), { ...contacts[3]!, receives: ['payments'] }] },
  });
  const peer = await withServer(t);
  expect(await waiting(t)).toBe(9);
  expect(await sendAll(t)).toBe(9);
  const names = ['ana@example.com', 'eva@otra.example', 'luis@otra.example'];
  const got = peer.accepted.map(({ to }) => to[0]).sort();
  expect(got).toEqual(names.flatMap((name) => [name, name, name]));
  expect(await waiting(t)).toBe(0);
});

test('two processes that send what waits at the same moment send each mail once', async () => {
  const t = await createTestApp({ now: NOW });
  for (let n = 0; n < 12; n += 1) await createLicense(t);
  await deliverDue(t);
  const peer = await withServer(t);
  await Promise.all([t.call('POST', URL), t.call('POST', URL)]);
  await Promise.all([sendAll(t), sendAll(t)]);
  expect(peer.accepted).toHaveLength(12);
  expect(new Set(peer.accepted.map(({ email }) => email.messageId)).size).toBe(12);
});

test('what is no longer true is not sent: licences over, replaced keys, one-time links, older than 30 days', async () => {
  const t = await createTestApp({ now: NOW });
  await createLicense(t);
  await deliverDue(t);
  t.clock.advance(31 * DAY_MS);
  const token = await signInAs(t, 'admin', 'admin123');
  t.token = token;
  const cancelled = await createLicense(t);
  await createLicense(t, { expiry_days: 2 });
  const replaced = await createLicense(t);
  const sound = await createLicense(t);
  const deleted = await createLicense(t);
  const together = await createClient(t, { email: 'juntas@example.com' });
  const batch = await t.call('POST', '/licenses/api/licenses/batch/', {
    body: { ...TERMS, client: together.id, software: sound.software.id },
  });
  expect(batch.status).toBe(201);
  await t.call('POST', '/licenses/api/users/', {
    body: { username: 'eva', names: 'Eva', last_name: 'X', email: 'eva@example.com', role: 'viewer' },
  });
  await t.call('POST', '/licenses/api/mail-templates/license_issued/test/', { body: {} });
  await deliverDue(t);
  await act(t, cancelled.id, 'cancel', { reason: 'x' });
  t.clock.advance(1000);
  await act(t, replaced.id, 'replace_key', { notify: true });
  await t.call('DELETE', `/licenses/api/licenses/${deleted.id}/`);
  await deliverDue(t);
  t.clock.advance(4 * DAY_MS);
  t.token = await signInAs(t, 'admin', 'admin123');

  const peer = await withServer(t);
  // The sound one, the new key of the replaced one, and those that were issued together.
  expect(await waiting(t)).toBe(3);
  expect(await sendAll(t)).toBe(3);
  expect(peer.accepted.map(({ to }) => to[0]).sort()).toEqual(
    [sound.client.email, replaced.client.email, 'juntas@example.com'].sort(),
  );
  const mail = peer.accepted.find(({ to }) => to[0] === replaced.client.email);
  expect(mail?.email.subject).toContain('clave');
});

test('a reminder is not sent to who wants none any more, nor about a licence that was renewed since', async () => {
  const t = await createTestApp({ now: NOW });
  await runJob(t.context, reminderJob);
  const contacts = [{ name: 'Luis', email: 'luis@otra.example', receives: ['reminders' as const] }];
  const clientOf = async (email: string) => {
    const { id } = await createClient(t, { email, ...(email.startsWith('ana') && { contacts }) });
    return { id, license: await createLicense(t, { client: id, expiry_date: '2026-11-29' }) };
  };
  const ana = await clientOf('ana@example.com');
  const eva = await clientOf('eva@example.com');
  await clientOf('ida@example.com');
  t.clock.set('2026-11-22T15:00:00.000Z');
  t.token = await signInAs(t, 'admin', 'admin123');
  await runJob(t.context, reminderJob);
  await deliverDue(t);
  // Three licences with their mails, and four reminders.
  expect(await waiting(t)).toBe(7);
  t.clock.advance(1000);
  await t.call('PATCH', `/licenses/api/clients/${ana.id}/`, { body: { reminders: false } });
  expect((await act(t, eva.license.id, 'renew', { notify: false })).status).toBe(200);
  await withServer(t);
  expect(await waiting(t)).toBe(5);
  expect(await sendAll(t)).toBe(5);
  const sent = (await outboxOf(t)).filter(
    ({ kind, transport }) => kind === 'license_reminder' && transport === 'smtp',
  );
  expect(sent.map(({ to_address }) => to_address).sort()).toEqual(['ida@example.com', 'luis@otra.example']);
});

test('a copy that was sent meanwhile takes the place of the mail, and a replaced key among several holds it back', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t);
  const client = await createClient(t, { email: 'juntas@example.com' });
  const batch = await t.call('POST', '/licenses/api/licenses/batch/', {
    body: { ...TERMS, client: client.id, software: license.software.id },
  });
  await deliverDue(t);
  const peer = await withServer(t);
  expect(await waiting(t)).toBe(2);
  const [row] = (await t.call('GET', `/licenses/api/mails/?license=${license.id}`)).body.results;
  await t.call('POST', `/licenses/api/mails/${row.id}/resend/`);
  t.clock.advance(1000);
  await act(t, batch.body.licenses[0].id, 'replace_key', { notify: false });
  await deliverDue(t);
  expect(peer.accepted).toHaveLength(1);
  expect(await waiting(t)).toBe(0);
  expect(await sendAll(t)).toBe(0);
});

test('who may not send mails may neither count nor send them', async () => {
  const t = await createTestApp({ now: NOW });
  for (const method of ['GET', 'POST']) {
    expect((await t.call(method, URL, { token: null })).status).toBe(401);
    const key = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: `x${method}`, permissions: ['mails:read'] },
    });
    expect((await t.call(method, URL, { token: key.body.key })).body.code).toBe('forbidden');
  }
});
