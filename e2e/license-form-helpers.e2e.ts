import type { Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import { barriers } from './support/axe.ts';
import { clientDetails } from './support/details.ts';
import { licenseChoices, openNewLicense, pickClient } from './support/license-form.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** The summary in the licence form, and creating a missing client from it. */

const LICENSES = '/licenses/api/licenses/';
const quick = (page: Page) => page.getByRole('dialog', { name: 'Nuevo Cliente' });

const day = (offset: number) =>
  new Intl.DateTimeFormat('es-MX', {
    timeZone: 'America/Mexico_City',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).format(new Date(Date.now() + offset * 86_400_000));

test('the form shows price, end and mail before it is saved, with the currency beside amounts', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const form = await openNewLicense(page);
  const summary = (label: string) =>
    form.locator('dl dt', { hasText: label }).locator('xpath=following-sibling::dd');
  await expect(summary('Correo a')).toHaveText('Elige un cliente');
  await expect(summary('Vence')).toHaveText(day(365));
  await pickClient(page, form, choices.mark);
  await form.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(choices.type.id));
  await expect(summary('Se cobrará')).toHaveText('$250.00 MXN');
  await expect(summary('Vence')).toHaveText(day(90));
  await expect(summary('Correo a')).toContainText(choices.client.email);
  await form.getByLabel('Precio Original').fill('500');
  await form.getByLabel('Descuento (%)').fill('50');
  await expect(summary('Se cobrará')).toHaveText(/^\$250\.00 MXN.*\$500\.00.*50%$/);
  await form.getByLabel('Sin expiración').check();
  await expect(summary('Vence')).toHaveText('Sin expiración');
  await expect(form.getByLabel('Precio', { exact: true })).toHaveAccessibleDescription(/MXN/);
});

test('a client that is not found is created by keyboard in a dialog over the form, and is then selected', async ({
  page,
}) => {
  const mark = unique();
  const issued = callsTo(page, 'POST', LICENSES);
  const form = await openNewLicense(page);
  const box = form.getByRole('combobox', { name: 'Cliente' });
  await form.getByLabel('Notas').fill('Se conserva');
  await box.focus();
  await page.keyboard.type(`Zoé ${mark}`);
  await expect(page.getByRole('option', { name: `Crear cliente «Zoé ${mark}»` })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(quick(page).getByLabel('Nombre')).toHaveValue(`Zoé ${mark}`);
  await expect(quick(page).getByLabel('Nombre')).toBeFocused();
  expect(await barriers(page, { goodPractice: true })).toEqual([]);

  // Escape closes only the small form, and asks if more than the name was typed.
  await page.keyboard.press('Escape');
  await expect(quick(page)).toBeHidden();
  await expect(form).toBeVisible();
  await expect(box).toBeFocused();
  await box.fill(`Zoé ${mark}`);
  await page.getByRole('option', { name: /^Crear cliente/ }).click();
  await quick(page).getByLabel('Email').fill(`zoe-${mark}@example.com`);
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(quick(page).getByLabel('Email')).toHaveValue(`zoe-${mark}@example.com`);

  await quick(page).getByLabel('Teléfono Principal').focus();
  await page.keyboard.press('Enter');
  await expect(quick(page).getByText(/El teléfono debe tener entre 9 y 15 dígitos/)).toBeVisible();
  await page.keyboard.type('+525512345678');
  await page.keyboard.press('Enter');
  await expect(quick(page)).toBeHidden();
  await expect(page.getByText('Cliente creado exitosamente')).toBeVisible();
  await expect(box).toHaveValue(`Zoé ${mark} - zoe-${mark}@example.com`);
  await expect(box).toBeFocused();
  await expect(form.getByLabel('Notas')).toHaveValue('Se conserva');
  expect(issued, 'the form below was not sent').toHaveLength(0);
});

test("'Nueva licencia' of a client opens the form with the client selected", async ({ page, api }) => {
  const choices = await licenseChoices(api);
  await page.goto(`/clients/${choices.client.id}`);
  await clientDetails(page).getByRole('link', { name: 'Nueva licencia' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Nueva Licencia' });
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toHaveValue(
    `Ana ${choices.mark} - ${choices.client.email}`,
  );
  await form.getByLabel('Software', { exact: true }).selectOption(String(choices.software.id));
  await form.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(choices.type.id));
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'POST' && new URL(response.url()).pathname === LICENSES,
    ),
    form.getByRole('button', { name: 'Crear Licencia' }).click(),
  ]);
  const license: License = await answer.json();
  expect(license.client.id).toBe(choices.client.id);
  await page
    .getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' })
    .getByRole('button', { name: 'Crear otra' })
    .click();
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
});
