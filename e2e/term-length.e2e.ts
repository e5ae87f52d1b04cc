import type { Locator } from '@playwright/test';
import { addMonths } from '../contract/base/months.ts';
import { localDay } from '../contract/base/time.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { licenseChoices, openNewLicense, pickClient } from './support/license-form.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, type StaffApi, test, unique } from './support/staff.ts';

/** A number of days, months or years in the forms that sell a term (MONEY-10). */

const LICENSES = '/licenses/api/licenses/';
const TYPES = '/licenses/api/license-types/';
const unit = (dialog: Locator) => dialog.getByLabel('Unidad del plazo');
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true });
const byMonths = (dialog: Locator) => dialog.getByRole('button', { name: 'Contar por meses' });
/** 'DD/MM/AAAA'. */
const written = (day: string) => day.split('-').reverse().join('/');

const typeOfAYear = (api: StaffApi, mark: string) =>
  api.createLicenseType({
    name: `Anual ${mark}`,
    base_price: 1200,
    max_installations: 3,
    validity_days: 365,
    validity_months: 12,
  });

/** A licence of such a type, which ends on 31/12/2027, and the name of the type. */
async function licenseOfAYear(api: StaffApi) {
  const { mark, software, client } = await licenseChoices(api);
  const type = await typeOfAYear(api, mark);
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    expiry_date: '2027-12-31',
  });
  return { license, typeName: `Anual ${mark}` };
}

test('a type of 365 days offers to count by months, and becomes a type of a year', async ({ page }) => {
  const name = `Por año ${unique()}`;
  const calls = callsTo(page, 'POST', TYPES);
  await page.goto('/license-types?nuevo=1');
  const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await field(dialog, 'Nombre').fill(name);
  await field(dialog, 'Precio Base').fill('1200');
  await expect(unit(dialog)).toHaveValue('days');
  await field(dialog, 'Días de Validez').fill('100');
  await expect(byMonths(dialog)).toBeHidden();
  await field(dialog, 'Días de Validez').fill('365');
  await byMonths(dialog).click();
  await expect(field(dialog, 'Años de Validez')).toHaveValue('1');
  await expect(unit(dialog)).toHaveValue('years');
  await expect(byMonths(dialog)).toBeHidden();
  await unit(dialog).selectOption('meses');
  await expect(field(dialog, 'Meses de Validez')).toHaveValue('12');
  await field(dialog, 'Meses de Validez').fill('121');
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(
    dialog.getByText('Los meses deben ser un número entero entre 1 y 120 (10 años)'),
  ).toBeVisible();
  await field(dialog, 'Meses de Validez').fill('12');
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(calls.at(-1)?.postDataJSON()).toMatchObject({ validity_days: 365, validity_months: 12 });
  await page.goto(`/license-types?q=${encodeURIComponent(name)}`);
  await expect(listRows(page, 'Tipos de licencia').first()).toContainText('1 año');
});

test('a type in months fills the number and its unit, and the end is the same day of the month', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const type = await typeOfAYear(api, choices.mark);
  const dialog = await openNewLicense(page);
  const calls = callsTo(page, 'POST', LICENSES);
  await pickClient(page, dialog, choices.mark);
  await field(dialog, 'Software').selectOption(String(choices.software.id));
  await field(dialog, 'Tipo de Licencia').selectOption(String(type.id));
  await expect(field(dialog, 'Años de Expiración')).toHaveValue('1');
  await expect(unit(dialog)).toHaveValue('years');
  await field(dialog, 'Tipo de Licencia').selectOption(String(choices.type.id));
  await expect(field(dialog, 'Días de Expiración')).toHaveValue('90');
  await expect(unit(dialog)).toHaveValue('days');
  await field(dialog, 'Tipo de Licencia').selectOption(String(type.id));
  const end = addMonths(localDay(new Date(), 'America/Mexico_City'), 12);
  await expect(dialog.getByText(written(end))).toBeVisible();
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
  await expect(page.getByRole('dialog', { name: 'Licencia' })).toBeVisible();
  expect(calls.at(-1)?.postDataJSON()).toMatchObject({ expiry_months: 12 });
  expect(calls.at(-1)?.postDataJSON()).not.toHaveProperty('expiry_days');
});

test('a licence to 31/12/2027 that is renewed with a year ends on 31/12/2028', async ({ page, api }) => {
  const { license } = await licenseOfAYear(api);
  const calls = callsTo(page, 'POST', `${LICENSES}${license.id}/renew/`);
  await page.goto(`/licenses/${license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Renovar', exact: true }).click();
  const dialog = asked(page, 'Renovar la licencia');
  await expect(field(dialog, 'Años')).toHaveValue('1');
  await expect(dialog.getByText('31/12/2028')).toBeVisible();
  await unit(dialog).selectOption('meses');
  await field(dialog, 'Meses').fill('2');
  await expect(dialog.getByText('29/02/2028')).toBeVisible();
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(calls.at(-1)?.postDataJSON()).toMatchObject({ expiry_months: 2 });
});

test('changed months of a licence show its end before they are saved', async ({ page, api }) => {
  const { mark, software, client } = await licenseChoices(api);
  const type = await api.createLicenseType({ name: `Anual ${mark}`, base_price: 1200, max_installations: 3 });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    expiry_months: 12,
  });
  await page.goto(`/licenses/${license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Editar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  await unit(dialog).selectOption('meses');
  await field(dialog, 'Meses de Expiración').fill('5');
  const end = addMonths(localDay(new Date(), 'America/Mexico_City'), 5);
  await expect(dialog.getByText(written(end))).toBeVisible();
  await expect(dialog.getByText('ya estaría vencida')).toBeHidden();
  await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(written(end)).first()).toBeVisible();
});

test('"Cobrar" asks for months and years, and the palette says the months of a type', async ({
  page,
  api,
}) => {
  const { license, typeName } = await licenseOfAYear(api);
  const calls = callsTo(page, 'POST', '/licenses/api/payment-requests/');
  await page.goto(`/licenses/${license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Cobrar', exact: true }).click();
  const dialog = asked(page, 'Cobrar la renovación');
  await expect(field(dialog, 'Años que se suman')).toHaveValue('1');
  await expect(dialog.getByText('31/12/2028')).toBeVisible();
  await unit(dialog).selectOption('meses');
  await field(dialog, 'Meses que se suman').fill('2');
  await expect(dialog.getByText('29/02/2028')).toBeVisible();
  const vendor = dialog.getByLabel('Nombre de tu empresa');
  if (await vendor.isVisible()) await vendor.fill('Sistemas del Sur');
  await dialog.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Cobro creado')).toBeVisible();
  const [line] = calls.at(-1)!.postDataJSON().lines;
  expect(line).toMatchObject({ expiry_months: 2 });
  expect(line).not.toHaveProperty('expiry_days');
  await page.goto('/account');
  await page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true }).click();
  await page.keyboard.insertText(typeName);
  await expect(page.getByRole('option', { name: typeName }).first()).toContainText('1 año');
});

for (const look of LOOKS) {
  test(`axe finds nothing in a form with a unit, ${look.theme} at ${look.width} px`, async ({ page }) => {
    await wear(page, look);
    await page.goto('/license-types?nuevo=1');
    const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
    await expect(byMonths(dialog)).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  });
}
