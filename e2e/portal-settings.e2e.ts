import { SETTINGS_DEFAULTS } from '../contract/settings/settings.ts';
import { barriers } from './support/axe.ts';
import { expect, test } from './support/staff.ts';

/** Configuración › 'Portal': the switches, and the preview beside them (PORTAL-05). */

const SETTINGS = '/licenses/api/settings/';

test.afterEach(({ api }) => api.call('PUT', SETTINGS, SETTINGS_DEFAULTS));

test("each switch changes the preview of the client's page before it is saved", async ({ page, api }) => {
  await page.goto('/settings/portal');
  const preview = page.getByRole('figure');
  await expect(preview).toContainText('Con el portal cerrado');
  await expect(preview).toContainText('Esta página no está disponible por ahora');

  await page.getByRole('switch', { name: 'Portal abierto' }).check();
  await page.getByLabel('Email de soporte').fill('ayuda@ejemplo.mx');
  await expect(preview).toContainText('Así lo ve tu cliente');
  await expect(preview).toContainText('¿Necesita ayuda? Escriba a ayuda@ejemplo.mx');
  for (const [name, offered] of [
    ['Liberar equipos', 'Liberar este equipo'],
    ['Descargar archivos sin conexión', 'Archivo para un equipo sin internet'],
    ['Cambiar datos de contacto y fiscales', 'Régimen fiscal'],
    ['Enviar solicitudes', 'Pedir algo a su proveedor'],
    ['Pedir de nuevo el correo de una licencia', 'Recibir los datos por correo'],
    ['Imprimir la constancia', 'Ver la constancia'],
    ['Decidir si recibe avisos', 'Avisarme por correo antes de que venza una licencia'],
  ] as const) {
    await expect(preview).toContainText(offered);
    await page.getByRole('switch', { name }).uncheck();
    await expect(preview).not.toContainText(offered);
  }
  await page.getByRole('switch', { name: 'Liberar equipos' }).check();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Configuración guardada' })).toBeVisible();
  expect(await api.call('GET', SETTINGS)).toMatchObject({
    portal_enabled: true,
    support_email: 'ayuda@ejemplo.mx',
    portal_features: { release: true, file: false, tax_data: false, pay: true },
  });
});

test('the preview scrolls by itself in the frame of a phone, also by keyboard, and the switches stay where they are', async ({
  page,
  api,
}) => {
  await api.call('PUT', SETTINGS, { portal_enabled: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/settings/portal');
  const phone = page.getByRole('region', { name: 'Así lo ve tu cliente' });
  const frame = (await phone.boundingBox())!;
  expect(frame.height).toBeLessThan(700);
  const scrolled = () => phone.evaluate(({ scrollTop }) => scrollTop);
  const pageScrolled = () => page.evaluate(() => window.scrollY);
  const before = await pageScrolled();
  await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
  await page.mouse.wheel(0, 300);
  await expect.poll(scrolled).toBeGreaterThan(100);
  await phone.focus();
  await page.keyboard.press('End');
  await expect.poll(scrolled).toBeGreaterThan(600);
  expect(await pageScrolled()).toBe(before);
  // It stays in view beside the last switch.
  await page.getByRole('button', { name: 'Copiar texto' }).scrollIntoViewIfNeeded();
  await expect(phone).toBeInViewport({ ratio: 0.9 });
  // What it shows cannot be operated.
  await phone.focus();
  await page.keyboard.press('Tab');
  await expect(phone.locator(':focus')).toHaveCount(0);
});

test('one click copies the address and the text for the vendor’s web page', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/settings/portal');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copiar dirección' }).click();
  await expect(page.getByRole('button', { name: 'Copiado' })).toBeVisible();
  expect(await copied()).toBe(`${server.url}/portal`);
  await page.getByRole('button', { name: 'Copiar texto' }).click();
  await expect.poll(copied).toContain(`Entre a ${server.url}/portal con el correo de su compra`);
});

test('the section fits from 320 to 1440 px, in light and dark', async ({ page, api }) => {
  await api.call('PUT', SETTINGS, { portal_enabled: true });
  await page.goto('/settings/portal');
  for (const theme of ['light', 'dark']) {
    for (const width of [320, 390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value;
      }, theme);
      await expect(page.getByRole('figure')).toBeVisible();
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        width,
        width,
      ]);
    }
    expect(await barriers(page)).toEqual([]);
  }
});
