import { beforeAll, describe, expect, test } from 'vitest';
import { changeRows, changes } from '../../../test/api/statistics-changes.ts';
import { expectedStatistics, localDate } from '../../../test/api/statistics-oracle.ts';
import { type Rows, type Sample, sample, storeSample } from '../../../test/api/statistics-samples.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';

const URL = '/licenses/api/statistics/';
const CALLS = ['', 'licenses/', 'clients/', 'revenue/', 'usage/'] as const;

const statisticsOf = async (t: TestApp, path: string) => {
  const { status, body } = await t.call('GET', URL + path);
  expect([path, status, body.success]).toEqual([path, 200, true]);
  return body.statistics;
};

describe('on an empty database', () => {
  test('every number is 0 and every change is null', {
    tags: ['SEED-7.6-01', 'SEED-3-23', 'D105'],
  }, async () => {
    const t = await createTestApp({ now: '2026-11-21T18:00:00Z' });

    expect(await statisticsOf(t, '')).toEqual({
      active_licenses: 0,
      total_clients: 0,
      total_licenses: 0,
      trial_licenses: 0,
      total_software: 0,
      last_updated: '2026-11-21T18:00:00.000Z',
      changes: { active_licenses: null, total_clients: null, trial_licenses: null, total_software: null },
      differences: { active_licenses: 0, total_clients: 0, trial_licenses: 0, total_software: 0 },
    });
    expect(await statisticsOf(t, 'revenue/')).toMatchObject({
      start_date: '2025-12-01',
      end_date: '2026-11-21',
      total: 0,
      average_price: 0,
      by_software: [],
    });
    expect(await statisticsOf(t, 'usage/')).toMatchObject({ seats_total: 0, utilization_percent: 0 });
    expect((await statisticsOf(t, 'clients/')).top_clients).toEqual([]);
    expect((await statisticsOf(t, 'licenses/')).issued_by_month).toHaveLength(12);
  });
});

describe('with a few records', () => {
  test('counts follow changes through the API', {
    tags: [
      'SEED-7.6-01',
      'SEED-7.6-02',
      'SEED-7.6-03',
      'SEED-7.6-04',
      'SEED-7.6-05',
      'SEED-7.6-08',
      'D066',
      'D067',
      'D068',
    ],
  }, async () => {
    const t = await createTestApp({ now: '2026-11-21T18:00:00Z' });
    const client = await createClient(t, { name: 'Ana López', client_type: 'enterprise' });
    await createClient(t, { status: 'pending' });
    const software = await createSoftware(t, { name: 'Caja', version: '2' });
    const type = await createLicenseType(t, { name: 'Anual' });
    const terms = { client: client.id, software: software.id, license_type_config: type.id };
    const sold = await createLicense(t, { ...terms, price: 100.5, max_installations: 4 });
    await createLicense(t, { ...terms, price: 50, license_type: 'trial', max_installations: 1 });
    await createLicense(t, { ...terms, price: 70, status: 'trial', expiry_days: 10 });
    await createLicense(t, { ...terms, price: 1000, status: 'cancelled' });
    await activate(t, sold.license_key, 'caja-1');
    await activate(t, sold.license_key, 'caja-2');
    await t.call('POST', '/licenses/api/installation/heartbeat/', {
      token: null,
      body: { license_key: sold.license_key, machine_id: 'caja-1' },
    });

    expect(await statisticsOf(t, '')).toMatchObject({
      active_licenses: 2,
      total_clients: 2,
      total_licenses: 4,
      trial_licenses: 2,
      total_software: 1,
    });
    expect(await statisticsOf(t, 'licenses/')).toMatchObject({
      total: 4,
      active: 2,
      expired: 0,
      by_status: { active: 2, trial: 1, cancelled: 1, expired: 0, suspended: 0, inactive: 0 },
      by_type: { premium: 3, trial: 1, basic: 0 },
      by_license_type: [{ id: type.id, name: 'Anual', count: 4 }],
      by_software: [{ id: software.id, name: 'Caja', version: '2', count: 4 }],
      expiring_30_days: 0,
    });
    expect(await statisticsOf(t, 'clients/')).toMatchObject({
      total: 2,
      by_status: { active: 1, pending: 1, inactive: 0, suspended: 0 },
      by_type: { enterprise: 1, individual: 1 },
      with_active_licenses: 1,
      without_licenses: 1,
      top_clients: [{ id: client.id, name: 'Ana López', license_count: 4 }],
    });
    const revenue = await statisticsOf(t, 'revenue/');
    expect(revenue).toMatchObject({
      currency: 'MXN',
      total: 220.5,
      license_count: 3,
      average_price: 73.5,
      by_software: [{ id: software.id, name: 'Caja', total: 220.5 }],
      by_license_type: [{ id: type.id, name: 'Anual', total: 220.5 }],
    });
    expect(revenue.by_month).toHaveLength(12);
    expect(revenue.by_month.at(-1)).toEqual({ month: '2026-11', total: 220.5, count: 3 });
    expect(await statisticsOf(t, 'usage/')).toMatchObject({
      total_installations: 2,
      active_installations: 1,
      inactive_installations: 1,
      never_reported: 1,
      new_installations: 2,
      seats_total: 10,
      seats_used: 2,
      utilization_percent: 20,
      by_software: [{ id: software.id, name: 'Caja', installations: 2, active: 1 }],
    });
  });

  test('a month ends in local time, not in UTC', async () => {
    const t = await createTestApp({ now: '2026-03-01T05:59:59Z' });
    await createClient(t);
    await createLicense(t, { price: 10 });
    t.clock.set('2026-03-01T06:00:00Z');
    await createLicense(t, { price: 5 });
    const months = (await statisticsOf(t, 'licenses/')).issued_by_month;

    expect(months.slice(-2)).toEqual([
      { month: '2026-02', count: 1 },
      { month: '2026-03', count: 1 },
    ]);
    const february = await statisticsOf(t, 'revenue/?start_date=2026-02-01&end_date=2026-02-28');
    expect(february).toMatchObject({ total: 10, by_month: [{ month: '2026-02', total: 10, count: 1 }] });
    const march = await statisticsOf(t, 'revenue/?start_date=2026-03-01&end_date=2026-03-01');
    expect(march).toMatchObject({ total: 5, by_month: [{ month: '2026-03', total: 5, count: 1 }] });
  });

  test('a range of more than ten years lists only the months from the first to the last licence (SEED-7.6-04)', async () => {
    const t = await createTestApp({ now: '2026-03-01T05:59:59Z' });
    await createLicense(t, { price: 10 });
    t.clock.set('2026-05-02T12:00:00Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    await createLicense(t, { price: 5 });

    const revenue = await statisticsOf(t, 'revenue/?start_date=1990-01-01&end_date=2030-12-31');

    expect(revenue).toMatchObject({ start_date: '1990-01-01', end_date: '2030-12-31', total: 15 });
    expect(revenue.by_month).toEqual([
      { month: '2026-02', total: 10, count: 1 },
      { month: '2026-03', total: 0, count: 0 },
      { month: '2026-04', total: 0, count: 0 },
      { month: '2026-05', total: 5, count: 1 },
    ]);
  });

  test('equal counts are in the order of creation, and licences without a type come first (SEED-7.6-02, SEED-7.6-04)', async () => {
    const t = await createTestApp({ now: '2026-03-10T12:00:00Z' });
    const nextMonth = async (moment: string) => {
      t.clock.set(moment);
      t.token = await signInAs(t, 'admin', 'admin123');
    };
    const [a, b, c] = [await createSoftware(t), await createSoftware(t), await createSoftware(t)];
    const [x, y] = [await createLicenseType(t), await createLicenseType(t)];
    await createLicense(t, { software: c.id, license_type_config: y.id });
    await nextMonth('2026-04-10T12:00:00Z');
    await createLicense(t, { software: b.id, license_type_config: x.id });
    await nextMonth('2026-05-10T12:00:00Z');
    await createLicense(t, { software: a.id });
    const idsOf = (rows: { id: number | null }[]) => rows.map((row) => row.id);

    for (const path of ['licenses/', 'revenue/']) {
      const { by_software, by_license_type } = await statisticsOf(t, path);
      expect([path, idsOf(by_software)]).toEqual([path, [a.id, b.id, c.id]]);
      expect([path, idsOf(by_license_type)]).toEqual([path, [null, x.id, y.id]]);
    }
  });

  test('seats are counted until the last instant of their licence', async () => {
    const t = await createTestApp({ now: '2026-11-22T05:00:00Z' });
    const ends = ['05:44:59.001', '05:59:58.999', '05:59:59.000', '06:00:00.000', '06:07:30.500'].map(
      (time) => `2026-11-22T${time}Z`,
    );
    for (const expiry_date of ends) await createLicense(t, { expiry_date, max_installations: 1 });

    for (const moment of ends.map((end) => Date.parse(end))) {
      t.clock.set(new Date(moment - 600_000));
      t.token = await signInAs(t, 'admin', 'admin123');
      for (const beside of [-600_000, -1001, -1000, -1, 0, 1, 999, 1000, 240_000]) {
        const now = new Date(moment + beside);
        t.clock.set(now);
        const { seats_total } = await statisticsOf(t, 'usage/');
        const usable = ends.filter((end) => Date.parse(end) >= now.getTime()).length;
        expect([now, seats_total]).toEqual([now, usable]);
      }
    }
  });

  test('changes are compared with thirty days ago (D105)', async () => {
    const t = await createTestApp({ now: '2026-01-10T12:00:00Z' });
    const lasting = await createLicense(t);
    await createLicense(t, { expiry_days: 10 });
    t.clock.set('2026-03-01T12:00:00Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    await createLicense(t, { client: lasting.client.id, software: lasting.software.id });
    await createLicense(t, { license_type: 'trial' });

    // On 2026-01-30 one licence was active (the other had expired on the 20th), and there were two records of each
    // other kind.
    const { changes: percent, differences } = await statisticsOf(t, '');
    expect(percent).toEqual({
      active_licenses: 200,
      total_clients: 50,
      trial_licenses: null,
      total_software: 50,
    });
    expect(differences).toEqual({
      active_licenses: 2,
      total_clients: 1,
      trial_licenses: 1,
      total_software: 1,
    });
  });
});

describe('ranges of days', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ closeAfterTest: false, now: '2026-11-21T18:00:00Z' });
    return app.close;
  });

  test.each(['revenue/', 'usage/'])(
    '%s refuses an invalid day, and an end before the start',
    async (path) => {
      const errorsOf = async (query: string) => {
        const { status, body } = await app.call('GET', `${URL}${path}?${query}`);
        return [status, body.errors];
      };

      expect(await errorsOf('start_date=2026-02-30&end_date=ayer')).toEqual([
        400,
        {
          start_date: ['Fecha inválida. Usa el formato AAAA-MM-DD.'],
          end_date: ['Fecha inválida. Usa el formato AAAA-MM-DD.'],
        },
      ]);
      expect(await errorsOf('start_date=2026-02-02&end_date=2026-02-01')).toEqual([
        400,
        { end_date: ['La fecha de fin debe ser posterior a la fecha de inicio'] },
      ]);
    },
  );

  test.each([
    ['', '2025-12-01', '2026-11-21', 12],
    ['?start_date=2026-10-15', '2026-10-15', '2026-11-21', 2],
    ['?start_date=2027-01-15', '2027-01-15', '2027-01-15', 1],
    ['?end_date=2026-02-28', '2025-03-01', '2026-02-28', 12],
    ['?start_date=2026-02-28&end_date=2026-02-28', '2026-02-28', '2026-02-28', 1],
    ['?start_date=1900-01-01&end_date=9999-12-31', '1900-01-01', '9999-12-31', 0],
    ['?end_date=1900-01-01', '1899-02-01', '1900-01-01', 12],
    ['?start_date=9999-12-31', '9999-12-31', '9999-12-31', 1],
    ['?start_date=9998-12-20', '9998-12-20', '9998-12-20', 1],
  ])('revenue/%s covers %s to %s, %d months', async (query, start_date, end_date, months) => {
    const revenue = await statisticsOf(app, `revenue/${query}`);
    expect(revenue).toMatchObject({ start_date, end_date });
    expect(revenue.by_month).toHaveLength(months);
    expect(await statisticsOf(app, `usage/${query}`)).toMatchObject({ start_date, end_date });
  });
});

describe.each(['America/Mexico_City', 'America/Santiago', 'Asia/Kolkata'])(
  'in the time zone %s',
  (timeZone) => {
    let app: TestApp;
    beforeAll(async () => {
      app = await createTestApp({ closeAfterTest: false, env: { BUSINESS_TIMEZONE: timeZone } });
      return app.close;
    });

    /** Compares all statistics with a second computation from the rows. */
    async function compare(
      rows: Rows,
      { now, currency }: Sample,
      range: { start_date: string; end_date: string },
    ) {
      const expected = expectedStatistics(rows, now, range, timeZone, currency);
      const query = `?start_date=${range.start_date}&end_date=${range.end_date}`;
      expect(await statisticsOf(app, '')).toEqual(expected.summary);
      expect(await statisticsOf(app, 'licenses/')).toEqual(expected.licenses);
      expect(await statisticsOf(app, 'clients/')).toEqual(expected.clients);
      expect(await statisticsOf(app, `revenue/${query}`)).toEqual(expected.revenue);
      expect(await statisticsOf(app, `usage/${query}`)).toEqual(expected.usage);
    }

    test('every figure equals a count row by row, per currency, for random rows and changes (MONEY-01)', {
      timeout: 120_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(sample, changes, async (made, then) => {
          app.clock.set(made.now);
          app.token = await signInAs(app, 'admin', 'admin123');
          const [start_date, end_date] = made.range.map((age) =>
            localDate(Date.parse(made.now) - age * 24 * 60 * 60 * 1000, timeZone),
          ) as [string, string];

          await compare(await storeSample(app.db, made), made, { start_date, end_date });
          await compare(await changeRows(app.db, then, made.now), made, { start_date, end_date });
        }),
        { numRuns: triesOf(20) },
      );
    });
  },
);

test('every call requires a session (SEED-6-01)', async () => {
  const t = await createTestApp();
  for (const path of CALLS) {
    expect([path, (await t.call('GET', URL + path, { token: null })).status]).toEqual([path, 401]);
  }
});
