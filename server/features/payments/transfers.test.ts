import { beforeEach, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { KEY_PERMISSIONS } from '../../../contract/people/permissions.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { openPaymentShop } from '../../../test/payment-shop.ts';
import { setSettings } from '../../../test/portal.ts';
import { runJob } from '../../../test/run-job.ts';
import { paymentExpiryJob } from './payment-jobs.ts';

/** Transfers: the vendor's accounts, and what clients say about a transfer (MONEY-11). */

const NOW = '2026-11-10T18:00:00.000Z';
const DAY = 24 * 60 * 60_000;
const REQUESTS = '/licenses/api/payment-requests/';
const SETTINGS = '/licenses/api/settings/payments/';
const CLABE = '032180000118359719';
const CBU = '2850590940090418135201';

let t: TestApp;
let software: number;
let type: number;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
  software = (await createSoftware(t, { name: 'Caja', version: '1' })).id;
  type = (await createLicenseType(t, { name: 'Anual', base_price: 1200 })).id;
});

async function later(milliseconds: number) {
  t.clock.advance(milliseconds);
  t.token = await signInAs(t, 'admin', 'admin123');
}

const save = (transfer: unknown) => t.call('PUT', SETTINGS, { body: { transfer } });
const codeOf = (url: string) => url.split('/').at(-1)!;

async function ask(body: object = {}, values: object = {}) {
  const license: License = await createLicense(t, {
    software,
    license_type_config: type,
    price: 1000,
    expiry_days: 20,
    ...values,
  });
  const answer = await t.call('POST', REQUESTS, {
    body: { lines: [{ license: license.id, kind: 'renewal' }], tax_rate: 16, notify: false, ...body },
  });
  expect(answer.status).toBe(201);
  const url: string = answer.body.url;
  return { id: answer.body.id as number, url, license, body: answer.body };
}

const page = async ({ url }: { url: string }) =>
  (await t.call('GET', `/licenses/api/pay/${codeOf(url)}/`, { token: null })).body;
const notify = ({ url }: { url: string }, body: unknown = {}, headers: Record<string, string> = {}) =>
  t.call('POST', `/licenses/api/pay/${codeOf(url)}/notice/`, { token: null, body, headers });
const dismiss = (id: number, body: unknown = {}, token = t.token) =>
  t.call('POST', `${REQUESTS}${id}/dismiss_notice/`, { body, token });
const get = async ({ id }: { id: number }) => (await t.call('GET', `${REQUESTS}${id}/`)).body;
const events = async (type = 'payment_request.notified') =>
  (await t.call('GET', `/licenses/api/events/?type=${type}&limit=100`)).body.results;
const today = async () =>
  (await t.call('GET', '/licenses/api/today/')).body.results.filter(
    ({ kind }: { kind: string }) => kind === 'transfer_notified',
  );
const bell = async () =>
  (await t.call('GET', '/licenses/api/notifications/')).body.results.filter(
    ({ kind }: { kind: string }) => kind === 'transfer_notified',
  );

describe("the vendor's accounts", () => {
  test('are stored clean, answered whole, and replaced by what is sent; the event names the field alone', async () => {
    expect((await t.call('GET', SETTINGS)).body.transfer).toEqual({ bank: '', holder: '', accounts: [] });
    const saved = await save({
      bank: ' BBVA ',
      holder: 'Software del Norte',
      accounts: [
        { label: 'CLABE', number: ' 032-180 0001183 59719', currency: 'MXN' },
        { number: '2850590 9 4009041813520 1', currency: 'ARS' },
        { label: 'Alias', number: 'software.del.norte', currency: 'ARS' },
      ],
    });
    expect(saved.status).toBe(200);
    expect(saved.body.warnings).toBeUndefined();
    const transfer = {
      bank: 'BBVA',
      holder: 'Software del Norte',
      accounts: [
        { label: 'CLABE', number: CLABE, currency: 'MXN' },
        { label: '', number: CBU, currency: 'ARS' },
        { label: 'Alias', number: 'software.del.norte', currency: 'ARS' },
      ],
    };
    expect(saved.body.transfer).toEqual(transfer);
    expect((await t.call('GET', SETTINGS)).body.transfer).toEqual(transfer);
    const [event] = await events('settings.updated');
    expect(event.changes).toEqual({ transfer: { before: null, after: '•••' } });
    // What was read is sent back, with everything beside it.
    const again = await t.call('PUT', SETTINGS, { body: saved.body });
    expect([again.status, again.body.updated_at]).toEqual([200, saved.body.updated_at]);
    // Absent parts stay.
    expect((await save({ accounts: [] })).body.transfer).toEqual({ ...transfer, accounts: [] });
    expect((await save({ bank: null })).body.transfer).toEqual({
      bank: '',
      holder: 'Software del Norte',
      accounts: [],
    });
  });

  test('whose check digit does not fit warn, and are stored all the same', async () => {
    const { status, body } = await save({
      accounts: [
        { number: '032180000118359718', currency: 'MXN' },
        { number: `${CBU.slice(0, -1)}2`, currency: 'ARS' },
        { number: CLABE, currency: 'MXN' },
      ],
    });
    expect(status).toBe(200);
    expect(body.warnings).toEqual({
      transfer: [
        expect.stringContaining('La CLABE 032180000118359718'),
        expect.stringContaining(`El CBU ${CBU.slice(0, -1)}2`),
      ],
    });
    expect(body.transfer.accounts[0].number).toBe('032180000118359718');
    expect((await t.call('PUT', SETTINGS, { body: { instructions: 'Hola' } })).body.warnings).toBeUndefined();
  });

  test.each([
    [{ accounts: [{ number: '', currency: 'MXN' }] }],
    [{ accounts: [{ number: '\u200b', currency: 'MXN' }] }],
    [{ accounts: [{ currency: 'MXN' }] }],
    [{ accounts: [{ number: 5512345678, currency: 'MXN' }] }],
    [{ accounts: [{ number: '1'.repeat(51), currency: 'MXN' }] }],
    [{ accounts: [{ number: CLABE, currency: 'XXX' }] }],
    [{ accounts: [{ number: CLABE }] }],
    [{ accounts: [{ number: `${CLABE}\u0000`, currency: 'MXN' }] }],
    [{ accounts: [{ number: CLABE, currency: 'MXN', label: 'x'.repeat(61) }] }],
    [{ accounts: Array.from({ length: 11 }, () => ({ number: CLABE, currency: 'MXN' })) }],
    [{ bank: 'x'.repeat(101) }],
    [{ holder: 7 }],
    ['BBVA'],
    [null],
  ])('%j is refused and stores nothing', async (transfer) => {
    const { status, body } = await save(transfer);
    expect([status, Object.keys(body.errors).every((field) => field.startsWith('transfer'))]).toEqual([
      400,
      true,
    ]);
    expect((await t.call('GET', SETTINGS)).body.transfer.accounts).toEqual([]);
  });

  test('are changed by people with step-up alone', async () => {
    const { body } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'todo', permissions: [...KEY_PERMISSIONS] },
    });
    const put = (token: string | null) => t.call('PUT', SETTINGS, { token, body: { transfer: {} } });
    expect([(await put(body.key)).status, (await put(null)).status]).toEqual([403, 401]);
    t.clock.advance(11 * 60_000);
    expect((await put(t.token)).body.code).toBe('step_up_required');
  });

  test('count as a way to pay, and the page and the mail show those in the currency of the request', async () => {
    await save({
      bank: 'BBVA',
      holder: 'Norte',
      accounts: [
        { label: 'CLABE', number: CLABE, currency: 'MXN' },
        { label: 'CBU', number: CBU, currency: 'ARS' },
      ],
    });
    const asked = await ask({ notify: true });
    expect(asked.body.concept).toBe(`COBRO-${asked.id}`);
    expect(await page(asked)).toMatchObject({
      concept: `COBRO-${asked.id}`,
      amount: 1392,
      due: 1392,
      transfer: {
        bank: 'BBVA',
        holder: 'Norte',
        accounts: [{ label: 'CLABE', number: CLABE, currency: 'MXN' }],
      },
      transfer_notice: null,
      receipts: 0,
    });
    const mail = (await t.deliveredMail()).find(({ text }) => text?.includes(asked.url));
    expect(mail?.text).toContain(`CLABE: ${CLABE}`);
    expect(mail?.text).toContain(`Concepto: COBRO-${asked.id}`);
    expect(mail?.text).not.toContain(CBU);
    const dollars = await ask({}, { currency: 'USD', license_type_config: null });
    expect((await page(dollars)).transfer).toBeNull();
    await t.call('POST', `${REQUESTS}${asked.id}/cancel/`, { body: {} });
    expect(await page(asked)).toMatchObject({ transfer: null, due: 0 });
  });
});

describe('a notice', () => {
  test('is a line for a person, an event and a notification, and changes nothing else', async () => {
    const asked = await ask();
    const before = await get(asked);
    const licenseBefore = (await t.call('GET', `/licenses/api/licenses/${asked.license.id}/`)).body;
    const given = await notify(asked, { reference: ' SPEI  0042 ', paid_on: '2026-11-09' });
    expect(given.status).toBe(202);
    const notice = { at: NOW, reference: 'SPEI  0042', paid_on: '2026-11-09' };
    expect(given.body).toMatchObject({ success: true, state: 'open', due: 1392, transfer_notice: notice });
    expect(await page(asked)).toEqual(given.body);
    const after = await get(asked);
    expect(after).toEqual({ ...before, transfer_notice: notice, updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect((await t.call('GET', `/licenses/api/licenses/${asked.license.id}/`)).body).toEqual(licenseBefore);
    expect(after.payments).toEqual([]);
    const { client } = asked.license;
    expect(await events()).toMatchObject([
      {
        type: 'payment_request.notified',
        actor: { kind: 'client', id: client.id, name: client.name },
        subject: { kind: 'payment_request', id: asked.id },
        client: { id: client.id },
        license: { id: asked.license.id },
        changes: {
          paid_on: { before: null, after: '2026-11-09' },
          reference: { before: null, after: 'SPEI  0042' },
        },
      },
    ]);
    expect(await today()).toEqual([
      {
        id: `transfer_notified:${asked.id}:${Date.parse(NOW)}`,
        kind: 'transfer_notified',
        at: NOW,
        title: `${client.name} avisó que ya transfirió`,
        detail: `COBRO-${asked.id} · transferencia del 09/11/2026 · referencia «SPEI  0042»`,
        client: { id: client.id, name: client.name },
        license: null,
        amount: 1392,
        currency: 'MXN',
        action: 'confirm_transfer',
        due: '2026-11-22',
      },
    ]);
    expect(await bell()).toMatchObject([{ client: { id: client.id }, at: NOW, read: false }]);
  });

  test('without values is of today; the same again changes nothing, another one takes its place', async () => {
    const asked = await ask();
    expect((await notify(asked)).body.transfer_notice).toEqual({
      at: NOW,
      reference: '',
      paid_on: '2026-11-10',
    });
    t.clock.advance(1000);
    expect((await notify(asked, { reference: '', paid_on: '2026-11-10' })).body.transfer_notice.at).toBe(NOW);
    expect(await events()).toHaveLength(1);
    expect((await notify(asked, { reference: '77' })).body.transfer_notice).toMatchObject({
      reference: '77',
      at: '2026-11-10T18:00:01.000Z',
    });
    expect(await events()).toHaveLength(2);
    expect(await today()).toHaveLength(1);
  });

  test.each([
    [{ paid_on: '2026-11-11' }, 'paid_on'],
    [{ paid_on: '2026-10-10' }, 'paid_on'],
    [{ paid_on: '2026-11-31' }, 'paid_on'],
    [{ paid_on: '10/11/2026' }, 'paid_on'],
    [{ paid_on: 20261110 }, 'paid_on'],
    [{ reference: 'x'.repeat(101) }, 'reference'],
    [{ reference: 'a\u0000b' }, 'reference'],
    [{ reference: 42 }, 'reference'],
  ])('with %j is refused at %s, and uses up none of the three', async (body, field) => {
    const asked = await ask();
    for (let time = 0; time < 4; time += 1) {
      const { status, body: answer } = await notify(asked, body);
      expect([status, Object.keys(answer.errors)]).toEqual([400, [field]]);
    }
    expect((await notify(asked, { paid_on: '2026-10-11' })).status).toBe(202);
  });

  test('its last day is the local one', async () => {
    const asked = await ask();
    // In Mexico it is still the 10th.
    t.clock.set('2026-11-11T05:59:59.000Z');
    expect((await notify(asked, { paid_on: '2026-11-11' })).status).toBe(400);
    t.clock.set('2026-11-11T06:00:00.000Z');
    expect((await notify(asked, { paid_on: '2026-11-11' })).status).toBe(202);
  });

  test('three a day for a request, also by many at once', async () => {
    const asked = await ask();
    const other = await ask();
    const given = await Promise.all(
      Array.from({ length: 8 }, (_, index) => notify(asked, { reference: `n${index}` })),
    );
    expect(given.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429, 429, 429, 429]);
    expect(await events()).toHaveLength(3);
    expect((await notify(other)).status).toBe(202);
    t.clock.advance(DAY + 1);
    expect((await notify(asked, { reference: 'mañana' })).status).toBe(202);
  });

  test('twenty an hour from an address, whatever the request', async () => {
    const statuses: number[] = [];
    const asked = [];
    for (let index = 0; index < 8; index += 1) asked.push(await ask());
    for (const [index, one] of [...asked, ...asked, ...asked].entries())
      statuses.push((await notify(one, { reference: `n${index}` })).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429]);
  });

  test('is taken for an open request alone, and not for an unknown code', async () => {
    const asked = await ask();
    await t.call('POST', `${REQUESTS}${asked.id}/cancel/`, { body: {} });
    expect((await notify(asked)).body.code).toBe('conflict');
    expect((await notify({ url: 'x/AAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(404);
    const late = await ask();
    t.clock.advance(8 * DAY);
    expect((await notify(late)).status).toBe(409);
    await later(0);
    const paid = await ask();
    await t.call('POST', `${REQUESTS}${paid.id}/mark_paid/`, { body: { method: 'cash' } });
    expect((await notify(paid)).status).toBe(409);
    expect(await events()).toEqual([]);
  });

  test('keeps its request open five local days beyond its end, at its price', async () => {
    const asked = await ask();
    expect(asked.body.expires_at).toBe('2026-11-18T05:59:59.000Z');
    t.clock.set('2026-11-18T05:59:58.000Z');
    expect((await notify(asked)).status).toBe(202);
    t.clock.set('2026-11-23T05:59:58.000Z');
    await runJob(t.context, paymentExpiryJob);
    t.token = await signInAs(t, 'admin', 'admin123');
    expect(await get(asked)).toMatchObject({ state: 'open', amount: 1392, due: 1392 });
    expect((await t.call('GET', `${REQUESTS}?state=open`)).body.count).toBe(1);
    // The client is not told a day that has passed, on the page nor in a mail that is sent again.
    expect(await page(asked)).toMatchObject({ state: 'open', expires_at: '2026-11-23T05:59:59.000Z' });
    expect((await t.call('POST', `${REQUESTS}${asked.id}/send/`, { body: {} })).status).toBe(200);
    const mail = (await t.deliveredMail()).findLast(({ text }) => text?.includes(asked.url));
    expect(mail?.text).toContain('22/11/2026');
    expect(mail?.text).not.toContain('17/11/2026');
    const again = await t.call('POST', REQUESTS, {
      body: { lines: [{ license: asked.license.id, kind: 'renewal' }] },
    });
    expect(again.body.code).toBe('already_requested');
    // A second notice, in these days, keeps it no longer.
    expect((await notify(asked, { reference: 'otra' })).status).toBe(202);
    t.clock.set('2026-11-23T06:00:00.000Z');
    expect((await page(asked)).state).toBe('expired');
    expect((await t.call('GET', `${REQUESTS}?state=open`)).body.count).toBe(0);
    expect([await today(), await bell()]).toEqual([[], []]);
    await runJob(t.context, paymentExpiryJob);
    const over = await get(asked);
    expect([over.state, over.transfer_notice?.reference]).toEqual(['expired', 'otra']);
    // Who looks for the money still sees what was said, and can answer it.
    expect((await dismiss(asked.id)).body).toMatchObject({ state: 'expired', transfer_notice: null });
  });

  test('a payment at a provider in those days is not late', async () => {
    const shop = await openPaymentShop();
    const asked = await shop.newRequest();
    await shop.pay(asked.url, 'notice', {});
    await shop.later(9 * DAY);
    expect((await shop.press(asked, 'mercado_pago')).status).toBe(200);
    shop.mp.pay({ at: shop.now() });
    expect((await shop.check(asked)).state).toBe('paid');
    expect((await shop.getRequest(asked)).transfer_notice).toBeNull();
  });

  test("'No llegó' answers it, with its reason in the history; the end is the old one again", async () => {
    const asked = await ask();
    expect((await dismiss(asked.id)).body.code).toBe('conflict');
    await notify(asked, { reference: '0042' });
    const answered = await dismiss(asked.id, { reason: ' No está en el banco ' });
    expect([answered.status, answered.body.transfer_notice, answered.body.state]).toEqual([
      200,
      null,
      'open',
    ]);
    const [event] = await events();
    expect(event).toMatchObject({
      actor: { kind: 'user', id: 1 },
      reason: 'No está en el banco',
      changes: {
        paid_on: { before: '2026-11-10', after: null },
        reference: { before: '0042', after: null },
      },
    });
    expect([await today(), await bell()]).toEqual([[], []]);
    expect((await page(asked)).transfer_notice).toBeNull();
    expect((await dismiss(asked.id)).status).toBe(409);
    t.clock.set('2026-11-18T06:00:00.000Z');
    expect((await page(asked)).state).toBe('expired');
    // The client may say so again while it is open.
    await later(0);
    const other = await ask();
    await notify(other);
    await dismiss(other.id);
    expect((await notify(other)).status).toBe(202);
  });

  test("'No llegó' needs payments:write, a known request and an acceptable reason", async () => {
    const asked = await ask();
    await notify(asked);
    const { body } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'lee', permissions: ['payments:read', 'licenses:renew'] },
    });
    expect((await dismiss(asked.id, {}, body.key)).status).toBe(403);
    expect(
      (await t.call('POST', `${REQUESTS}${asked.id}/dismiss_notice/`, { token: null, body: {} })).status,
    ).toBe(401);
    expect((await dismiss(999_999)).status).toBe(404);
    expect(Object.keys((await dismiss(asked.id, { reason: 'x'.repeat(501) })).body.errors)).toEqual([
      'reason',
    ]);
    const both = await Promise.all([dismiss(asked.id), dismiss(asked.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a recorded payment answers it', async () => {
    const asked = await ask();
    await notify(asked, { reference: '0042', paid_on: '2026-11-09' });
    const paid = await t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, {
      body: { method: 'transfer', reference: '0042', paid_at: '2026-11-09T18:00:00.000Z' },
    });
    expect(paid.body).toMatchObject({ state: 'paid', transfer_notice: null });
    expect([await today(), await bell()]).toEqual([[], []]);
    expect((await dismiss(asked.id)).status).toBe(409);
  });
});

describe('what is known of a person, and the code', () => {
  test("a notice is in the client's data, and goes with the erasure", async () => {
    const asked = await ask();
    await notify(asked, { reference: 'Juan Pérez 0042' });
    const { client } = asked.license;
    const data = await t.call('GET', `/licenses/api/clients/${client.id}/data/`);
    expect(data.body.payment_requests).toMatchObject([
      { transfer_notice: { reference: 'Juan Pérez 0042', paid_on: '2026-11-10' } },
    ]);
    await t.call('POST', `/licenses/api/licenses/${asked.license.id}/cancel/`, { body: { reason: 'Fin' } });
    const erased = await t.call('POST', `/licenses/api/clients/${client.id}/erase/`, {
      body: { reason: 'Lo pidió' },
    });
    expect(erased.status).toBe(200);
    for (const { name } of await t.db.introspection.getTables()) {
      const rows = await t.db
        .selectFrom(name as 'clients')
        .selectAll()
        .execute();
      expect([name, JSON.stringify(rows).includes('Juan Pérez 0042')]).toEqual([name, false]);
    }
  });

  test('the code is in no table and no event, also if the client pastes the address as the reference (PAY-02)', async () => {
    await setSettings(t, { vendor_name: 'Norte' });
    const asked = await ask();
    const code = codeOf(asked.url);
    const given = await notify(asked, { reference: asked.url.slice(-60) });
    expect(given.body.transfer_notice.reference).toContain('/pagar/•••');
    await t.call('GET', `/licenses/api/pay/${code}/receipt/`, { token: null });
    await dismiss(asked.id);
    for (const { name } of await t.db.introspection.getTables()) {
      const rows = await t.db
        .selectFrom(name as 'clients')
        .selectAll()
        .execute();
      expect([name, JSON.stringify(rows).includes(code)]).toEqual([name, false]);
    }
  });
});
