import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { License } from '../contract/licenses/licenses.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';

/** 'Cantidad' in the form of a new licence, and the keys of licences issued together (SELL-05). */

const form = (page: Page) => page.getByRole('dialog', { name: 'Nueva Licencia' });
const issued = (page: Page) => page.getByRole('dialog', { name: '¡Licencias Creadas Exitosamente!' });

async function fill(page: Page, api: StaffApi, quantity: string) {
  const { client, software, type } = await licenseChoices(api);
  await page.goto(`/licenses?nuevo=1&cliente=${client.id}`);
  await form(page).getByLabel('Software').selectOption(String(software.id));
  await form(page).getByLabel('Tipo de Licencia').selectOption(String(type.id));
  await form(page).getByLabel('Cantidad').fill(quantity);
  return { client };
}

const submit = (page: Page) => form(page).getByRole('button', { name: 'Crear Licencia' }).click();

test('with a quantity above one the dialog lists the keys, copies them and saves them as a file (SELL-05)', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { client } = await fill(page, api, '20');
  await expect(form(page).getByText(/^20 licencias: /)).toBeVisible();
  await submit(page);
  await expect(issued(page).getByText('20 licencias están registradas y listas para usarse.')).toBeVisible();
  // No toast repeats what the dialog says (DESK-09).
  await expect(page.getByRole('button', { name: 'Cerrar aviso' })).toHaveCount(0);
  await expect(issued(page).getByText(`a ${client.email} con las 20 claves`)).toBeVisible();
  await expect(issued(page).getByText('Falta entregar las claves: no hay servidor de correo')).toBeVisible();
  const keys = await issued(page).getByRole('listitem').getByRole('link').allTextContents();
  expect(keys).toHaveLength(20);

  await issued(page).getByRole('button', { name: 'Copiar' }).click();
  await expect(issued(page).getByRole('button', { name: 'Copiadas' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(keys.join('\n'));

  const download = page.waitForEvent('download');
  await issued(page).getByRole('button', { name: 'Descargar CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('licencias.csv');
  const [header, ...rows]: string[][] = parse(await readFile(await file.path()), { bom: true });
  expect(header).toEqual(['ID', 'Clave de Licencia']);
  expect(rows.map(([, key]) => key)).toEqual(keys);

  const { results } = await api.call<{ results: License[] }>(
    'GET',
    `/licenses/api/licenses/?client=${client.id}&page_size=50`,
  );
  expect(results.map(({ license_key }) => license_key).toSorted()).toEqual(keys.toSorted());
  await issued(page).getByRole('button', { name: 'Cerrar' }).last().click();
  await expect(issued(page)).toBeHidden();
});

test('with quantity one a licence is issued as usual, and the edit form has no quantity', async ({
  page,
  api,
}) => {
  await fill(page, api, '1');
  await submit(page);
  await expect(page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' })).toBeVisible();
  await page.getByRole('button', { name: 'Ver licencia' }).click();
  await page.getByRole('button', { name: 'Editar' }).first().click();
  const edit = page.getByRole('dialog', { name: 'Editar Licencia' });
  await expect(edit.getByLabel('Máximo de Instalaciones')).toBeVisible();
  await expect(edit.getByLabel('Cantidad')).toHaveCount(0);
});

test('a wrong quantity, and an external id with several licences, show an error at the field', async ({
  page,
  api,
}) => {
  await fill(page, api, '501');
  await submit(page);
  await expect(form(page).getByText('La cantidad debe ser un número entero entre 1 y 500')).toBeVisible();
  await form(page).getByLabel('Cantidad').fill('2');
  await form(page).getByLabel('Identificador externo').fill('A-7');
  await submit(page);
  await expect(form(page).getByText(/^Es de una sola licencia/)).toBeVisible();
});

for (const look of LOOKS) {
  test(`axe finds nothing in the dialog with the keys of a batch, ${look.theme} at ${look.width} px`, async ({
    page,
    api,
  }) => {
    await wear(page, look);
    await fill(page, api, '3');
    await submit(page);
    await expect(issued(page)).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  });
}
