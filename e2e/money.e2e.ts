import type { Page } from '@playwright/test';
import type { Today } from '../contract/figures/today.ts';
import { barriers } from './support/axe.ts';
import { licenseChoices, openNewLicense, pickClient } from './support/license-form.ts';
import { expect, test } from './support/staff.ts';

/** Currencies of types and licences, and the vendor's formats (MONEY-01). */

// A separate server, because the test changes the vendor's settings and reads all sales of the month.
test.use({ serverEnv: {} });

const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });

test('a type priced in dollars gives its licence the currency, reports never add two currencies, and es-AR separators are used (MONEY-01)', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  await api.createLicense({ client: choices.client.id, software: choices.software.id, price: 1500.5 });

  await page.goto('/license-types?nuevo=1');
  await field(page, 'Nombre').fill('Anual en dólares');
  await expect(field(page, 'Moneda')).toHaveValue('MXN');
  await field(page, 'Precio Base').fill('10.5');
  await field(page, 'Moneda').selectOption('CLP');
  await expect(field(page, 'Precio Base')).toHaveAttribute('step', '1');
  await page.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(page.getByText('El importe en CLP no lleva decimales')).toBeVisible();
  await expect(field(page, 'Precio Base')).toBeFocused();
  await field(page, 'Moneda').selectOption('USD');
  await expect(field(page, 'Precio Base')).toHaveAccessibleDescription('USD');
  await page.getByRole('button', { name: 'Crear', exact: true }).click();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('Anual en dólares')).toContainText('USD 10.50');
  await expect(row('Trimestral')).toContainText('MXN 250.00');

  const dialog = await openNewLicense(page);
  await expect(field(page, 'Moneda')).toHaveValue('MXN');
  await pickClient(page, dialog, choices.mark);
  await field(page, 'Software').selectOption(String(choices.software.id));
  await field(page, 'Tipo de Licencia').selectOption({ label: 'Anual en dólares - USD 10.50' });
  await expect(field(page, 'Moneda')).toHaveValue('USD');
  await field(page, 'Precio').fill('60');
  await expect(dialog.getByLabel('Resumen')).toContainText('USD 60.00');
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
  await expect(page.getByRole('dialog', { name: /Licencia Creada/ })).toContainText('USD 60.00');

  await page.goto('/dashboard');
  const revenue = page.getByRole('region', { name: 'Ventas y cobros' });
  const { revenue: sold } = await api.call<Today>('GET', '/licenses/api/statistics/today/');
  await expect(revenue).toContainText(
    `MXN ${sold.this_month.toLocaleString('en', { minimumFractionDigits: 2 })}`,
  );
  await expect(revenue.getByRole('region', { name: 'En USD' })).toContainText(
    'Vendido este mesUSD 60.00CobradoUSD 0.00Por cobrarUSD 0.00',
  );

  await page.goto(`/clients/${choices.client.id}?tab=licencias`);
  await expect(page.getByText('MXN 1,500.50')).toBeVisible();
  await expect(page.getByText('USD 60.00')).toBeVisible();

  // The setting `locale` changes the separators, and the pesos of two countries can be distinguished in every list.
  await api.call('PUT', '/licenses/api/settings/', { currency: 'ARS', locale: 'es-AR' });

  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem('license_manager_theme', 'dark'));
  await page.goto('/dashboard');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(revenue).toContainText('ARS 0,00');
  await expect(revenue).toContainText('USD 60,00');
  expect(await barriers(page, { goodPractice: true })).toEqual([]);

  // The answer never arrives, so the formats are those of the previous visit.
  await page.route('**/api/auth/user/', () => {});
  await page.goto('/license-types?nuevo=1');
  await expect(field(page, 'Moneda')).toHaveValue('ARS');
  await expect(page.getByText('MXN 250,00')).toBeVisible();
});
