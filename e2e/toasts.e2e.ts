import type { Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import { licenseDetails } from './support/details.ts';
import { drawn } from './support/drawn.ts';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { expect, test, unique } from './support/staff.ts';

/** Toasts stand in the upper right corner and move nothing. What can be undone has a button for it in its toast. */

const success = (page: Page) => page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });

/** The place of the toasts. */
const placeOfToasts = async (page: Page) => {
  const box = (await page.getByRole('region', { name: 'Avisos' }).boundingBox())!;
  return { ...box, right: box.x + box.width };
};

/** Answers a save of clients with a failure that concerns no field, so that its toast stays above the form. */
async function refusedClient(page: Page) {
  await page.route('**/licenses/api/clients/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { success: false, message: 'Error en el servidor' } })
      : route.continue(),
  );
  await page.goto('/clients?nuevo=1');
  const form = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await form.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Ana');
  await form.getByRole('textbox', { name: 'Email', exact: true }).fill(`${unique()}@example.com`);
  await form.getByRole('textbox', { name: 'Teléfono Principal', exact: true }).fill('+525512345678');
  return form;
}

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
  [320, 568],
] as const) {
  test(`at ${width} px a toast is in the upper right corner, moves no dialog, and covers no × (DESK-09, SEED-2.3-05)`, async ({
    page,
    api,
    guard,
  }) => {
    guard.allowConsoleError(/500|Error al/);
    await page.setViewportSize({ width, height });
    const form = await refusedClient(page);
    await expect(form.getByRole('button', { name: 'Crear Cliente' })).toBeInViewport({ ratio: 1 });
    const before = (await form.boundingBox())!;
    await form.getByRole('button', { name: 'Crear Cliente' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Error al crear el cliente' });
    await expect(toast).toBeInViewport({ ratio: 1 });
    // The form grows only by the failure above its buttons; on a phone it fills the window anyway.
    await expect(form.getByRole('group', { name: 'Error al crear el cliente' })).toBeVisible();
    const middle = (box: { y: number; height: number }) => box.y + box.height / 2;
    expect(Math.abs(middle((await form.boundingBox())!) - middle(before))).toBeLessThan(1);
    const toasts = await placeOfToasts(page);
    expect(toasts.right).toBe(width - 12);
    const close = form.getByRole('button', { name: 'Cerrar', exact: true });
    const cross = (await close.boundingBox())!;
    // Below the header where the × would be covered, else in the corner itself.
    const isUnder = cross.x + cross.width > toasts.x && cross.y < 12 + toasts.height;
    expect(toasts.y < 13).toBe(!isUnder);
    if (isUnder) expect(toasts.y).toBeGreaterThan(cross.y + cross.height);
    await close.click();
    await page.getByRole('button', { name: 'Descartar cambios' }).click();
    await expect(form).toBeHidden();
    await expect.poll(async () => (await placeOfToasts(page)).y, 'back in the corner').toBe(12);
    await page.getByRole('button', { name: 'Cerrar aviso' }).click();

    // A dialog that opens while a toast is shown stands where it always does.
    const software = await api.createSoftware();
    const details = page.getByRole('dialog', { name: 'Detalles del Software' });
    const placeOfDetails = async () => {
      await page.getByRole('button', { name: 'Ver detalles' }).first().press('Enter');
      await expect(details.getByRole('heading', { name: software.name })).toBeVisible();
      await drawn(page);
      return details.evaluate((element) =>
        element instanceof HTMLElement ? [element.offsetLeft, element.offsetTop] : [],
      );
    };
    await page.goto(`/software?q=${encodeURIComponent(software.name)}`);
    const usual = await placeOfDetails();
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    await page.goto(`/software?q=${encodeURIComponent(software.name)}&editar=${software.id}`);
    const edit = page.getByRole('dialog', { name: 'Editar Software' });
    await edit.getByLabel('Versión').fill('2.0.0');
    await edit.getByRole('button', { name: 'Actualizar Software' }).click();
    await expect(page.getByText('Software actualizado exitosamente')).toBeInViewport();
    await expect(edit).toBeHidden();
    expect(await placeOfDetails()).toEqual(usual);
    const under = (await details.getByRole('button', { name: 'Cerrar', exact: true }).boundingBox())!;
    const shown = await placeOfToasts(page);
    expect(
      shown.x > under.x + under.width || shown.y > under.y + under.height || shown.y + shown.height < under.y,
    ).toBe(true);
  });
}

test('a failure that a form of Configuración shows is announced there and repeated by no toast (DESK-09)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500|Error al|No se pud/);
  await page.route('**/licenses/api/settings/', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { success: false, message: 'Error en el servidor' } })
      : route.continue(),
  );
  await page.goto('/settings/empresa');
  const form = page.getByRole('form', { name: 'Configuración' });
  await form.getByLabel('Nombre de la empresa').fill(`Empresa ${unique()}`);
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Error en el servidor' })).toHaveCount(1);
  await expect(form.getByRole('alert')).toContainText('Error en el servidor');
  await expect(page.getByRole('button', { name: 'Cerrar aviso' })).toHaveCount(0);
});

test('the success dialog shows the key large, and its buttons open the licence or a form for another one', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  const key = success(page).locator('code').first();
  await expect(key).toHaveText(/^[2-9A-HJ-NP-Z]{5}(-[2-9A-HJ-NP-Z]{5}){4}$/);
  expect(await key.evaluate((code) => parseFloat(getComputedStyle(code).fontSize))).toBeGreaterThan(24);

  await success(page).getByRole('button', { name: 'Crear otra' }).press('Enter');
  await expect(form).toBeVisible();
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toHaveValue('');
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toBeFocused();

  await fillRequired(page, form, choices);
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  const second = await key.innerText();
  await success(page).getByRole('button', { name: 'Ver licencia' }).press('Enter');
  await expect(licenseDetails(page)).toHaveAccessibleDescription(second);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/licenses$/);
});

test("'Deshacer' restores the status of a type, unless somebody changed the type in the meantime", async ({
  page,
  api,
  guard,
}) => {
  const { id } = await api.createLicenseType({ name: `Mensual ${unique()}` });
  const read = () => api.call<LicenseType>('GET', `/licenses/api/license-types/${id}/`);
  await page.goto(`/license-types?ver=${id}`);
  const details = page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' });
  await details.getByRole('button', { name: 'Desactivar' }).click();
  const undo = page.getByRole('button', { name: 'Deshacer' });
  await undo.click();
  await expect(page.getByText('Cambio de estado deshecho')).toBeVisible();
  await expect(details.getByText('Activo', { exact: true })).toBeVisible();
  expect((await read()).is_active).toBe(true);

  guard.allowConsoleError(/412/);
  await details.getByRole('button', { name: 'Desactivar' }).click();
  await expect(undo).toBeVisible();
  await api.call('PUT', `/licenses/api/license-types/${id}/`, { description: 'De otra persona' });
  await undo.click();
  await expect(page.getByRole('alert')).toContainText('Error al cambiar el estado del tipo de licencia');
  expect(await read()).toMatchObject({ is_active: false, description: 'De otra persona' });
});

test('the toast after a deletion contains the name of the deleted record', async ({ page, api }) => {
  const mark = unique();
  await api.createClient({ name: `Ana ${mark}` });
  await api.createSoftware({ name: `Caja ${mark}`, version: '4.2.0' });
  page.on('dialog', (question) => void question.accept());
  for (const [path, title, name] of [
    ['/clients', 'Cliente eliminado exitosamente', `Ana ${mark}`],
    ['/software', 'Software eliminado exitosamente', `Caja ${mark} 4.2.0`],
  ] as const) {
    await page.goto(`${path}?q=${mark}`);
    await page.getByRole('button', { name: 'Eliminar' }).click();
    const toast = page.getByRole('status').filter({ hasText: title });
    await expect(toast).toContainText(name);
  }
});
