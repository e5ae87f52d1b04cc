import type { Page } from '@playwright/test';
import { codeFile, hold, saveData } from './support/network.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** On a slow network every action has a visible response at once, and code and data are prefetched. */

test.use({ prefetches: true });

const link = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

for (const { screen, code, press, title, field } of [
  {
    screen: '/licenses',
    code: 'licenses-form',
    press: 'Nueva Licencia',
    title: 'Nueva Licencia',
    field: 'Precio',
  },
  {
    screen: '/clients',
    code: 'clients-form',
    press: 'Nuevo Cliente',
    title: 'Nuevo Cliente',
    field: 'Email',
  },
  {
    screen: '/software',
    code: 'software-form',
    press: 'Nuevo Software',
    title: 'Nuevo Software',
    field: 'Nombre',
  },
  {
    screen: '/license-types',
    code: 'license-types-form',
    press: 'Nuevo Tipo',
    title: 'Nuevo Tipo de Licencia',
    field: 'Precio Base',
  },
]) {
  test(`${press}: the dialog's frame with its title shows while its code loads`, async ({ page }) => {
    const { release } = await hold(page, codeFile(code));
    await page.goto(screen);
    await page.getByRole('button', { name: press }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole('heading', { name: title })).toBeVisible();
    await expect(dialog.getByText('Cargando')).toBeAttached();
    await expect(dialog.getByLabel(field, { exact: true })).toHaveCount(0);
    release();
    await expect(dialog.getByLabel(field, { exact: true })).toBeVisible();
    await expect(dialog.locator('input, select, textarea').first()).toBeFocused();
  });
}

test("while a screen's code loads, its sidebar entry is marked and a progress line shows over the current screen", async ({
  page,
}) => {
  const { release } = await hold(page, codeFile('licenses-page'));
  await page.goto('/reports');
  await expect(heading(page, 'Reportes')).toBeVisible();
  await link(page, 'Licencias').click();
  await expect(page.getByText('Abriendo Licencias...')).toBeVisible();
  await expect(link(page, 'Licencias')).toHaveAttribute('data-opening', 'true');
  await expect(heading(page, 'Reportes')).toBeVisible();
  release();
  await expect(heading(page, 'Licencias')).toBeVisible();
  await expect(page.getByText('Abriendo Licencias...')).toBeHidden();
  await expect(link(page, 'Licencias')).toHaveAttribute('aria-current', 'page');
});

test('hovering a sidebar link prefetches the code and the data of its screen', async ({ page }) => {
  await saveData(page);
  await page.goto('/account');
  await expect(heading(page, 'Mi cuenta')).toBeVisible();
  const code = page.waitForResponse((response) => codeFile('software-page').test(response.url()));
  const data = page.waitForResponse((response) => response.url().includes('/licenses/api/software/'));
  await link(page, 'Software').hover();
  await Promise.all([code, data]);
  const again = callsTo(page, 'GET', '/licenses/api/software/');
  await link(page, 'Software').click();
  await expect(heading(page, 'Software')).toBeVisible();
  await expect(
    page.getByRole('main').getByRole('article').or(page.getByText('No se encontró')),
  ).not.toHaveCount(0);
  expect(again).toHaveLength(0);
});

test("hovering a row's button prefetches its record before the click", async ({ page, api }) => {
  const name = `Programa ${unique()}`;
  const { id } = await api.createSoftware({ name });
  await page.goto(`/software?q=${encodeURIComponent(name)}`);
  const record = page.waitForResponse((response) => response.url().endsWith(`/licenses/api/software/${id}/`));
  await page.getByRole('button', { name: 'Ver detalles' }).hover();
  await record;
});

test("on a narrow screen the menu button shows that the menu's code is loading", async ({ page }) => {
  const { release } = await hold(page, codeFile('sidebar-drawer'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/reports');
  await page.getByRole('button', { name: 'Alternar menú' }).click();
  await expect(page.getByText('Abriendo menú...')).toBeVisible();
  await expect(heading(page, 'Reportes')).toBeVisible();
  release();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Licencias' })).toBeVisible();
});

test('while the browser is idle the code of all screens and dialogs is fetched one by one', async ({
  page,
}) => {
  const files: string[] = [];
  page.on('request', (request) => {
    if (/\/assets\/.*(-page|-form|-details|-created)-[^/]*\.js$/.test(request.url())) {
      files.push(new URL(request.url()).pathname);
    }
  });
  const { release } = await hold(page, codeFile('licenses-page'));
  const asked = page.waitForRequest(codeFile('licenses-page'));
  await page.goto('/software');
  await asked;
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))),
  );
  expect(files.at(-1)).toContain('licenses-page');
  release();
  for (const name of [
    'sign-in-page',
    'dashboard-page',
    'clients-page',
    'clients-form',
    'clients-details',
    'licenses-page',
    'licenses-form',
    'licenses-details',
    'license-created',
    'license-types-page',
    'license-types-form',
    'license-types-details',
    'software-form',
    'software-details',
    'reports-page',
    'settings-page',
  ]) {
    await expect.poll(() => files.filter((file) => file.includes(`/${name}-`)).length, name).toBe(1);
  }
});

test('with Save-Data nothing is prefetched', async ({ page }) => {
  const forms = callsTo(page, 'GET', codeFile('clients-form'));
  await saveData(page);
  await page.goto('/software');
  await expect(heading(page, 'Software')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(forms).toHaveLength(0);
});
