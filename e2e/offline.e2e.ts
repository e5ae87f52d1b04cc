import type { Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { codeFile, saveData } from './support/network.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** If the connection is lost, the console keeps its screen, shows a banner, and recovers automatically. */

const banner = (page: Page) => page.getByText('Sin conexión: Verifica tu conexión a internet');
const retry = (page: Page) => page.getByRole('button', { name: 'Reintentar Conexión' });
const link = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** A mark in the page, which a reload removes. */
const mark = (page: Page) => page.evaluate(() => Reflect.set(globalThis, 'notReloaded', true));
const isMarked = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'notReloaded') === true);

/** Refuses every request, while `navigator.onLine` stays true. */
const cutServer = (page: Page) => page.route('**/*', (route) => route.abort('connectionrefused'));
const mendServer = (page: Page) => page.unroute('**/*');

test.use({ prefetches: true });
test.beforeEach(({ guard }) => guard.allowConsoleError(/ERR_/));

test('offline, opening a screen whose code is not loaded leaves the current screen, and opens the new one when the network is back', {
  tag: '@gate',
}, async ({ page, context, api }) => {
  const { name } = await api.createClient({ name: `Cliente ${unique()}` });
  await saveData(page);
  await page.goto('/clients');
  await expect(page.getByRole('cell', { name })).toBeVisible();
  await mark(page);

  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await link(page, 'Licencias').click();
  await expect(page.getByText('«Licencias» se abrirá cuando vuelva la conexión.')).toBeVisible();
  await expect(page).toHaveURL(/\/clients$/);
  await expect(heading(page, 'Clientes')).toBeVisible();
  await expect(page.getByRole('cell', { name })).toBeVisible();

  await context.setOffline(false);
  await expect(heading(page, 'Licencias')).toBeVisible();
  await expect(page).toHaveURL(/\/licenses$/);
  await expect(banner(page)).toBeHidden();
  expect(await isMarked(page)).toBe(true);
});

test('a screen whose code failed before the loss was noticed opens when the server answers again', async ({
  page,
}) => {
  await saveData(page);
  await page.goto('/clients');
  await expect(heading(page, 'Clientes')).toBeVisible();
  await cutServer(page);
  await link(page, 'Licencias').click();
  await expect(banner(page)).toBeVisible();
  await mendServer(page);
  await retry(page).click();
  await expect(heading(page, 'Licencias')).toBeVisible();
  await expect(page).toHaveURL(/\/licenses$/);
  await expect(banner(page)).toBeHidden();
});

test('a navigation that waits for the network is cancelled by a later one', async ({ page, context }) => {
  await saveData(page);
  await page.goto('/reports');
  await link(page, 'Configuración').click();
  await expect(heading(page, 'Configuración')).toBeVisible();
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await link(page, 'Licencias').click();
  await expect(page.getByText('«Licencias» se abrirá')).toBeVisible();
  await link(page, 'Reportes').click();
  await expect(heading(page, 'Reportes')).toBeVisible();
  await context.setOffline(false);
  await expect(banner(page)).toBeHidden();
  await expect(heading(page, 'Reportes')).toBeVisible();
  await expect(page).toHaveURL(/\/reports$/);
});

test('offline, a form whose code is not loaded shows a message in its frame, and opens when the network is back', async ({
  page,
  context,
  api,
}) => {
  const { name } = await api.createClient({ name: `Cliente ${unique()}` });
  await saveData(page);
  await page.goto('/clients');
  await expect(page.getByRole('cell', { name })).toBeVisible();
  await mark(page);
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();

  const opener = page.getByRole('button', { name: 'Nuevo Cliente' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await expect(dialog.getByText('Sin conexión: Verifica tu conexión a internet')).toBeVisible();
  await expect(page.getByText(name)).toBeVisible();
  await expect(dialog).toBeFocused();
  expect(await barriers(page, { within: '[role=dialog]' })).toEqual([]);

  // The frame closes like any dialog, and the focus returns to the opener.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await expect(dialog).toBeVisible();

  await context.setOffline(false);
  await expect(dialog.getByLabel('Nombre', { exact: true })).toBeFocused();
  await expect(banner(page)).toBeHidden();
  expect(await isMarked(page)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('with the server unreachable and the browser online, two fast clicks on retry send one request', async ({
  page,
}) => {
  await saveData(page);
  await page.clock.install();
  await page.goto('/reports');
  await expect(heading(page, 'Reportes')).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await cutServer(page);
  await link(page, 'Software').click();
  await expect(banner(page)).toBeVisible();
  await expect(heading(page, 'Reportes')).toBeVisible();

  const asked = callsTo(page, 'GET', '/api/health/');
  await retry(page).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect.poll(() => asked.length).toBe(1);
  await expect(retry(page)).not.toHaveAttribute('aria-busy', 'true');
  await expect(banner(page)).toBeVisible();
  expect(asked).toHaveLength(1);

  await mendServer(page);
  await retry(page).click();
  await expect(heading(page, 'Software')).toBeVisible();
  await expect(banner(page)).toBeHidden();
});

test('a failed call shows the banner, leaves the screen visible, and is repeated automatically', {
  tag: '@gate',
}, async ({ page, api }) => {
  const text = unique();
  const { name } = await api.createClient({ name: `Cliente ${text}` });
  await page.goto('/clients');
  await expect(page.getByRole('cell', { name })).toBeVisible();
  await cutServer(page);
  const box = page.getByPlaceholder('Buscar clientes...');
  await box.fill(text);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByText('Error al cargar los clientes')).toBeVisible();
  await expect(box).toBeFocused();
  expect(await barriers(page)).toEqual([]);

  await mendServer(page);
  await expect(banner(page)).toBeHidden();
  await expect(page.getByText('Error al cargar los clientes')).toBeHidden();
  await expect(page.getByRole('cell', { name })).toBeVisible();
  await expect(box).toBeFocused();
});

test('one failed call shows no banner while other calls succeed', async ({ page }) => {
  await page.route('**/licenses/api/clients/?*', (route) => route.abort('connectionrefused'));
  const asked = page.waitForResponse('**/api/health/');
  await page.goto('/clients');
  await asked;
  await expect(page.getByText('Error al cargar los clientes')).toBeVisible();
  await expect(banner(page)).toBeHidden();
});

test('a call that fails before the rest of the code is loaded starts a health check', async ({ page }) => {
  await page.route('**/licenses/api/clients/?*', (route) => route.abort('connectionrefused'));
  const failed = page.waitForEvent('requestfailed');
  await page.route(codeFile('main'), async (route) => {
    await failed;
    await route.continue();
  });
  const asked = page.waitForResponse('**/api/health/');
  await page.goto('/clients');
  await asked;
  await expect(page.getByText('Error al cargar los clientes')).toBeVisible();
});

test.describe('a new version of the console', () => {
  const gone = (page: Page, name: string) =>
    page.route(codeFile(name), (route) => route.fulfill({ status: 404, body: 'no' }));

  test('a screen whose code file no longer exists opens after a reload of the page', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/404/);
    await saveData(page);
    await page.goto('/reports');
    await expect(heading(page, 'Reportes')).toBeVisible();
    await mark(page);
    await gone(page, 'software-page');
    // The reloaded page has the new version.
    page.on('request', (request) => {
      if (request.isNavigationRequest()) void page.unroute(codeFile('software-page'));
    });
    await link(page, 'Software').click();
    await expect(heading(page, 'Software')).toBeVisible();
    await expect(page).toHaveURL(/\/software$/);
    expect(await isMarked(page)).toBe(false);
  });

  test('code that is still missing after one reload shows an error', async ({ page, guard }) => {
    guard.allowConsoleError(/404|Failed to fetch dynamically imported module/);
    await saveData(page);
    await page.goto('/software');
    await expect(heading(page, 'Software')).toBeVisible();
    await gone(page, 'software-form');
    const pages = callsTo(page, 'GET', '/software');
    await page.getByRole('button', { name: 'Nuevo Software' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nuevo Software' });
    await expect(dialog.getByText('No se pudo cargar esta pantalla')).toBeVisible();
    expect(pages).toHaveLength(1);
    // The list behind the dialog stays.
    await dialog.getByRole('button', { name: 'Cerrar' }).click();
    await expect(dialog).toBeHidden();
    await expect(heading(page, 'Software')).toBeVisible();
  });
});

test('going offline during a save leaves the form filled, and saving again creates one record @gate', async ({
  page,
  context,
  api,
  guard,
}) => {
  test.slow();
  guard.allowConsoleError(/Error al/);
  const text = unique();
  await saveData(page);
  await page.goto('/dashboard');
  await expect(heading(page, 'Dashboard')).toBeVisible();
  // Code of the dashboard that the loss interrupts could be had only by a reload.
  await page.waitForLoadState('networkidle');
  await mark(page);

  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await link(page, 'Software').click();
  await expect(page.getByText('«Software» se abrirá')).toBeVisible();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page, 'Software')).toBeVisible();

  await page.getByRole('button', { name: 'Nuevo Software' }).click();
  const software = page.getByRole('dialog', { name: 'Nuevo Software' });
  await software.getByLabel('Nombre').fill(`Taller ${text}`);
  await software.getByLabel('Versión').fill('3.2.1');
  await software.getByRole('button', { name: 'Crear Software' }).click();
  await expect(software).toBeHidden();

  await link(page, 'Tipos de Licencia').click();
  await page.getByRole('button', { name: 'Nuevo Tipo' }).click();
  const type = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await type.getByLabel('Nombre', { exact: true }).fill(`Anual ${text}`);
  await type.getByLabel('Precio Base').fill('1499.5');
  await type.getByLabel('Máximo de Instalaciones').fill('2');
  await type.getByLabel('Días de Validez').fill('90');
  await type.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(type).toBeHidden();

  await link(page, 'Clientes').click();
  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  const client = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await client.getByLabel('Nombre', { exact: true }).fill(`Óscar ${text}`);
  await client.getByLabel('Email').fill(`${text}@example.com`);
  await client.getByLabel('Teléfono Principal').fill('5512345678');
  // The server stores the record, but its answer is lost.
  let lose = true;
  await page.route('**/licenses/api/clients/', async (route) => {
    if (route.request().method() !== 'POST' || !lose) return route.fallback();
    await route.fetch();
    lose = false;
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await client.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(client.getByRole('group', { name: 'Error al crear el cliente' })).toBeVisible();
  await client.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(client.getByLabel('Nombre', { exact: true })).toHaveValue(`Óscar ${text}`);
  await expect(client.getByLabel('Email')).toHaveValue(`${text}@example.com`);
  await context.setOffline(false);
  await client.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(page.getByText('Cliente creado exitosamente')).toBeVisible();
  await expect(client).toBeHidden();
  await expect(banner(page)).toBeHidden();
  const found = await api.call<{ count: number }>('GET', `/licenses/api/clients/?search=${text}`);
  expect(found.count).toBe(1);

  await link(page, 'Licencias').click();
  await page.getByRole('button', { name: 'Nueva Licencia' }).click();
  const license = page.getByRole('dialog', { name: 'Nueva Licencia' });
  const picker = license.getByRole('combobox', { name: 'Cliente' });
  await picker.click();
  await picker.pressSequentially(text);
  await page.getByRole('option', { name: new RegExp(text) }).click();
  await license.getByLabel('Software').selectOption({ label: `Taller ${text} (3.2.1)` });
  await license.getByLabel('Tipo de Licencia').selectOption({ label: `Anual ${text} - $1,499.50` });
  await license.getByRole('button', { name: 'Crear Licencia' }).click();
  const success = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(success).toContainText(`Óscar ${text}`);
  expect(await isMarked(page)).toBe(true);
});

test('signing out while offline opens the sign-in screen with the same banner', async ({ page, context }) => {
  await page.goto('/reports');
  await expect(heading(page, 'Reportes')).toBeVisible();
  // Prefetched code works without a network.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Iniciar Sesión' })).toBeVisible();
  await expect(banner(page)).toBeVisible();
  await context.setOffline(false);
  await expect(banner(page)).toBeHidden();
});
