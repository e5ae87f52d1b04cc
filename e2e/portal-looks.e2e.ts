import type { Page } from '@playwright/test';
import type { LicenseInput } from '../contract/licenses/licenses.ts';
import { barriers } from './support/axe.ts';
import { fillSeats, heading, openShop, signInByCode } from './support/portal.ts';
import { test as base, expect, type StaffApi, signIn, staffApi } from './support/staff.ts';

/** All states of the portal in light and dark, on a small phone, a usual phone and a desktop (PORTAL-02). */

const test = base.extend<{ api: StaffApi }>({
  api: async ({ request }, use) => use(staffApi(request, (await signIn(request)).token)),
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ serverEnv: {} });
// Long, because each state is checked six times.
test.setTimeout(180_000);

const WIDTHS = [320, 390, 1440];

/** axe reports nothing and nothing is wider than the window, in both themes and at each width. */
async function looksWell(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      const widest = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([page.url(), colorScheme, width, widest]).toEqual([page.url(), colorScheme, width, width]);
      expect(await barriers(page, { goodPractice: true })).toEqual([]);
    }
  }
}

test('the sign-in, its code step and their errors have no layout or axe fault', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/40[0-9]|429/);
  const shop = await openShop(api);
  await page.goto('/portal');
  await expect(heading(page, 'Entre a sus licencias')).toBeVisible();
  await looksWell(page);
  await page.getByRole('button', { name: 'Enviarme el código' }).click();
  await expect(page.getByText('Escriba su correo electrónico')).toBeVisible();
  await looksWell(page);
  await page.getByLabel('Su correo electrónico').fill(shop.client.email);
  await page.getByRole('button', { name: 'Enviarme el código' }).click();
  await expect(heading(page, 'Revise su correo')).toBeVisible();
  await page.getByLabel('Código de seis números').fill('000000');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page.getByText('El código no es correcto, ya se usó o venció')).toBeVisible();
  await looksWell(page);
  for (let asked = 1; asked < 4; asked += 1) {
    await page.getByRole('button', { name: 'Pedir otro código' }).click();
  }
  await expect(page.getByText('Ha pedido muchos códigos')).toBeVisible();
});

test('licences in every state have no layout or axe fault, in the list and in their details', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api);
  const { client, software } = shop;
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const issue = (values: Partial<LicenseInput>) =>
    api.createLicense({ ...values, client: client.id, software: software.id });
  await fillSeats(api, shop);
  const suspended = await issue({});
  await api.call('POST', `/licenses/api/licenses/${suspended.id}/suspend/`, {});
  const cancelled = await issue({});
  await api.call('POST', `/licenses/api/licenses/${cancelled.id}/cancel/`, { reason: 'prueba' });
  await issue({ expiry_date: day(9), max_installations: 12 });
  await issue({ license_type: 'trial', expiry_date: day(5), status: 'trial' });
  const over = await issue({});
  await api.call('PUT', `/licenses/api/licenses/${over.id}/`, { expiry_date: day(-4) });
  const grace = await issue({ grace_days: 15 });
  await api.call('PUT', `/licenses/api/licenses/${grace.id}/`, { expiry_date: day(-4) });
  await signInByCode(page, server, client.email);
  await expect(heading(page, 'Mis licencias')).toBeVisible();
  for (const state of [
    'Vigente',
    'Suspendida',
    'Cancelada',
    'De prueba',
    'Vencida',
    'Vencida, todavía funciona',
  ]) {
    await expect(page.getByText(state, { exact: true }).first()).toBeVisible();
  }
  await looksWell(page);
  for (const { id, advice } of [
    { id: shop.license.id, advice: 'Todos los lugares están ocupados' },
    { id: suspended.id, advice: 'Su programa no la acepta por ahora' },
    { id: cancelled.id, advice: 'Ya no puede usarse' },
    { id: over.id, advice: 'Su programa ya no la acepta' },
    { id: grace.id, advice: 'Su programa todavía funciona, pero solo por unos días' },
  ]) {
    await page.goto(`/portal?licencia=${id}`);
    await expect(page.getByText(advice)).toBeVisible();
    await looksWell(page);
  }
});

test('empty pages, open dialogs and the page of own data have no layout or axe fault', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await signInByCode(page, server, shop.client.email);
  await page.getByRole('button', { name: 'Liberar este equipo: Caja 1' }).click();
  await looksWell(page);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Mis datos' }).click();
  await expect(heading(page, 'Mis datos')).toBeVisible();
  await looksWell(page);
  await page.getByRole('button', { name: 'Salir' }).click();
  await expect(page.getByText('Cerró su sesión.')).toBeVisible();

  const newcomer = await api.createClient();
  await signInByCode(page, server, newcomer.email);
  await expect(page.getByText('No tiene licencias todavía')).toBeVisible();
  await looksWell(page);
});

test('while the list loads and without a network the page shows a message, and continues by itself', async ({
  page,
  context,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED|Failed to load/);
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await signInByCode(page, server, shop.client.email);
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/portal\/licenses\//, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await expect(page.getByText('Cargando...')).toBeAttached();
  await looksWell(page);
  release();
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  await page.unroute(/portal\/licenses\//);

  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Sin conexión' })).toBeVisible();
  // Loaded content stays visible.
  await expect(page.getByText(shop.license.license_key)).toBeVisible();
  await looksWell(page);
  await page.getByRole('button', { name: 'Recibir los datos por correo' }).click();
  await expect(page.getByRole('alert')).toHaveText(/No hay conexión/);
  await context.setOffline(false);
  await expect(page.getByRole('status').filter({ hasText: 'Sin conexión' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Recibir los datos por correo' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Le enviamos los datos' })).toBeVisible();
});
