import { describe, expect, onTestFinished, test } from 'vitest';
import type { SettingsValues } from '../../../contract/settings/settings.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { deliverDue } from '../../../test/deliver-mail.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import { runJob } from '../../../test/run-job.ts';
import { startSmtpPeer } from '../../../test/smtp-peer.ts';
import { writeSettings } from '../settings/settings.queries.ts';
import { reminderJob } from './reminder-job.ts';
import { findCandidates } from './reminders.queries.ts';

/** Reminders: to which client, about which licences, when, and how often (LIFE-08). México is at UTC-6. */

const NOW = '2026-11-21T18:00:00.000Z';
const url = (id: number, action = '') => `/licenses/api/licenses/${id}/${action}`;

async function createRemindingApp(options: { now?: string; zone?: string } = {}) {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  const t = await createTestApp({
    now: options.now ?? NOW,
    env: {
      SMTP_URL: peer.url,
      PUBLIC_URL: 'https://licencias.example.com',
      BUSINESS_TIMEZONE: options.zone ?? '',
    },
  });
  // The first run of an installation only stores the day.
  await runJob(t.context, reminderJob);
  return { t, peer };
}

async function moveTo(t: TestApp, moment: string): Promise<void> {
  t.clock.set(moment);
  t.token = await signInAs(t, 'admin', 'admin123');
}

const run = (t: TestApp) => runJob(t.context, reminderJob);
async function runAt(t: TestApp, moment: string): Promise<void> {
  t.clock.set(moment);
  await run(t);
}

const mailsOf = (t: TestApp) =>
  t.db
    .selectFrom('outbox')
    .select(['subject', 'to_address', 'body_text', 'client_id', 'created_at'])
    .where('kind', '=', 'license_reminder')
    .orderBy('id')
    .execute();
const subjectsOf = async (t: TestApp) => (await mailsOf(t)).map(({ subject }) => subject);

let version = 0;
const change = (t: TestApp, changed: Partial<SettingsValues>) => {
  version += 1;
  return writeSettings(t.db, changed, new Date(t.context.now().getTime() + version).toISOString());
};

describe('a reminder', () => {
  test('is one mail per client with all licences that are due, with an event for each', async () => {
    const { t, peer } = await createRemindingApp();
    const client = await createClient(t, { name: 'Ana López', email: 'ana@example.com' });
    const first = await createLicense(t, { client: client.id, expiry_date: '2026-12-22' });
    const second = await createLicense(t, { client: client.id, expiry_date: '2026-11-29' });
    const later = await createLicense(t, { client: client.id, expiry_date: '2027-06-01' });
    await runAt(t, '2026-11-22T14:59:59.000Z');
    expect(await mailsOf(t)).toEqual([]);
    await runAt(t, '2026-11-22T15:00:00.000Z');
    await run(t);
    expect(await mailsOf(t)).toMatchObject([
      { to_address: 'ana@example.com', subject: '2 de sus licencias vencen pronto', client_id: client.id },
    ]);
    await deliverDue(t);
    const { email, raw } = peer.accepted.find((mail) => mail.email.subject?.includes('pronto'))!;
    expect(email.text).toContain(`${second.software_name} 1.0.0`);
    expect(email.text).toContain(first.software_name);
    expect(email.text).not.toContain(later.software_name);
    expect(raw).toMatch(
      /^List-Unsubscribe:\s+<https:\/\/licencias\.example\.com\/licenses\/api\/unsubscribe\/[\w-]{43}>/m,
    );
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');

    await moveTo(t, '2026-11-22T15:01:00.000Z');
    const { body } = await t.call('GET', '/licenses/api/events/?type=license.reminded');
    expect(body.results).toMatchObject([
      { actor: { kind: 'system' }, license: { id: second.id }, client: { id: client.id } },
      { actor: { kind: 'system' }, license: { id: first.id }, client: { id: client.id } },
    ]);
  });

  test('is not sent for a mark of 30 days for each month of the term, or more (MONEY-10)', async () => {
    const { t } = await createRemindingApp();
    await change(t, { reminder_days: [60, 30, 7] });
    const daysOf = async (values: object, until: number) => {
      const license = await createLicense(t, { ...values });
      await t.call('POST', url(license.id, 'renew/'), { body: values });
      const days = [];
      for (let day = 22; day <= until; day += 1) {
        const at = new Date(Date.UTC(2026, 10, day, 15)).toISOString();
        const before = (await mailsOf(t)).length;
        await runAt(t, at);
        if ((await mailsOf(t)).length > before) days.push(at.slice(0, 10));
      }
      await t.db.deleteFrom('licenses').execute();
      await t.db.deleteFrom('reminder_runs').execute();
      await moveTo(t, NOW);
      await run(t);
      return days;
    };
    // Two months, of which the second is sold at once: to 21 January.
    expect(await daysOf({ expiry_months: 1 }, 85)).toEqual(['2027-01-14']);
    expect(await daysOf({ expiry_days: 30 }, 85)).toEqual(['2026-12-21', '2027-01-13']);
    expect(await daysOf({ expiry_months: 2 }, 150)).toEqual(['2027-02-19', '2027-03-14']);
  });

  test('is sent on each configured day, also on the day after the end, and not between', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-31' });
    const days = [];
    for (let day = 22; day <= 80; day += 1) {
      const at = new Date(Date.UTC(2026, 10, day, 15)).toISOString();
      const before = (await mailsOf(t)).length;
      await runAt(t, at);
      if ((await mailsOf(t)).length > before) days.push(at.slice(0, 10));
    }
    expect(days).toEqual(['2026-12-01', '2026-12-24', '2026-12-30', '2027-01-01']);
    expect(await subjectsOf(t)).toEqual([
      expect.stringContaining('vence en 30 días'),
      expect.stringContaining('vence en 7 días'),
      expect.stringContaining('vence mañana'),
      expect.stringContaining('venció ayer'),
    ]);
  });

  test('uses a short text when several licences end', async () => {
    const { t } = await createRemindingApp();
    const ends = [
      ['2026-12-31', '2026-12-31'],
      ['2026-12-01', '2026-12-01'],
      ['2026-12-01', '2026-11-30'],
    ];
    for (const days of ends) {
      const { id } = await createClient(t);
      for (const expiry_date of days) await createLicense(t, { client: id, expiry_date });
    }
    await runAt(t, '2026-12-02T15:00:00.000Z');
    expect(await subjectsOf(t)).toEqual([
      '2 de sus licencias vencen en 29 días',
      '2 de sus licencias vencieron ayer',
      '2 de sus licencias ya vencieron',
    ]);
  });

  test('a reminder for a trial uses the configured days of trials', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { status: 'trial', license_type: 'trial', expiry_date: '2026-12-31' });
    for (let day = 22; day <= 80; day += 1)
      await runAt(t, new Date(Date.UTC(2026, 10, day, 15)).toISOString());
    expect((await mailsOf(t)).map(({ created_at }) => created_at.slice(0, 10))).toEqual([
      '2026-12-28',
      '2026-12-31',
    ]);
  });

  test('is sent later the same day, or the day after when the day was missed', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-02T05:30:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(1);
    await runAt(t, '2026-12-25T08:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(1);
    await runAt(t, '2026-12-25T15:00:00.000Z');
    expect(await subjectsOf(t)).toEqual([expect.any(String), expect.stringContaining('vence en 6 días')]);
  });

  test('a reminder after the server was down is sent only for the latest configured day, if it still applies', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-31' });
    const over = await createLicense(t, {
      expiry_date: '2026-12-28',
      status: 'trial',
      license_type: 'trial',
    });
    await runAt(t, '2026-12-30T16:00:00.000Z');
    expect(await mailsOf(t)).toMatchObject([{ subject: expect.stringContaining('vence mañana') }]);
    await moveTo(t, '2026-12-30T16:00:00.000Z');
    expect(
      (await t.call('GET', `/licenses/api/events/?license=${over.id}&type=license.reminded`)).body.results,
    ).toEqual([]);
    await runAt(t, '2027-02-01T16:00:00.000Z');
    expect(await subjectsOf(t)).toEqual([expect.any(String), expect.stringContaining('venció hace 32 días')]);
  });

  test('is sent once a day to a client, also when that to another client fails and the run is repeated', async () => {
    const { t } = await createRemindingApp();
    const broken = await createLicense(t, { expiry_date: '2026-12-31' });
    const { client } = await createLicense(t, { expiry_date: '2026-12-31' });
    // The reminder of one client fails, because its licence has no term: the term is assigned to another licence
    // meanwhile.
    const far = await createLicense(t, { expiry_date: '2028-12-31' });
    const term = await t.db
      .selectFrom('license_terms')
      .select('id')
      .where('license_id', '=', broken.id)
      .executeTakeFirstOrThrow();
    const giveTerm = (license_id: number) =>
      t.db.updateTable('license_terms').set({ license_id }).where('id', '=', term.id).execute();
    await giveTerm(far.id);
    const addresses = async () => (await mailsOf(t)).map(({ to_address }) => to_address);
    await expect(runAt(t, '2026-12-01T15:00:00.000Z')).rejects.toThrow();
    expect(await addresses()).toEqual([client.email]);

    // Another licence of the same client becomes due before the run is tried again.
    await moveTo(t, '2026-11-20T15:00:00.000Z');
    await createLicense(t, { client: client.id, expiry_date: '2026-12-31' });
    await expect(runAt(t, '2026-12-01T15:01:00.000Z')).rejects.toThrow();
    expect(await addresses()).toEqual([client.email]);
    await giveTerm(broken.id);
    await runAt(t, '2026-12-01T15:02:00.000Z');
    expect(await addresses()).toEqual([client.email, broken.client.email]);
  });

  test('reminders of a stopped run are sent by the next run', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-31' });
    t.clock.set('2026-12-01T15:00:00.000Z');
    await runJob(t.context, reminderJob, AbortSignal.abort());
    expect(await mailsOf(t)).toEqual([]);
    await run(t);
    expect(await mailsOf(t)).toHaveLength(1);
  });

  test('is sent for all licences that are due, also when they are more than one page', async () => {
    const { t } = await createRemindingApp();
    await insertManyLicenses(t.db, 1500);
    await t.db.updateTable('licenses').set({ expiry_date: '2027-01-01T05:59:59.000Z' }).execute();
    const days = [{ from: '2026-12-31', to: '2026-12-31' }];
    const [found] = (await findCandidates(t.db, days, 'America/Mexico_City')).values();
    expect(found).toHaveLength(1500);
  });

  test('is not sent for licences that are cancelled, suspended or renewed', async () => {
    const { t } = await createRemindingApp();
    const cancelled = await createLicense(t, { expiry_date: '2026-12-31' });
    const suspended = await createLicense(t, { expiry_date: '2026-12-31' });
    const renewed = await createLicense(t, { expiry_date: '2026-12-31' });
    await t.call('POST', url(cancelled.id, 'cancel/'), { body: {} });
    await t.call('POST', url(suspended.id, 'suspend/'), { body: {} });
    await t.call('POST', url(renewed.id, 'renew/'), { body: { expiry_days: 365 } });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    expect(await mailsOf(t)).toEqual([]);
  });

  test('is sent again for each term, and not again when a renewal is undone', async () => {
    const { t } = await createRemindingApp();
    const license = await createLicense(t, { expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    await moveTo(t, '2026-12-01T20:00:00.000Z');
    await t.call('POST', url(license.id, 'renew/'), { body: { expiry_date: '2027-12-31' } });
    await t.call('POST', url(license.id, 'undo_renewal/'), { body: {} });
    await runAt(t, '2026-12-02T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(1);
    await moveTo(t, '2026-12-02T20:00:00.000Z');
    await t.call('POST', url(license.id, 'renew/'), { body: { expiry_date: '2027-12-31' } });
    await runAt(t, '2027-11-30T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(1);
    await runAt(t, '2027-12-01T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(2);
  });

  test('is not sent for a day that was past when the licence was created', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-05' });
    await runAt(t, '2026-11-22T15:00:00.000Z');
    expect(await mailsOf(t)).toEqual([]);
    await runAt(t, '2026-11-28T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(1);
    // An imported licence whose issue is earlier than its row.
    await moveTo(t, '2026-11-28T15:00:00.000Z');
    const imported = await createLicense(t, { expiry_date: '2027-01-20' });
    await t.db.updateTable('license_terms').set({ created_at: '2025-01-01T00:00:00.000Z' }).execute();
    await t.db
      .updateTable('licenses')
      .set({ created_at: '2026-12-25T00:00:00.000Z' })
      .where('id', '=', imported.id)
      .execute();
    await runAt(t, '2026-12-26T15:00:00.000Z');
    expect((await mailsOf(t)).filter(({ client_id }) => client_id === imported.client.id)).toEqual([]);
  });

  test('is not sent twice or late when settings change', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    // Twelve days before the end: the mark of 15 days has passed, the mark of 10 days has not.
    t.clock.set('2026-12-19T18:00:00.000Z');
    await change(t, { reminder_days: [30, 15, 10] });
    await runAt(t, '2026-12-20T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(1);
    await runAt(t, '2026-12-21T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(2);

    await change(t, { reminders_enabled: false, reminder_days: [5] });
    await runAt(t, '2026-12-26T15:00:00.000Z');
    t.clock.set('2026-12-26T18:00:00.000Z');
    await change(t, { reminders_enabled: true, reminder_days: [5, 3] });
    await runAt(t, '2026-12-27T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(2);
    await runAt(t, '2026-12-28T15:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(3);

    // A mark that is added after the server was down does not count for the days before.
    t.clock.set('2026-12-30T18:00:00.000Z');
    await change(t, { reminder_days: [2] });
    await runAt(t, '2026-12-30T19:00:00.000Z');
    expect(await subjectsOf(t)).toHaveLength(3);
  });

  test('is sent at nine also on days when the clocks change', async () => {
    const { t } = await createRemindingApp({ now: '2027-02-01T12:00:00.000Z', zone: 'America/New_York' });
    await createLicense(t, { expiry_date: '2027-03-21' });
    await createLicense(t, { expiry_date: '2027-11-14' });
    await runAt(t, '2027-03-14T12:59:59.000Z');
    expect(await mailsOf(t)).toHaveLength(0);
    await runAt(t, '2027-03-14T13:00:00.000Z');
    expect(await mailsOf(t)).toHaveLength(1);
    const before = await mailsOf(t);
    await runAt(t, '2027-11-06T13:00:00.000Z');
    const autumn = await mailsOf(t);
    expect(autumn.length).toBeGreaterThan(before.length);
    await runAt(t, '2027-11-07T13:59:59.000Z');
    expect(await mailsOf(t)).toHaveLength(autumn.length);
    await runAt(t, '2027-11-07T14:00:00.000Z');
    expect(await mailsOf(t)).toHaveLength(autumn.length + 1);
  });
});

describe('a client with reminders turned off', () => {
  const tokenOf = async (t: TestApp) =>
    (await t.db.selectFrom('reminded_clients').select('token').executeTakeFirstOrThrow()).token;

  test('gets none, and no past one after turning them on again', async () => {
    const { t } = await createRemindingApp();
    const client = await createClient(t, { reminders: false });
    expect(client.reminders).toBe(false);
    await createLicense(t, { client: client.id, expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    expect(await mailsOf(t)).toEqual([]);
    await moveTo(t, '2026-12-01T18:00:00.000Z');
    const { body } = await t.call('PUT', `/licenses/api/clients/${client.id}/`, {
      body: { reminders: true },
    });
    expect(body.reminders).toBe(true);
    await runAt(t, '2026-12-02T15:00:00.000Z');
    expect(await mailsOf(t)).toEqual([]);
  });

  test('can turn them off by the link of the mail: a GET only asks, a POST works without a session', async () => {
    const { t } = await createRemindingApp();
    await change(t, { vendor_name: 'Cajas & Más' });
    const client = await createClient(t, { name: 'Ana López' });
    await createLicense(t, { client: client.id, expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    const link = `/licenses/api/unsubscribe/${await tokenOf(t)}`;
    const remindersOf = async () =>
      (await t.call('GET', `/licenses/api/clients/${client.id}/`)).body.reminders;
    await moveTo(t, '2026-12-01T18:00:00.000Z');

    for (let times = 0; times < 2; times += 1) {
      const asked = await t.call('GET', link, { token: null });
      expect(asked.status).toBe(200);
      expect(asked.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(asked.text).toContain('Cajas &#38; Más');
      expect(asked.text).toContain('<button type="submit">Dejar de recibir avisos</button>');
      expect(asked.text).not.toContain('Ana');
    }
    expect(await remindersOf()).toBe(true);

    const oneClick = {
      token: null,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    const acted = await t.call('POST', link, oneClick);
    expect(acted.status).toBe(200);
    expect(acted.text).toContain('Ya no recibirá avisos');
    expect(acted.text).not.toContain('/portal');
    await t.call('PUT', '/licenses/api/settings/', { body: { portal_enabled: true } });
    const withPortal = await t.call('GET', link, { token: null });
    expect(withPortal.text).toContain(`<a href="${t.context.config.clientUrl}/portal">Ver mis licencias</a>`);
    expect((await t.call('POST', link, oneClick)).status).toBe(200);
    expect((await t.call('GET', link, { token: null })).text).not.toContain('<button');
    expect(await remindersOf()).toBe(false);

    const { body } = await t.call('GET', `/licenses/api/events/?client=${client.id}&type=client.updated`);
    expect(body.results).toMatchObject([
      {
        actor: { kind: 'client', id: client.id, name: 'Ana López' },
        changes: { reminders: { before: true, after: false } },
      },
    ]);
    await runAt(t, '2026-12-24T15:00:00.000Z');
    expect(await mailsOf(t)).toHaveLength(1);
  });

  test('can also send the form as multipart, and an unknown link is a page with 404', async () => {
    const { t } = await createRemindingApp();
    const client = await createClient(t);
    await createLicense(t, { client: client.id, expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    const parts = {
      token: null,
      payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    };
    for (const method of ['GET', 'POST']) {
      const unknown = await t.call(method, '/licenses/api/unsubscribe/nadie', parts);
      expect(unknown.status).toBe(404);
      expect(unknown.text).toContain('Este enlace no es válido');
    }
    expect((await t.call('POST', `/licenses/api/unsubscribe/${await tokenOf(t)}/`, parts)).status).toBe(200);
    await moveTo(t, '2026-12-01T18:00:00.000Z');
    expect((await t.call('GET', `/licenses/api/clients/${client.id}/`)).body.reminders).toBe(false);
  });

  test('no answer shows the token of the unsubscribe link', async () => {
    const { t } = await createRemindingApp();
    await createLicense(t, { expiry_date: '2026-12-31' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    const { secrets } = await t.db
      .selectFrom('outbox')
      .select('secrets')
      .where('kind', '=', 'license_reminder')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(secrets)).toEqual([await tokenOf(t)]);
  });
});

describe('an address that permanently refuses a reminder', () => {
  test('gets no more reminders, is marked, and is unmarked when mail arrives or the address changes', async () => {
    const { t, peer } = await createRemindingApp();
    const client = await createClient(t, { email: 'Lleno@example.com' });
    const license = await createLicense(t, { client: client.id, expiry_date: '2026-12-31' });
    await deliverDue(t);
    const bounced = async () =>
      (await t.call('GET', `/licenses/api/clients/${client.id}/`)).body.email_bounced_at;
    const refuse = async (moment: string) => {
      peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
      await runAt(t, moment);
      await deliverDue(t);
      peer.answers.recipient = () => 'accept';
      await moveTo(t, moment);
    };
    await refuse('2026-12-01T15:00:00.000Z');
    expect(await bounced()).toBe('2026-12-01T15:00:00.000Z');
    await runAt(t, '2026-12-24T15:00:00.000Z');
    expect(await mailsOf(t)).toHaveLength(1);

    // A mail that a person requests is still sent, and its delivery removes the stored refusal.
    await moveTo(t, '2026-12-24T16:00:00.000Z');
    await t.call('POST', url(license.id, 'resend_email/'));
    await deliverDue(t);
    expect(await bounced()).toBeNull();

    await refuse('2026-12-30T15:00:00.000Z');
    expect(await bounced()).not.toBeNull();
    await t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { email: 'nueva@example.com' } });
    expect(await bounced()).toBeNull();
    await runAt(t, '2027-01-01T15:00:00.000Z');
    expect((await mailsOf(t)).map(({ to_address }) => to_address)).toEqual([
      'Lleno@example.com',
      'Lleno@example.com',
      'nueva@example.com',
    ]);
  });

  test('a temporary refusal, or that of a mail that a person requested, does not mark the address', async () => {
    const { t, peer } = await createRemindingApp();
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    const license = await createLicense(t, { expiry_date: '2026-12-31' });
    await deliverDue(t);
    peer.answers.recipient = () => ({ code: 451, text: 'más tarde' });
    await runAt(t, '2026-12-01T15:00:00.000Z');
    await deliverDue(t);
    await moveTo(t, '2026-12-01T15:00:01.000Z');
    const { body } = await t.call('GET', `/licenses/api/clients/${license.client.id}/`);
    expect(body.email_bounced_at).toBeNull();
  });
});
