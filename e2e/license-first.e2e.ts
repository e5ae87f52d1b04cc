import type { Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { test } from './support/empty-installation.ts';
import { fillRequired, licenseChoices, openNewLicense, pickClient } from './support/license-form.ts';
import { expect } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** Issuing where little or nothing exists yet (DESK-06), and what form and success dialog say of price and mail. */

const created = (page: Page) => page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
const select = (form: Locator, label: string) => form.getByLabel(label, { exact: true });
const summary = (form: Locator, label: string) =>
  form.locator('dl dt', { hasText: label }).locator('xpath=following-sibling::dd');

test('the form makes the software and the type that it needs, and offers the only ones by a button (DESK-06)', async ({
  empty: { page, api },
}) => {
  await api.createClient({ name: 'Luz Vega' });
  const form = await openNewLicense(page);
  await pickClient(page, form, 'Luz');

  await form.getByRole('button', { name: 'Registrar un software' }).click();
  const software = page.getByRole('dialog', { name: 'Nuevo Software' });
  await software.getByLabel('Nombre').fill('Caja');
  // A required field is missing: the form stays, and so does the one below.
  await software.getByRole('button', { name: 'Crear Software' }).click();
  await expect(software.getByLabel('Versión')).toHaveAccessibleDescription(/./);
  await software.getByLabel('Versión').fill('2.0');
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await software.getByRole('button', { name: 'Crear Software' }).click();
  await expect(software).toBeHidden();
  await expect(select(form, 'Software')).toHaveValue(/^\d+$/);
  await expect(form.getByRole('button', { name: 'Registrar un software' })).toHaveCount(0);

  await form.getByRole('button', { name: 'Crear un tipo de licencia' }).click();
  const type = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await type.getByLabel('Nombre').fill('Anual');
  await type.getByLabel('Precio Base').fill('1200');
  await type.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(type).toBeHidden();
  await expect(select(form, 'Tipo de Licencia')).toHaveValue(/^\d+$/);
  await expect(summary(form, 'Se cobrará')).toHaveText('$1,200.00 MXN');

  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  await expect(created(page)).toBeVisible();

  // Nothing is chosen by itself: a browser that issued nothing yet offers what there is.
  await page.evaluate(() => localStorage.removeItem('license_manager_last_license'));
  await page.goto('/dashboard');
  await openNewLicense(page);
  await expect(select(form, 'Software')).toHaveValue('');
  await expect(select(form, 'Tipo de Licencia')).toHaveValue('');
  const steps = await stepsOf(page, async () => {
    await form.getByRole('button', { name: 'Usar Caja' }).click();
    await form.getByRole('button', { name: 'Usar Anual' }).click();
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });
  await expect(select(form, 'Precio')).toHaveValue('1200');
  await expect(form.getByRole('button', { name: /^Usar/ })).toHaveCount(0);

  // With two there is a choice, and nothing is offered.
  await api.createLicenseType({ name: 'Mensual' });
  await page.reload();
  await expect(form.getByRole('button', { name: 'Usar Caja' })).toBeVisible();
  await expect(form.getByRole('button', { name: /Usar (Anual|Mensual)/ })).toHaveCount(0);
});

test('the foot of the form says what will be charged, alone and with the tax', async ({ page, api }) => {
  const choices = await licenseChoices(api);
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  await expect(summary(form, 'Se cobrará')).toHaveText('$250.00 MXN');
  await select(form, 'Precio').fill('');
  await expect(summary(form, 'Precio')).toHaveText('—');

  const before = await api.call<{ tax_rate: number }>('GET', '/licenses/api/settings/');
  await api.call('PUT', '/licenses/api/settings/', { tax_rate: 16 });
  try {
    await page.reload();
    await fillRequired(page, form, choices);
    await expect(summary(form, 'Se cobrará')).toHaveText('$250.00 MXNCon 16% de impuesto: $290.00 MXN');
    await select(form, 'Cantidad').fill('2');
    await expect(summary(form, 'Se cobrará')).toContainText('Con 16% de impuesto: $580.00 MXN');
  } finally {
    await api.call('PUT', '/licenses/api/settings/', { tax_rate: before.tax_rate });
  }
});

test('without a mail server the success dialog leads with the key that is not delivered yet', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  const lead = created(page).getByText('Falta entregar la clave: no hay servidor de correo');
  await expect(lead).toBeVisible();
  await expect(created(page).getByText('Email enviado', { exact: true })).toBeVisible();
  // Both ways to the client are filled, closing is not.
  const back = (button: Locator) => button.evaluate((element) => getComputedStyle(element).backgroundColor);
  const filled = await back(created(page).getByRole('link', { name: 'Enviar por WhatsApp' }));
  expect(await back(created(page).getByRole('button', { name: 'Copiar', exact: true }))).toBe(filled);
  expect(await back(created(page).getByRole('button', { name: 'Cerrar', exact: true }).last())).not.toBe(
    filled,
  );
});
