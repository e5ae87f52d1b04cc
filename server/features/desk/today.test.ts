import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  TODAY_ACTION_OF,
  TODAY_COUNT_MAX,
  TODAY_KINDS,
  TODAY_MAX,
  type TodayItem,
  type TodayKind,
  type TodayList,
} from '../../../contract/desk/today.ts';
import type { LicenseInput } from '../../../contract/licenses/licenses.ts';
import { KEY_PERMISSIONS, type Permission, ROLES, type Role } from '../../../contract/people/permissions.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue } from '../../../test/deliver-mail.ts';
import { emptyFolder } from '../../../test/empty-folder.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { openPaymentShop } from '../../../test/payment-shop.ts';
import { Browser, setSettings } from '../../../test/portal.ts';
import { runJob } from '../../../test/run-job.ts';
import { startReceiver } from '../../../test/webhook-receiver.ts';
import { storeCollectedChecks } from '../programs/checks/collect-checks.ts';
import { backupJob } from '../system/copies/backup-job.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';
import { webhookJob } from '../webhooks/webhook-job.ts';
import { TODAY_SOURCES } from './today/sources.ts';

/** 'Para hoy': what somebody must do now, for whom, and what staff marked (DESK-01). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/today/';
const DAY_MS = 24 * 60 * 60_000;

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

/** Lets days pass, and signs in again. */
async function pass(days: number, app = t): Promise<void> {
  app.clock.advance(days * DAY_MS);
  app.token = await signInAs(app, 'admin', 'admin123');
}

async function list(app = t, token = app.token): Promise<TodayList> {
  const { status, body } = await app.call('GET', URL, { token });
  expect(status).toBe(200);
  return body;
}

const rowsOf = async (kind: TodayKind, app = t): Promise<TodayItem[]> =>
  (await list(app)).results.filter((row) => row.kind === kind);
const idsOf = async (app = t, token = app.token) => (await list(app, token)).results.map(({ id }) => id);
const mark = (id: string, verb: string, body?: object, token = t.token) =>
  t.call('POST', `${URL}${id}/${verb}/`, { token, ...(body && { body }) });

async function memberOf(role: Role): Promise<string> {
  const username = `persona-${role}`;
  await t.call('POST', '/api/auth/register/', {
    body: { username, password: 'secreta1-muy-larga', names: 'Eva', email: `${role}@example.com` },
  });
  const { body } = await t.call('GET', '/licenses/api/users/?page_size=50&page=1');
  const { id } = body.results.find((user: { username: string }) => user.username === username);
  await t.call('PUT', `/licenses/api/users/${id}/`, { body: { role } });
  return signInAs(t, username, 'secreta1-muy-larga');
}

async function keyWith(...permissions: Permission[]): Promise<string> {
  const { body } = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: permissions.join(' ') || 'nada', permissions },
  });
  return body.key;
}

const suspend = (id: number, app = t) =>
  app.call('POST', `/licenses/api/licenses/${id}/suspend/`, { body: {} });

/** A program that finds no free seat. */
async function refuse(values: Partial<LicenseInput> = {}) {
  const license = await createLicense(t, { max_installations: 1, ...values });
  await activate(t, license.license_key, 'caja-1');
  await activate(t, license.license_key, 'caja-2');
  await storeCollectedChecks(t.context);
  return license;
}

test('every kind has one source, in the order of urgency (DESK-01)', () => {
  expect(TODAY_SOURCES.map(({ kind }) => kind)).toEqual(TODAY_KINDS);
});

test('nothing to do is an empty list, and a call without a session is refused (DESK-01)', async () => {
  expect(await list()).toEqual({ count: 0, count_is_exact: true, results: [] });
  for (const verb of ['done', 'later', 'reopen'])
    expect((await t.call('POST', `${URL}expiring:1:2026-11-25/${verb}/`, { token: null })).status).toBe(401);
  expect((await t.call('GET', URL, { token: null })).status).toBe(401);
});

describe('licences near their end', () => {
  test('end within seven days, the nearest first; later ones, suspended and cancelled ones are no matter (DESK-01)', async () => {
    const soon = await createLicense(t, { expiry_days: 7, price: 1500 });
    const terms = { client: soon.client.id, software: soon.software.id };
    const sooner = await createLicense(t, { ...terms, expiry_days: 1 });
    await createLicense(t, { ...terms, expiry_days: 8 });
    await suspend((await createLicense(t, { ...terms, expiry_days: 5 })).id);
    const ended = await createLicense(t, { ...terms, expiry_days: 5 });
    await t.call('POST', `/licenses/api/licenses/${ended.id}/cancel/`, { body: { reason: 'Fin' } });

    const { client, software_name, software_version } = soon;
    expect(await list()).toEqual({
      count: 2,
      count_is_exact: true,
      results: [
        expect.objectContaining({ id: `expiring:${sooner.id}:2026-11-22` }),
        {
          id: `expiring:${soon.id}:2026-11-28`,
          kind: 'expiring',
          at: NOW,
          title: `La licencia de ${client.name} está por vencer`,
          detail: `${software_name} ${software_version} vence en 7 días, el 28/11/2026`,
          client: { id: client.id, name: client.name },
          license: { id: soon.id, license_key: soon.license_key },
          amount: 1500,
          currency: 'MXN',
          action: 'renew_license',
          due: '2026-11-28',
        },
      ],
    });
  });

  test('a trial is a kind of its own, within three days, whether its status or its category says so (DESK-01)', async () => {
    const trial = await createLicense(t, { status: 'trial', license_type: 'trial', expiry_days: 3 });
    const terms = { client: trial.client.id, software: trial.software.id };
    const typed = await createLicense(t, { ...terms, license_type: 'trial', expiry_days: 2 });
    await createLicense(t, { ...terms, status: 'trial', license_type: 'trial', expiry_days: 4 });
    expect(await idsOf()).toEqual([
      `trial_ending:${typed.id}:2026-11-23`,
      `trial_ending:${trial.id}:2026-11-24`,
    ]);
  });

  test('the trials of nobody are no matter (SELL-04)', async () => {
    const trial = await createLicense(t, { status: 'trial', license_type: 'trial', expiry_days: 2 });
    await t.db.updateTable('clients').set({ is_system: true }).where('id', '=', trial.client.id).execute();
    expect((await list()).count).toBe(0);
  });

  test('an ended licence is shown for fourteen days, the last ended first, until it is renewed (DESK-01)', async () => {
    const first = await createLicense(t, { expiry_days: 1 });
    const terms = { client: first.client.id, software: first.software.id };
    const second = await createLicense(t, { ...terms, expiry_days: 2 });
    await createLicense(t, { ...terms, status: 'trial', license_type: 'trial', expiry_days: 1 });
    await pass(3);
    expect(await idsOf()).toEqual([
      `expired_unrenewed:${second.id}:2026-11-23`,
      `expired_unrenewed:${first.id}:2026-11-22`,
    ]);
    expect((await list()).results[1]).toMatchObject({
      at: first.expiry_date,
      detail: expect.stringMatching(/venció hace 2 días, el 22\/11\/2026$/),
      action: 'renew_license',
      due: '2026-11-22',
    });
    await t.call('POST', `/licenses/api/licenses/${second.id}/renew/`, { body: { expiry_days: 365 } });
    expect(await idsOf()).toEqual([`expired_unrenewed:${first.id}:2026-11-22`]);
    await pass(12);
    expect(await idsOf()).toEqual([`expired_unrenewed:${first.id}:2026-11-22`]);
    await pass(1);
    expect(await idsOf()).toEqual([]);
  });

  test('a licence that the vendor stored as expired counts too, that of an erased client does not', async () => {
    const client = await createClient(t);
    const license = await createLicense(t, { client: client.id, expiry_days: 1 });
    await pass(2);
    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { status: 'expired' } });
    expect(await idsOf()).toEqual([`expired_unrenewed:${license.id}:2026-11-22`]);
    const erased = await t.call('POST', `/licenses/api/clients/${client.id}/erase/`, {
      body: { reason: 'Lo pidió' },
    });
    expect(erased.status).toBe(200);
    expect(await idsOf()).toEqual([]);
  });
});

describe('programs that were refused', () => {
  test('a machine that found no seat is a matter for seven days, unless a seat is free or it was let in (DESK-01)', async () => {
    const license = await refuse();
    const id = `refused_program:${license.id}:installation_limit`;
    const { client, software_name, software_version } = license;
    expect(await rowsOf('refused_program')).toEqual([
      {
        id,
        kind: 'refused_program',
        at: NOW,
        title: `Un programa de ${client.name} no puede trabajar`,
        detail: `${software_name} ${software_version}: su único lugar está ocupado, y «caja-2» pidió uno`,
        client: { id: client.id, name: client.name },
        license: { id: license.id, license_key: license.license_key },
        amount: null,
        currency: null,
        action: 'release_machine',
        due: null,
      },
    ]);
    const installations = await t.call('GET', `/licenses/api/licenses/${license.id}/`);
    const [waiting] = installations.body.installations;
    await t.call('DELETE', `/licenses/api/installations/${waiting.id}/`);
    expect(await idsOf()).toEqual([]);
    // Taken again by the machine that was refused: it can work, and the other one cannot.
    t.clock.advance(1000);
    await activate(t, license.license_key, 'caja-2');
    await storeCollectedChecks(t.context);
    expect(await idsOf()).toEqual([]);
    await activate(t, license.license_key, 'caja-1');
    await storeCollectedChecks(t.context);
    expect(await idsOf()).toEqual([id]);
    await pass(6);
    expect(await idsOf()).toEqual([id]);
    await pass(1);
    expect(await idsOf()).toEqual([]);
  });

  test('a refusal that the vendor decided, or of a licence that ended since, is no matter', async () => {
    const license = await refuse();
    await suspend(license.id);
    expect(await idsOf()).toEqual([]);
    const asked = await createLicense(t);
    await suspend(asked.id);
    await activate(t, asked.license_key, 'caja-1');
    await storeCollectedChecks(t.context);
    expect(await idsOf()).toEqual([]);
  });

  test('a key used in another product is one too, which no free seat would help', async () => {
    const license = await createLicense(t);
    const other = await createSoftware(t);
    await t.call('POST', '/licenses/api/license/validate/', {
      token: null,
      body: { license_key: license.license_key, machine_id: 'caja-9', software: other.code },
    });
    await storeCollectedChecks(t.context);
    expect(await rowsOf('refused_program')).toMatchObject([
      { id: `refused_program:${license.id}:wrong_software`, action: 'explain_refusal' },
    ]);
  });

  test('once it was quiet for seven days, a later refusal is another matter (DESK-01)', async () => {
    const license = await refuse({ expiry_days: 200 });
    const id = `refused_program:${license.id}:installation_limit`;
    await mark(id, 'done');
    await pass(3);
    await activate(t, license.license_key, 'caja-2');
    await storeCollectedChecks(t.context);
    await runJob(t.context, housekeepingJob);
    expect(await idsOf()).toEqual([]);
    await pass(8);
    await runJob(t.context, housekeepingJob);
    await activate(t, license.license_key, 'caja-2');
    await storeCollectedChecks(t.context);
    expect(await idsOf()).toEqual([id]);
  });
});

test('a request of a client shows what was asked and said, for fourteen days or until the licence is renewed (DESK-01)', async () => {
  await setSettings(t, { portal_enabled: true });
  const client = await createClient(t, { name: 'Ana' });
  const license = await createLicense(t, { client: client.id });
  const browser = await new Browser(t).signIn(client.email);
  const ask = (body: object) => browser.call('POST', `licenses/${license.id}/request/`, { body });
  expect((await ask({ kind: 'other', message: '¿Hay curso?' })).status).toBe(202);
  t.clock.advance(1000);
  await ask({ kind: 'renewal', message: '' });
  const rows = await rowsOf('client_request');
  const software = `${license.software_name} ${license.software_version}`;
  expect(rows).toMatchObject([
    { title: 'Ana pide una renovación', detail: software, action: 'answer_request' },
    {
      id: expect.stringMatching(new RegExp(`^client_request:${client.id}:\\d+$`)),
      title: 'Ana pide ayuda',
      detail: `${software} · «¿Hay curso?»`,
      client: { id: client.id, name: 'Ana' },
      license: { id: license.id, license_key: license.license_key },
    },
  ]);
  t.clock.advance(1000);
  await t.call('POST', `/licenses/api/licenses/${license.id}/renew/`, { body: {} });
  expect((await rowsOf('client_request')).map(({ title }) => title)).toEqual(['Ana pide ayuda']);
  await pass(14);
  expect(await rowsOf('client_request')).toEqual([]);
});

test('a note whose day has come is a matter for who writes notes, before what ends (DESK-01, DESK-02)', async () => {
  const license = await createLicense(t, { expiry_days: 2 });
  const { client } = license;
  const write = async (body: object) =>
    (await t.call('POST', '/licenses/api/notes/', { body: { license: license.id, ...body } })).body.id;
  const note = await write({ text: 'Pedir la\nconstancia fiscal', remind_on: '2026-11-22' });
  await write({ text: 'Sin día' });
  expect(await rowsOf('note_due')).toEqual([]);
  await pass(1);
  const id = `note_due:${note}:2026-11-22`;
  expect((await list()).results).toMatchObject([
    {
      id,
      kind: 'note_due',
      at: '2026-11-22T06:00:00.000Z',
      title: `Nota pendiente sobre ${client.name}`,
      detail: 'Pedir la constancia fiscal',
      client: { id: client.id, name: client.name },
      license: { id: license.id, license_key: license.license_key },
      action: 'open_note',
      due: '2026-11-22',
    },
    { kind: 'expiring' },
  ]);
  const [support, viewer] = [await memberOf('support'), await memberOf('viewer')];
  expect([await idsOf(t, support), await idsOf(t, viewer)]).toEqual([[id], []]);
  expect((await mark(id, 'done', undefined, viewer)).status).toBe(403);
  expect((await mark(id, 'done', undefined, await keyWith('clients:read'))).status).toBe(403);
  // A key that writes notes of clients may not read those of licences.
  const key = await keyWith('clients:read', 'clients:write');
  expect([await idsOf(t, key), (await mark(id, 'done', undefined, key)).status]).toEqual([[], 404]);
  expect((await mark(id, 'done', undefined, support)).status).toBe(200);
  for (const [verb, body] of [['reopen'], ['done'], ['later', { until: '2027-01-01' }]] as const)
    expect([verb, (await mark(id, verb, body, key)).status]).toEqual([verb, 404]);
  expect(await rowsOf('note_due')).toEqual([]);
  await t.call('PATCH', `/licenses/api/notes/${note}/`, { body: { remind_on: '2026-11-23' } });
  await pass(1);
  expect((await rowsOf('note_due')).map((row) => row.id)).toEqual([`note_due:${note}:2026-11-23`]);
});

test('a payment in review is the first matter, and is over when somebody decided (DESK-01, PAY-05)', async () => {
  const shop = await openPaymentShop();
  const first = await createLicense(shop.t, { price: 1000, expiry_days: 60 });
  const client = first.client.id;
  const second = await createLicense(shop.t, { client, price: 500, expiry_days: 60 });
  const lines = [first, second].map(({ id }) => ({ license: id, kind: 'renewal' }));
  const asked = await shop.t.call('POST', '/licenses/api/payment-requests/', {
    body: { lines, notify: false },
  });
  await suspend(second.id, shop.t);
  const paid = await shop.t.call('POST', `/licenses/api/payment-requests/${asked.body.id}/mark_paid/`, {
    body: { method: 'transfer', reference: 'SPEI 1' },
  });
  expect(paid.body).toMatchObject({ state: 'review' });
  await createLicense(shop.t, { expiry_days: 2 });
  const [review, next] = (await list(shop.t)).results;
  expect(next?.kind).toBe('expiring');
  expect(review).toMatchObject({
    id: expect.stringMatching(new RegExp(`^payment_review:${asked.body.id}:license-\\d+$`)),
    title: `Revisa el cobro de ${first.client.name}`,
    detail: 'Se pagó, pero una licencia ya no se puede renovar',
    client: { id: client },
    amount: 1500,
    currency: 'MXN',
    action: 'review_payment',
  });
  expect((await shop.resolve(asked.body, 'close')).status).toBe(200);
  expect((await list(shop.t)).results.map(({ kind }) => kind)).toEqual(['expiring']);
});

describe('mails that were not delivered', () => {
  test('one is a matter until it is sent again; that of a cancelled licence, or one that is over, is none (DESK-01)', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    const license = await createLicense(testApp);
    const cancelled = await createLicense(testApp);
    const over = await createLicense(testApp, { expiry_days: 1 });
    await deliverDue(testApp);
    await testApp.call('POST', `/licenses/api/licenses/${cancelled.id}/cancel/`, {
      body: { reason: 'Fin', notify: false },
    });
    await pass(2, testApp);
    expect(await rowsOf('mail_failed', testApp)).toMatchObject([
      {
        id: expect.stringMatching(/^mail_failed:\d+:license_issued$/),
        title: `No se pudo entregar un correo a ${license.client.name}`,
        detail: expect.stringMatching(/^Licencia emitida · cliente\S+ · .*no existe/),
        client: { id: license.client.id },
        license: { id: license.id },
        action: 'resend_mail',
      },
    ]);
    expect(over.id).toBeGreaterThan(0);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/resend_email/`);
    expect(await rowsOf('mail_failed', testApp)).toEqual([]);
  });

  test('one about no licence is over when its copy is under way, also to a corrected address', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await setSettings(testApp, { portal_enabled: true });
    const client = await createClient(testApp, { email: 'equivocada@example.com' });
    peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
    expect((await testApp.call('POST', `/licenses/api/clients/${client.id}/portal/invite/`)).status).toBe(
      200,
    );
    await deliverDue(testApp);
    const [row] = await rowsOf('mail_failed', testApp);
    expect(row).toMatchObject({ client: { id: client.id }, license: null });
    await testApp.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { email: 'bien@example.com' } });
    expect((await testApp.call('POST', `/licenses/api/clients/${client.id}/portal/invite/`)).status).toBe(
      200,
    );
    expect(await rowsOf('mail_failed', testApp)).toEqual([]);
  });
});

test('a webhook that was disabled is a matter until it is enabled again (DESK-01)', async () => {
  const receiver = await startReceiver();
  await t.call('POST', '/licenses/api/webhooks/', {
    body: { url: `${receiver.url}?secreto=1`, types: ['client.*'] },
  });
  receiver.answer = () => 410;
  await createClient(t);
  await runJob(t.context, webhookJob);
  const [row] = await rowsOf('webhook_disabled');
  expect(row).toMatchObject({
    id: `webhook_disabled:1:${Date.parse(NOW)}`,
    title: 'Un webhook se desactivó',
    action: 'enable_webhook',
    client: null,
  });
  expect(row!.detail).not.toContain('secreto');
  await t.call('PUT', '/licenses/api/webhooks/1/', { body: { is_active: true } });
  expect(await rowsOf('webhook_disabled')).toEqual([]);
});

test.runIf(process.env.TEST_ENGINE !== 'postgres')(
  'a backup that is late is a matter for administrators (DESK-01, OPS-03)',
  async () => {
    const folder = emptyFolder();
    const env = { BACKUP_DIR: join(folder, 'copias'), BACKUP_KEY_DIR: join(folder, 'claves') };
    const app = await createTestApp({ now: NOW, env });
    await runJob(app.context, backupJob);
    expect(await rowsOf('backup_late', app)).toEqual([]);
    await pass(2, app);
    expect(await rowsOf('backup_late', app)).toMatchObject([
      {
        id: expect.stringMatching(/^backup_late:1:\d+$/),
        title: 'Falta una copia de seguridad probada',
        action: 'check_backup',
      },
    ]);
  },
);

describe('for whom', () => {
  /** One row of each of some kinds: who may act on it sees it. */
  async function several() {
    await setSettings(t, { portal_enabled: true });
    const license = await refuse({ expiry_days: 5 });
    const client = await createClient(t);
    const other = await createLicense(t, { client: client.id, software: license.software.id });
    const browser = await new Browser(t).signIn(client.email);
    await browser.call('POST', `licenses/${other.id}/request/`, { body: { kind: 'seats', message: '' } });
    return (await list()).results;
  }

  test('each role and each key sees the rows that it may act on, and marks no other (DESK-01, PEOPLE-09)', async () => {
    const rows = await several();
    expect(rows.map(({ kind }) => kind)).toEqual(['client_request', 'refused_program', 'expiring']);
    expect(rows.every(({ kind, action }) => TODAY_ACTION_OF[kind] === action)).toBe(true);
    const expected: Record<Role, TodayKind[]> = {
      admin: ['client_request', 'refused_program', 'expiring'],
      operator: ['client_request', 'refused_program', 'expiring'],
      support: ['refused_program'],
      viewer: [],
    };
    const callers = [
      ...(await Promise.all(ROLES.map(async (role) => [await memberOf(role), expected[role]] as const))),
      [await keyWith('licenses:renew'), ['expiring']],
      [await keyWith('clients:write'), ['client_request']],
      [await keyWith('licenses:read', 'clients:read', 'mails:read'), []],
      [await keyWith(...KEY_PERMISSIONS), ['client_request', 'refused_program', 'expiring']],
    ] as const;
    for (const [token, kinds] of callers) {
      const found = await list(t, token);
      expect([found.count, found.results.map(({ kind }) => kind)]).toEqual([kinds.length, kinds]);
      for (const { id, kind } of rows) {
        const status = (kinds as readonly string[]).includes(kind) ? 200 : 403;
        expect([kind, (await mark(id, 'done', undefined, token)).status]).toEqual([kind, status]);
        expect((await mark(id, 'later', { until: '2026-12-24' }, token)).status).toBe(status);
        const reopened = await mark(id, 'reopen', undefined, token);
        expect([reopened.status, reopened.body.code]).toEqual([
          status,
          status === 403 ? 'forbidden' : undefined,
        ]);
      }
    }
  });

  test('no kind of many hides another: each has some places, the rest go to the most urgent (DESK-01)', async () => {
    const first = await createLicense(t, { expiry_days: 6 });
    const terms = { client: first.client.id, software: first.software.id };
    for (let index = 0; index < 59; index += 1) await createLicense(t, { ...terms, expiry_days: 5 });
    for (let index = 0; index < 45; index += 1)
      await createLicense(t, { ...terms, status: 'trial', license_type: 'trial', expiry_days: 2 });
    const { count, count_is_exact, results } = await list();
    expect([count, count_is_exact, results.length]).toEqual([TODAY_COUNT_MAX, false, TODAY_MAX]);
    expect(results.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 46 }, () => 'expiring'),
      ...Array.from({ length: 4 }, () => 'trial_ending'),
    ]);
    // What was done gives its place to the next.
    for (const { id } of results.slice(0, 5)) await mark(id, 'done');
    expect(await list()).toMatchObject({ count: 100, count_is_exact: true });
    const ids = await idsOf();
    expect([ids.length, new Set(ids).size]).toEqual([TODAY_MAX, TODAY_MAX]);
  });
});

describe('marks', () => {
  test('done is for everybody, stays for the same end, and another end is another matter (DESK-01)', async () => {
    const license = await createLicense(t, { expiry_days: 5 });
    const id = `expiring:${license.id}:2026-11-26`;
    const operator = await memberOf('operator');
    expect((await mark(id, 'done')).body).toEqual({ id, state: 'done', until: null });
    expect((await mark(id, 'done')).body).toEqual({ id, state: 'done', until: null });
    expect([await idsOf(), await idsOf(t, operator)]).toEqual([[], []]);
    expect((await mark(id, 'reopen', undefined, operator)).body).toEqual({ id, state: 'open', until: null });
    expect((await mark(id, 'reopen')).body).toEqual({ id, state: 'open', until: null });
    expect(await idsOf()).toEqual([id]);
    await mark(id, 'done');
    await t.call('POST', `/licenses/api/licenses/${license.id}/extend/`, {
      body: { days: 1, reason: 'Pago en camino', notify: false },
    });
    expect(await idsOf()).toEqual([`expiring:${license.id}:2026-11-27`]);
  });

  test('later hides until the morning of that local day (DESK-01)', async () => {
    const license = await createLicense(t, { expiry_days: 6 });
    const id = `expiring:${license.id}:2026-11-27`;
    expect((await mark(id, 'later', { until: '2026-11-23' })).body).toEqual({
      id,
      state: 'later',
      until: '2026-11-23',
    });
    t.clock.set('2026-11-23T05:59:59.999Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    expect(await idsOf()).toEqual([]);
    t.clock.set('2026-11-23T06:00:00.000Z');
    expect(await idsOf()).toEqual([id]);
    // 'Done' takes the place of the day, and the day of 'done'.
    await mark(id, 'done');
    expect((await mark(id, 'later', { until: '9999-12-31' })).status).toBe(200);
    expect(await idsOf()).toEqual([]);
  });

  test.each([
    [{}, 'required'],
    [{ until: '' }, 'invalid'],
    [{ until: null }, 'required'],
    [{ until: 'mañana' }, 'invalid'],
    [{ until: '2026-11-31' }, 'invalid'],
    [{ until: '2026-11-21' }, 'out_of_range'],
    [{ until: '2026-11-20' }, 'out_of_range'],
    [{ until: 20261130 }, 'invalid'],
  ])('later with %j is refused by its field (DESK-01)', async (body, code) => {
    const license = await createLicense(t, { expiry_days: 6 });
    // The local day is still the 21st, when UTC has the 22nd.
    t.clock.set('2026-11-22T03:00:00.000Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    const answer = await mark(`expiring:${license.id}:2026-11-27`, 'later', body);
    expect([answer.status, answer.body.code, answer.body.error_codes]).toEqual([
      400,
      'invalid',
      { until: [code] },
    ]);
    expect((await list()).count).toBe(1);
  });

  test.each([
    'nada',
    'expiring',
    'expiring:1',
    'expiring:0:2026-11-26',
    'expiring:-1:2026-11-26',
    'expiring:1e3:2026-11-26',
    'expiring:99999999999999999999:2026-11-26',
    'expiring:999999999999999:2026-11-26',
    'expiring:7:2026-11-26',
    'expiring:7:2026-11-26:1',
    'expiring:7:%27%20or%201%3D1',
    'expiring:7:%00',
    'payments:1:late',
    'note_due:1:2026-11-26',
    'constructor:1:x',
    'backup_late:2:1',
    'webhook_disabled:1:1',
    'client_request:1:1',
    'mail_failed:1:license_issued',
    'payment_review:1:late',
    'refused_program:1:installation_limit',
    `expiring:1:${'9'.repeat(400)}`,
  ])('the id %s is not found, and stores nothing (DESK-01)', async (id) => {
    for (const [verb, body] of [['done'], ['later', { until: '2026-12-24' }], ['reopen']] as const) {
      const answer = await mark(id, verb, body);
      expect([id, verb, answer.status]).toEqual([id, verb, 404]);
    }
    expect(await t.db.selectFrom('today_marks').selectAll().execute()).toEqual([]);
  });

  test('what ended meanwhile cannot be marked; what was marked before it ended can be marked again', async () => {
    const [license, other] = [
      await createLicense(t, { expiry_days: 5 }),
      await createLicense(t, { expiry_days: 5 }),
    ];
    const [id, unmarked] = [license, other].map((one) => `expiring:${one.id}:2026-11-26`) as [string, string];
    await mark(id, 'done');
    for (const one of [license, other])
      await t.call('POST', `/licenses/api/licenses/${one.id}/renew/`, { body: { expiry_days: 365 } });
    expect((await mark(id, 'done')).status).toBe(200);
    expect((await mark(id, 'reopen')).status).toBe(200);
    const gone = await mark(unmarked, 'done');
    expect([gone.status, gone.body.code, gone.body.message]).toEqual([
      404,
      'not_found',
      'Ya no está en la lista de hoy',
    ]);
  });

  test('two processes that mark the same row at once leave one mark (DESK-01)', async () => {
    const license = await createLicense(t, { expiry_days: 6 });
    const id = `expiring:${license.id}:2026-11-27`;
    const verbs = ['done', 'later', 'reopen', 'done', 'later', 'done', 'reopen', 'later', 'done'];
    const answers = await Promise.all(
      verbs.map((verb) => mark(id, verb, verb === 'later' ? { until: '2026-12-01' } : undefined)),
    );
    expect(answers.map(({ status }) => status)).toEqual(verbs.map(() => 200));
    await Promise.all([mark(id, 'done'), mark(id, 'done'), mark(id, 'done')]);
    expect(
      await t.db.selectFrom('today_marks').select(['kind', 'record', 'fact', 'until']).execute(),
    ).toEqual([{ kind: 'expiring', record: license.id, fact: '2026-11-27', until: null }]);
    expect(await idsOf()).toEqual([]);
  });

  test('housekeeping keeps a mark for ninety days, and one for a later day until that day (DESK-01)', async () => {
    const [done, later] = [
      await createLicense(t, { expiry_days: 5 }),
      await createLicense(t, { expiry_days: 5 }),
    ];
    await mark(`expiring:${done.id}:2026-11-26`, 'done');
    await mark(`expiring:${later.id}:2026-11-26`, 'later', { until: '2027-03-01' });
    const left = async (moment: string) => {
      t.clock.set(moment);
      await runJob(t.context, housekeepingJob);
      const marks = await t.db.selectFrom('today_marks').select('record').orderBy('record').execute();
      return marks.map(({ record }) => record);
    };
    expect(await left('2027-02-19T18:00:00.000Z')).toEqual([done.id, later.id]);
    expect(await left('2027-02-19T18:00:00.001Z')).toEqual([later.id]);
    expect(await left('2027-03-01T05:59:59.000Z')).toEqual([later.id]);
    expect(await left('2027-03-01T06:00:00.000Z')).toEqual([]);
  });
});
