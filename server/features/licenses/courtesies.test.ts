import { beforeEach, describe, expect, test } from 'vitest';
import { XLSX_TYPE } from '../../../contract/imports/imports.ts';
import { COMPLIMENTARY_MESSAGES as TEXTS } from '../../../contract/licenses/complimentary.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { check, importFile, upload } from '../../../test/import-file.ts';

/** Terms that nobody pays for, through HTTP (MONEY-09). */

const NOW = '2026-11-21T18:00:00.000Z';
const LICENSES = '/licenses/api/licenses/';

let t: TestApp;
let known: { client: number; software: number; license_type_config: number };
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
  const [client, software, type] = await Promise.all([
    createClient(t),
    createSoftware(t),
    createLicenseType(t, { base_price: 1200, validity_days: 365 }),
  ]);
  known = { client: client.id, software: software.id, license_type_config: type.id };
});

const FREE = { price: 0, complimentary: true };
const courtesy = (values: object = {}) => createLicense(t, { ...known, ...FREE, ...values });
const act = (id: number, action: string, body: object = {}) =>
  t.call('POST', `${LICENSES}${id}/${action}/`, { body });
const read = async (id: number) => (await t.call('GET', `${LICENSES}${id}/`)).body;
const termsOf = async (id: number) => (await t.call('GET', `${LICENSES}${id}/terms/`)).body.results;
const post = (body: object, path = LICENSES) => t.call('POST', path, { body });

describe('a new licence', () => {
  test('is a courtesy at no price, and says so in its answer and in its term', async () => {
    const { status, body } = await post({ ...known, ...FREE });
    expect(status).toBe(201);
    expect(body).toMatchObject({ price: 0, complimentary: true, status: 'active' });
    expect(await termsOf(body.id)).toMatchObject([{ kind: 'issue', price: 0, complimentary: true }]);
    const paid = await createLicense(t, { ...known, price: 100 });
    expect(paid.complimentary).toBe(false);
    expect(await termsOf(paid.id)).toMatchObject([{ price: 100, complimentary: false }]);
  });

  test('needs no price where it is a courtesy', async () => {
    const { status, body } = await post({ ...known, complimentary: true });
    expect([status, body.price]).toEqual([201, 0]);
  });

  test.each([
    [{ ...FREE, price: 10 }, 'price', TEXTS.hasPrice, 'not_allowed'],
    [{ ...FREE, price: -1 }, 'price', LICENSE_MESSAGES.price, 'out_of_range'],
    [{ price: 0 }, 'price', LICENSE_MESSAGES.price, 'out_of_range'],
    [{ price: 0, complimentary: false }, 'price', LICENSE_MESSAGES.price, 'out_of_range'],
    [{ complimentary: false }, 'price', LICENSE_MESSAGES.price, 'required'],
    [{}, 'price', LICENSE_MESSAGES.price, 'required'],
  ])('%j is refused as before', async (values, field, text, code) => {
    const { status, body } = await post({ ...known, ...values });
    expect(status).toBe(400);
    expect(body.errors).toEqual({ [field]: [text] });
    expect(body.error_codes).toEqual({ [field]: [code] });
  });

  test.each(['sí', 1, null])('the flag is yes or no, not %j', async (complimentary) => {
    const { status, body } = await post({ ...known, price: 10, complimentary });
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual(['complimentary']);
  });

  test('made by license/generate/ and in a batch', async () => {
    const generate = '/licenses/api/license/generate/';
    const made = await post({ ...known, complimentary: true }, generate);
    expect([made.status, made.body.price, made.body.complimentary]).toEqual([201, 0, true]);
    expect((await post(known, generate)).body).toMatchObject({ price: 1200, complimentary: false });
    expect((await post({ ...known, price: 0 }, generate)).body.errors).toEqual({
      price: [LICENSE_MESSAGES.price],
    });
    expect((await post({ ...known, ...FREE, price: 5 }, generate)).body.errors).toEqual({
      price: [TEXTS.hasPrice],
    });
    const batch = await post({ ...known, ...FREE, quantity: 2 }, `${LICENSES}batch/`);
    expect(batch.status).toBe(201);
    for (const { id } of batch.body.licenses) {
      expect(await read(id)).toMatchObject({ price: 0, complimentary: true });
    }
    expect((await post({ ...known, price: 0, quantity: 2 }, `${LICENSES}batch/`)).body.errors).toEqual({
      price: [LICENSE_MESSAGES.price],
    });
  });

  test('is refused without a session', async () => {
    expect((await t.call('POST', LICENSES, { token: null, body: { ...known, ...FREE } })).status).toBe(401);
  });
});

describe('a renewal', () => {
  test('without type, price or flag is refused after a courtesy, in the preview too', async () => {
    const { id } = await courtesy();
    for (const action of ['renew', 'renew/preview']) {
      const { status, body } = await act(id, action, { expiry_days: 30 });
      expect(status).toBe(400);
      expect(body.errors).toEqual({ price: [TEXTS.next] });
      expect(body.error_codes).toEqual({ price: ['required'] });
    }
    expect(await termsOf(id)).toHaveLength(1);
  });

  test('with its own type named, with a price, or with the flag, goes on', async () => {
    const [typed, priced, free] = [await courtesy(), await courtesy(), await courtesy()];
    const { license_type_config } = known;
    expect((await act(typed.id, 'renew', { license_type_config })).body).toMatchObject({
      price: 1200,
      complimentary: false,
    });
    expect((await act(priced.id, 'renew', { price: 300 })).body).toMatchObject({
      price: 300,
      complimentary: false,
    });
    expect((await act(free.id, 'renew/preview', { complimentary: true })).body).toMatchObject({ price: 0 });
    expect((await act(free.id, 'renew', { complimentary: true })).body).toMatchObject({
      price: 0,
      complimentary: true,
    });
    expect(await termsOf(free.id)).toMatchObject([
      { kind: 'renewal', price: 0, complimentary: true },
      { kind: 'issue', price: 0, complimentary: true },
    ]);
    // What was sold after a courtesy is renewed as any other licence.
    expect((await act(priced.id, 'renew')).body).toMatchObject({ price: 1200, complimentary: false });
  });

  test('as a courtesy with a price above 0, and at 0 without the flag, is refused', async () => {
    const paid = await createLicense(t, { ...known, price: 100 });
    expect((await act(paid.id, 'renew', { price: 10, complimentary: true })).body.errors).toEqual({
      price: [TEXTS.hasPrice],
    });
    for (const complimentary of [undefined, false]) {
      const { status, body } = await act(paid.id, 'renew', { price: 0, complimentary });
      expect(status).toBe(400);
      expect(body.errors).toEqual({ price: [LICENSE_MESSAGES.price] });
    }
  });

  test('as a courtesy has the seats and the length of the type that it names', async () => {
    const paid = await createLicense(t, { ...known, price: 100, max_installations: 1 });
    const type = await createLicenseType(t, { base_price: 9, max_installations: 7, validity_days: 10 });
    const terms = { license_type_config: type.id, complimentary: true, from: 'today' };
    expect((await act(paid.id, 'renew', terms)).body).toMatchObject({
      price: 0,
      complimentary: true,
      max_installations: 7,
      days_remaining: 10,
    });
  });

  test('its undo gives back the flag and the price', async () => {
    const paid = await createLicense(t, { ...known, price: 100 });
    await act(paid.id, 'renew', { complimentary: true });
    expect((await act(paid.id, 'undo_renewal')).body).toMatchObject({ price: 100, complimentary: false });
    const free = await courtesy();
    await act(free.id, 'renew', { price: 50 });
    expect((await act(free.id, 'undo_renewal')).body).toMatchObject({ price: 0, complimentary: true });
  });

  test('of the updates alone may be one too, and leaves the licence what it was', async () => {
    const paid = await createLicense(t, { ...known, price: 100, updates_until: '2027-01-31' });
    const renewed = await act(paid.id, 'renew', { kind: 'maintenance', complimentary: true });
    expect(renewed.status).toBe(200);
    expect(renewed.body).toMatchObject({ price: 100, complimentary: false });
    expect(renewed.body.updates_until > '2027-12').toBe(true);
    expect(await termsOf(paid.id)).toMatchObject([
      { kind: 'maintenance', price: 0, complimentary: true },
      { kind: 'issue', price: 100, complimentary: false },
    ]);
    expect((await act(paid.id, 'renew', { kind: 'maintenance', price: 0 })).body.errors).toEqual({
      price: [LICENSE_MESSAGES.price],
    });
  });

  test('of several in bulk keeps the same rules', async () => {
    const [free, paid] = [await courtesy(), await createLicense(t, { ...known, price: 100 })];
    const bulk = (body: object) =>
      t.call('POST', `${LICENSES}bulk_action/`, {
        body: { action: 'renew', ids: [free.id, paid.id], ...body },
      });
    const previewed = async (body: object) =>
      (
        await t.call('POST', `${LICENSES}bulk_action/preview/`, {
          body: { action: 'renew', ids: [free.id, paid.id], ...body },
        })
      ).body;
    expect(await previewed({})).toMatchObject({ possible: 1, refused: [{ message: TEXTS.next, count: 1 }] });
    for (const terms of [
      { complimentary: true },
      { price: 10 },
      { license_type_config: known.license_type_config },
    ]) {
      expect(await previewed(terms)).toMatchObject({ possible: 2, refused: [] });
    }
    const plain = await bulk({ notify: false });
    expect(plain.body).toMatchObject({
      done: [paid.id],
      failed: [{ id: free.id, code: 'invalid', errors: { price: [TEXTS.next] } }],
    });
    expect((await bulk({ notify: false, complimentary: true })).body.done).toEqual([free.id, paid.id]);
    expect(await read(paid.id)).toMatchObject({ price: 0, complimentary: true });
  });

  test('of one licence by several at once leaves one end, and a price of 0 for courtesies alone', async () => {
    const { id } = await createLicense(t, { ...known, price: 100, expiry_days: 10 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        act(id, 'renew', { expiry_days: 30, notify: false, ...(n % 2 ? { price: 100 } : FREE) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const terms = await termsOf(id);
    expect(terms).toHaveLength(9);
    for (const { price, complimentary } of terms) expect(price === 0).toBe(complimentary);
    const [newest] = terms;
    const license = await read(id);
    expect([license.price, license.complimentary, license.expiry_date]).toEqual([
      newest.price,
      newest.complimentary,
      newest.ends,
    ]);
    const { body } = await t.call('GET', '/licenses/api/statistics/revenue/');
    expect(body.statistics).toMatchObject({ total: 500, license_count: 5, average_price: 100 });
    const stored = await t.db
      .selectFrom('license_terms')
      .select(['id', 'is_renewed', 'complimentary'])
      .where('license_id', '=', id)
      .orderBy('id')
      .execute();
    const sold = stored.filter(({ complimentary }) => !complimentary);
    expect(stored.map(({ is_renewed }) => is_renewed)).toEqual(
      stored.map((term) => sold.some((later) => later.id > term.id)),
    );
  });

  test('writes the flag into its event', async () => {
    const paid = await createLicense(t, { ...known, price: 100 });
    await act(paid.id, 'renew', { complimentary: true });
    const { body } = await t.call('GET', `/licenses/api/events/?license=${paid.id}&type=license.renewed`);
    expect(body.results[0].changes).toMatchObject({
      complimentary: { before: false, after: true },
      price: { before: 100, after: 0 },
    });
  });
});

describe('a PUT', () => {
  const put = (id: number, body: object) => t.call('PUT', `${LICENSES}${id}/`, { body });

  test('keeps a courtesy at 0, with the whole record sent back', async () => {
    const license = await courtesy();
    const saved = await put(license.id, { ...license, notes: 'Para la feria' });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({ price: 0, complimentary: true, notes: 'Para la feria' });
    expect((await put(license.id, { price: 0 })).status).toBe(200);
    expect(await termsOf(license.id)).toMatchObject([{ price: 0, complimentary: true }]);
  });

  test('cannot give it a price, nor change the flag', async () => {
    const free = await courtesy();
    expect((await put(free.id, { price: 10 })).body.errors).toEqual({ price: [TEXTS.stays] });
    expect((await put(free.id, { complimentary: false, price: 10 })).body.errors).toEqual({
      price: [TEXTS.stays],
      complimentary: [TEXTS.notByEdit],
    });
    const paid = await createLicense(t, { ...known, price: 100 });
    const { status, body } = await put(paid.id, FREE);
    expect(status).toBe(400);
    expect(body.errors).toEqual({ price: [LICENSE_MESSAGES.price], complimentary: [TEXTS.notByEdit] });
    expect((await put(paid.id, { price: 0 })).body.error_codes).toEqual({ price: ['out_of_range'] });
    expect((await put(paid.id, { complimentary: false, price: 90 })).body).toMatchObject({ price: 90 });
    expect(await read(free.id)).toMatchObject(FREE);
  });
});

describe('the list', () => {
  test('finds courtesies, and the others, in the list, its export and in bulk', async () => {
    const [free, paid] = [await courtesy(), await createLicense(t, { ...known, price: 100 })];
    const list = async (query: string) => {
      const { body } = await t.call('GET', `${LICENSES}?${query}`);
      return [body.count, body.results.map(({ id }: { id: number }) => id)];
    };
    expect(await list('complimentary=true&page=1')).toEqual([1, [free.id]]);
    expect(await list('complimentary=false&page=1')).toEqual([1, [paid.id]]);
    expect(await list('complimentary=true&status=active&page=1')).toEqual([1, [free.id]]);
    expect(await list(`complimentary=true&search=${free.license_key.slice(0, 11)}&page=1`)).toEqual([
      1,
      [free.id],
    ]);
    expect((await t.call('GET', `${LICENSES}?complimentary=quizá`)).status).toBe(400);
    const { text } = await t.call('GET', `${LICENSES}export/?complimentary=true`);
    const [head, ...rows] = text.trim().split('\r\n');
    expect(rows).toHaveLength(1);
    const at = head!.split(',').indexOf('Cortesía');
    expect(rows[0]!.split(',')[at]).toBe('Sí');
  });
});

describe('a file', () => {
  const HEAD = 'Clave de Licencia,Email,Software,Tipo de Licencia';
  const rowsFor = async (count: number) => {
    const { email } = (await t.call('GET', `/licenses/api/clients/${known.client}/`)).body;
    const { name } = (await t.call('GET', `/licenses/api/software/${known.software}/`)).body;
    const type = (await t.call('GET', `/licenses/api/license-types/${known.license_type_config}/`)).body.name;
    return Array.from({ length: count }, (_, n) => `CORT-${n},${email},${name},${type}`);
  };
  const ofKey = async (key: string) =>
    (await t.call('GET', `${LICENSES}?license_key=${key}&page=1`)).body.results[0];

  test('makes courtesies by one value for all rows, with no price', async () => {
    const rows = await rowsFor(2);
    const { forecast } = await importFile(t, 'licenses', [HEAD, ...rows].join('\n'), 'create', {
      values: { complimentary: 'Sí' },
    });
    expect(forecast).toMatchObject({ to_create: 2, errors: [] });
    for (const key of ['CORT-0', 'CORT-1']) expect(await ofKey(key)).toMatchObject(FREE);
  });

  test('needs neither price nor type where all rows are courtesies', async () => {
    const rows = (await rowsFor(1)).map((row) => row.split(',').slice(0, 3).join(','));
    const file = ['Clave de Licencia,Email,Software', ...rows].join('\n');
    const uploaded = await upload(t, 'licenses', file);
    const checked = (complimentary: string) =>
      check(t, uploaded.body.id, 'create', uploaded.body.mapping, { values: { complimentary } });
    expect((await checked('no')).body.errors.mapping).toEqual([expect.stringContaining('Precio')]);
    expect((await checked('quizá')).body.errors.values).toEqual(['Cortesía: Escribe Sí o No']);
    expect((await checked('Sí')).body).toMatchObject({ to_create: 1, errors: [] });
  });

  test('says in each row which is one; a price above 0 of a courtesy, and 0 of another, are errors', async () => {
    const rows = await rowsFor(5);
    const prices = [',0,Sí', ',,Sí', ',10,Sí', ',0,No', ',10,'];
    const file = [`${HEAD},Precio,Cortesía`, ...rows.map((row, n) => row + prices[n])].join('\n');
    const { forecast } = await importFile(t, 'licenses', file, 'create');
    expect(forecast.to_create).toBe(3);
    expect(forecast.errors).toMatchObject([
      { row: 4, field: 'price', message: TEXTS.hasPrice },
      { row: 5, field: 'price', message: LICENSE_MESSAGES.price },
    ]);
    expect(await ofKey('CORT-1')).toMatchObject(FREE);
    expect(await ofKey('CORT-4')).toMatchObject({ price: 10, complimentary: false });
  });

  test('changes the notes of a courtesy, and neither its flag nor its price', async () => {
    const free = await courtesy();
    const change = async (cells: string, head: string) => {
      const file = `Clave de Licencia,${head}\n${free.license_key},${cells}\n`;
      return (await importFile(t, 'licenses', file, 'update')).forecast;
    };
    expect(await change('0,Sí,x', 'Precio,Cortesía,Notas')).toMatchObject({ to_update: 1, errors: [] });
    expect((await change('No', 'Cortesía')).errors).toMatchObject([{ message: TEXTS.notByEdit }]);
    expect((await change('10', 'Precio')).errors).toMatchObject([{ message: TEXTS.stays }]);
    expect(await read(free.id)).toMatchObject({ ...FREE, notes: 'x' });
  });

  test('that was exported comes back unchanged, in either form', async () => {
    await courtesy();
    await createLicense(t, { ...known, price: 100 });
    for (const form of ['', '?values=words', '?file=xlsx']) {
      const answer = await t.call('GET', `${LICENSES}export/${form}`);
      const type = form.includes('xlsx') ? { type: XLSX_TYPE } : {};
      const uploaded = await upload(t, 'licenses', answer.bytes, undefined, type);
      const { body } = await check(t, uploaded.body.id, 'update', uploaded.body.mapping);
      expect(body).toMatchObject({ unchanged: 2, to_update: 0, errors: [] });
    }
  });
});

describe('a request for payment', () => {
  const ask = (line: object) =>
    t.call('POST', '/licenses/api/payment-requests/', { body: { lines: [line], notify: false } });

  test('for a courtesy names the type or the price, and what is paid ends the courtesy', async () => {
    const free = await courtesy();
    const line = { license: free.id, kind: 'renewal' };
    const refused = await ask(line);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { lines: [PAYMENT_MESSAGES.priceForCourtesy] },
    ]);
    expect((await ask({ ...line, price: 0 })).status).toBe(400);
    const typed = await ask({ ...line, license_type_config: known.license_type_config });
    expect([typed.status, typed.body.amount]).toEqual([201, 1200]);
    const paid = await t.call('POST', `/licenses/api/payment-requests/${typed.body.id}/mark_paid/`, {
      body: { method: 'cash' },
    });
    expect(paid.status).toBe(200);
    expect(await read(free.id)).toMatchObject({ price: 1200, complimentary: false });
    const other = await courtesy();
    expect((await ask({ license: other.id, kind: 'renewal', price: 300 })).body.amount).toBe(300);
    // Another courtesy ends the request, because there is nothing to pay any more.
    await act(other.id, 'renew', { complimentary: true });
    const { body } = await t.call('GET', `/licenses/api/payment-requests/?license=${other.id}`);
    expect(body.results[0].state).toBe('cancelled');
  });

  test('a price that nothing finds needs licenses:renew; the type of the licence does not', async () => {
    const free = await courtesy();
    const permissions = ['payments:read', 'payments:write'];
    const key = await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Cobranza', permissions } });
    const askAs = (line: object) =>
      t.call('POST', '/licenses/api/payment-requests/', {
        token: key.body.key,
        body: { lines: [{ license: free.id, kind: 'renewal', ...line }], notify: false },
      });
    expect((await askAs({ price: 5000 })).status).toBe(403);
    expect((await askAs({})).status).toBe(400);
    expect((await askAs({ license_type_config: known.license_type_config })).status).toBe(201);
  });
});

describe('figures', () => {
  const statistics = async () => (await t.call('GET', '/licenses/api/statistics/revenue/')).body.statistics;
  const report = async (kind: string) => (await t.call('GET', `/licenses/api/reports/${kind}/`)).body;

  test('a courtesy is in no sum and in no average, whatever happens to it later', async () => {
    await createLicense(t, { ...known, price: 100 });
    const before = await statistics();
    const free = await courtesy();
    expect(await statistics()).toMatchObject({ total: 100, license_count: 1, average_price: 100 });
    expect((await report('revenue')).totals).toMatchObject([{ new: 100, total: 100, count: 1 }]);
    expect((await statistics()).by_license_type).toEqual(before.by_license_type);
    // Cancelled and active again: the trigger that follows the status counts it no more than before.
    const put = (status: string) => t.call('PUT', `${LICENSES}${free.id}/`, { body: { status } });
    await put('cancelled');
    await put('active');
    expect(await statistics()).toMatchObject({ total: 100, license_count: 1, average_price: 100 });
    await act(free.id, 'renew', { price: 40 });
    expect(await statistics()).toMatchObject({ total: 140, license_count: 2, average_price: 70 });
  });

  test('a courtesy is no renewal that is due, and no client at risk', async () => {
    const paid = await createLicense(t, { ...known, price: 100, expiry_days: 20 });
    const due = await report('renewals');
    const risk = await report('clients');
    expect(due.totals).toMatchObject([{ due: 1, amount: 100 }]);
    await courtesy({ expiry_days: 20 });
    await courtesy({ expiry_days: 400 });
    expect((await report('renewals')).totals).toEqual(due.totals);
    expect((await report('clients')).at_risk).toEqual(risk.at_risk);
    await act(paid.id, 'renew', { complimentary: true, from: 'today', expiry_days: 20 });
    expect((await report('renewals')).totals).toMatchObject([{ due: 0, amount: 0 }]);
  });

  test('the renewal rate knows what was sold: a courtesy renews nothing, a sale after it does', async () => {
    const rate = async () => {
      const { ended, renewed } = await report('renewals');
      return { ended, renewed };
    };
    const { id } = await createLicense(t, { ...known, price: 100, expiry_days: 10 });
    await act(id, 'renew', { complimentary: true, expiry_days: 30, notify: false });
    t.clock.advance(20 * 24 * 60 * 60 * 1000);
    t.token = await signInAs(t, 'admin', 'admin123');
    expect(await rate()).toEqual({ ended: 1, renewed: 0 });
    await act(id, 'renew', { price: 100, notify: false });
    expect(await rate()).toEqual({ ended: 1, renewed: 1 });
    await act(id, 'undo_renewal');
    expect(await rate()).toEqual({ ended: 1, renewed: 0 });
  });
});
