import type { License } from '../contract/licenses/licenses.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';

/** Licences that nobody pays for: in the form, the list, the details, a renewal and an import (MONEY-09). */

const HELP = 'Nadie la paga: no tiene precio ni cuenta en las ventas.';

async function courtesy(api: StaffApi) {
  const choices = await licenseChoices(api);
  const license = await api.createLicense({
    client: choices.client.id,
    software: choices.software.id,
    license_type_config: choices.type.id,
    price: 0,
    complimentary: true,
    expiry_days: 20,
  });
  return { ...choices, license };
}

test('a new licence is made a courtesy with one tick, and no price is shown of it (MONEY-09)', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  const price = dialog.getByLabel('Precio', { exact: true });
  await expect(price).toHaveValue('250');
  const tick = dialog.getByRole('checkbox', { name: 'Cortesía' });
  await expect(tick).toHaveAccessibleDescription(HELP);
  await tick.check();
  await expect(price).toBeHidden();
  const summary = dialog.getByLabel('Resumen de la licencia');
  await expect(summary).toContainText('Cortesía');
  await expect(summary).not.toContainText('$');
  // Choosing another type fills in its price, and the licence stays a courtesy.
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption('');
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(choices.type.id));
  await expect(price).toBeHidden();
  for (const look of LOOKS) {
    await wear(page, look);
    expect(await barriers(page)).toEqual([]);
  }
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
  const created = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(created).toContainText('Cortesía');
  await expect(created).not.toContainText('$');
  const { results } = await api.call<{ results: License[] }>(
    'GET',
    `/licenses/api/licenses/?search=${choices.mark}&complimentary=true`,
  );
  expect(results).toMatchObject([{ price: 0, complimentary: true, max_installations: 7, expiry_days: 90 }]);
});

test('a courtesy has a badge in the list, and a filter that the address holds (MONEY-09)', async ({
  page,
  api,
}) => {
  const { mark, license, client, software } = await courtesy(api);
  const paid = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses?q=${mark}`);
  const row = (key: string) => page.locator('[data-row-key]').filter({ hasText: key });
  await expect(row(license.license_key)).toContainText('Cortesía');
  await expect(row(paid.license_key)).not.toContainText('Cortesía');
  await page.getByRole('button', { name: 'Filtros', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Filtros' });
  await dialog.getByRole('checkbox', { name: 'Cortesía' }).check();
  await page.keyboard.press('Escape');
  await expect(row(paid.license_key)).toHaveCount(0);
  await expect(row(license.license_key)).toBeVisible();
  await expect(page).toHaveURL(/complimentary=true/);
  await page.getByRole('button', { name: 'Quitar filtro Cortesía' }).click();
  await expect(row(paid.license_key)).toBeVisible();
});

test('the form of a courtesy offers neither price nor tick, and a save keeps both (MONEY-09)', async ({
  page,
  api,
}) => {
  const { license } = await courtesy(api);
  await page.goto(`/licenses?editar=${license.id}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  await expect(dialog.getByText('Es una cortesía. Para cobrarla, renuévala con un precio.')).toBeVisible();
  await expect(dialog.getByLabel('Precio', { exact: true })).toBeHidden();
  await expect(dialog.getByRole('checkbox', { name: 'Cortesía' })).toHaveCount(0);
  await dialog.getByLabel('Notas', { exact: true }).fill('Para la feria');
  await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(dialog).toBeHidden();
  expect(await api.call('GET', `/licenses/api/licenses/${license.id}/`)).toMatchObject({
    price: 0,
    complimentary: true,
    notes: 'Para la feria',
  });
});

test('a renewal of a courtesy asks for the price, the type, or another courtesy (MONEY-09)', async ({
  page,
  api,
}) => {
  const { license, type } = await courtesy(api);
  await page.goto(`/licenses/${license.id}?accion=renovar`);
  const question = asked(page, 'Renovar la licencia');
  const price = question.getByLabel('Precio', { exact: true });
  await expect(price).toHaveValue('');
  await expect(price).toHaveAccessibleDescription(/Es una cortesía: escribe el precio/);
  const result = question.getByLabel('Cómo queda');
  await expect(result).toContainText('Por calcular');
  await question.getByLabel('Tipo de licencia').selectOption(String(type.id));
  await expect(price).toHaveValue('250');
  await question.getByRole('checkbox', { name: 'Cortesía' }).check();
  await expect(price).toBeHidden();
  await expect(result).toContainText('Cortesía');
  await expect(result).not.toContainText('$');
  for (const look of LOOKS) {
    await wear(page, look);
    expect(await barriers(page)).toEqual([]);
  }
  await question.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Licencia renovada' })).toBeVisible();
  await expect(licenseDetails(page)).toContainText('Cortesía');
  await expect(licenseDetails(page)).not.toContainText('$0.00');
  expect(await api.call('GET', `/licenses/api/licenses/${license.id}/`)).toMatchObject({
    price: 0,
    complimentary: true,
  });
});

test("'Cobrar' of a courtesy asks first what it goes on with (MONEY-09)", async ({ page, api }) => {
  const { license, type } = await courtesy(api);
  await page.goto(`/licenses/${license.id}?accion=cobrar`);
  const dialog = asked(page, 'Cobrar la renovación');
  const price = dialog.getByLabel('Precio sin impuesto', { exact: true });
  await expect(price).toHaveAccessibleDescription(/Es una cortesía: escribe el precio/);
  await dialog.getByLabel('Tipo de licencia').selectOption(String(type.id));
  await expect(price).toHaveValue('250');
});

test("a file without prices is imported as courtesies by one choice for all rows, and 'No' asks for the price (INPUT-20, MONEY-09)", async ({
  page,
  api,
}) => {
  const { mark, client, software } = await licenseChoices(api);
  await page.goto('/imports?kind=licenses');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Elegir archivo' }).click();
  const rows = [1, 2].map((n) => `FERIA-${n}-${mark},${client.email},${software.name}`);
  const file = ['Clave de Licencia,Email,Software', ...rows].join('\n');
  await (await chooser).setFiles({ name: 'feria.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  const all = page.getByLabel('Cortesía', { exact: true });
  await all.selectOption('No');
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await expect(page.getByRole('alert')).toContainText('Falta un campo obligatorio: Precio.');
  await all.selectOption('Sí');
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await page.getByRole('button', { name: 'Importar 2 licencias' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Importación terminada' })).toBeVisible();
  const { results } = await api.call<{ results: License[] }>(
    'GET',
    `/licenses/api/licenses/?search=${mark}&complimentary=true&page=1`,
  );
  expect(results).toMatchObject([
    { price: 0, complimentary: true },
    { price: 0, complimentary: true },
  ]);
});
