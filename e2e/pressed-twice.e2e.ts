import type { Locator } from '@playwright/test';
import { licenseDetails } from './support/details.ts';
import { test as signedOut } from './support/fixtures.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** Two clicks before the button is rendered as busy count as one. */

const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });

signedOut('signing in sends one call', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Usuario', { exact: true }).fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill('admin123');
  const calls = callsTo(page, 'POST', '/api/auth/login/');
  await pressTwice(page.getByRole('button', { name: 'Iniciar Sesión' }));
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(calls).toHaveLength(1);
});

test('pressing sign-out twice sends one call', async ({ page }) => {
  await page.goto('/account');
  // Waits for running calls, which would get a 401 after the sign-out.
  await page.waitForLoadState('networkidle');
  const calls = callsTo(page, 'POST', '/api/auth/logout/');
  await pressTwice(page.getByRole('button', { name: 'Cerrar Sesión' }));
  await expect(page).toHaveURL(/\/login$/);
  expect(calls).toHaveLength(1);
});

test('pressing delete, or the switch, of a licence type twice sends one call each', async ({ page, api }) => {
  const name = `Tipo ${unique()}`;
  const { id } = await api.createLicenseType({ name });
  await page.goto(`/license-types?ver=${id}`);
  const details = page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' });
  const toggles = callsTo(page, 'PATCH', /toggle-status/);
  await pressTwice(details.getByRole('button', { name: 'Desactivar' }));
  await expect(details.getByRole('button', { name: 'Activar', exact: true })).toBeVisible();
  expect(toggles).toHaveLength(1);

  await page.goto(`/license-types?q=${encodeURIComponent(name)}`);
  const removals = callsTo(page, 'DELETE', /license-types/);
  await page.getByRole('row', { name }).getByRole('button', { name: 'Eliminar' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
  await pressTwice(question.getByRole('button', { name: 'Eliminar' }));
  await expect(question).toBeHidden();
  await expect(page.getByRole('row', { name })).toHaveCount(0);
  expect(removals).toHaveLength(1);
});

test('pressing export twice sends one call', async ({ page }) => {
  await page.goto('/software');
  const calls = callsTo(page, 'GET', '/licenses/api/software/export/');
  const file = page.waitForEvent('download');
  await pressTwice(page.getByRole('button', { name: 'Exportar' }));
  await file;
  expect(calls).toHaveLength(1);
});

test("pressing the resend button of a licence's mail twice sends one call", async ({ page, api }) => {
  const client = await api.createClient();
  const software = await api.createSoftware();
  const { id } = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses/${id}`);
  const calls = callsTo(page, 'POST', /resend_email/);
  await pressTwice(licenseDetails(page).getByRole('button', { name: 'Reenviar' }));
  await expect(page.getByText('Correo reenviado').or(page.getByText('reenvi')).first()).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('pressing the release of a seat twice sends one call', async ({ page, api }) => {
  const client = await api.createClient();
  const software = await api.createSoftware();
  const license = await api.createLicense({ client: client.id, software: software.id });
  await api.activate(license.license_key, { machine_id: 'caja-1', machine_name: 'Caja 1' });
  await page.goto(`/clients/${client.id}?tab=instalaciones`);
  const release = page.getByRole('button', { name: 'Liberar Caja 1' });
  const calls = callsTo(page, 'DELETE', /installations/);
  await pressTwice(release);
  await expect(release).toBeHidden();
  expect(calls).toHaveLength(1);
});
