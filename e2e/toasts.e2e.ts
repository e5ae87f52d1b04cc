import type { Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import { licenseDetails } from './support/details.ts';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { expect, test, unique } from './support/staff.ts';

/**
 * Toasts cover no control and nothing that was just opened. Actions that can be undone have a button for it in their
 * toast.
 */

const success = (page: Page) => page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });

/** The elements that toasts currently cover: dialogs, menus and, unless a dialog is modal, controls. */
const covered = (page: Page, { opensOnly = false } = {}) =>
  page.evaluate((ofOpened) => {
    const isSeen = (box: DOMRect) => box.width > 1 && box.height > 1;
    const cards = [...document.querySelectorAll('section[aria-label=Avisos] > div')].map((card) =>
      card.getBoundingClientRect(),
    );
    if (cards.length === 0) return ['no toast is shown'];
    const modal = ofOpened || document.querySelector('[data-locks-scroll]') !== null;
    const opened = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
    const pressed = 'a[href], button, input, select, textarea';
    return [...document.querySelectorAll(modal ? opened : `${opened}, ${pressed}`)]
      .filter((element) => element.closest('section[aria-label=Avisos]') === null)
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return (
          isSeen(box) &&
          cards.some(
            (card) =>
              card.left < box.right - 0.5 &&
              card.right > box.left + 0.5 &&
              card.top < box.bottom - 0.5 &&
              card.bottom > box.top + 0.5,
          )
        );
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40) ?? '');
  }, opensOnly);

for (const [width, height] of [
  [1280, 800],
  [390, 844],
  [320, 568],
] as const) {
  test(`at ${width} px a toast covers no dialog that just opened, no button and no menu`, async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width, height });
    const choices = await licenseChoices(api);
    const form = await openNewLicense(page);
    await fillRequired(page, form, choices);
    // The dialog stays inside the window with its footer visible, and most of it remains for the fields.
    await expect(form.getByRole('button', { name: 'Crear Licencia' })).toBeInViewport({ ratio: 1 });
    const box = await form.boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(0);
    expect(box!.y + box!.height).toBeLessThanOrEqual(height);
    const fields = await form.getByRole('region').boundingBox();
    expect(fields!.height).toBeGreaterThan(height / 2);
    await form.getByRole('button', { name: 'Crear Licencia' }).click();
    await expect(success(page)).toBeVisible();
    await expect(page.getByText('Licencia creada exitosamente', { exact: true })).toBeInViewport();
    await expect.poll(() => covered(page)).toEqual([]);
    await success(page).getByRole('button', { name: 'Copiar' }).click();
    // The whole dialog stays inside the window, and its buttons stay visible.
    await expect(success(page).getByRole('button', { name: 'Ver licencia' })).toBeInViewport({ ratio: 1 });
    await success(page).getByRole('button', { name: 'Cerrar' }).first().click();
    await expect(success(page)).toBeHidden();

    await page.goto('/software?nuevo=1');
    const software = page.getByRole('dialog', { name: 'Nuevo Software' });
    await software.getByLabel('Nombre').fill(`Aviso ${unique()}`);
    await software.getByLabel('Versión').fill('1.0.0');
    await software.getByRole('button', { name: 'Crear Software' }).click();
    await expect(page.getByText('Software registrado exitosamente')).toBeInViewport();
    await expect(software).toBeHidden();
    await expect.poll(() => covered(page)).toEqual([]);
    await page.getByRole('button', { name: 'Notificaciones' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    // A phone has no space beside a full panel and the buttons around it, so only opened layers are checked.
    await expect.poll(() => covered(page, { opensOnly: width < 400 })).toEqual([]);
  });
}

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
