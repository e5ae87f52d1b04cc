import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import { importFile, undoImport } from '../../../test/import-file.ts';
import { REQUESTS, result } from '../../../test/payment-shop.ts';

/** More seats until the end of a licence (MONEY-08). */

const NOW = '2026-11-21T18:00:00.000Z';
const ME = '/licenses/api/licenses/';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const act = (id: number, action: string, body: object = {}, more: object = {}) =>
  t.call('POST', `${ME}${id}/${action}/`, { body, ...more });
const read = async (id: number) => (await t.call('GET', `${ME}${id}/`)).body;
const termsOf = async (id: number) => (await t.call('GET', `${ME}${id}/terms/`)).body.results;
const kindsOf = async (id: number) => (await termsOf(id)).map(({ kind }: { kind: string }) => kind);

async function moveTo(moment: string): Promise<void> {
  t.clock.set(moment);
  t.token = await signInAs(t, 'admin', 'admin123');
}

/** A licence of a type that sells 5 seats for a year at 1,200: 240 each. */
async function yearly(values: object = {}, type: object = {}): Promise<License> {
  const { id } = await createLicenseType(t, {
    ...{ base_price: 1200, validity_days: 365, max_installations: 5 },
    ...type,
  });
  return createLicense(t, {
    ...{ license_type_config: id, price: 1000, expiry_days: 365, max_installations: 5 },
    ...values,
  });
}

describe('the price of more seats (MONEY-08)', () => {
  test('is the part of the base price for the days that are left, without a promotion', async () => {
    const license = await yearly(
      {},
      { is_promotion: true, promotion_name: 'Buen Fin', discount_percentage: 50, renewal_price: 600 },
    );
    const preview = await act(license.id, 'add_seats/preview', { quantity: 2 });
    expect(result(preview)).toEqual([200, undefined]);
    expect(preview.body).toEqual({
      ...{ starts: NOW, ends: license.expiry_date, price: 480, currency: 'MXN', max_installations: 7 },
    });
    await moveTo('2027-05-23T18:00:00.000Z');
    // 182 of 365 days: 1200 / 5 × 3 × 182 / 365 = 359.0137
    expect((await act(license.id, 'add_seats/preview', { quantity: 3 })).body.price).toBe(359.01);
    expect((await read(license.id)).max_installations).toBe(5);
    // On the last day one day is paid: 240 / 365 = 0.6575
    await moveTo('2027-11-21T18:00:00.000Z');
    expect((await act(license.id, 'add_seats/preview', { quantity: 1 })).body.price).toBe(0.66);
  });

  test('is a whole one for a licence without an end, and counts the current term after an early renewal', async () => {
    const endless = await yearly({ expiry_days: null, expiry_date: null });
    expect((await act(endless.id, 'add_seats/preview', { quantity: 2 })).body).toMatchObject({
      ...{ price: 480, ends: null },
    });
    const early = await yearly();
    await act(early.id, 'renew', { expiry_days: 100, notify: false });
    // 465 days are left, and the term that ends then has 100.
    expect((await act(early.id, 'add_seats/preview', { quantity: 1 })).body.price).toBe(1116);
  });

  test('is in the currency of the type; a sent one in that of the licence, in whole pesos of Chile', async () => {
    const chile = await yearly(
      { currency: 'CLP', price: 1000 },
      { currency: 'CLP', base_price: 1000, max_installations: 3 },
    );
    const found = await act(chile.id, 'add_seats/preview', { quantity: 1 });
    expect(found.body).toMatchObject({ price: 333, currency: 'CLP' });
    const sent = await act(chile.id, 'add_seats/preview', { quantity: 1, price: 12.5 });
    expect(sent.body).toMatchObject({ code: 'invalid', errors: { price: [expect.stringContaining('CLP')] } });
    const dollars = await yearly({ currency: 'USD', price: 60 });
    expect((await act(dollars.id, 'add_seats/preview', { quantity: 1 })).body.currency).toBe('MXN');
    expect((await act(dollars.id, 'add_seats/preview', { quantity: 1, price: 5 })).body).toMatchObject({
      ...{ price: 5, currency: 'USD' },
    });
  });

  test('must be sent where no type says it, and where it would be 0', async () => {
    const bare = await createLicense(t, { price: 100, max_installations: 1 });
    const refused = await act(bare.id, 'add_seats', { quantity: 1 });
    expect(refused.body).toMatchObject({ code: 'invalid', errors: { price: [expect.any(String)] } });
    expect((await act(bare.id, 'add_seats', { quantity: 1, price: 50 })).body.max_installations).toBe(2);
    const cheap = await yearly({ expiry_days: 1 }, { base_price: 0.01, max_installations: 5 });
    expect((await act(cheap.id, 'add_seats/preview', { quantity: 1 })).body.errors).toHaveProperty('price');
    expect((await act(cheap.id, 'add_seats/preview', { quantity: 3 })).body.price).toBe(0.01);
  });
});

describe('add_seats (MONEY-08)', () => {
  test('more machines fit at once; term, event, mail and history say it', async () => {
    const license = await yearly({ max_installations: 1 });
    expect((await activate(t, license.license_key, 'a')).status).toBe(201);
    expect((await activate(t, license.license_key, 'b')).status).not.toBe(201);
    await t.deliveredMail();
    const { status, body } = await act(license.id, 'add_seats', { quantity: 1 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ max_installations: 2, price: license.price, expiry_date: license.expiry_date },
      ...{ expiry_days: license.expiry_days, email_status: 'queued' },
    });
    expect(body.can).toContain('add_seats');
    expect((await activate(t, license.license_key, 'b')).status).toBe(201);
    const [sold] = await termsOf(license.id);
    expect(sold).toMatchObject({
      ...{ kind: 'seats', starts: NOW, ends: license.expiry_date, price: 240, currency: 'MXN' },
      license_type_config: license.license_type_config,
      actor: { kind: 'user' },
    });
    const events = (await t.call('GET', `/licenses/api/events/?license=${license.id}`)).body.results;
    const own = events.find(({ type }: { type: string }) => type === 'license.seats_added');
    expect(own.changes).toEqual({ max_installations: { before: 1, after: 2 } });
    const mail = (await t.deliveredMail()).find(({ subject = '' }) => subject.startsWith('Más lugares'))!;
    expect(mail.text).toContain('tiene 1 lugar más');
  });

  test('with notify:false no mail goes out, and only licenses:renew may do it', async () => {
    const license = await yearly();
    await t.deliveredMail();
    await act(license.id, 'add_seats', { quantity: 1, notify: false });
    expect(await t.deliveredMail()).toHaveLength(1);
    const keyOf = async (...permissions: string[]) =>
      (await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Tienda', permissions } })).body.key;
    const writes = await keyOf('licenses:read', 'licenses:write');
    for (const path of ['add_seats', 'add_seats/preview']) {
      expect(result(await act(license.id, path, { quantity: 1 }, { token: writes }))).toEqual([
        403,
        'forbidden',
      ]);
      expect((await act(license.id, path, { quantity: 1 }, { token: null })).status).toBe(401);
      expect((await act(999_999, path, { quantity: 1 })).status).toBe(404);
    }
    const renews = await keyOf('licenses:read', 'licenses:renew');
    expect((await act(license.id, 'add_seats', { quantity: 1 }, { token: renews })).status).toBe(200);
  });

  test.each([[0], [-1], [1.5], ['dos'], [null], [undefined], [1_000_001]])(
    'a quantity of %s is refused at its field',
    async (quantity) => {
      const license = await yearly();
      for (const path of ['add_seats', 'add_seats/preview']) {
        const { status, body } = await act(license.id, path, { quantity });
        expect([status, Object.keys(body.errors)]).toEqual([400, ['quantity']]);
      }
      expect(await kindsOf(license.id)).toEqual(['issue']);
    },
  );

  test('a licence has no more than a million seats, and a price is above 0', async () => {
    const license = await yearly({ max_installations: 999_999 });
    expect((await act(license.id, 'add_seats', { quantity: 2, price: 5 })).body.errors).toHaveProperty(
      'quantity',
    );
    expect((await act(license.id, 'add_seats', { quantity: 1, price: 5 })).status).toBe(200);
    for (const price of [0, -1, 0.001, '12']) {
      expect((await act(license.id, 'add_seats', { quantity: 1, price })).body.errors).toHaveProperty(
        'price',
      );
    }
  });

  test('trials, pending and expired ones are not_renewable; suspended and cancelled ones invalid_transition', async () => {
    const codeOf = async (values: object, action?: string) => {
      const { id } = await yearly(values);
      if (action) await act(id, action, { notify: false });
      const preview = await act(id, 'add_seats/preview', { quantity: 1 });
      const { status, body } = await act(id, 'add_seats', { quantity: 1 });
      expect([preview.status, preview.body.code]).toEqual([status, body.code]);
      expect((await read(id)).can).not.toContain('add_seats');
      expect(await kindsOf(id)).toEqual(['issue']);
      return [status, body.code];
    };
    for (const values of [
      { status: 'trial' },
      { license_type: 'trial' },
      { start_mode: 'first_activation' },
      { status: 'expired' },
      { expiry_date: '2026-11-20' },
      // Within its grace the licence works, but has ended.
      { expiry_date: '2026-11-20', grace_days: 30 },
      { complimentary: true, price: 0 },
    ]) {
      expect([values, ...(await codeOf(values))]).toEqual([values, 409, 'not_renewable']);
    }
    expect(await codeOf({}, 'suspend')).toEqual([409, 'invalid_transition']);
    expect(await codeOf({}, 'cancel')).toEqual([409, 'invalid_transition']);
  });

  test('two at once both sell, one of a repeated call, and only the first of a version', async () => {
    const license = await yearly();
    const both = await Promise.all([2, 3, 4].map((quantity) => act(license.id, 'add_seats', { quantity })));
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read(license.id)).max_installations).toBe(14);
    const headers = { 'idempotency-key': 'una' };
    const same = await Promise.all(
      [1, 2].map(() => act(license.id, 'add_seats', { quantity: 1 }, { headers })),
    );
    expect(same.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(license.id)).max_installations).toBe(15);
    const version = { 'if-match': `"${(await read(license.id)).updated_at}"` };
    const stale = await Promise.all(
      [1, 2].map(() => act(license.id, 'add_seats', { quantity: 1 }, { headers: version })),
    );
    expect(stale.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await read(license.id)).max_installations).toBe(16);
    expect(await kindsOf(license.id)).toEqual(['seats', 'seats', 'seats', 'seats', 'seats', 'issue']);
    // What they cost is what the sum of the licence's terms says.
    const terms = await termsOf(license.id);
    const sum = terms.reduce((total: number, { price }: { price: number }) => total + price, 0);
    expect(sum).toBe(1000 + 240 * 11);
  });

  test('seats are no term: price, end, length, extension and the rate of renewals do not know them', async () => {
    const license = await yearly();
    await act(license.id, 'extend', { days: 5, reason: 'Paga el lunes', notify: false });
    await act(license.id, 'add_seats', { quantity: 1, notify: false });
    const again = await act(license.id, 'extend', { days: 5, reason: 'Otra vez' });
    expect(result(again)).toEqual([409, 'already_extended']);
    expect(await read(license.id)).toMatchObject({ price: 1000, max_installations: 6 });
    // A PUT of price and end corrects the term, not the seats.
    await t.call('PUT', `${ME}${license.id}/`, { body: { price: 900 } });
    expect((await termsOf(license.id)).map(({ price }: { price: number }) => price)).toEqual([240, 900]);
    await moveTo('2027-12-20T18:00:00.000Z');
    const rates = async () => (await t.call('GET', '/licenses/api/reports/renewals/')).body;
    expect(await rates()).toMatchObject({ ended: 1, renewed: 0 });
    await act(license.id, 'renew', { notify: false });
    expect(await rates()).toMatchObject({ ended: 1, renewed: 1 });
    await act(license.id, 'undo_renewal');
    expect(await rates()).toMatchObject({ ended: 1, renewed: 0 });
  });

  test('a row of terms in months goes on, also where seats were sold between two of them (MONEY-10)', async () => {
    await moveTo('2027-01-31T18:00:00.000Z');
    const license = await yearly({ expiry_days: undefined, expiry_months: 1 });
    const days: string[] = [license.expiry_date!.slice(0, 10)];
    for (let n = 0; n < 2; n += 1) {
      await act(license.id, 'add_seats', { quantity: 1, notify: false });
      const { body } = await act(license.id, 'renew', { expiry_months: 1, notify: false });
      days.push(body.expiry_date.slice(0, 10));
    }
    // The last instants of 28 February, 31 March and 30 April, in UTC.
    expect(days).toEqual(['2027-03-01', '2027-04-01', '2027-05-01']);
  });

  test('sums count them as an upgrade', async () => {
    const license = await yearly();
    await act(license.id, 'add_seats', { quantity: 2, notify: false });
    const { body } = await t.call('GET', '/licenses/api/reports/revenue/?from=2026-11-01&to=2026-11-30');
    expect(body.totals[0]).toMatchObject({ new: 1000, upgrade: 480, renewal: 0, total: 1480, count: 2 });
    const today = (await t.call('GET', '/licenses/api/statistics/today/')).body;
    expect(today.revenue).toMatchObject({ this_month: 1480 });
  });
});

describe('what follows (MONEY-08)', () => {
  test('undo_renewal takes the newest of all kinds, one after another', async () => {
    const license = await yearly();
    await act(license.id, 'renew', { notify: false });
    await act(license.id, 'add_seats', { quantity: 2, notify: false });
    expect(await kindsOf(license.id)).toEqual(['seats', 'renewal', 'issue']);
    expect((await act(license.id, 'undo_renewal')).body.max_installations).toBe(5);
    // What was taken back is not asked for again.
    expect((await act(license.id, 'renew/preview')).body.price).toBe(1200);
    expect((await act(license.id, 'undo_renewal')).body.expiry_date).toBe(license.expiry_date);
    expect(await kindsOf(license.id)).toEqual(['issue']);
    expect(result(await act(license.id, 'undo_renewal'))).toEqual([409, 'not_undoable']);
    await act(license.id, 'add_seats', { quantity: 2, notify: false });
    await t.call('PUT', `${ME}${license.id}/`, { body: { notes: 'x' } });
    expect(result(await act(license.id, 'undo_renewal'))).toEqual([409, 'not_undoable']);
  });

  test('a renewal keeps the seats that were bought and asks for them; seats set by hand cost nothing', async () => {
    const license = await yearly({ max_installations: 8 });
    const type = license.license_type_config;
    expect((await act(license.id, 'renew/preview')).body.price).toBe(1200);
    await act(license.id, 'add_seats', { quantity: 2, notify: false });
    await t.call('PUT', `${ME}${license.id}/`, { body: { max_installations: 13 } });
    for (const body of [{}, { license_type_config: type }]) {
      expect((await act(license.id, 'renew/preview', body)).body.price).toBe(1680);
    }
    expect((await act(license.id, 'renew', { notify: false })).body).toMatchObject({
      ...{ price: 1680, max_installations: 13 },
    });
    // The second renewal asks it too.
    expect((await act(license.id, 'renew/preview')).body.price).toBe(1680);
    const named = await act(license.id, 'renew', { license_type_config: type, notify: false });
    expect(named.body).toMatchObject({ price: 1680, max_installations: 7 });
    // The price of a promotion grows in the same way.
    const one = `/licenses/api/license-types/${type}/`;
    const promotion = { is_promotion: true, promotion_name: 'Buen Fin', discount_percentage: 10 };
    await t.call('PATCH', one, { body: promotion });
    const reduced = await act(license.id, 'renew', { notify: false });
    expect(reduced.body).toMatchObject({ price: 1512, original_price: 1680, discount_percentage: 10 });
    await t.call('PATCH', one, { body: { renewal_price: 500 } });
    expect((await act(license.id, 'renew/preview')).body.price).toBe(700);
  });

  test('another type sells its own seats at its own price', async () => {
    const license = await yearly();
    await act(license.id, 'add_seats', { quantity: 2, notify: false });
    const other = await createLicenseType(t, { base_price: 3000, max_installations: 20 });
    const upgraded = await act(license.id, 'renew', { license_type_config: other.id, notify: false });
    expect(upgraded.body).toMatchObject({ price: 3000, max_installations: 20 });
    expect((await act(license.id, 'renew/preview')).body.price).toBe(3000);
    // And back: what an undo gives back, a renewal asks again.
    await act(license.id, 'undo_renewal');
    expect((await act(license.id, 'renew/preview')).body.price).toBe(1680);
  });

  test('seats that are taken away by hand are first those that were bought', async () => {
    const license = await yearly();
    await act(license.id, 'add_seats', { quantity: 3, notify: false });
    const put = (max_installations: number) =>
      t.call('PUT', `${ME}${license.id}/`, { body: { max_installations } });
    const asked = async () => (await act(license.id, 'renew/preview')).body.price;
    await put(7);
    expect(await asked()).toBe(1680);
    await put(9);
    expect(await asked()).toBe(1680);
    await put(1);
    expect(await asked()).toBe(1200);
  });
});

describe('a request line `seats` (MONEY-08)', () => {
  const ask = (line: object, more: object = {}) =>
    t.call('POST', REQUESTS, { body: { lines: [{ kind: 'seats', ...line }], notify: false }, ...more });
  const markPaid = (id: number) =>
    t.call('POST', `${REQUESTS}${id}/mark_paid/`, { body: { method: 'transfer' } });

  test('asks the price of that day, and gives the seats when it is paid', async () => {
    const license = await yearly();
    const { status, body } = await ask({ license: license.id, quantity: 2 });
    expect(status).toBe(201);
    expect(body.lines).toEqual([
      {
        license: { id: license.id, license_key: license.license_key },
        kind: 'seats',
        description: expect.stringMatching(/^2 lugares más: Programa/),
        ...{ starts: NOW, ends: license.expiry_date, amount: 480 },
      },
    ]);
    expect((await read(license.id)).max_installations).toBe(5);
    expect(result(await ask({ license: license.id, quantity: 1 }))).toEqual([409, 'already_requested']);
    await moveTo('2026-11-25T18:00:00.000Z');
    const paid = await markPaid(body.id);
    expect(paid.body).toMatchObject({ state: 'paid', subtotal: 480 });
    expect(paid.body.lines[0]).toMatchObject({
      starts: '2026-11-25T18:00:00.000Z',
      ends: license.expiry_date,
    });
    expect(await read(license.id)).toMatchObject({ max_installations: 7, price: 1000 });
    expect((await termsOf(license.id))[0]).toMatchObject({ kind: 'seats', price: 480 });
    expect((await act(license.id, 'renew/preview')).body.price).toBe(1680);
    expect((await act(license.id, 'undo_renewal')).body.max_installations).toBe(5);
  });

  test('stands beside a renewal of another licence, and seats of a licence without an end have none', async () => {
    const license = await yearly({ expiry_days: null, expiry_date: null });
    const other = await yearly({ client: license.client.id });
    const { body } = await t.call('POST', REQUESTS, {
      body: {
        lines: [
          { license: license.id, kind: 'seats', quantity: 1 },
          { license: other.id, kind: 'renewal' },
        ],
        notify: false,
      },
    });
    expect(body).toMatchObject({ subtotal: 1440, lines: [{ ends: null, amount: 240 }, { amount: 1200 }] });
    expect((await markPaid(body.id)).body).toMatchObject({ state: 'paid', lines: [{ ends: null }, {}] });
    expect((await read(license.id)).max_installations).toBe(6);
  });

  test('needs a quantity and a licence that has seats to sell; once paid, one that still has', async () => {
    const license = await yearly();
    for (const line of [{}, { quantity: 0 }, { quantity: 1.5 }, { quantity: 'dos' }]) {
      const refused = await ask({ license: license.id, ...line });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['lines']]);
    }
    const bare = await createLicense(t, { client: (await createClient(t)).id });
    expect((await ask({ license: bare.id, quantity: 1 })).body.errors).toHaveProperty('lines');
    const trial = await yearly({ license_type: 'trial' });
    const refused = await ask({ license: trial.id, quantity: 1 });
    expect([...result(refused), refused.body.license]).toEqual([409, 'not_renewable', trial.id]);
    const { body } = await ask({ license: license.id, quantity: 1 });
    await act(license.id, 'suspend', { notify: false });
    expect((await markPaid(body.id)).body).toMatchObject({ state: 'review', review_reason: 'license' });
    expect((await read(license.id)).max_installations).toBe(5);
    await act(license.id, 'reinstate', { notify: false });
    const applied = await t.call('POST', `${REQUESTS}${body.id}/resolve/`, {
      body: { action: 'apply', reason: 'Ya está activa' },
    });
    expect(applied.body.state).toBe('paid');
    expect((await read(license.id)).max_installations).toBe(6);
  });

  test('a key for payments alone may ask for the price that is found, or more', async () => {
    const license = await yearly();
    const { body: created } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Cobranza', permissions: ['payments:read', 'payments:write'] },
    });
    const with_ = { token: created.key };
    const below = await ask({ license: license.id, quantity: 2, price: 479.99 }, with_);
    expect([...result(below), below.body.license]).toEqual([403, 'forbidden', license.id]);
    const bare = await createLicense(t, {});
    expect(result(await ask({ license: bare.id, quantity: 1, price: 9999 }, with_))).toEqual([
      403,
      'forbidden',
    ]);
    expect((await ask({ license: license.id, quantity: 2, price: 480 }, with_)).status).toBe(201);
    const { id } = (await t.call('GET', `${REQUESTS}?license=${license.id}`)).body.results[0];
    await t.call('POST', `${REQUESTS}${id}/cancel/`, { body: {} });
    expect((await ask({ license: license.id, quantity: 2 }, with_)).status).toBe(201);
  });
});

test('the undoing of an import that took bought seats away gives them back, with their price (MONEY-08, INPUT-07)', async () => {
  const license = await yearly();
  await act(license.id, 'add_seats', { quantity: 3, notify: false });
  const asked = async () => (await act(license.id, 'renew/preview')).body.price;
  expect(await asked()).toBe(1920);
  const file = `Clave de Licencia,Máximo de Instalaciones\n${license.license_key},6\n`;
  const { id } = await importFile(t, 'licenses', file, 'update');
  expect(await asked()).toBe(1440);
  await undoImport(t, id);
  expect([(await read(license.id)).max_installations, await asked()]).toEqual([8, 1920]);
});
