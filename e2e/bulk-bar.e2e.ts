import type { Page } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** The bulk bar: three actions as buttons, only those that are possible, each with the number of records (LIST-01). */

const bar = (page: Page) => page.getByRole('region', { name: 'Acciones en lote' });
const all = (page: Page) => page.getByRole('checkbox', { name: 'Seleccionar las de esta página' });
/** The buttons of actions, without those that select and clear. */
const inSight = (page: Page) =>
  bar(page)
    .getByRole('button')
    .filter({ visible: true })
    .filter({ hasNotText: /^Seleccionar/ })
    .filter({ hasText: /./ });

async function withSuspended(api: StaffApi, licenses: number, suspended: number) {
  const { mark, client, software } = await licenseChoices(api);
  for (let position = 0; position < licenses; position++) {
    const { id } = await api.createLicense({ client: client.id, software: software.id });
    if (position < suspended) await api.call('POST', `/licenses/api/licenses/${id}/suspend/`, {});
  }
  return mark;
}

test('suspended licences are reactivated with four clicks, and actions that are not possible for them are not offered', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = await withSuspended(api, 2, 2);
  await page.goto(`/licenses?q=${mark}`);
  const steps = await stepsOf(page, async () => {
    await all(page).check();
    await expect(inSight(page)).toHaveText(['Reactivar 2', 'Cambiar estado 2', 'Reenviar correo 2', 'Más']);
    await bar(page).getByRole('button', { name: 'Más', exact: true }).click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Exportar seleccionadas',
      'Añadir etiqueta 2',
      'Quitar etiqueta 2',
      'Cancelar licencia 2',
      'Eliminar 2',
    ]);
    await page.keyboard.press('Escape');
    await bar(page).getByRole('button', { name: 'Reactivar 2' }).click();
    await page
      .getByRole('dialog', { name: 'Reactivar 2 licencias' })
      .getByRole('button', { name: 'Reactivar', exact: true })
      .click();
    await expect(page.getByText('2 licencias reactivadas')).toBeVisible();
  });
  // One click and one key press were needed to read the menu.
  expect(steps).toEqual({ clicks: 4, keys: 1 });
});

test('each action shows for how many of the selected licences it is possible, rows of other pages included', async ({
  page,
  api,
}) => {
  const mark = await withSuspended(api, 6, 1);
  await page.goto(`/licenses?q=${mark}&page_size=5&ordering=status`);
  await all(page).check();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.locator('[data-row-key]')).toHaveCount(1);
  await page.locator('[data-row-key]').getByRole('checkbox').check();
  await expect(inSight(page)).toHaveText(['Renovar 5', 'Suspender 5', 'Reactivar 1', 'Más']);
});

test('when all matching rows are selected, the actions show no number', async ({ page, api }) => {
  const mark = await withSuspended(api, 6, 1);
  await page.goto(`/licenses?q=${mark}&page_size=5`);
  await all(page).check();
  await bar(page)
    .getByRole('button', { name: /^Seleccionar las/ })
    .click();
  await expect(inSight(page)).toHaveText(['Renovar', 'Suspender', 'Reactivar', 'Más']);
});

for (const look of LOOKS) {
  test(`axe finds nothing in the bar of a selection and its menu, ${look.theme} at ${look.width} px`, async ({
    page,
    api,
  }) => {
    const mark = await withSuspended(api, 2, 1);
    await wear(page, look);
    await page.goto(`/licenses?q=${mark}`);
    await all(page).check();
    await expect(bar(page)).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await bar(page).getByRole('button', { name: /^Más/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  });
}

test('a menu that is opened while a dialog fades out does not lose the focus', async ({ page, api }) => {
  const mark = await withSuspended(api, 2, 0);
  await page.goto(`/licenses?q=${mark}`);
  await all(page).check();
  await bar(page).getByRole('button', { name: 'Suspender 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspender 2 licencias' });
  const back = dialog.getByRole('button', { name: 'Volver' });
  await expect(back).toBeVisible();
  await dialog.evaluate((element) => {
    element.style.transitionDuration = '2s';
  });
  await back.click();
  await bar(page).getByRole('button', { name: 'Más', exact: true }).click();
  const last = page.getByRole('menuitem', { name: 'Eliminar 2' });
  await expect(last).toBeVisible();
  // Found by the role attribute, because an open menu hides all other elements from the accessibility tree.
  await expect(page.locator('[role=dialog]')).toHaveCount(1);
  await expect(page.locator('[role=dialog]')).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(last).toBeFocused();
});
