import { join } from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import type { License } from '../contract/licenses/licenses.ts';
import type { PaymentRequestState, ReviewReason } from '../contract/payments/payment-words.ts';
import type { RunningServer } from '../test/start-server.ts';
import { barriers } from './support/axe.ts';
import { hold } from './support/network.ts';
import { charge, dueLicense, heading, pathOf, payByTrial, requestNow } from './support/payments.ts';
import { mailTo, openShop, signInByCode } from './support/portal.ts';
import { test as base, expect, type StaffApi, signIn, staffApi } from './support/staff.ts';

/** The payment page, from the link to the receipt (PAY-02, PAY-03). The client has no session. */

const test = base.extend<{ api: StaffApi }>({
  api: async ({ request }, use) => use(staffApi(request, (await signIn(request)).token)),
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ serverEnv: {} });

const licenseNow = (api: StaffApi, { id }: License): Promise<License> =>
  api.call('GET', `/licenses/api/licenses/${id}/`);

/** Puts a payment request into a state that otherwise needs time or a bank. */
function setState(
  { dataDir }: RunningServer,
  id: number,
  state: PaymentRequestState,
  reason: ReviewReason | null = null,
): void {
  const database = new Database(join(dataDir, 'license-manager.sqlite'), { timeout: 5000 });
  database
    .prepare('update payment_requests set state = ?, review_reason = ? where id = ?')
    .run(state, reason, id);
  database.close();
}

test('a client who pays through the link in the mail has the licence renewed and gets the receipt by mail (PAY-02, PAY-05)', {
  tag: '@gate',
}, async ({ page, api, server }) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale, { notify: true, tax_rate: 16, note: 'Gracias por su confianza' });
  const asked = await mailTo(server, sale.client.email, /^Su pago a/);
  const link = /https?:\S+\/pagar\/[\w-]+/.exec(asked.text ?? '')?.[0] ?? '';
  expect(pathOf(link)).toBe(pathOf(made.url));

  await page.goto(pathOf(link));
  await expect(heading(page, 'Su pago')).toBeVisible();
  await expect(page.getByText('$1,392.00 MXN').first()).toBeVisible();
  await expect(page.getByText('Impuesto (16%)')).toBeVisible();
  await expect(page.getByText('Gracias por su confianza')).toBeVisible();
  await expect(page.getByText('Modo de prueba: no se cobra')).toBeVisible();
  // The page has neither the key nor the name nor the email address of the client.
  for (const secret of [sale.license.license_key, sale.client.name, sale.client.email]) {
    await expect(page.locator('body')).not.toContainText(secret);
  }
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await expect(heading(page, 'Pago de prueba')).toBeVisible();
  await page.getByRole('button', { name: 'Aprobar' }).click();
  await expect(heading(page, 'Recibimos su pago. ¡Gracias!')).toBeVisible();
  await expect(page).toHaveURL(pathOf(made.url));

  expect(await requestNow(api, made.id)).toMatchObject({ state: 'paid', test: true });
  const renewed = await licenseNow(api, sale.license);
  expect(Date.parse(renewed.expiry_date ?? '')).toBeGreaterThan(Date.parse(sale.license.expiry_date ?? ''));
  const receipt = await mailTo(server, sale.client.email, /^Recibimos su pago a/);
  expect(receipt.text).toContain('1,392.00');
});

test('the whole payment works by keyboard (PAY-02)', async ({ page, api }) => {
  const made = await charge(api, await dueLicense(api));
  await page.goto(pathOf(made.url));
  await expect(heading(page, 'Su pago')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Pagar con Pago de prueba' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Pago de prueba')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Aprobar' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Recibimos su pago. ¡Gracias!')).toBeFocused();
});

test('after a part the page asks what is left, and says what came in (MONEY-06)', async ({ page, api }) => {
  const made = await charge(api, await dueLicense(api), { tax_rate: 16 });
  const part = { method: 'transfer', amount: 500, withheld: 120 };
  await api.call('POST', `/licenses/api/payment-requests/${made.id}/mark_paid/`, part);
  await page.setViewportSize({ width: 320, height: 720 });
  await page.goto(pathOf(made.url));
  await expect(page.getByText('Aquí puede pagar lo que falta')).toBeVisible();
  const sums = page.getByRole('definition');
  await expect(sums.filter({ hasText: '$500.00' })).toBeVisible();
  await expect(sums.filter({ hasText: '$120.00' })).toBeVisible();
  await expect(page.getByText('$772.00 MXN').first()).toBeVisible();
  await expect(page.getByText('Precio válido hasta')).toHaveCount(0);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await page.getByRole('button', { name: 'Aprobar' }).click();
  await expect(heading(page, 'Recibimos su pago. ¡Gracias!')).toBeVisible();
  const [last] = (await requestNow(api, made.id)).payments;
  expect(last).toMatchObject({ provider: 'demo', amount: 772 });
});

test('a rejected payment leaves the request open, and the page shows it (PAY-02)', async ({ page, api }) => {
  const made = await charge(api, await dueLicense(api));
  await page.goto(`${pathOf(made.url)}/prueba`);
  await page.getByRole('button', { name: 'Rechazar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'El pago no se completó' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pagar con Pago de prueba' })).toBeVisible();
  expect((await requestNow(api, made.id)).state).toBe('open');
});

test('while a payment is pending the page waits for it and still offers another payment method (PAY-02, PAY-05)', async ({
  page,
  api,
}) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale);
  await page.goto(`${pathOf(made.url)}/prueba`);
  await page.getByRole('button', { name: 'Pagar más tarde' }).click();
  await expect(heading(page, 'Su pago está en camino')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pagar con Pago de prueba' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Comprobar de nuevo' }).click();
  await expect(heading(page, 'Su pago está en camino')).toBeVisible();
  expect((await licenseNow(api, sale.license)).expiry_date).toBe(sale.license.expiry_date);
  await page.getByRole('button', { name: 'Pagar de otra forma' }).click();
  await expect(page.getByRole('button', { name: 'Pagar con Pago de prueba' })).toBeVisible();
});

test('several fast presses send one request, and a request cancelled in the meantime shows a message (PAY-02)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/409/);
  const made = await charge(api, await dueLicense(api));
  await page.goto(pathOf(made.url));
  const pay = page.getByRole('button', { name: 'Pagar con Pago de prueba' });
  await expect(pay).toBeVisible();
  await api.call('POST', `/licenses/api/payment-requests/${made.id}/cancel/`, {});
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/checkout/')) calls.push(request.url());
  });
  // After two presses before the answer comes one after it, while the page asks what has changed.
  const { release } = await hold(page, /\/api\/pay\/[^/]+\/$/);
  const refused = page.waitForResponse(/\/checkout\/$/);
  await pay.dblclick();
  await refused;
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.mouse.down();
  await page.mouse.up();
  release();
  await expect(heading(page, 'Esta solicitud de pago se canceló')).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('where only some providers are in test mode, the page says with which of them nothing is charged (PAY-02, PAY-06)', async ({
  page,
  api,
  server,
}) => {
  const made = await charge(api, await dueLicense(api));
  const database = new Database(join(server.dataDir, 'license-manager.sqlite'), { timeout: 5000 });
  database
    .prepare(
      "insert into payment_accounts (provider, is_enabled, token, account, currency, is_test) values ('stripe', 1, 'x', 'acct_1', 'MXN', 0)",
    )
    .run();
  database.close();
  await page.goto(pathOf(made.url));
  await expect(page.getByRole('button', { name: 'Pagar con Stripe' })).toBeVisible();
  await expect(page.getByText('Modo de prueba: con Pago de prueba no se cobra')).toBeVisible();
});

test('an unavailable provider or a lost network shows a message and leaves the page usable (PAY-02)', async ({
  page,
  context,
  api,
  guard,
}) => {
  guard.allowConsoleError(/503|ERR_INTERNET_DISCONNECTED|Failed to load/);
  const made = await charge(api, await dueLicense(api));
  await page.goto(pathOf(made.url));
  await page.route('**/checkout/', (route) =>
    route.fulfill({ status: 503, json: { success: false, code: 'unavailable', message: 'No responde' } }),
  );
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await expect(page.getByRole('alert')).toHaveText(/Pago de prueba no responde en este momento/);
  await page.unroute('**/checkout/');
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Sin conexión' })).toBeVisible();
  await expect(page.getByText('$1,200.00 MXN').first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('status').filter({ hasText: 'Sin conexión' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await expect(heading(page, 'Pago de prueba')).toBeVisible();
});

test('an unknown payment code shows that there is no such payment, and other addresses below /pagar a plain page (PAY-02, PORTAL-02)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/);
  await page.goto('/pagar/AAAAAAAAAAAAAAAAAAAAAA');
  await expect(heading(page, 'No encontramos este pago')).toBeVisible();
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  for (const address of ['/pagar', '/pagar/x/otra']) {
    const answer = await page.goto(address);
    expect([address, answer?.status()]).toEqual([address, 404]);
    await expect(heading(page, 'Esta página no existe')).toBeVisible();
  }
});

test('the first load stays under 100 KiB, and nothing is loaded from other hosts (PAY-08)', async ({
  page,
  api,
  server,
}) => {
  const made = await charge(api, await dueLicense(api));
  let bytes = 0;
  const foreign: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().startsWith(`${server.url}/`)) foreign.push(response.url());
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) {
      bytes += Number((await response.allHeaders())['content-length'] ?? 0);
    }
  });
  await page.goto(pathOf(made.url));
  await expect(heading(page, 'Su pago')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(100 * 1024);
  expect(foreign).toEqual([]);
});

test('without JavaScript the page shows that it needs JavaScript (PAY-02)', async ({
  browser,
  server,
  api,
}) => {
  const made = await charge(api, await dueLicense(api));
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathOf(made.url));
  expect(await page.locator('body').innerText()).toContain('necesita JavaScript');
  await context.close();
});

/** axe reports nothing and nothing is wider than the window, in both themes and at each width. */
async function looksWell(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 740 });
      const widest = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([page.url(), colorScheme, width, widest]).toEqual([page.url(), colorScheme, width, width]);
      expect(await barriers(page, { goodPractice: true })).toEqual([]);
    }
  }
}

test('every state fits the window in light and dark, at 320, 390 and 1440 px (PAY-02)', async ({
  page,
  api,
  server,
}) => {
  test.setTimeout(180_000);
  await api.call('PUT', '/licenses/api/settings/', { vendor_name: 'Sistemas Río', accent_color: '#0b57d0' });
  await api.call('PUT', '/licenses/api/settings/payments/', {
    instructions: 'BBVA, CLABE 012345678901234567\nA nombre de Sistemas Río SA de CV',
  });
  const made = await charge(api, await dueLicense(api), { tax_rate: 16, note: 'Una nota para el cliente' });
  await page.goto(pathOf(made.url));
  await expect(page.getByRole('heading', { name: 'Transferencia o depósito' })).toBeVisible();
  await expect(page.getByText('CLABE 012345678901234567')).toBeVisible();
  await looksWell(page);
  await page.goto(`${pathOf(made.url)}/prueba`);
  await expect(heading(page, 'Pago de prueba')).toBeVisible();
  await looksWell(page);
  for (const [state, title] of [
    ['cancelled', 'Esta solicitud de pago se canceló'],
    ['expired', 'Este enlace de pago venció'],
    ['review', 'Su proveedor está revisando este pago'],
  ] as const) {
    setState(server, made.id, state, state === 'review' ? 'late' : null);
    await page.goto(pathOf(made.url));
    await expect(heading(page, title)).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    await looksWell(page);
  }
  const another = await charge(api, await dueLicense(api));
  await payByTrial(page, another);
  await looksWell(page);
  const later = await charge(api, await dueLicense(api));
  await page.goto(`${pathOf(later.url)}/prueba`);
  await page.getByRole('button', { name: 'Pagar más tarde' }).click();
  await expect(heading(page, 'Su pago está en camino')).toBeVisible();
  await looksWell(page);
});

test('"Pagar" in the portal opens the page of the open request, or creates a request (PORTAL-05, PAY-07)', async ({
  page,
  api,
  server,
}) => {
  const shop = await openShop(api, { license: { expiry_days: 6 } });
  await signInByCode(page, server, shop.client.email);
  await page.getByRole('button', { name: /^Pagar \$/ }).click();
  await expect(heading(page, 'Su pago')).toBeVisible();
  const first = new URL(page.url()).pathname;
  await page.goto(`/portal?licencia=${shop.license.id}`);
  await page.getByRole('button', { name: /^Pagar \$/ }).click();
  await expect(heading(page, 'Su pago')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(first);
  const { results } = await api.call<{ results: { actor: { kind: string } }[] }>(
    'GET',
    `/licenses/api/payment-requests/?license=${shop.license.id}`,
  );
  expect(results.map(({ actor }) => actor.kind)).toEqual(['client']);
});
