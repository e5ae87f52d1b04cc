import { beforeEach, describe, expect, test } from 'vitest';
import { erasedName } from '../../../contract/clients/privacy.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { HOUR, openPaymentShop } from '../../../test/payment-shop.ts';
import { Browser, setSettings } from '../../../test/portal.ts';

/** The receipt of a payment, which is no tax document (MONEY-12). */

const NOW = '2026-11-10T18:00:00.000Z';
const REQUESTS = '/licenses/api/payment-requests/';

let t: TestApp;
beforeEach(async () => {
  t = await createTestApp({ now: NOW });
});

const codeOf = (url: string) => url.split('/').at(-1)!;
const pathOf = ({ url }: { url: string }, query = '') => `/licenses/api/pay/${codeOf(url)}/receipt/${query}`;
const receipt = (asked: { url: string }, query = '', token: string | null = null) =>
  t.call('GET', pathOf(asked, query), { token });

/** A request of a client with a tax id, paid by hand. */
async function paid(values: object = {}) {
  const client = await createClient(t, {
    name: 'Transportes del Centro',
    tax_id: 'TCE010101AB1',
    status: 'active',
  });
  const software = (await createSoftware(t, { name: 'Caja', version: '1' })).id;
  const type = await createLicenseType(t, { name: 'Anual', base_price: 1200 });
  const license = await createLicense(t, {
    client: client.id,
    software,
    license_type_config: type.id,
    price: 1000,
    expiry_days: 20,
  });
  const { body } = await t.call('POST', REQUESTS, {
    body: { lines: [{ license: license.id, kind: 'renewal' }], tax_rate: 16, notify: false },
  });
  const asked = { id: body.id as number, url: body.url as string, client, license };
  const marked = await t.call('POST', `${REQUESTS}${asked.id}/mark_paid/`, {
    body: { method: 'transfer', reference: 'SPEI 42', paid_at: '2026-11-09T18:00:00.000Z', ...values },
  });
  expect(marked.status).toBe(200);
  return asked;
}

test('names vendor, lines, tax, method and reference, and the client by its initials for the code alone', async () => {
  await setSettings(t, {
    vendor_name: 'Norte',
    legal_name: ' Software del Norte SA de CV ',
    tax_id: 'SNO990101AB1',
    address: 'Av. Juárez 1, Monterrey',
  });
  const asked = await paid();
  const line = (await t.call('GET', `${REQUESTS}${asked.id}/`)).body.lines[0];
  const { status, body, headers } = await receipt(asked);
  expect(status).toBe(200);
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(body).toEqual({
    success: true,
    number: expect.stringMatching(/^RECIBO-\d+$/),
    payment: 1,
    state: 'approved',
    test: false,
    paid_at: '2026-11-09T18:00:00.000Z',
    vendor: {
      name: 'Norte',
      support_email: '',
      accent_color: '#0f766e',
      logo: null,
      legal_name: 'Software del Norte SA de CV',
      tax_id: 'SNO990101AB1',
      address: 'Av. Juárez 1, Monterrey',
    },
    client_name: 'T••• del C•••',
    tax_id: null,
    erased: false,
    concept: `COBRO-${asked.id}`,
    lines: [{ description: line.description, starts: line.starts, ends: line.ends, amount: 1200 }],
    subtotal: 1200,
    tax_rate: 16,
    tax: 192,
    total: 1392,
    request_currency: 'MXN',
    amount: 1392,
    withheld: 0,
    currency: 'MXN',
    provider: 'manual',
    method: 'transfer',
    reference: 'SPEI 42',
    refunded_amount: 0,
    time_zone: 'America/Mexico_City',
  });
  expect((await receipt(asked, '?payment=1')).body).toEqual(body);
  const page = await t.call('GET', `/licenses/api/pay/${codeOf(asked.url)}/`, { token: null });
  expect(page.body.receipts).toBe(1);
});

describe('who may know whose it is', () => {
  const NAMED = { client_name: 'Transportes del Centro', tax_id: 'TCE010101AB1' };
  const MASKED = { client_name: 'T••• del C•••', tax_id: null };
  const keyWith = async (...permissions: string[]) =>
    (await t.call('POST', '/licenses/api/api-keys/', { body: { name: permissions.join(), permissions } }))
      .body.key as string;

  test('staff with payments:read; not a key without it, nor a token that is none', async () => {
    const asked = await paid();
    const tokens = [
      [t.token, NAMED],
      [await keyWith('payments:read'), NAMED],
      [await keyWith('clients:read', 'licenses:read'), MASKED],
      ['no-es-un-token', MASKED],
      [null, MASKED],
    ] as const;
    for (const [token, expected] of tokens) {
      const { status, body } = await receipt(asked, '', token);
      expect([status, { client_name: body.client_name, tax_id: body.tax_id }]).toEqual([200, expected]);
    }
  });

  test('its own client in the portal; not another one, nor while the portal is off', async () => {
    await setSettings(t, { portal_enabled: true });
    const asked = await paid();
    const other = await createClient(t, { status: 'active' });
    const own = await new Browser(t).signIn(asked.client.email);
    const stranger = await new Browser(t).signIn(other.email);
    expect((await own.call('GET', pathOf(asked))).body).toMatchObject(NAMED);
    expect((await stranger.call('GET', pathOf(asked))).body).toMatchObject(MASKED);
    // The session opens nothing else of the page: what it answers stays that of the code.
    const page = await own.call('GET', `/licenses/api/pay/${codeOf(asked.url)}/`);
    expect(page.body.client_name).toBe('T••• del C•••');
    await setSettings(t, { portal_enabled: false });
    expect((await own.call('GET', pathOf(asked))).body).toMatchObject(MASKED);
  });

  test("a program's ticket names no client, as in the portal", async () => {
    await setSettings(t, { portal_enabled: true });
    const asked = await paid();
    await t.call('POST', '/licenses/api/installations/', {
      token: null,
      body: { license_key: asked.license.license_key, machine_id: 'caja-1' },
    });
    const ticket = await t.call('POST', '/licenses/api/portal/ticket/', {
      token: null,
      body: { license_key: asked.license.license_key, machine_id: 'caja-1' },
    });
    const browser = new Browser(t);
    expect((await browser.verify({ token: ticket.body.url.split('#k=')[1] })).status).toBe(200);
    expect((await browser.call('GET', pathOf(asked))).body).toMatchObject(MASKED);
  });
});

test.each(['0', '-1', '1.5', 'x', '99999999999999999999', '1e3'])(
  'payment=%s is refused on its field, or no receipt',
  async (n) => {
    const asked = await paid();
    const { status, body } = await receipt(asked, `?payment=${n}`);
    expect([status === 404 || Object.keys(body.errors ?? {})[0] === 'payment', status]).toEqual([
      true,
      status,
    ]);
    expect([400, 404]).toContain(status);
  },
);

test('there is none before a payment, beyond the last one, nor for an unknown code', async () => {
  const license = await createLicense(t, { price: 1000, expiry_days: 20 });
  const { body } = await t.call('POST', REQUESTS, {
    body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false },
  });
  expect((await receipt(body)).status).toBe(404);
  expect((await receipt(await paid(), '?payment=2')).status).toBe(404);
  expect((await receipt({ url: 'x/AAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(404);
});

test('says what went back, and counts only what was approved', async () => {
  const shop = await openPaymentShop();
  t = shop.t;
  const asked = await shop.newRequest();
  await shop.press(asked, 'mercado_pago');
  shop.mp.pay({ at: shop.now(), status: 'rejected' });
  await shop.check(asked);
  expect((await receipt(asked)).status).toBe(404);
  await shop.press(asked, 'mercado_pago');
  const payment = shop.mp.pay({ at: shop.now() });
  await shop.check(asked);
  expect((await receipt(asked)).body).toMatchObject({
    payment: 1,
    state: 'approved',
    provider: 'mercado_pago',
    reference: String(payment.id),
    test: true,
    refunded_amount: 0,
  });
  const approved = await t.db
    .selectFrom('payments')
    .select('id')
    .where('state', '=', 'approved')
    .executeTakeFirstOrThrow();
  const refund = (amount: number) =>
    t.call('POST', `/licenses/api/payments/${approved.id}/refund/`, {
      body: { amount },
      headers: { 'idempotency-key': `k${amount}` },
    });
  expect((await refund(400)).status).toBe(202);
  expect((await receipt(asked)).body).toMatchObject({ state: 'approved', refunded_amount: 400 });
  await shop.later(HOUR);
  expect((await refund(600)).status).toBe(202);
  expect((await receipt(asked)).body).toMatchObject({
    state: 'refunded',
    amount: 1000,
    refunded_amount: 1000,
  });
});

test("an erased client's receipt says so, and names nobody to anybody", async () => {
  const asked = await paid();
  await t.call('POST', `/licenses/api/licenses/${asked.license.id}/cancel/`, { body: { reason: 'Fin' } });
  const erased = await t.call('POST', `/licenses/api/clients/${asked.client.id}/erase/`, {
    body: { reason: 'Lo pidió' },
  });
  expect(erased.status).toBe(200);
  for (const token of [null, t.token])
    expect((await receipt(asked, '', token)).body).toMatchObject({
      erased: true,
      client_name: erasedName(asked.client.id),
      tax_id: null,
      reference: '',
      amount: 1392,
    });
});
