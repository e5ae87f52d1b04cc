import { beforeAll, describe, expect, test } from 'vitest';
import type { Today } from '../../../contract/figures/today.ts';
import { changeRows, changes } from '../../../test/api/statistics-changes.ts';
import { expectedToday } from '../../../test/api/statistics-oracle.ts';
import { type Rows, type Sample, sample, storeSample } from '../../../test/api/statistics-samples.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createMailingApp } from '../../../test/deliver-mail.ts';
import { activate, createLicense } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';

const URL = '/licenses/api/statistics/today/';

async function todayOf(t: TestApp): Promise<Today> {
  const { status, body } = await t.call('GET', URL);
  expect(status).toBe(200);
  return body;
}

test('on an empty installation every figure is 0', async () => {
  const t = await createTestApp({ now: '2026-11-21T18:00:00Z' });
  expect(await todayOf(t)).toEqual({
    as_of: '2026-11-21T18:00:00.000Z',
    currency: 'MXN',
    expiring: [
      { days: 7, count: 0, amount: 0, by_currency: [] },
      { days: 30, count: 0, amount: 0, by_currency: [] },
    ],
    expired_recently: { days: 30, count: 0 },
    failed_mails: 0,
    seats_full: 0,
    client_requests: 0,
    payment_reviews: 0,
    revenue: { this_month: 0, last_month: 0, last_month_to_date: 0, by_currency: [] },
    money: [
      {
        currency: 'MXN',
        sold: 0,
        sold_last_month_to_date: 0,
        collected: 0,
        receivable: 0,
        receivable_count: 0,
      },
    ],
    setup: {
      software: 0,
      license_types: 0,
      clients: 0,
      licenses: 0,
      installations: 0,
      company: false,
      mail: false,
      payments: false,
      team: false,
      skipped: [],
    },
  });
});

test('the first steps tick themselves, and are skipped for everybody (DESK-06)', async () => {
  const t = await createTestApp();
  const setupOf = async () => (await todayOf(t)).setup;
  const settings = '/licenses/api/settings/';
  await t.call('PUT', settings, { body: { vendor_name: 'Sistemas del Sur' } });
  expect(await setupOf()).toMatchObject({ company: true, payments: false, team: false, skipped: [] });
  await t.call('PUT', `${settings}payments/`, { body: { instructions: 'CLABE 012 180 0001 2345 6789' } });
  await t.call('POST', '/licenses/api/users/', {
    body: { username: 'eva', names: 'Eva', last_name: 'Ríos', email: 'eva@example.com', role: 'support' },
  });
  expect(await setupOf()).toMatchObject({ company: true, payments: true, team: true });

  const { status, body } = await t.call('PUT', settings, {
    body: { setup_skipped: ['team', 'mail', 'team'] },
  });
  expect([status, body.setup_skipped]).toEqual([200, ['mail', 'team']]);
  expect((await setupOf()).skipped).toEqual(['mail', 'team']);
  for (const setup_skipped of [['otro'], 'mail', [1], null]) {
    const wrong = await t.call('PUT', settings, { body: { setup_skipped } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['setup_skipped']]);
  }
  expect((await t.call('PUT', settings, { token: null, body: { setup_skipped: [] } })).status).toBe(401);
});

test('the step of the mails is done once they are delivered (DESK-06, D011)', async () => {
  const { testApp } = await createMailingApp('2026-11-21T18:00:00Z');
  expect((await todayOf(testApp)).setup.mail).toBe(true);
});

test('figures follow changes through the API, and equal the counts of the lists that they link to', async () => {
  const t = await createTestApp({ now: '2026-10-31T18:00:00Z' });
  const { client, software } = await createLicense(t, { price: 80, expiry_days: 10 });
  const terms = { client: client.id, software: software.id };
  t.clock.set('2026-11-21T18:00:00Z');
  t.token = await signInAs(t, 'admin', 'admin123');
  const soon = await createLicense(t, { ...terms, price: 100.5, expiry_days: 6, max_installations: 1 });
  const trial = { ...terms, price: 50, status: 'trial', expiry_days: 20, max_installations: 1 } as const;
  const { license_key: trialKey } = await createLicense(t, trial);
  const gone = await createLicense(t, { ...terms, price: 1000, expiry_days: 5, max_installations: 1 });
  await createLicense(t, { ...terms, price: 30, expiry_days: 90 });
  const { body: machine } = await activate(t, soon.license_key, 'caja-1');
  await activate(t, trialKey, 'caja-2');
  await activate(t, gone.license_key, 'caja-3');
  await t.call('PUT', `/licenses/api/licenses/${gone.id}/`, { body: { status: 'cancelled' } });
  await t.db.updateTable('outbox').set({ status: 'failed' }).where('license_id', '=', soon.id).execute();

  expect(await todayOf(t)).toMatchObject({
    expiring: [
      { days: 7, count: 1, amount: 100.5 },
      { days: 30, count: 2, amount: 150.5 },
    ],
    expired_recently: { count: 1 },
    failed_mails: 1,
    // The trial's seats are all taken too; a cancelled licence does not count.
    seats_full: 2,
    // The sale on the 31st is after the 21st of last month.
    revenue: { this_month: 180.5, last_month: 80, last_month_to_date: 0 },
    setup: { software: 1, license_types: 0, clients: 1, licenses: 5, installations: 3 },
  });
  const list = await t.call('GET', '/licenses/api/licenses/?expiring_within=30');
  expect(list.body.count).toBe(2);
  const full = await t.call('GET', '/licenses/api/licenses/?seats_full=true');
  expect(full.body.count).toBe(2);

  await t.call('POST', `/licenses/api/licenses/${soon.id}/resend_email/`);
  await t.call('DELETE', `/licenses/api/installations/${machine.id}/`);
  expect(await todayOf(t)).toMatchObject({ failed_mails: 0, seats_full: 1, setup: { installations: 2 } });

  // A sale on the 21st counts in `last_month_to_date` from the 21st of the next month on.
  for (const [day, last_month_to_date] of [
    ['2026-12-20', 0],
    ['2026-12-21', 180.5],
  ] as const) {
    t.clock.set(`${day}T12:00:00Z`);
    t.token = await signInAs(t, 'admin', 'admin123');
    expect((await todayOf(t)).revenue).toMatchObject({ last_month: 180.5, last_month_to_date });
  }
});

describe.each(['America/Mexico_City', 'Asia/Kolkata'])('in the time zone %s', (timeZone) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ closeAfterTest: false, env: { BUSINESS_TIMEZONE: timeZone } });
    return app.close;
  });

  test('every figure equals a count row by row, per currency, for random rows and changes (MONEY-01)', {
    timeout: 120_000,
  }, async () => {
    const statuses = fc.array(fc.constantFrom('queued' as const, 'sent' as const, 'failed' as const), {
      maxLength: 30,
    });
    const compare = async (rows: Rows, { now, currency }: Sample) => {
      const outbox = await app.db.selectFrom('outbox').select(['id', 'license_id', 'status']).execute();
      expect(await todayOf(app)).toEqual(expectedToday(rows, outbox, now, timeZone, currency));
      expect(
        await app.db
          .selectFrom('full_licenses')
          .select(['license_id', 'status', 'expiry_date'])
          .orderBy('license_id')
          .execute(),
      ).toEqual(
        rows.licenses
          .filter((license) => license.current_installations >= license.max_installations)
          .map(({ id, status, expiry_date }) => ({ license_id: id, status, expiry_date })),
      );
    };
    await fc.assert(
      fc.asyncProperty(sample, changes, statuses, async (made, then, mails) => {
        app.clock.set(made.now);
        app.token = await signInAs(app, 'admin', 'admin123');
        const rows = await storeSample(app.db, made);
        await storeMails(app, rows, mails);

        await compare(rows, made);
        await compare(await changeRows(app.db, then, made.now), made);
      }),
      { numRuns: triesOf(20) },
    );
  });
});

/** Replaces all mails by some with these statuses, about the licences in turn. */
async function storeMails({ db }: TestApp, { licenses }: Rows, statuses: ('queued' | 'sent' | 'failed')[]) {
  await db.deleteFrom('outbox').execute();
  if (licenses.length === 0 || statuses.length === 0) return;
  const blank = { to_name: '', to_address: '', subject: '', body_text: '', body_html: '' };
  await db
    .insertInto('outbox')
    .values(
      statuses.map((status, index) => ({
        ...blank,
        status,
        license_id: licenses[index % Math.min(licenses.length, 7)]!.id,
        message_id: `m${index}`,
        attempts: 1,
        last_error: null,
        created_at: '2026-01-01T00:00:00.000Z',
        sent_at: null,
      })),
    )
    .execute();
}

test('the call without a session gets 401', async () => {
  const t = await createTestApp();
  expect((await t.call('GET', URL, { token: null })).status).toBe(401);
});
