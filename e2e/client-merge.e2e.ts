import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** 'Fusionar clientes': one client from two (MERGE-01). */

const SUGGESTED = 'Quizá es el mismo cliente';

/** Two clients of one mailbox, with a licence each. */
async function twins(api: StaffApi) {
  const mark = unique();
  const stays = await api.createClient({ name: `Papelería Sol ${mark}`, email: `sol-${mark}@example.com` });
  const ends = await api.createClient({
    name: `Papelería El Sol ${mark}`,
    email: `sol-${mark}+caja@example.com`,
    phone: '+525587654321',
    tax_id: 'LOAA800101AB1',
    city: 'Toluca',
    website: 'https://sol.example',
    tags: [`vip-${mark}`],
  });
  const software = await api.createSoftware();
  for (const { id } of [stays, ends]) await api.createLicense({ client: id, software: software.id });
  return { mark, stays, ends };
}

const dialogOf = (page: Page) => asked(page, 'Fusionar clientes');

test('two clients are merged by keyboard, and an old address leads to the one that stays (MERGE-01) @gate', async ({
  page,
  api,
  guard,
}) => {
  const { stays, ends } = await twins(api);
  await page.goto(`/clients/${stays.id}`);
  const hint = page.getByRole('region', { name: SUGGESTED });
  await expect(hint).toContainText(`${ends.name} · mismo email`);
  const button = hint.getByRole('button', { name: `Fusionar con ${ends.name}` });
  await button.focus();
  await page.keyboard.press('Enter');

  const dialog = dialogOf(page);
  await expect(dialog.getByRole('radio', { name: stays.name })).toBeChecked();
  await expect(dialog).toContainText(`Lo que pasa a ${stays.name}`);
  await expect(dialog).toContainText('1 licencia, 1 correo y 1 etiqueta.');
  await expect(dialog).toContainText('RFC/CUIT: LOAA800101AB1');
  await expect(dialog).toContainText('Teléfono Principal: +525587654321');
  await expect(dialog).toContainText('No se puede deshacer.');
  // Escape closes it, and the focus comes back.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('radio', { name: stays.name })).toBeChecked();

  // The arrow chooses the other one, and what is lost changes with it.
  await dialog.getByRole('radio', { name: stays.name }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: ends.name })).toBeChecked();
  await expect(dialog).toContainText(`Lo que pasa a ${ends.name}`);
  await expect(dialog).toContainText(`Nombre: ${stays.name}`);
  await page.keyboard.press('ArrowUp');
  await expect(dialog).toContainText(`Lo que pasa a ${stays.name}`);
  const submit = dialog.getByRole('button', { name: 'Fusionar', exact: true });
  while (!(await submit.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(dialog).toBeHidden();
  await expect(page.getByText('Clientes fusionados')).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Licencias/ })).toContainText('2');
  await expect(hint).toBeHidden();
  await expect(page.getByRole('tab', { selected: true })).toBeFocused();
  await page.getByRole('button', { name: 'Ver historial' }).click();
  await expect(page.getByText(`fusionó a ${ends.name}`)).toBeVisible();

  guard.allowConsoleError(new RegExp(`404.*/clients/${ends.id}/$`));
  for (const old of [`/clients/${ends.id}`, `/clients?ver=${ends.id}`]) {
    await page.goto(old);
    await expect(page.getByRole('heading', { name: stays.name })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${stays.id}$`));
    await expect(page.getByText('Ese cliente se fusionó con este')).toBeVisible();
  }
});

test('the other one may stay, and its page opens; a refusal says why (MERGE-01)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/412|Error al fusionar/);
  const { mark, stays, ends } = await twins(api);
  await page.goto(`/clients?q=${mark}&ver=${stays.id}`);
  const details = page.getByRole('dialog', { name: 'Detalles del Cliente' });
  await details.getByRole('button', { name: `Fusionar con ${ends.name}` }).click();
  const dialog = dialogOf(page);
  // The open dialog is in the address.
  await page.reload();
  await dialog.getByRole('radio', { name: ends.name }).check();
  // Somebody changes it meanwhile.
  await api.call('PUT', `/licenses/api/clients/${ends.id}/`, { city: 'Lerma' });
  await dialog.getByRole('button', { name: 'Fusionar', exact: true }).click();
  await expect(dialog.getByText('Error al fusionar los clientes')).toBeVisible();
  await expect(dialog).toContainText('Este registro fue modificado por otra persona');
  await expect(dialog.getByRole('radio', { name: ends.name })).toBeChecked();
  await expect(dialog).toContainText('Ya ves sus datos de ahora');
  // The next press goes by what is shown now.
  await dialog.getByRole('button', { name: 'Fusionar', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/clients/${ends.id}$`));
  await expect(page.getByRole('heading', { name: ends.name })).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Licencias/ })).toContainText('2');
});

test('where the other client is gone there is nothing to press but Cerrar (MERGE-01)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/404/);
  const { stays } = await twins(api);
  await page.goto(`/clients/${stays.id}?fusionar=999999`);
  const dialog = dialogOf(page);
  await expect(dialog).toContainText('Cliente no encontrado');
  await expect(dialog.getByRole('button', { name: 'Fusionar', exact: true })).toBeHidden();
  await dialog.getByRole('button', { name: 'Cerrar', exact: true }).last().click();
  await expect(dialog).toBeHidden();
});

for (const look of LOOKS) {
  test(`the dialog and the hint have no axe fault: ${look.theme}, ${look.width} px`, async ({
    page,
    api,
  }) => {
    const { stays, ends } = await twins(api);
    await wear(page, look);
    await page.goto(`/clients/${stays.id}`);
    await expect(page.getByRole('region', { name: SUGGESTED })).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await page.goto(`/clients/${stays.id}?fusionar=${ends.id}`);
    await expect(dialogOf(page)).toContainText('Lo que pasa a');
    expect(await barriers(page)).toEqual([]);
  });
}

test('after an import its clients that may be the same as others are offered to be merged (MERGE-01)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const known = await api.createClient({ name: `Núñez ${mark}`, email: `rosa-${mark}@nunez.example` });
  await page.goto('/imports?kind=clients');
  await page.locator('input[type=file]').setInputFiles({
    name: 'clientes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Nombre,Email,Teléfono\nRosa ${mark},rosa-${mark}+otra@nunez.example,+525587654321\n`,
    ),
  });
  await page.getByRole('button', { name: /^Importar/ }).click();
  const offer = page.getByRole('link', { name: `Fusionar Rosa ${mark} y ${known.name}` });
  await offer.click();
  await expect(dialogOf(page).getByRole('radio', { name: known.name })).toBeVisible();
});
