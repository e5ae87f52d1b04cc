import type { Locator, Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** Numbers as people type them, in every field for one (INPUT-01). */

// A separate server, because the tests change the vendor's settings.
test.use({ serverEnv: {} });

const SETTINGS = '/licenses/api/settings/';
const TYPES = '/licenses/api/license-types/';

/** What is typed, what the field then holds, and how the line below shows it in each locale. */
const TYPED = [
  ['1234,50', '1234.5', { 'es-MX': '$1,234.50 MXN', 'es-AR': '$ 1.234,50 ARS' }],
  ['1.200', '1200', { 'es-MX': '$1,200.00 MXN', 'es-AR': '$ 1.200,00 ARS' }],
  ['12.500,00', '12500', { 'es-MX': '$12,500.00 MXN', 'es-AR': '$ 12.500,00 ARS' }],
  ['$1,234.50', '1234.5', { 'es-MX': '$1,234.50 MXN', 'es-AR': '$ 1.234,50 ARS' }],
] as const;
const EXAMPLES = { 'es-MX': '1,234.50', 'es-AR': '1.234,50' } as const;
const FORMATS = [
  { locale: 'es-MX', currency: 'MXN', other: 'US$ 100' },
  { locale: 'es-AR', currency: 'ARS', other: '100 MXN' },
] as const;
type Formats = (typeof FORMATS)[number];

/** Types each text into a field, and expects what the field and the line below then say. */
async function typeAll(field: Locator, { locale, currency, other }: Formats): Promise<void> {
  const box = field.locator('xpath=ancestor::div[1]');
  for (const [text, plain, said] of TYPED) {
    await field.fill('');
    await field.pressSequentially(text);
    // What is typed stays while it is typed.
    await expect(field).toHaveValue(text);
    await expect(box.locator('[aria-live=polite]')).toHaveText(said[locale]);
    await expect(field).toHaveAttribute('aria-valuenow', plain);
    await field.blur();
    await expect(field).toHaveValue(plain);
    await expect(box.locator('[aria-live=polite]')).toHaveText(said[locale]);
    await expect(field).not.toHaveAttribute('aria-invalid');
  }
  for (const [text, message] of [
    ['abc', `Escribe un número, por ejemplo ${EXAMPLES[locale]}`],
    [other, `El importe es en ${currency}, no en ${other.replace(/[\d ]/g, '')}`],
  ] as const) {
    await field.fill(text);
    await field.blur();
    await expect(field).toHaveValue(text);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(new RegExp(message.replaceAll('$', '\\$')));
    await expect(box.locator('[aria-live=polite]')).toHaveText('');
  }
}

const use = (api: StaffApi, { locale, currency }: Formats) => api.call('PUT', SETTINGS, { locale, currency });

for (const formats of FORMATS) {
  test(`a new type's price is read as people of ${formats.locale} and others write it, and stored so (INPUT-01)`, {
    tag: '@gate',
  }, async ({ page, api, guard }) => {
    guard.allowConsoleError(/400/);
    await use(api, formats);
    await page.goto('/license-types?nuevo=1');
    const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
    const price = dialog.getByRole('spinbutton', { name: 'Precio Base' });
    await typeAll(price, formats);
    const name = `Tipo ${unique()}`;
    await dialog.getByLabel('Nombre', { exact: true }).fill(name);
    await price.fill('abc');
    await dialog.getByRole('button', { name: 'Crear', exact: true }).click();
    await expect(price).toBeFocused();
    await expect(dialog.getByText(`Escribe un número, por ejemplo ${EXAMPLES[formats.locale]}`)).toHaveCount(
      1,
    );
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await price.fill('12.500,50');
    // Enter sends what was understood, without leaving the field first.
    await price.press('Enter');
    await expect(dialog).toBeHidden();
    const { results } = await api.call<{ results: LicenseType[] }>('GET', `${TYPES}?search=${name}`);
    const all = results.filter((type) => type.name === name);
    expect(all.map(({ base_price, currency }) => [base_price, currency])).toEqual([
      [12_500.5, formats.currency],
    ]);
    await page.goto(`/license-types?editar=${all[0]?.id}`);
    await expect(page.getByRole('spinbutton', { name: 'Precio Base' })).toHaveValue('12500.5');
  });

  test(`"Renovar" and "Cobrar" read a price in ${formats.locale} and show what it makes (INPUT-01)`, {
    tag: '@gate',
  }, async ({ page, api }) => {
    await use(api, formats);
    const { mark, software, client } = await licenseChoices(api);
    const license = await api.createLicense({ client: client.id, software: software.id, price: 500 });
    await page.goto(`/licenses?q=${mark}&ver=${license.id}&accion=renovar`);
    const renewal = asked(page, 'Renovar la licencia');
    const price = renewal.getByRole('spinbutton', { name: 'Precio' });
    // The price that will be charged comes with the preview.
    await expect(price).toHaveValue('500');
    await typeAll(price, formats);
    await price.fill('1.200');
    await expect(renewal.getByRole('definition').last()).toHaveText(TYPED[1][2][formats.locale]);

    await page.goto(`/licenses?q=${mark}&ver=${license.id}&accion=cobrar`);
    const charge = asked(page, 'Cobrar la renovación');
    const asked_price = charge.getByRole('spinbutton', { name: 'Precio' });
    await expect(asked_price).toHaveValue('500');
    await typeAll(asked_price, formats);
    await asked_price.fill('1.200');
    await expect(charge.getByLabel('Total')).toContainText(TYPED[1][2][formats.locale]);
  });
}

const priceOfNewType = async (page: Page) => {
  await page.goto('/license-types?nuevo=1');
  return page.getByRole('spinbutton', { name: 'Precio Base' });
};

test('the arrow keys step a number within its bounds, and neither the wheel nor another key changes it (INPUT-01)', async ({
  page,
  api,
}) => {
  await use(api, FORMATS[0]);
  const price = await priceOfNewType(page);
  await price.fill('1.200');
  await price.press('ArrowUp');
  await expect(price).toHaveValue('1200.01');
  await price.press('ArrowDown');
  await price.press('ArrowDown');
  await expect(price).toHaveValue('1199.99');
  await price.hover();
  await page.mouse.wheel(0, -400);
  await page.mouse.wheel(0, 400);
  await price.press('PageUp');
  await price.press('Shift+ArrowUp');
  await expect(price).toHaveValue('1199.99');
  await price.fill('abc');
  await price.press('ArrowUp');
  await expect(price).toHaveValue('abc');

  const seats = page.getByRole('spinbutton', { name: 'Máximo de Instalaciones' });
  await seats.fill('');
  await seats.press('ArrowUp');
  await expect(seats).toHaveValue('1');
  await seats.press('ArrowDown');
  await expect(seats).toHaveValue('1');
  await seats.fill('12.500');
  await expect(seats.locator('xpath=following-sibling::*[1]')).toHaveText('12,500');
  await seats.fill('x');
  await seats.blur();
  await expect(page.getByText('Escribe un número, por ejemplo 30')).toBeVisible();
});

test('leaving a field never changes its number, also one with more decimals than an amount may have (INPUT-01)', async ({
  page,
  api,
}) => {
  await use(api, FORMATS[0]);
  const price = await priceOfNewType(page);
  for (const [typed, left] of [
    ['12.3450', '12.3450'],
    ['1,234.567', '1234.5670'],
    ['0.123', '0.123'],
    ['1234.50', '1234.50'],
    ['', ''],
  ] as const) {
    await price.fill(typed);
    await price.blur();
    await expect(price).toHaveValue(left);
  }
});

test('days of a filter, the price of a bulk renewal and the days of a reminder are read alike (INPUT-01)', async ({
  page,
  api,
}) => {
  await use(api, FORMATS[0]);
  const { mark, software, client } = await licenseChoices(api);
  const values = { client: client.id, software: software.id, price: 500, expiry_days: 20 };
  const licenses = [await api.createLicense(values), await api.createLicense(values)];

  await page.goto(`/licenses?q=${mark}`);
  await page.getByRole('button', { name: /^Filtros/ }).click();
  const days = page.getByRole('spinbutton', { name: 'Vence en' });
  await days.fill('1.200');
  await expect(page).toHaveURL(/expiring_within=1200/);
  await days.fill('pronto');
  await expect(page.getByText('Escribe un número, por ejemplo 30')).toBeVisible();
  await days.fill('');
  await page.keyboard.press('Escape');

  await page.goto(`/licenses?q=${mark}`);
  for (const { license_key } of licenses) {
    await page.getByRole('row').filter({ hasText: license_key }).getByRole('checkbox').check();
  }
  await page.getByRole('button', { name: /^Renovar/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Renovar/ });
  const price = dialog.getByRole('spinbutton', { name: 'Precio' });
  await price.fill('US$ 900');
  await dialog.getByRole('button', { name: /^Renovar/ }).click();
  await expect(price).toHaveAccessibleDescription(/El importe es en MXN, no en US\$/);
  await price.fill('$1.234,50');
  await dialog.getByRole('button', { name: /^Renovar/ }).click();
  await expect(dialog).toBeHidden();
  for (const { id } of licenses) {
    const renewed = await api.call<{ price: number }>('GET', `/licenses/api/licenses/${id}/`);
    expect(renewed.price).toBe(1234.5);
  }

  await page.goto('/settings/avisos');
  const group = page.getByRole('group', { name: 'Avisos de las licencias' });
  await group.getByRole('spinbutton').fill('4,0');
  await page.keyboard.press('Enter');
  await expect(group.getByRole('listitem').filter({ hasText: '4 días antes' })).toBeVisible();
});
