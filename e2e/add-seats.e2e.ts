import type { LicenseTerm } from '../contract/licenses/license-lifecycle.ts';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, test } from './support/staff.ts';

type LicenseTerms = { results: LicenseTerm[] };

/** 'Agregar lugares' in the actions of a licence: the price while one types, and what results (MONEY-08). */

test('seats are added at the price that is shown, and the history says so', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { client, software, type } = await licenseChoices(api);
  // The type sells 7 seats for 90 days at 250.
  const { id } = await api.createLicense({
    ...{ client: client.id, software: software.id, license_type_config: type.id },
    ...{ expiry_days: 90, max_installations: 7 },
  });
  await page.goto(`/licenses/${id}`);
  await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Agregar lugares' }).click();
  const dialog = asked(page, 'Agregar lugares a la licencia');
  const fact = (label: string) =>
    dialog.locator('dl dt', { hasText: label }).locator('xpath=following-sibling::dd');
  const price = dialog.getByLabel('Precio', { exact: true });
  await expect(price).toHaveValue('35.71');
  await expect(fact('Lugares en total')).toHaveText('7 → 8');
  const quantity = dialog.getByLabel('Lugares nuevos');
  await quantity.fill('3');
  await expect(price).toHaveValue('107.14');
  await expect(fact('Lugares en total')).toHaveText('7 → 10');
  // A typed price counts, an emptied field shows the computed one again.
  await price.fill('99');
  await expect(fact('Precio')).toHaveText('$99.00 MXN');
  await price.fill('');
  await price.blur();
  await expect(price).toHaveValue('107.14');
  expect(await barriers(page)).toEqual([]);
  await quantity.fill('0');
  await dialog.getByRole('button', { name: 'Agregar lugares' }).click();
  await expect(quantity).toBeFocused();
  await expect(dialog.getByText('Los lugares deben ser un número entero mayor a 0')).toBeVisible();
  await quantity.fill('2');
  await dialog.getByRole('button', { name: 'Agregar lugares' }).click();
  await expect(page.getByText('Lugares agregados')).toBeVisible();
  const { results } = await api.call<LicenseTerms>('GET', `/licenses/api/licenses/${id}/terms/`);
  expect(results[0]).toMatchObject({ kind: 'seats', price: 71.43 });
  await expect(page.getByText(/agregó 2 lugares a la licencia/).first()).toBeVisible();
});

test('without a type the price is asked for', async ({ page, api }) => {
  const { client, software } = await licenseChoices(api);
  const { id } = await api.createLicense({ client: client.id, software: software.id, price: 200 });
  await page.goto(`/licenses/${id}`);
  await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Agregar lugares' }).click();
  const dialog = asked(page, 'Agregar lugares a la licencia');
  await expect(dialog.getByText('La licencia no tiene un tipo del que salga el precio')).toBeVisible();
  await dialog.getByLabel('Precio').fill('150');
  await dialog.getByRole('button', { name: 'Agregar lugares' }).click();
  await expect(page.getByText('Lugares agregados')).toBeVisible();
});
