import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { endAfterMonths } from '../../../contract/base/months.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';
import { REQUESTS } from '../../../test/payment-shop.ts';

/** Terms in months, through HTTP (MONEY-10). The vendor's time zone is that of Mexico City. */

const NOW = '2027-01-31T18:00:00.000Z';
const LIST = '/licenses/api/licenses/';
const TYPES = '/licenses/api/license-types/';
const BOTH = { expiry_months: ['Indica los meses o los días, no ambos'] };
const RANGE = 'Los meses deben ser un número entero entre 1 y 120 (10 años)';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const act = (id: number, action: string, body: object = {}) =>
  t.call('POST', `${LIST}${id}/${action}/`, { body });
const put = (id: number, body: object) => t.call('PUT', `${LIST}${id}/`, { body });
const read = async (id: number): Promise<License> => (await t.call('GET', `${LIST}${id}/`)).body;
/** The local day on which a licence ends; México is six hours behind UTC. */
const dayOf = (end: string | null) =>
  new Date(Date.parse(end!) - 6 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const at = (day: string) => `${day} 23:59:59`;
const endOf = (license: Pick<License, 'expiry_date'>) => dayOf(license.expiry_date);
async function moveTo(moment: string): Promise<void> {
  t.clock.set(moment);
  t.token = await signInAs(t, 'admin', 'admin123');
}
const monthly = (values: object = {}) => createLicense(t, { expiry_months: 1, ...values });

describe('issuing (MONEY-10)', () => {
  test('a licence in months ends on the same day of the month, or on the last of a shorter one', async () => {
    const license = await monthly();
    expect(license).toMatchObject({ expiry_months: 1, expiry_days: 28 });
    expect(endOf(license)).toBe(at('2027-02-28'));
    const year = await createLicense(t, { expiry_months: 12 });
    expect(year).toMatchObject({ expiry_months: 12, expiry_days: 365 });
    expect(endOf(year)).toBe(at('2028-01-31'));
    const { body } = await t.call('GET', LIST);
    expect(body.results.map(({ expiry_months }: License) => expiry_months)).toEqual([12, 1]);
    expect((await createLicense(t)).expiry_months).toBeNull();
  });

  test('a type gives its months, unless the call gives months, days, a date or no end', async () => {
    const type = await createLicenseType(t, { validity_days: 365, validity_months: 12, base_price: 1200 });
    const of = async (values: object) => {
      const { expiry_months, expiry_date } = await createLicense(t, {
        license_type_config: type.id,
        ...values,
      });
      return [expiry_months, expiry_date && dayOf(expiry_date).slice(0, 10)];
    };
    expect(await of({})).toEqual([12, '2028-01-31']);
    expect(await of({ expiry_months: 3 })).toEqual([3, '2027-04-30']);
    expect(await of({ expiry_days: 30 })).toEqual([null, '2027-03-02']);
    expect(await of({ expiry_days: 30, expiry_months: null })).toEqual([null, '2027-03-02']);
    expect(await of({ expiry_months: null })).toEqual([null, '2028-01-31']);
    expect(await of({ expiry_date: '2027-12-24' })).toEqual([null, '2027-12-24']);
    expect(await of({ expiry_date: '2027-12-24', expiry_months: 12 })).toEqual([null, '2027-12-24']);
    expect(await of({ expiry_days: null })).toEqual([null, null]);
    const { body } = await t.call('POST', '/licenses/api/license/generate/', {
      body: {
        client: (await createClient(t)).id,
        software: (await createSoftware(t)).id,
        license_type_config: type.id,
      },
    });
    expect([body.expiry_months, endOf(body)]).toEqual([12, at('2028-01-31')]);
  });

  test('each licence of a batch is in months', async () => {
    const values = { license_type: 'premium', price: 10, expiry_months: 6, quantity: 2 };
    const ids = { client: (await createClient(t)).id, software: (await createSoftware(t)).id };
    const { status, body } = await t.call('POST', `${LIST}batch/`, { body: { ...values, ...ids } });
    expect(status).toBe(201);
    for (const { id } of body.licenses) {
      expect(await read(id)).toMatchObject({ expiry_months: 6, expiry_days: 181 });
    }
  });

  test('months and days together, and months out of range, are refused by name', async () => {
    const ids = { client: (await createClient(t)).id, software: (await createSoftware(t)).id };
    const values = { ...ids, license_type: 'premium', price: 10 };
    const type = (await createLicenseType(t)).id;
    const issues: [string, object][] = [
      [LIST, values],
      [`${LIST}batch/`, { ...values, quantity: 2 }],
      ['/licenses/api/license/generate/', { ...ids, license_type_config: type }],
    ];
    for (const [path, body] of issues) {
      const call = async (more: object) => (await t.call('POST', path, { body: { ...body, ...more } })).body;
      expect((await call({ expiry_months: 1, expiry_days: 30 })).errors).toEqual(BOTH);
      expect((await call({ expiry_months: 1, expiry_days: null })).errors).toEqual(BOTH);
      for (const expiry_months of [0, -1, 121, 1.5, '12', true]) {
        expect((await call({ expiry_months })).errors).toEqual({ expiry_months: [RANGE] });
      }
    }
    expect((await t.call('GET', LIST)).body.count).toBe(0);
  });

  test('a licence that starts with its first activation takes its months from that day', async () => {
    const license = await createLicense(t, { start_mode: 'first_activation', expiry_months: 1 });
    expect(license).toMatchObject({
      pending_start: true,
      expiry_months: 1,
      expiry_days: 28,
      expiry_date: null,
    });
    const longer = await put(license.id, { expiry_months: 2 });
    expect(longer.body).toMatchObject({ pending_start: true, expiry_months: 2, expiry_days: 59 });
    expect((await put(license.id, { expiry_days: 20 })).body).toMatchObject({
      expiry_months: null,
      expiry_days: 20,
      pending_start: true,
    });
    await put(license.id, { expiry_months: 1 });
    await moveTo('2027-03-31T18:00:00.000Z');
    expect((await activate(t, license.license_key, 'caja-1')).status).toBe(201);
    const started = await read(license.id);
    // 30 April is 89 days after the issue.
    expect(started).toMatchObject({ pending_start: false, expiry_months: 1, expiry_days: 89 });
    expect(endOf(started)).toBe(at('2027-04-30'));
    // Its first term began on the 31st, which comes back.
    expect(endOf((await act(license.id, 'renew')).body)).toBe(at('2027-05-31'));
  });

  test('a PUT that starts a waiting licence takes its months from its issue', async () => {
    const license = await createLicense(t, { start_mode: 'first_activation', expiry_months: 12 });
    const { body } = await put(license.id, { start_mode: 'issue' });
    expect([body.pending_start, body.expiry_months, endOf(body)]).toEqual([false, 12, at('2028-01-31')]);
    const other = await createLicense(t, { start_mode: 'first_activation', expiry_months: 12 });
    const dated = await put(other.id, { expiry_date: '2027-12-24' });
    expect([dated.body.expiry_months, endOf(dated.body)]).toEqual([null, at('2027-12-24')]);
  });
});

describe('renewing (MONEY-10)', () => {
  test('a licence to 31/12/2027 that is renewed with a year ends on 31/12/2028', async () => {
    const type = await createLicenseType(t, { name: 'Anual', validity_days: 365, validity_months: 12 });
    const license = await createLicense(t, { expiry_date: '2027-12-31' });
    const { body } = await act(license.id, 'renew', { license_type_config: type.id });
    expect([body.expiry_months, endOf(body)]).toEqual([12, at('2028-12-31')]);
    const inDays = await createLicense(t, { expiry_date: '2027-12-31' });
    const days = await act(inDays.id, 'renew', { license_type_config: type.id, expiry_days: 365 });
    expect([days.body.expiry_months, endOf(days.body)]).toEqual([null, at('2028-12-30')]);
  });

  test('the 31st comes back after shorter months, and an undone renewal leaves no trace', async () => {
    const license = await monthly();
    const ends = [];
    const versions = [];
    for (let count = 0; count < 4; count += 1) {
      const preview = await act(license.id, 'renew/preview');
      const { body } = await act(license.id, 'renew');
      expect(body.expiry_date).toBe(preview.body.ends);
      versions.push(body);
      ends.push(endOf(body));
    }
    expect(ends).toEqual(['2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'].map(at));
    for (const { expiry_months, expiry_days, expiry_date } of versions.slice(0, -1).reverse()) {
      const { body } = await act(license.id, 'undo_renewal');
      expect(body).toMatchObject({ expiry_months, expiry_days, expiry_date });
    }
    expect(endOf((await act(license.id, 'renew', { expiry_months: 12 })).body)).toBe(at('2028-03-31'));
  });

  test('days set the months to null, also for the licence that an undone renewal gives back', async () => {
    const license = await monthly();
    const renewed = await act(license.id, 'renew', { expiry_days: 31 });
    expect([renewed.body.expiry_months, endOf(renewed.body)]).toEqual([null, at('2027-03-31')]);
    const undone = await act(license.id, 'undo_renewal');
    expect([undone.body.expiry_months, endOf(undone.body)]).toEqual([1, at('2027-02-28')]);
    await act(license.id, 'renew', { expiry_date: '2027-04-15' });
    expect((await read(license.id)).expiry_months).toBeNull();
    // A new row begins where the days ended.
    expect(endOf((await act(license.id, 'renew', { expiry_months: 1 })).body)).toBe(at('2027-05-15'));
    const events = (await t.call('GET', `/licenses/api/events/?license=${license.id}&type=license.renewed`))
      .body.results;
    expect(events.map(({ changes }: { changes: object }) => changes)).toMatchObject([
      { expiry_months: { before: null, after: 1 } },
      { expiry_months: { before: 1, after: null } },
      { expiry_months: { before: 1, after: null } },
    ]);
  });

  test('a term that starts today, and an end that was moved, begin a new row', async () => {
    const early = await monthly();
    const today = await moveTo('2027-02-10T18:00:00.000Z').then(() =>
      act(early.id, 'renew', { from: 'today' }),
    );
    expect(endOf(today.body)).toBe(at('2027-03-10'));
    const late = await monthly();
    await moveTo('2027-04-20T18:00:00.000Z');
    expect(endOf((await act(late.id, 'renew')).body)).toBe(at('2027-05-20'));

    await moveTo('2027-01-31T18:00:00.000Z');
    const [extended, suspended] = [await monthly(), await monthly()];
    const { body } = await act(extended.id, 'extend', { days: 5, reason: 'Obra' });
    expect([body.expiry_months, endOf(body)]).toEqual([1, at('2027-03-05')]);
    expect(endOf((await act(extended.id, 'renew')).body)).toBe(at('2027-04-05'));
    await act(suspended.id, 'suspend', { reason: 'x' });
    await moveTo('2027-04-02T18:00:00.000Z');
    // 61 days after 28 February is the last day of April, where the 31st would be too.
    expect(endOf((await act(suspended.id, 'reinstate', { extend: true })).body)).toBe(at('2027-04-30'));
    expect(endOf((await act(suspended.id, 'renew')).body)).toBe(at('2027-05-30'));
  });

  test('a type in months renews in months, a type in days in days', async () => {
    const year = await createLicenseType(t, { validity_days: 365, validity_months: 12 });
    const month = await createLicenseType(t, { validity_days: 30 });
    const license = await createLicense(t, { license_type_config: year.id, expiry_days: 10 });
    const renewed = await act(license.id, 'renew');
    expect([renewed.body.expiry_months, endOf(renewed.body)]).toEqual([12, at('2028-02-10')]);
    const changed = await act(license.id, 'renew', { license_type_config: month.id });
    expect([changed.body.expiry_months, endOf(changed.body)]).toEqual([null, at('2028-03-11')]);
  });

  test('many licences are renewed by months at once; with days too, none is', async () => {
    const [a, b] = [await monthly(), await createLicense(t, { expiry_date: '2027-12-31' })];
    const body = { ids: [a.id, b.id], action: 'renew', expiry_months: 3 };
    const both = await t.call('POST', `${LIST}bulk_action/`, { body: { ...body, expiry_days: 90 } });
    expect([both.status, both.body.errors]).toEqual([400, BOTH]);
    const { body: done } = await t.call('POST', `${LIST}bulk_action/`, { body });
    expect(done.done).toEqual([a.id, b.id]);
    expect([endOf(await read(a.id)), endOf(await read(b.id))]).toEqual(['2027-05-31', '2028-03-31'].map(at));
  });

  test('months with days, and months out of range, are refused', async () => {
    const { id } = await monthly();
    for (const path of ['renew', 'renew/preview']) {
      const both = await act(id, path, { expiry_months: 1, expiry_days: 30 });
      expect([both.status, both.body.errors]).toEqual([400, BOTH]);
      for (const expiry_months of [0, 121, 2.5, '1']) {
        const { status, body } = await act(id, path, { expiry_months });
        expect([status, body.errors]).toEqual([400, { expiry_months: [RANGE] }]);
      }
    }
    const { status } = await t.call('POST', `${LIST}${id}/renew/`, {
      body: { expiry_months: 1 },
      token: null,
    });
    expect(status).toBe(401);
    const far = await createLicense(t, { expiry_date: '9998-12-31' });
    expect((await act(far.id, 'renew', { expiry_months: 24 })).status).toBe(400);
  });
});

describe('corrections (MONEY-10)', () => {
  test('of a PUT the first that changed wins: months, days, date', async () => {
    const license = await monthly();
    const months = await put(license.id, { expiry_months: 2, expiry_days: 10, expiry_date: '2027-12-24' });
    expect([months.body.expiry_months, endOf(months.body)]).toEqual([2, at('2027-03-31')]);
    const days = await put(license.id, { ...months.body, expiry_days: 10, expiry_date: '2027-12-24' });
    expect([days.body.expiry_months, endOf(days.body)]).toEqual([null, at('2027-02-10')]);
    const back = await put(license.id, { ...days.body, expiry_months: 1 });
    expect([back.body.expiry_months, endOf(back.body)]).toEqual([1, at('2027-02-28')]);
    const date = await put(license.id, { ...back.body, expiry_date: '2027-12-24' });
    expect([date.body.expiry_months, endOf(date.body)]).toEqual([null, at('2027-12-24')]);
    // What does not change never moves the end.
    const renewed = (await act((await monthly()).id, 'renew')).body;
    const { expiry_months, expiry_days, expiry_date } = renewed;
    const same = await put(renewed.id, { ...renewed, notes: 'x' });
    expect(same.body).toMatchObject({ expiry_months, expiry_days, expiry_date, notes: 'x' });
    const patched = await t.call('PATCH', `${LIST}${license.id}/`, { body: { expiry_months: 4 } });
    expect([patched.body.expiry_months, endOf(patched.body)]).toEqual([4, at('2027-05-31')]);
    const cleared = await put(license.id, { expiry_months: null });
    expect([cleared.body.expiry_months, endOf(cleared.body)]).toEqual([null, at('2027-05-31')]);
    const unit = await put(license.id, { expiry_months: null, expiry_days: 40 });
    expect([unit.body.expiry_months, endOf(unit.body)]).toEqual([null, at('2027-03-12')]);
    const never = await put(license.id, { expiry_days: null, expiry_date: null });
    expect(never.body).toMatchObject({ expiry_months: null, expiry_days: null, expiry_date: null });
    expect(endOf((await put(license.id, { expiry_months: 1 })).body)).toBe(at('2027-02-28'));
    for (const expiry_months of [0, 121, '3']) {
      const { status, body } = await put(license.id, { expiry_months });
      expect([status, body.errors]).toEqual([400, { expiry_months: [RANGE] }]);
    }
  });

  test('the months of a renewed licence count from its present term, and keep its day of the month', async () => {
    const license = await monthly();
    await act(license.id, 'renew');
    const { body } = await put(license.id, { expiry_months: 3 });
    expect([body.expiry_months, endOf(body)]).toEqual([3, at('2027-05-31')]);
    expect((await t.call('GET', `${LIST}${license.id}/terms/`)).body.results[0].ends).toBe(body.expiry_date);
    expect(endOf((await act(license.id, 'renew', { expiry_months: 1 })).body)).toBe(at('2027-06-30'));
  });

  test('an end after the year 9999 is refused, and the error names the months', async () => {
    const license = await createLicense(t, { expiry_date: '9998-12-31' });
    expect((await act(license.id, 'renew', { expiry_months: 1, price: 5 })).status).toBe(200);
    const wrong = {
      ...{ status: 400, body: { errors: { expiry_months: ['La fecha de expiración no es válida'] } } },
    };
    expect(await act(license.id, 'renew', { expiry_months: 120, price: 5 })).toMatchObject(wrong);
    expect(await act(license.id, 'renew/preview', { expiry_months: 120 })).toMatchObject(wrong);
    expect(await put(license.id, { expiry_months: 120 })).toMatchObject(wrong);
    const body = { ids: [license.id], updates: { expiry_months: 120 } };
    expect(await t.call('PATCH', `${LIST}bulk_update/`, { body })).toMatchObject(wrong);
    expect(endOf(await read(license.id))).toBe(at('9999-01-31'));
  });

  test('the terms say from where changed months count, and on which day of the month they end', async () => {
    const license = await monthly();
    const monthsFrom = async () => (await t.call('GET', `${LIST}${license.id}/terms/`)).body.months_from;
    expect(await monthsFrom()).toEqual({ from: NOW, anchor: 31 });
    await act(license.id, 'renew', { expiry_months: 1, price: 10 });
    await act(license.id, 'add_seats', { quantity: 1, price: 10 });
    const { from, anchor } = await monthsFrom();
    expect([dayOf(from), anchor]).toEqual([at('2027-02-28'), 31]);
    const { body } = await put(license.id, { expiry_months: 3 });
    expect(body.expiry_date).toBe(endAfterMonths(from, 3, 'America/Mexico_City', anchor));
    const waits = await createLicense(t, { expiry_months: 3, start_mode: 'first_activation' });
    expect((await t.call('GET', `${LIST}${waits.id}/terms/`)).body.months_from).toBeNull();
  });

  test('a bulk update takes months, and its days set them to null', async () => {
    const [a, b] = [await monthly(), await createLicense(t, { expiry_days: 10 })];
    const patch = (updates: object) =>
      t.call('PATCH', `${LIST}bulk_update/`, { body: { ids: [a.id, b.id], updates } });
    expect((await patch({ expiry_months: 3 })).body).toMatchObject({ updated: 2 });
    for (const { id } of [a, b]) {
      const license = await read(id);
      expect([license.expiry_months, endOf(license)]).toEqual([3, at('2027-04-30')]);
    }
    expect((await patch({ expiry_days: 31 })).status).toBe(200);
    for (const { id } of [a, b]) {
      const license = await read(id);
      expect([license.expiry_months, endOf(license)]).toEqual([null, at('2027-03-03')]);
    }
    expect((await patch({ expiry_months: 121 })).status).toBe(400);
  });
});

describe('types (MONEY-10)', () => {
  test('a type has months or null, from 1 to 120, and still needs days', async () => {
    const type = await createLicenseType(t, { validity_months: 12 });
    expect(type).toMatchObject({ validity_days: 365, validity_months: 12 });
    expect((await createLicenseType(t)).validity_months).toBeNull();
    const change = (body: object) => t.call('PUT', `${TYPES}${type.id}/`, { body });
    expect((await change({ base_price: 5 })).body.validity_months).toBe(12);
    expect((await change({ validity_months: null })).body.validity_months).toBeNull();
    expect((await change({ validity_months: 24 })).body).toMatchObject({
      validity_months: 24,
      validity_days: 365,
    });
    for (const validity_months of [0, 121, 1.5, '12']) {
      const { status, body } = await change({ validity_months });
      expect([status, body.errors]).toEqual([400, { validity_months: [RANGE] }]);
    }
    const { status, body } = await t.call('POST', TYPES, {
      body: { name: 'Sin días', base_price: 1, max_installations: 1, validity_months: 12 },
    });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['validity_days']]);
    const list = (await t.call('GET', TYPES)).body.results;
    expect(list.map(({ validity_months }: { validity_months: number }) => validity_months)).toContain(24);
  });

  test('the public catalogue says the months', async () => {
    await createLicenseType(t, { name: 'A', is_public: true, validity_months: 6, validity_days: 180 });
    await createLicenseType(t, { name: 'B', is_public: true });
    const { body } = await t.call('GET', '/licenses/api/catalog/', { token: null });
    expect(
      body.license_types.map(({ validity_months }: { validity_months: number | null }) => validity_months),
    ).toEqual([6, null]);
  });
});

describe('payment requests (MONEY-10)', () => {
  const ask = (license: License, line: object = {}) =>
    t.call('POST', REQUESTS, {
      body: { lines: [{ license: license.id, kind: 'renewal', price: 10, ...line }], notify: false },
    });
  const pay = (id: number) => t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body: { method: 'cash' } });

  test('a line in months says its span by the calendar, and what is paid is that', async () => {
    const license = await monthly();
    const { status, body } = await ask(license, { expiry_months: 1 });
    expect(status).toBe(201);
    expect([body.lines[0].starts, dayOf(body.lines[0].ends)]).toEqual([
      license.expiry_date,
      at('2027-03-31'),
    ]);
    // Who pays late loses no day, and the new row begins on that day.
    await moveTo('2027-03-05T18:00:00.000Z');
    const late = await ask(await createLicense(t, { expiry_months: 1 }), { expiry_months: 2 });
    expect(dayOf(late.body.lines[0].ends)).toBe(at('2027-06-05'));
    await moveTo('2027-02-05T18:00:00.000Z');
    const paid = await pay(body.id);
    expect([paid.body.state, dayOf(paid.body.lines[0].ends)]).toEqual(['paid', at('2027-03-31')]);
    const renewed = await read(license.id);
    expect([renewed.expiry_months, endOf(renewed)]).toEqual([1, at('2027-03-31')]);
  });

  test('a line without a length has the months of the type, frozen when it was asked', async () => {
    const type = await createLicenseType(t, { validity_days: 365, validity_months: 12 });
    const license = await createLicense(t, { license_type_config: type.id, expiry_date: '2027-12-31' });
    const { body } = await ask(license, { price: undefined });
    expect(dayOf(body.lines[0].ends)).toBe(at('2028-12-31'));
    await t.call('PUT', `${TYPES}${type.id}/`, { body: { validity_months: 1, validity_days: 30 } });
    expect(dayOf((await t.call('GET', `${REQUESTS}${body.id}/`)).body.lines[0].ends)).toBe(at('2028-12-31'));
    await pay(body.id);
    expect(await read(license.id)).toMatchObject({
      expiry_months: 12,
      expiry_date: '2029-01-01T05:59:59.000Z',
    });
  });

  test('more time than the type sells needs licenses:renew; months and days together are refused', async () => {
    const type = await createLicenseType(t, { base_price: 10, validity_days: 365, validity_months: 12 });
    const license = await createLicense(t, { license_type_config: type.id, expiry_date: '2027-12-31' });
    const permissions = ['payments:read', 'payments:write'];
    const { key } = (
      await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Cobros', permissions } })
    ).body;
    const line = (more: object) =>
      t.call('POST', REQUESTS, {
        token: key,
        body: { lines: [{ license: license.id, kind: 'renewal', ...more }], notify: false },
      });
    expect((await line({ expiry_months: 13 })).status).toBe(403);
    const both = await line({ expiry_months: 12, expiry_days: 365 });
    expect([both.status, both.body.errors]).toEqual([400, { lines: BOTH.expiry_months }]);
    expect((await line({ expiry_months: 0 })).status).toBe(400);
    expect((await line({ expiry_months: 12 })).status).toBe(201);
  });
});

describe('files (MONEY-10)', () => {
  const rowsOf = async (app: TestApp): Promise<Record<string, string>[]> =>
    parse((await app.call('GET', `${LIST}export/`)).text, { bom: true, columns: true });

  test('an export has the months, and an import of a renewed licence lets the 31st come back', async () => {
    const client = await createClient(t, { email: 'ana@example.com' });
    const software = await createSoftware(t, { name: 'Caja', version: '1' });
    const license = await monthly({ client: client.id, software: software.id });
    await act(license.id, 'renew');
    await act(license.id, 'renew');
    const file = (await t.call('GET', `${LIST}export/`)).text;
    expect((await rowsOf(t))[0]).toMatchObject({ 'Meses de Expiración': '1' });
    const to = await createTestApp({ now: '2027-02-01T10:00:00.000Z' });
    await createClient(to, { email: 'ana@example.com' });
    await createSoftware(to, { name: 'Caja', version: '1' });
    const { progress } = await importFile(to, 'licenses', file);
    expect(progress.result?.created).toBe(1);
    const [imported] = (await to.call('GET', LIST)).body.results;
    expect([imported.expiry_months, endOf(imported)]).toEqual([1, at('2027-04-30')]);
    const { body } = await to.call('POST', `${LIST}${imported.id}/renew/`, { body: {} });
    expect(endOf(body)).toBe(at('2027-05-31'));
  });

  test('a file with months alone issues by the calendar, and one with a changed month moves the end', async () => {
    await createClient(t, { email: 'ana@example.com' });
    await createSoftware(t, { name: 'Caja', version: '1' });
    const head = 'Email,Software,Categoría,Precio,Meses,Clave de Licencia\n';
    const { progress } = await importFile(
      t,
      'licenses',
      `${head}ana@example.com,Caja,Premium,10,1,AAAA-1111\n`,
    );
    expect(progress.result?.created).toBe(1);
    const [license] = (await t.call('GET', LIST)).body.results;
    expect([license.expiry_months, endOf(license)]).toEqual([1, at('2027-02-28')]);
    await importFile(t, 'licenses', `${head}ana@example.com,Caja,Premium,10,2,AAAA-1111\n`, 'upsert');
    expect(endOf(await read(license.id))).toBe(at('2027-03-31'));
    const wrong = await importFile(t, 'licenses', `${head}ana@example.com,Caja,Premium,10,500,BBBB-2222\n`);
    expect(wrong.forecast.errors).toMatchObject([{ row: 2, field: 'expiry_months', message: RANGE }]);
  });
});
