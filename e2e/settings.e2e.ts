import type { Page } from '@playwright/test';
import { LOGO_BYTES_MAX } from '../contract/settings/logo.ts';
import { SETTINGS_DEFAULTS } from '../contract/settings/settings.ts';
import { png } from '../test/pictures.ts';
import { barriers } from './support/axe.ts';
import { fullSize } from './support/browser.ts';
import { expect, test } from './support/staff.ts';

// A test measures to the pixel where things are.
test.use({ launchOptions: fullSize });

/** Configuración: the sections 'Empresa' and 'Avisos' (MAIL-03). */

const SETTINGS = '/licenses/api/settings/';
const name = (page: Page) => page.getByLabel('Nombre de la empresa');
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Configuración guardada' });
const save = (page: Page) => page.getByRole('button', { name: 'Guardar cambios' }).click();

// Restores the settings, which the other tests on this server share.
test.afterEach(({ api }) => api.call('PUT', SETTINGS, SETTINGS_DEFAULTS));

test("the vendor's name and colour are saved by keyboard, a too light colour is refused, and unsaved changes are not lost (MAIL-03)", {
  tag: '@gate',
}, async ({ page, api }) => {
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 2, name: 'Empresa', exact: true })).toBeVisible();
  await expect(page.getByText('Todo está guardado')).toBeVisible();
  await name(page).fill('Software del Sur');
  await expect(page.getByText('Hay cambios sin guardar')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(saved(page)).toBeVisible();
  await expect(name(page)).toBeFocused();
  await expect(page.getByText('Todo está guardado')).toBeVisible();
  expect(await api.call('GET', SETTINGS)).toMatchObject({ vendor_name: 'Software del Sur' });

  const color = page.getByLabel('Color', { exact: true });
  await color.fill('#ffd400');
  await expect(page.getByText('Sobre blanco no se lee: su contraste es de 1.4 a 1')).toBeVisible();
  await save(page);
  await expect(color).toHaveAccessibleDescription(/El color es demasiado claro/);
  await expect(color).toBeFocused();

  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Avisos' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /seguir/i })
    .click();
  await expect(page).toHaveURL(/\/settings$/);
  // Waits until the dialog, which has a button with the same label, has disappeared.
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await page.getByRole('button', { name: 'Descartar cambios' }).click();
  await expect(color).toHaveValue('#0f766e');
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Avisos' }).click();
  await expect(page).toHaveURL(/\/settings\/avisos$/);
  await expect(page).toHaveTitle(/^Avisos · Configuración/);
});

test('a logo that is too large is refused with the reason, and a valid one is shown and can be removed (MAIL-03)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/400/);
  await page.goto('/settings/empresa');
  const logo = page.getByRole('group', { name: 'Logo' });
  const choose = (buffer: Buffer) =>
    logo.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await choose(png(320, 80, LOGO_BYTES_MAX + 1));
  await expect(logo.getByText('El logo no puede pesar más de 200 kB')).toBeVisible();
  await choose(Buffer.from('GIF89a'));
  await expect(logo.getByText('El archivo está incompleto o no es una imagen PNG o JPEG')).toBeVisible();
  await choose(png(320, 80));
  const picture = logo.getByRole('img', { name: 'Logo de la empresa' });
  await expect(picture).toHaveJSProperty('naturalWidth', 320);
  await expect(logo.getByText(/incompleto/)).toBeHidden();

  await logo.getByRole('button', { name: 'Quitar logo' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar logo' }).click();
  await expect(picture).toBeHidden();
  await expect(logo.getByText('Sin logo: los correos muestran el nombre.')).toBeVisible();
});

test('reminder settings are saved, and changes of different settings by two people are merged (MAIL-03, D091)', async ({
  page,
  colleague,
  api,
  guard,
}) => {
  guard.allowConsoleError(/412/);
  await page.goto('/settings/avisos');
  await colleague.goto('/settings/avisos');
  const days = page.getByRole('group', { name: 'Avisos de las licencias' });
  await expect(days.getByRole('listitem')).toHaveText([
    '30 días antes',
    '7 días antes',
    '1 día antes',
    '1 día después',
  ]);
  await days.getByRole('button', { name: 'Quitar 7 días antes' }).click();
  await days.getByRole('spinbutton').fill('0');
  await page.keyboard.press('Enter');
  await days.getByRole('spinbutton').fill('15');
  await days.getByRole('combobox').selectOption('después de vencer');
  await days.getByRole('button', { name: 'Agregar' }).click();
  await expect(days.getByRole('listitem')).toHaveText([
    '30 días antes',
    '1 día antes',
    'el día que vence',
    '1 día después',
    '15 días después',
  ]);
  await days.getByRole('spinbutton').fill('400');
  await page.keyboard.press('Enter');
  await expect(days.getByText('Escribe un número entero de días, de 0 a 365')).toBeVisible();
  await days.getByRole('spinbutton').fill('');

  await colleague.getByLabel('Conservar siempre el historial').uncheck();
  await save(colleague);
  const limit = colleague.getByLabel('Historial y auditoría, en días');
  await expect(limit).toHaveAccessibleDescription(/El historial se conserva al menos 90 días/);
  await limit.fill('730');
  await save(colleague);
  await expect(saved(colleague)).toBeVisible();

  await save(page);
  await expect(saved(page)).toContainText('Se incorporaron los cambios de otra persona');
  await expect(page.getByLabel('Historial y auditoría, en días')).toHaveValue('730');
  expect(await api.call('GET', SETTINGS)).toMatchObject({
    reminder_days: [30, 1, 0, -1, -15],
    event_retention_days: 730,
  });
  // The form continues with the stored values, so a second save merges nothing.
  await page.getByLabel('Enviar avisos de vencimiento').click();
  await save(page);
  await expect(page.getByText('Todo está guardado')).toBeVisible();
});

test('the bar to save is there only while something is unsaved, and the focus stays in its place (DESK-09)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings/empresa');
  const all = page.getByText('Todo está guardado');
  const button = page.getByRole('button', { name: 'Guardar cambios' });
  await expect(all).toBeVisible();
  await expect(button).toHaveCount(0);

  await name(page).fill('Software del Norte');
  await expect(button).toBeVisible();
  await expect(all).toHaveCount(0);
  // Sticky: whole in the window, although the form is longer.
  const box = (await button.boundingBox())!;
  expect(box.y + box.height).toBeLessThanOrEqual(844);
  await page.getByRole('button', { name: 'Descartar cambios' }).press('Enter');
  await expect(button).toHaveCount(0);
  await expect(all).toBeFocused();

  await name(page).fill('Software del Norte');
  await button.press('Enter');
  await expect(saved(page)).toBeVisible();
  await expect(button).toHaveCount(0);
  await expect(all).toBeFocused();
});

test('what is planned for Configuración stands once, in the section that opens first (DESK-09)', async ({
  page,
}) => {
  const planned = page.getByText('Esta página está en desarrollo.');
  await page.goto('/settings');
  await expect(planned).toHaveCount(1);
  for (const section of ['Avisos', 'Sistema', 'Claves de API']) {
    await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: section }).click();
    await expect(page.getByRole('heading', { level: 2, name: section, exact: true })).toBeVisible();
    await expect(planned).toHaveCount(0);
  }
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Empresa' }).click();
  await expect(planned).toHaveCount(1);
});

test('axe finds nothing in both sections, and below 1200 px words beside icons switch between them (DESK-09)', async ({
  page,
}) => {
  const check = async () => {
    await expect(page.getByText('Todo está guardado')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  };
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/settings/empresa');
  await check();

  await page.addInitScript(() => localStorage.setItem('license_manager_theme', 'dark'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings/avisos');
  await check();
  const links = page.getByRole('navigation', { name: 'Secciones' }).getByRole('link');
  const names = page.getByRole('navigation', { name: 'Secciones' });
  // Each has its words, in one row that can be scrolled and shows the current one.
  const widths = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThan(80);
  expect((await names.boundingBox())?.height).toBeLessThanOrEqual(60);
  await names.getByRole('link', { name: 'Sistema' }).focus();
  await expect(names.getByRole('link', { name: 'Sistema' })).toBeInViewport();
  await names.getByRole('link', { name: 'Sistema' }).press('Enter');
  await expect(page).toHaveURL(/\/settings\/sistema$/);
  await page.reload();
  await expect(names.getByRole('link', { name: 'Sistema' })).toBeInViewport();
  await names.getByRole('link', { name: 'Empresa' }).scrollIntoViewIfNeeded();
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name: 'Empresa' }).click();
  await expect(page).toHaveURL(/\/settings\/empresa$/);
  await check();
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0);

  // Two rows on a tablet, one column from 1200 px on.
  const tops = async () =>
    new Set(await links.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top))))
      .size;
  await page.setViewportSize({ width: 1199, height: 844 });
  expect(await tops()).toBe(2);
  await page.setViewportSize({ width: 1200, height: 844 });
  expect(await tops()).toBe(await links.count());
});
