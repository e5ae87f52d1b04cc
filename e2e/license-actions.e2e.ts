import type { Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, test, unique } from './support/staff.ts';

/** 'Más acciones' in the details of a licence: what its state allows, each in a dialog that says what will be (LIFE-05). */

const details = (page: Page) => page.getByRole('dialog', { name: 'Detalles de la Licencia' });
const act = (page: Page, title: string) => page.getByRole('dialog', { name: title, exact: true });

async function choose(page: Page, label: string): Promise<void> {
  await details(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
}

async function offered(page: Page): Promise<string[]> {
  await details(page).getByRole('button', { name: 'Más acciones' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  const labels = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  return labels;
}

test('a renewal says the new end and price before it is done, and can be undone', async ({ page, api }) => {
  const { client, software, type } = await licenseChoices(api);
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    price: 200,
  });
  await page.goto(`/licenses/${license.id}`);
  await choose(page, 'Renovar');
  const dialog = act(page, 'Renovar la licencia');
  const fact = (label: string) =>
    dialog.locator('dl dt', { hasText: label }).locator('xpath=following-sibling::dd');
  await expect(fact('Precio')).toHaveText('$250.00 MXN');
  await dialog.getByLabel('Precio', { exact: true }).fill('300');
  await expect(fact('Precio')).toHaveText('$300.00 MXN');
  const end = (await fact('Vence').textContent()) ?? '';
  expect(end).toMatch(/^\d\d\/\d\d\/\d{4}$/);
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await dialog.getByLabel('Motivo').fill('Pagó por transferencia');
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(details(page)).toContainText('$300.00');
  await expect(details(page)).toContainText(end);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Renovación deshecha')).toBeVisible();
  await expect(details(page)).toContainText('$200.00');
});

test('suspension, reinstatement and cancellation by keyboard, each offered only where it is possible', async ({
  page,
  api,
}) => {
  const { client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses/${license.id}`);
  expect(await offered(page)).toEqual([
    'Renovar',
    'Prórroga',
    'Suspender',
    'Cancelar licencia',
    'Transferir',
    'Cambiar clave',
    'Archivo sin conexión',
    'Constancia',
  ]);
  const more = details(page).getByRole('button', { name: 'Más acciones' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Suspender' }).focus();
  await page.keyboard.press('Enter');
  const suspend = act(page, 'Suspender la licencia');
  await suspend.getByLabel('Motivo').fill('Falta de pago');
  // A form with something typed asks before it closes.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Seguir editando' }).click();
  await suspend.getByRole('button', { name: 'Suspender', exact: true }).press('Enter');
  await expect(suspend).toBeHidden();
  await expect(details(page).getByText('Suspendida')).toBeVisible();
  await expect(more).toBeFocused();
  expect(await offered(page)).toEqual([
    'Reactivar',
    'Cancelar licencia',
    'Transferir',
    'Cambiar clave',
    'Constancia',
  ]);
  await choose(page, 'Reactivar');
  await act(page, 'Reactivar la licencia').getByRole('button', { name: 'Reactivar', exact: true }).click();
  await expect(details(page).getByText('Activa', { exact: true })).toBeVisible();
  await choose(page, 'Cancelar licencia');
  await act(page, 'Cancelar licencia')
    .getByRole('button', { name: 'Cancelar licencia', exact: true })
    .click();
  await expect(details(page).getByText('Cancelada')).toBeVisible();
  await expect(more).toBeHidden();
});

test('mistakes are named at their fields: an extension without a reason, a transfer to the same client', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400|No se pudo transferir/);
  const { client, software } = await licenseChoices(api);
  const other = await api.createClient({ name: `Otra ${unique()}` });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses/${license.id}`);
  await choose(page, 'Prórroga');
  const extend = act(page, 'Prórroga de la licencia');
  await extend.getByLabel('Días de prórroga').fill('90');
  await extend.getByRole('button', { name: 'Dar prórroga' }).click();
  await expect(extend.getByLabel('Días de prórroga')).toHaveAccessibleDescription(/entre 1 y 60/);
  await expect(extend.getByLabel('Motivo')).toHaveAccessibleDescription(/El motivo es obligatorio/);
  await extend.getByLabel('Días de prórroga').fill('10');
  await extend.getByLabel('Motivo').fill('Pago en camino');
  await extend.getByRole('button', { name: 'Dar prórroga' }).click();
  await expect(extend).toBeHidden();

  await choose(page, 'Transferir');
  const transfer = act(page, 'Transferir la licencia');
  const pick = async (name: string) => {
    await transfer.getByRole('combobox', { name: 'Nuevo cliente' }).fill(name);
    await page.getByRole('option', { name }).first().click();
  };
  await pick(client.name);
  await transfer.getByRole('button', { name: 'Transferir', exact: true }).click();
  await expect(transfer.getByText('La licencia ya es de este cliente')).toBeVisible();
  await transfer.getByRole('combobox', { name: 'Nuevo cliente' }).clear();
  await pick(other.name);
  await transfer.getByRole('button', { name: 'Transferir', exact: true }).click();
  await expect(transfer).toBeHidden();
  await expect(details(page).getByRole('link', { name: other.name })).toBeVisible();
});
