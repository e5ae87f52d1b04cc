import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EMAIL_INVALID } from '../../../contract/reading/mail-addresses.ts';
import { SETTINGS_MESSAGES } from '../../../contract/settings/settings.fields.ts';
import { SETTINGS_DEFAULTS } from '../../../contract/settings/settings.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { insertDemoData } from '../demo/demo-data.ts';
import { readSettings } from './settings.queries.ts';

/** The vendor's settings through the API (MAIL-03). */

const URL = '/licenses/api/settings/';
const NOW = '2026-11-21T18:00:00.000Z';

let t: TestApp;
/** The newest event before the test. */
let lastEvent: number;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, closeAfterTest: false });
  return t.close;
});
beforeEach(async () => {
  await t.db.deleteFrom('settings').execute();
  lastEvent = (await t.call('GET', '/licenses/api/events/?limit=1')).body.results[0].id;
});

const put = (body: object, headers: Record<string, string> = {}) => t.call('PUT', URL, { body, headers });
const eventsOf = async (): Promise<Event[]> =>
  (await t.call('GET', '/licenses/api/events/?type=settings.updated')).body.results.filter(
    ({ id }: Event) => id > lastEvent,
  );

describe('reading and changing (MAIL-03)', () => {
  test('the settings are the defaults until they are changed, and have an ETag', async () => {
    const { status, body, headers } = await t.call('GET', URL);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...SETTINGS_DEFAULTS,
      updated_at: '1970-01-01T00:00:00.000Z',
      logo_updated_at: null,
      business_timezone: 'America/Mexico_City',
    });
    expect(headers.etag).toBe('"1970-01-01T00:00:00.000Z"');
  });

  test('a PUT changes only the sent fields, and writes one event with the changes', async () => {
    await put({
      vendor_name: ' Software del Sur ',
      support_email: 'ayuda@example.com',
      reminder_days: [1, 30, 1, 7],
    });
    const { body } = await put({ support_email: '', reminder_days: [30, 7, 1], locale: 'es-AR' });
    expect(body).toMatchObject({
      vendor_name: 'Software del Sur',
      support_email: '',
      reminder_days: [30, 7, 1],
      locale: 'es-AR',
      currency: 'MXN',
    });
    expect((await t.call('GET', URL)).body).toEqual(body);
    const [second, first] = await eventsOf();
    expect(first).toMatchObject({
      actor: { kind: 'user' },
      subject: { kind: 'settings', id: null, name: 'Configuración' },
      changes: {
        vendor_name: { before: 'License Manager', after: 'Software del Sur' },
        support_email: { before: '', after: 'ayuda@example.com' },
        reminder_days: { before: [30, 7, 1, -1], after: [30, 7, 1] },
      },
    });
    expect(second?.changes).toEqual({
      support_email: { before: 'ayuda@example.com', after: '' },
      locale: { before: 'es-MX', after: 'es-AR' },
    });
  });

  test('a PUT changes only the sent switches of the portal (LISTS-01)', async () => {
    const all = SETTINGS_DEFAULTS.portal_features;
    expect((await put({ portal_features: { file: false } })).body.portal_features).toEqual({
      ...all,
      file: false,
    });
    const { body } = await put({ portal_features: { pay: false } });
    expect(body.portal_features).toEqual({ ...all, file: false, pay: false });
    const [event] = await eventsOf();
    expect(event?.changes).toEqual({
      portal_features: { before: { ...all, file: false }, after: { ...all, file: false, pay: false } },
    });
    const wrong = await put({ portal_features: { file: 'no' } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['portal_features']]);
  });

  test('null empties an optional text', async () => {
    const texts = { support_email: 'a@example.com', reply_to: 'b@example.com', sender_name: 'Ana' };
    expect((await put(texts)).body).toMatchObject(texts);
    const { status, body } = await put({ support_email: null, reply_to: null, sender_name: null });
    expect([status, body]).toMatchObject([200, { support_email: '', reply_to: '', sender_name: '' }]);
  });

  test('a PUT that changes nothing writes no event', async () => {
    expect((await put({})).status).toBe(200);
    expect((await put({ ...SETTINGS_DEFAULTS })).status).toBe(200);
    expect(await eventsOf()).toEqual([]);
  });

  test('a value that was set to the default stays stored', async () => {
    await put({ currency: 'ARS' });
    await put({ currency: 'MXN' });
    const row = await t.db.selectFrom('settings').select('changed').executeTakeFirstOrThrow();
    expect(JSON.parse(row.changed)).toEqual({ currency: 'MXN' });
  });

  test.each([
    ['If-Match', {}, { 'if-match': '"1970-01-01T00:00:00.000Z"' }],
    ['updated_at', { updated_at: '1970-01-01T00:00:00.000Z' }, {}],
  ] as const)('a stale save by %s gets 412 with the current settings', async (_by, claim, headers) => {
    const first = await put({ vendor_name: 'Primera', ...claim }, headers);
    expect(first.status).toBe(200);
    const second = await put({ vendor_name: 'Segunda', ...claim }, headers);
    expect([second.status, second.body.code, second.body.current]).toEqual([412, 'stale', first.body]);
    expect(await eventsOf()).toHaveLength(1);
  });

  test('of two concurrent first saves with the same version one gets 412', async () => {
    const headers = { 'if-match': '"1970-01-01T00:00:00.000Z"' };
    const answers = await Promise.all([
      put({ vendor_name: 'Una' }, headers),
      put({ vendor_name: 'Otra' }, headers),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('every wrong field gets a Spanish error', async () => {
    const { status, body } = await put({
      vendor_name: ' ',
      support_email: 'nadie',
      reply_to: 'a b@example.com',
      accent_color: 'verde',
      currency: 'DEM',
      locale: 'en-US',
      reminder_days: [1.5, 400],
      trial_reminder_days: Array.from({ length: 11 }, (_, day) => day),
      mail_retention_days: 0,
      event_retention_days: '30',
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual({
      vendor_name: [SETTINGS_MESSAGES.nameRequired],
      support_email: [EMAIL_INVALID],
      reply_to: [EMAIL_INVALID],
      accent_color: [SETTINGS_MESSAGES.color],
      currency: [SETTINGS_MESSAGES.currency],
      locale: [SETTINGS_MESSAGES.locale],
      reminder_days: [SETTINGS_MESSAGES.reminderDay],
      trial_reminder_days: [SETTINGS_MESSAGES.reminderCount],
      mail_retention_days: [SETTINGS_MESSAGES.retention],
      event_retention_days: [SETTINGS_MESSAGES.eventRetention],
    });
    expect((await t.call('GET', URL)).body).toMatchObject(SETTINGS_DEFAULTS);
  });

  test('a colour that is too light to read is refused at its field', async () => {
    const { status, body } = await put({ accent_color: '#FFD400' });
    expect([status, body.errors]).toEqual([400, { accent_color: [SETTINGS_MESSAGES.contrast] }]);
    expect((await put({ accent_color: '#B45309' })).body.accent_color).toBe('#b45309');
  });

  test('null means that events are never deleted', async () => {
    expect((await put({ event_retention_days: 400 })).body.event_retention_days).toBe(400);
    expect((await put({ event_retention_days: null })).body.event_retention_days).toBeNull();
  });

  test.each([0, 1, 89, 36_526])('a retention of %d days for events is refused (EVENT-06)', async (days) => {
    const { status, body } = await put({ event_retention_days: days });
    expect([status, body.errors]).toEqual([
      400,
      { event_retention_days: [SETTINGS_MESSAGES.eventRetention] },
    ]);
    expect((await put({ event_retention_days: 90 })).body.event_retention_days).toBe(90);
  });

  test('the settings cannot be read without a session', async () => {
    for (const method of ['GET', 'PUT'])
      expect((await t.call(method, URL, { token: null })).status).toBe(401);
  });
});

test('the current user is returned with business name, currency and locale (PEOPLE-01)', async () => {
  await put({ vendor_name: 'Software del Sur', currency: 'ARS', locale: 'es-AR' });
  const { body } = await t.call('GET', '/api/auth/user/');
  const email_transport = 'folder';
  expect(body.settings).toEqual({
    vendor_name: 'Software del Sur',
    currency: 'ARS',
    locale: 'es-AR',
    email_transport,
    portal_url: null,
  });
  await put({ portal_enabled: true });
  expect((await t.call('GET', '/api/auth/user/')).body.settings.portal_url).toBe(
    `${t.context.config.clientUrl}/portal`,
  );
});

describe('demo mode sends no reminders (LIFE-08)', () => {
  const startDemo = ({ context }: TestApp) => insertDemoData(context);

  test('the first start turns reminders off, and a second start does not change them', async () => {
    const demo = await createTestApp({ now: NOW });
    await startDemo(demo);
    expect(await readSettings(demo.db)).toMatchObject({ reminders_enabled: false });
    await demo.call('PUT', URL, { body: { reminders_enabled: true } });
    await startDemo(demo);
    expect(await readSettings(demo.db)).toMatchObject({ reminders_enabled: true });
  });

  test('settings that were stored before do not change', async () => {
    await put({ vendor_name: 'Mía' });
    await startDemo(t);
    expect(await readSettings(t.db)).toMatchObject({ vendor_name: 'Mía', reminders_enabled: true });
  });
});
