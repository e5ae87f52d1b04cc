import { beforeEach, describe, expect, test } from 'vitest';
import type { Notification, NotificationPage } from '../../../contract/mail/notifications.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';
import { deletePastReads } from './notification-reads.queries.ts';
import { currentItems } from './notifications.queries.ts';

/** The notifications: what needs attention now, and which of it each user has read (LIFE-10). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/notifications/';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

async function bell(token = t.token): Promise<NotificationPage> {
  const { status, body } = await t.call('GET', URL, { token });
  expect(status).toBe(200);
  return body;
}

const read = (ids?: string[], token = t.token) =>
  t.call('POST', `${URL}read/`, { token, ...(ids && { body: { ids } }) });

const said = ({ results }: NotificationPage) => results.map(({ kind, message }) => [kind, message]);

async function fail(license: number): Promise<void> {
  const { id } = await t.db
    .selectFrom('outbox')
    .select('id')
    .where('license_id', '=', license)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await t.db.updateTable('outbox').set({ status: 'failed' }).where('id', '=', id).execute();
}

async function secondUser(): Promise<string> {
  await t.call('POST', '/api/auth/register/', {
    body: { username: 'segunda', password: 'secreta1', names: 'Eva', email: 'eva@example.com' },
  });
  return signInAs(t, 'segunda', 'secreta1');
}

describe('the notifications', () => {
  test('list expiring licences, failed mails and full seats, newest first, and disappear when the cause is gone (LIFE-10)', async () => {
    expect(await bell()).toEqual({ unread: 0, results: [] });
    const soon = await createLicense(t, { expiry_days: 29 });
    const { client, software } = soon;
    await createLicense(t, { client: client.id, software: software.id, expiry_days: 31 });
    await createLicense(t, { client: client.id, software: software.id, expiry_days: 5, status: 'suspended' });
    const full = await createLicense(t, { client: client.id, software: software.id, max_installations: 1 });
    t.clock.set('2026-11-21T18:05:00.000Z');
    await activate(t, full.license_key, 'caja-01');
    const unsent = await createLicense(t, { client: client.id, software: software.id });
    t.clock.set('2026-11-21T18:10:00.000Z');
    await t.call('POST', `/licenses/api/licenses/${unsent.id}/resend_email/`);
    await fail(unsent.id);

    const page = await bell();
    const name = `La licencia de ${client.name} para ${soon.software_name} ${soon.software_version}`;
    expect(page.unread).toBe(3);
    expect(said(page)).toEqual([
      ['mail_failed', `No se pudo entregar un correo a ${client.email}`],
      ['seats_full', `${name} usa su único lugar`],
      ['expiring', `${name} vence el 20/12/2026`],
    ]);
    expect(
      page.results.map(({ at, license, client: of, read: isRead }) => [at, license, of, isRead]),
    ).toEqual([
      ['2026-11-21T18:10:00.000Z', link(unsent), { id: client.id, name: client.name }, false],
      ['2026-11-21T18:05:00.000Z', link(full), { id: client.id, name: client.name }, false],
      [NOW, link(soon), { id: client.id, name: client.name }, false],
    ]);

    await t.call('POST', `/licenses/api/licenses/${unsent.id}/resend_email/`);
    await t.call('PUT', `/licenses/api/licenses/${full.id}/`, { body: { max_installations: 2 } });
    await t.call('POST', `/licenses/api/licenses/${soon.id}/renew/`, { body: {} });
    expect(await bell()).toEqual({ unread: 0, results: [] });
  });

  test('a licence sold for less than thirty days is shown from its sale on', async () => {
    const trial = await createLicense(t, { status: 'trial', license_type: 'trial', expiry_days: 15 });
    t.clock.set('2026-12-06T18:00:00.000Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    expect((await bell()).results).toMatchObject([{ at: NOW, license: { id: trial.id } }]);
    t.clock.set('2026-12-07T18:00:00.000Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    expect((await bell()).results).toEqual([]);
  });

  test('a longer licence is shown from thirty days before its end, and equal times are ordered by id', async () => {
    const first = await createLicense(t, { expiry_days: 45 });
    const second = await createLicense(t, { expiry_days: 45, status: 'trial', license_type: 'trial' });
    t.clock.set('2026-12-20T18:00:00.000Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    // The start of the local day on which it has 30 days_remaining (D136).
    const near = '2026-12-06T06:00:00.000Z';
    expect(first.expiry_date).toBe('2027-01-06T05:59:59.000Z');
    expect((await bell()).results).toMatchObject([
      { at: near, license: { id: second.id } },
      { at: near, license: { id: first.id } },
    ]);
  });

  test('a licence whose several seats are all used shows how many', async () => {
    const full = await createLicense(t, { max_installations: 2 });
    await activate(t, full.license_key, 'caja-01');
    await activate(t, full.license_key, 'caja-02');
    expect((await bell()).results).toMatchObject([{ message: expect.stringMatching(/usa sus 2 lugares$/) }]);
  });

  test('a person who may not read licences or mails gets no notification of them', async () => {
    const soon = await createLicense(t, { expiry_days: 10, max_installations: 1 });
    await activate(t, soon.license_key, 'caja-01');
    await fail(soon.id);
    const kindsFor = async (...permissions: Permission[]) => {
      const reader = {
        role: 'viewer' as const,
        permissions: new Set(permissions),
        now: t.context.now(),
        timeZone: 'UTC',
        mayMakeCopies: true,
      };
      return (await currentItems(t.db, reader)).map(({ kind }) => kind).sort();
    };
    expect(await kindsFor('licenses:read')).toEqual(['expiring', 'seats_full']);
    expect(await kindsFor('mails:read')).toEqual(['mail_failed']);
    expect(await kindsFor()).toEqual([]);
  });

  test('at most fifty are returned, and other kinds never push out the expiring licences', async () => {
    const first = await createLicense(t, { expiry_days: 20 });
    const terms = { client: first.client.id, software: first.software.id };
    const failed = await createLicense(t, { ...terms, expiry_days: 300 });
    await fail(failed.id);
    const one = await t.db
      .selectFrom('outbox')
      .selectAll()
      .where('license_id', '=', failed.id)
      .executeTakeFirstOrThrow();
    await t.db
      .insertInto('outbox')
      .values(
        Array.from({ length: 60 }, (_, index) => {
          const { id: _id, ...message } = one;
          const to_address = `m${index}@example.com`;
          return { ...message, license_id: null, client_id: null, to_address, message_id: `m${index}` };
        }),
      )
      .execute();
    const { results, unread } = await bell();
    expect([results.length, unread]).toEqual([50, 50]);
    expect(results.filter(({ kind }) => kind === 'expiring')).toHaveLength(1);
    expect(results.find(({ license }) => license === null)).toMatchObject({
      kind: 'mail_failed',
      client: null,
    });
  });

  test('full licences get only the places that all others leave, however new they are (DESK-01)', async () => {
    const first = await createLicense(t, { expiry_days: 20 });
    const terms = { client: first.client.id, software: first.software.id };
    for (let index = 0; index < 9; index += 1) await createLicense(t, { ...terms, expiry_days: 10 });
    t.clock.advance(60_000);
    for (let index = 0; index < 45; index += 1) {
      const full = await createLicense(t, { ...terms, max_installations: 1 });
      await activate(t, full.license_key, `caja-${index}`);
    }
    const { results } = await bell();
    expect(results.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 40 }, () => 'seats_full'),
      ...Array.from({ length: 10 }, () => 'expiring'),
    ]);
  });

  test('a mail about no licence is over once it was sent again to the same person (DESK-01)', async () => {
    const license = await createLicense(t, { expiry_days: 300 });
    const { id: _id, ...message } = await t.db
      .selectFrom('outbox')
      .selectAll()
      .where('license_id', '=', license.id)
      .executeTakeFirstOrThrow();
    const mail = (message_id: string, to_address: string, status: 'failed' | 'queued' | 'cancelled') =>
      t.db
        .insertInto('outbox')
        .values({ ...message, license_id: null, client_id: null, message_id, to_address, status })
        .execute();
    await mail('uno', 'Ana@example.com', 'failed');
    await mail('dos', 'beto@example.com', 'failed');
    await mail('tres', 'beto@example.com', 'cancelled');
    expect((await bell()).results).toHaveLength(2);
    await mail('cuatro', 'ana@example.com', 'queued');
    expect(said(await bell())).toEqual([['mail_failed', 'No se pudo entregar un correo a beto@example.com']]);
  });

  test('a call without a session is refused, and a user sees only what that user may read', async () => {
    expect((await t.call('GET', URL, { token: null })).status).toBe(401);
    expect((await t.call('POST', `${URL}read/`, { token: null })).status).toBe(401);
    expect((await t.call('POST', `${URL}read/`, { body: { ids: 'x' } })).status).toBe(400);
  });
});

describe('read notifications', () => {
  test('are counted for each user, by ids or all at once, and stay read (LIFE-10)', async () => {
    const soon = await createLicense(t, { expiry_days: 10 });
    const terms = { client: soon.client.id, software: soon.software.id };
    await createLicense(t, { ...terms, expiry_days: 20 });
    const other = await secondUser();
    const [newest, oldest] = (await bell()).results as [Notification, Notification];

    expect((await read([oldest.id, 'expiring-999-1', 'nada'])).body).toEqual({ success: true, unread: 1 });
    const after = await bell();
    expect([after.unread, after.results.map(({ id, read: isRead }) => [id, isRead])]).toEqual([
      1,
      [
        [newest.id, false],
        [oldest.id, true],
      ],
    ]);
    expect((await bell(other)).unread).toBe(2);
    expect((await read()).body).toEqual({ success: true, unread: 0 });
    expect((await read()).body).toEqual({ success: true, unread: 0 });
    expect((await bell(other)).unread).toBe(2);
    expect(await t.db.selectFrom('notification_reads').selectAll().execute()).toHaveLength(2);
  });

  test('a cause that comes back is unread again: renewed and expiring again, full again, failed again', async () => {
    const soon = await createLicense(t, { expiry_days: 10, max_installations: 1 });
    const machine = (await activate(t, soon.license_key, 'caja-01')).body;
    await fail(soon.id);
    expect((await bell()).unread).toBe(3);
    await read();

    // After a suspension and its end it is the same notification.
    await t.call('POST', `/licenses/api/licenses/${soon.id}/suspend/`, { body: {} });
    expect(said(await bell()).map(([kind]) => kind)).toEqual(['mail_failed']);
    await t.call('POST', `/licenses/api/licenses/${soon.id}/reinstate/`, { body: {} });
    expect((await bell()).results.map(({ kind, read: isRead }) => [kind, isRead])).toEqual(
      expect.arrayContaining([
        ['expiring', true],
        ['seats_full', true],
      ]),
    );

    await t.call('DELETE', `/licenses/api/installations/${machine.id}/`);
    await activate(t, soon.license_key, 'caja-02');
    await t.call('POST', `/licenses/api/licenses/${soon.id}/resend_email/`);
    await fail(soon.id);
    await t.call('POST', `/licenses/api/licenses/${soon.id}/renew/`, { body: { expiry_days: 5 } });
    await t.deliveredMail();
    const again = await bell();
    expect(again.results.filter(({ read: isRead }) => isRead)).toEqual([]);
    expect(said(again).map(([kind]) => kind)).toEqual(expect.arrayContaining(['expiring', 'seats_full']));
  });

  test('the read marks of past notifications are deleted, the others stay', async () => {
    const soon = await createLicense(t, { expiry_days: 10, max_installations: 1 });
    const machine = (await activate(t, soon.license_key, 'caja-01')).body;
    await fail(soon.id);
    await read();
    const marks = async () =>
      (await t.db.selectFrom('notification_reads').select('kind').orderBy('kind').execute()).map(
        ({ kind }) => kind,
      );
    await deletePastReads(t.db, new Date(NOW));
    expect(await marks()).toEqual(['expiring', 'mail_failed', 'seats_full']);
    await t.call('DELETE', `/licenses/api/installations/${machine.id}/`);
    await deletePastReads(t.db, new Date(NOW));
    expect(await marks()).toEqual(['expiring', 'mail_failed']);
    await t.call('POST', `/licenses/api/licenses/${soon.id}/resend_email/`);
    await deletePastReads(t.db, new Date('2027-01-01T00:00:00.000Z'));
    expect(await marks()).toEqual([]);
  });
});

const link = ({ id, license_key }: { id: number; license_key: string }) => ({ id, license_key });
