import type { Page } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { drawn } from './support/drawn.ts';
import { callsTo, expect, queryOf, test, unique } from './support/staff.ts';

const ENTRIES = [
  ['Dashboard', '/dashboard'],
  ['Clientes', '/clients'],
  ['Licencias', '/licenses'],
  ['Tipos de Licencia', '/license-types'],
  ['Software', '/software'],
  ['Reportes', '/reports'],
  ['Configuración', '/settings'],
] as const;

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Principal' });
const topBar = (page: Page) => page.getByRole('banner');
const toggle = (page: Page) => page.getByRole('button', { name: 'Alternar menú' });

test('the sidebar leads to the seven screens, each with its title (SEED-1-01, SEED-1-13, SEED-2.2-01, SEED-2.1-02)', {
  tag: '@gate',
}, async ({ page }) => {
  await page.goto('/reports');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(sidebar(page).getByRole('link')).toHaveText(ENTRIES.map(([name]) => name));
  await expect(page.locator('aside').getByText('License Manager')).toBeVisible();
  for (const [name, path] of ENTRIES) {
    await sidebar(page).getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(`${name} · License Manager`);
    await expect(sidebar(page).getByRole('link', { name, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(topBar(page)).toBeVisible();
  }
});

test('/ redirects to the dashboard (SEED-2.1-03, SEED-2.1-04)', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

for (const path of [
  '/no-existe',
  '/clients/abc',
  '/licenses/1x',
  '/software/0',
  '/license-types/1',
  '/a/b/c',
]) {
  test(`the unknown path ${path} redirects to the dashboard (SEED-2.1-14, D037)`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/);
  });
}

for (const [id, path, title] of [
  ['SEED-2.1-12', '/reports', 'Reportes'],
  ['SEED-2.1-13', '/settings', 'Configuración'],
] as const) {
  test(`${path} shows that it is under development (SEED-1-12, ${id})`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('main').getByText('Esta página está en desarrollo.')).toBeVisible();
    await expect(sidebar(page)).toBeVisible();
  });
}

test('the sidebar is open at first, and a collapsed sidebar stays collapsed (SEED-2.2-02, SEED-2.2-03, SEED-2.2-05, SEED-3-31, D041)', async ({
  page,
}) => {
  await page.goto('/reports');
  await expect(sidebar(page).getByText('Tipos de Licencia')).toBeVisible();
  await toggle(page).click();
  await expect(sidebar(page).getByText('Tipos de Licencia')).toBeHidden();
  await expect(sidebar(page).getByRole('link')).toHaveCount(7);
  await expect(sidebar(page).locator('svg')).toHaveCount(7);
  await page.reload();
  await expect(sidebar(page).getByRole('link')).toHaveCount(7);
  await expect(sidebar(page).getByText('Tipos de Licencia')).toBeHidden();
  await sidebar(page).getByRole('link', { name: 'Configuración' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await toggle(page).click();
  await expect(sidebar(page).getByText('Tipos de Licencia')).toBeVisible();
});

test("the sidebar's footer is the same for every user, and the top bar shows the user's name (SEED-2.2-04, SEED-2.2-09, SEED-2.2-10, SEED-2.2-11, SEED-6-02, SEED-6-03, D023)", async ({
  page,
  api,
}) => {
  const name = `marta-${unique()}`;
  const account = {
    username: name,
    password: 'secreta-9',
    names: 'Marta',
    last_name: 'Ibáñez',
    email: `${name}@example.com`,
  };
  await api.call('POST', '/api/auth/register/', account);
  await page.goto('/reports');
  const footer = page.locator('aside').getByText('Administrador', { exact: true });
  await expect(page.locator('aside').getByText('Usuario', { exact: true })).toBeVisible();
  await expect(footer).toBeVisible();
  await expect(topBar(page)).toContainText('admin@example.com');

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await page.getByLabel('Usuario', { exact: true }).fill(name);
  await page.getByLabel('Contraseña', { exact: true }).fill('secreta-9');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(topBar(page).getByText('Marta Ibáñez')).toBeVisible();
  await expect(topBar(page).getByText(account.email)).toBeVisible();
  await expect(topBar(page).getByText('MI', { exact: true })).toBeVisible();
  await expect(page.locator('aside').getByText('Usuario', { exact: true })).toBeVisible();
  await expect(footer).toBeVisible();
  await expect(sidebar(page).getByRole('link')).toHaveCount(7);
});

test('typing and Enter in the search of the top bar change nothing on the page (SEED-2.2-06, SEED-2.2-07, D017)', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/reports');
  const box = topBar(page).getByPlaceholder('Buscar...', { exact: true });
  // The figures are loaded, so nothing else changes the page.
  await expect(page.getByRole('region', { name: 'Renovaciones', exact: true })).toContainText('Datos al');
  const before = await page.getByRole('main').innerText();
  const lists = callsTo(page, 'GET', /^\/licenses\/api\/(clients|licenses|software|license-types)\/$/);
  await box.fill('ana');
  await box.press('Enter');
  // Longer than the pause after which a list would search.
  await page.clock.runFor(1000);
  await drawn(page);
  expect(lists.map((call) => queryOf(call).search).filter(Boolean)).toEqual([]);
  await expect(page).toHaveURL(/\/reports$/);
  expect(await page.getByRole('main').innerText()).toBe(before);
  await expect(box).toHaveValue('ana');
});

test.describe('notifications bell (SEED-2.2-08, D022)', () => {
  const bell = (page: Page) => topBar(page).getByRole('button', { name: 'Notificaciones' });
  const LICENSES = /\/licenses\/api\/licenses\/\?.*expiry_date/;

  test('the panel shows a message when there are no notifications', async ({ page }) => {
    await page.route(LICENSES, (route) => route.fulfill({ json: [] }));
    await page.route('**/licenses/api/notifications/', (route) =>
      route.fulfill({ json: { unread: 0, results: [] } }),
    );
    await page.goto('/reports');
    await bell(page).click();
    const panel = page.getByRole('dialog', { name: 'Notificaciones' });
    await expect(panel.getByText('No hay notificaciones')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(bell(page)).toBeFocused();
  });

  test('the panel lists the licences and trials that end within thirty days, each with a link', async ({
    page,
    api,
  }) => {
    const mark = unique();
    const client = await api.createClient({ name: `Pronto ${mark}` });
    const software = await api.createSoftware();
    const soon = await api.createLicense({ client: client.id, software: software.id, expiry_days: 3 });
    for (const [name, status] of [
      ['Prueba', 'trial'],
      ['Suspendida', 'suspended'],
    ] as const) {
      const other = await api.createClient({ name: `${name} ${mark}` });
      await api.createLicense({ client: other.id, software: software.id, expiry_days: 2, status });
    }
    const asked = callsTo(page, 'GET', '/licenses/api/licenses/');
    await page.goto('/reports');
    await bell(page).click();
    const panel = page.getByRole('dialog', { name: 'Notificaciones' });
    await expect(panel.getByText(`Pronto ${mark}`)).toBeVisible();
    await expect(bell(page)).toHaveAccessibleDescription(/licencias? por vencer/);
    await expect(panel.getByText(`Prueba ${mark}`)).toBeVisible();
    await expect(panel.getByText(`Suspendida ${mark}`)).toHaveCount(0);
    const byTheBell = asked.map(queryOf).filter((query) => query.expiring_within !== undefined);
    expect(byTheBell.map((query) => query.page_size)).toEqual(['20']);
    await panel.getByText(`Pronto ${mark}`).click();
    await expect(page).toHaveURL(new RegExp(`/licenses/${soon.id}$`));
    await expect(panel).toBeHidden();
  });

  test('the panel shows an error and a retry button when the licences could not be loaded', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/500/);
    await page.route(LICENSES, (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/reports');
    await bell(page).click();
    const panel = page.getByRole('dialog', { name: 'Notificaciones' });
    await expect(panel.getByText('No se pudieron cargar las notificaciones')).toBeVisible();
    await page.unroute(LICENSES);
    await panel.getByRole('button', { name: 'Reintentar' }).click();
    await expect(panel.getByText('No se pudieron cargar las notificaciones')).toBeHidden();
  });
});

test('the theme can be switched, is remembered, and is there from the first paint (SEED-3-29, SEED-3-31, D040)', async ({
  page,
}) => {
  await page.goto('/reports');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');
  const light = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole('button', { name: 'Usar tema oscuro' }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).not.toBe(
    light,
  );
  expect(await page.evaluate(() => localStorage.getItem('license_manager_theme'))).toBe('dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Usar tema claro' }).click();
  expect(await page.evaluate(() => localStorage.getItem('license_manager_theme'))).toBe('light');
});

test('the first Tab stop skips to the content, and a new screen starts with focus there', async ({
  page,
}) => {
  await page.goto('/reports');
  await expect(page.getByRole('heading', { name: 'Reportes' })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Saltar al contenido' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Reportes' })).toBeVisible();
  await sidebar(page).getByRole('link', { name: 'Configuración' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Configuración' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('on a narrow screen the button with the initials opens a panel with name, user name and email', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/reports');
  // Visible only to screen readers.
  expect((await topBar(page).getByText('admin@example.com').boundingBox())?.width).toBeLessThanOrEqual(1);
  const account = topBar(page).getByRole('button', { name: /^Cuenta: .* admin@example\.com$/ });
  await account.click();
  const panel = page.getByRole('dialog', { name: 'Cuenta' });
  await expect(panel).toContainText('admin@example.com');
  await expect(panel).toContainText('Usuario admin');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(account).toBeFocused();
  // The same with the keyboard.
  await page.keyboard.press('Enter');
  await expect(panel).toBeVisible();
});

test('on a narrow screen the sidebar opens over the page, and nothing scrolls sideways at 320 px', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/reports');
  await expect(page.getByRole('heading', { name: 'Reportes' })).toBeVisible();
  await expect(sidebar(page)).toBeHidden();
  await toggle(page).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link')).toHaveCount(7);
  await drawer.getByRole('link', { name: 'Configuración' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(drawer).toBeHidden();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await expect(page.getByRole('button', { name: 'Cerrar Sesión' })).toBeVisible();
});

for (const look of LOOKS) {
  test(`axe finds nothing on the frame, ${look.theme} at ${look.width} px`, async ({ page }) => {
    test.slow();
    await wear(page, look);
    const check = async () => {
      expect(await barriers(page)).toEqual([]);
    };
    for (const path of ['/reports', '/settings']) {
      await page.goto(path);
      await expect(page.getByText('Esta página está en desarrollo.')).toBeVisible();
      await check();
    }
    await topBar(page).getByRole('button', { name: 'Notificaciones' }).click();
    await expect(page.getByRole('dialog', { name: 'Notificaciones' })).toBeVisible();
    await check();
    await page.keyboard.press('Escape');
    await toggle(page).click();
    await check();
  });
}
