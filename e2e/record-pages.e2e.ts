import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';
import { countSteps } from './support/steps.ts';

/** A client and a licence are pages by link, palette or address; over their list they are dialogs (DESK-05). */

const client = (page: Page) => page.getByRole('region', { name: 'Detalles del Cliente', exact: true });
const license = (page: Page) => page.getByRole('region', { name: 'Detalles de la Licencia', exact: true });
const beside = (page: Page) => page.getByRole('region', { name: 'Datos de contacto' });
const boxOf = async (locator: ReturnType<Page['locator']>) => {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not in sight');
  return box;
};

/** A client with a licence that ends soon, on one machine. */
async function issued(api: StaffApi) {
  const { client, software, type, mark } = await licenseChoices(api);
  const issue = (values: object = {}) =>
    api.createLicense({
      client: client.id,
      software: software.id,
      license_type_config: type.id,
      expiry_days: 20,
      ...values,
    });
  const license = await issue();
  await api.activate(license.license_key, { machine_id: `m-${mark}`, machine_name: `Caja ${mark}` });
  return { client, license, mark, issue };
}

test('a client has a page with its specified tabs, and its address keeps the tab (SEED-2.1-06, SEED-2.7-03)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { client: ana, mark } = await issued(api);
  await page.goto(`/clients?q=${mark}`);
  await page.getByRole('link', { name: ana.name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/clients/${ana.id}$`));
  await expect(client(page).getByRole('heading', { name: ana.name, level: 2 })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(client(page).getByRole('tab')).toHaveText(['Resumen', /^Licencias/, /^Instalaciones/]);
  // The link leads to the list as it was left.
  await client(page).getByRole('link', { name: 'Clientes', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/clients\\?q=${mark}$`));
  await page.goBack();
  await client(page)
    .getByRole('tab', { name: /^Instalaciones/ })
    .click();
  await expect(page).toHaveURL(/tab=instalaciones$/);
  await page.reload();
  await expect(client(page).getByRole('button', { name: `Liberar Caja ${mark}` })).toBeVisible();
});

test("'Abrir' in the dialog over the list leads to the page, on the same tab, and Back closes it and the dialog", async ({
  page,
  api,
}) => {
  const { client: ana, license: one, mark } = await issued(api);
  await page.goto(`/clients?q=${mark}`);
  await page
    .getByRole('row', { name: new RegExp(mark) })
    .getByRole('button', { name: 'Ver detalles' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Detalles del Cliente' });
  await dialog.getByRole('tab', { name: /^Licencias/ }).click();
  await dialog.getByRole('link', { name: 'Abrir' }).click();
  await expect(page).toHaveURL(new RegExp(`/clients/${ana.id}\\?tab=licencias$`));
  await expect(client(page).getByRole('tab', { name: /^Licencias/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.goBack();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/clients\\?q=${mark}$`));

  await page.goto(`/licenses?ver=${one.id}`);
  await page
    .getByRole('dialog', { name: 'Detalles de la Licencia' })
    .getByRole('link', { name: 'Abrir' })
    .click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${one.id}$`));
  await expect(license(page).getByText(one.license_key).first()).toBeVisible();
});

test('what one calls and writes with is above the fold, on both pages and on a phone', async ({
  page,
  api,
}) => {
  const { client: ana, license: one } = await issued(api);
  for (const [width, height] of [
    [1440, 900],
    [390, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const address of [`/clients/${ana.id}`, `/licenses/${one.id}`]) {
      await page.goto(address);
      const call = page.getByRole('link', { name: `Llamar al ${ana.phone}` });
      await expect(call).toHaveAttribute('href', `tel:${ana.phone}`);
      await expect(call).toBeInViewport();
      const write = page.getByRole('link', { name: `Correo a ${ana.email}` });
      await expect(write).toHaveAttribute('href', `mailto:${ana.email}`);
      await expect(write).toBeInViewport();
    }
  }
});

test('on a wide page what one asks on the phone stands beside the content, and a question stands in its place', async ({
  page,
  api,
}) => {
  const { client: ana, license: one } = await issued(api);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/licenses/${one.id}`);
  await expect(beside(page)).toContainText(ana.name);
  const tabs = await boxOf(license(page).getByRole('tabpanel'));
  expect(tabs.x + tabs.width).toBeLessThanOrEqual((await boxOf(beside(page))).x);

  const renew = license(page).getByRole('button', { name: 'Renovar' });
  await renew.click();
  const question = asked(page, 'Renovar la licencia');
  await expect(question.getByLabel('Tipo de licencia')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(beside(page)).toBeHidden();
  // One thing is asked at a time, and the facts stay in sight.
  await expect(license(page).getByRole('heading', { name: 'Condiciones de venta' })).toBeVisible();
  await question.getByLabel('Motivo').fill('Pagó en efectivo');
  await page.keyboard.press('Escape');
  const discard = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await expect(discard.getByRole('button', { name: 'Seguir editando' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question.getByLabel('Motivo')).toHaveValue('Pagó en efectivo');
  await license(page).getByRole('tab', { name: 'Historial' }).click();
  await question.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(page.getByText('Licencia renovada')).toBeVisible();
  await expect(beside(page)).toBeVisible();
  await expect(license(page).getByRole('button', { name: 'Más acciones' })).toBeFocused();

  // At 390 px there is one column, and the question is a dialog.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/licenses/${one.id}?accion=renovar`);
  await expect(page.getByRole('dialog', { name: 'Renovar la licencia' })).toBeVisible();
});

test('the form opens over the page at an address of its own, and Back closes it', async ({ page, api }) => {
  const { client: ana, mark } = await issued(api);
  await page.goto(`/clients/${ana.id}`);
  await client(page).getByRole('button', { name: 'Editar' }).click();
  const form = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(form).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/clients/${ana.id}\\?editar=${ana.id}$`));
  await page.goBack();
  await expect(form).toBeHidden();
  await client(page).getByRole('button', { name: 'Editar' }).click();
  await form.getByRole('textbox', { name: 'Nombre', exact: true }).fill(`Rosa ${mark}`);
  await form.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(form).toBeHidden();
  await expect(client(page).getByRole('heading', { name: `Rosa ${mark}`, level: 2 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/clients/${ana.id}$`));
});

test('each licence of a client has the one button that its state asks for', async ({ page, api }) => {
  const { client: ana, license: soon, issue } = await issued(api);
  const fine = await issue({ expiry_days: 300 });
  const stopped = await issue({ expiry_days: 200 });
  await api.call('POST', `/licenses/api/licenses/${stopped.id}/suspend/`, {});
  await page.goto(`/clients/${ana.id}`);
  const line = (key: string) => client(page).getByRole('listitem').filter({ hasText: key });
  await expect(line(soon.license_key).getByRole('link', { name: /^Renovar/ })).toBeVisible();
  await expect(line(fine.license_key).first()).toBeVisible();
  await expect(line(fine.license_key).getByRole('link', { name: /^(Renovar|Reactivar)/ })).toHaveCount(0);
  await line(stopped.license_key)
    .getByRole('link', { name: /^Reactivar/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${stopped.id}\\?accion=reactivar$`));
  await expect(asked(page, 'Reactivar la licencia')).toBeVisible();
});

test('what nobody gave stands only in the form', async ({ page, api }) => {
  const bare = await api.createClient();
  await page.goto(`/clients/${bare.id}`);
  await expect(client(page).getByText(bare.email).first()).toBeVisible();
  await expect(client(page).getByText('Sin especificar')).toHaveCount(0);
  await expect(client(page).getByText('00000')).toHaveCount(0);
  await page.goto(`/clients?q=${bare.email}`);
  await expect(page.getByRole('row', { name: new RegExp(bare.name) })).not.toContainText('Sin especificar');
  await page.goto(`/clients/${bare.id}?editar=${bare.id}`);
  await expect(page.getByRole('dialog').getByLabel('Código Postal')).toHaveValue('00000');
});

test('a machine is freed by the pages in three steps, and one more undoes it', async ({ page, api }) => {
  const { client: ana, license: one, mark } = await issued(api);
  const steps = await countSteps(page.context());
  await page.goto('/account');
  // One enters the box, two says who it is and opens the page with arrow and Enter, three frees the machine.
  await page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true }).click();
  await page.keyboard.insertText(ana.name);
  await expect(page.getByRole('option', { name: new RegExp(`^${ana.name}`) })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await client(page)
    .getByRole('button', { name: `Liberar Caja ${mark}` })
    .click();
  await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  expect(steps()).toBe(3);
  await expect(client(page).getByRole('button', { name: `Liberar Caja ${mark}` })).toBeHidden();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(client(page).getByRole('button', { name: `Liberar Caja ${mark}` })).toBeVisible();
  expect(steps()).toBe(1);
  expect(
    (await api.call<{ current_installations: number }>('GET', `/licenses/api/licenses/${one.id}/`))
      .current_installations,
  ).toBe(1);
});

for (const look of LOOKS) {
  test(`axe finds nothing in the pages of a client and a licence, and nothing is wider than the screen, ${look.theme}, ${look.width} px`, async ({
    page,
    api,
  }) => {
    test.slow();
    const { client: ana, license: one } = await issued(api);
    await wear(page, look);
    for (const address of [
      `/clients/${ana.id}`,
      `/licenses/${one.id}`,
      `/licenses/${one.id}?accion=renovar`,
    ]) {
      await page.goto(address);
      const isAsked = address.includes('accion');
      await expect(
        isAsked ? asked(page, 'Renovar la licencia') : page.getByRole('tab', { name: 'Resumen' }),
      ).toBeVisible();
      expect(await barriers(page, { goodPractice: true }), address).toEqual([]);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
        address,
      ).toBe(0);
    }
  });
}
