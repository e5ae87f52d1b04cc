import type { Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { clientDetails } from './support/details.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** Tags of clients and licences (DESK-03). */

const rows = (page: Page) => page.locator('[data-row-key]');
const field = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Etiquetas' });
const chosen = (page: Page) =>
  page.getByRole('dialog').getByRole('list', { name: 'Etiquetas elegidas' }).getByRole('listitem');

const tagsOf = async (api: StaffApi, list: 'clients' | 'licenses', id: number) =>
  (await api.call<{ tags: string[] }>('GET', `/licenses/api/${list}/${id}/`)).tags;

test('tags are typed in the form of a client, shown in its details, and lead to all that have them', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  const ana = await api.createClient({ name: `Ana ${mark}`, tags: [`Feria ${mark}`] });
  const eva = await api.createClient({ name: `Eva ${mark}` });
  await page.goto(`/clients?editar=${eva.id}`);
  // With Enter, which does not send the form; in the spelling that is in use.
  await field(page).fill(`feria ${mark}`);
  await expect(page.locator(`option[value="Feria ${mark}"]`)).toBeAttached();
  await field(page).press('Enter');
  await expect(chosen(page)).toHaveText([`Feria ${mark}`]);
  // With a semicolon, by pasting, and by leaving the field.
  await field(page).pressSequentially('Norte;');
  await field(page).fill('Sur');
  await field(page).blur();
  await expect(chosen(page)).toHaveText([`Feria ${mark}`, 'Norte', 'Sur']);
  await field(page).press('Backspace');
  await expect(chosen(page)).toHaveText([`Feria ${mark}`, 'Norte']);
  await page.getByRole('button', { name: 'Quitar etiqueta Norte' }).press('Enter');
  await expect(field(page)).toBeFocused();
  await field(page).fill('Paga tarde');
  await page.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await tagsOf(api, 'clients', eva.id)).toEqual([`Feria ${mark}`, 'Paga tarde']);

  await page.goto(`/clients/${eva.id}`);
  const dialog = clientDetails(page);
  await dialog.getByRole('link', { name: `Ver todos con la etiqueta Feria ${mark}` }).click();
  await expect(page).toHaveURL(/\/clients\?tag=/);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: ana.name })).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtro Etiquetas' }).click();
  await expect(page).not.toHaveURL(/tag=/);
});

test('what is too long or too much stands at the field', async ({ page, api }) => {
  const twenty = Array.from({ length: 20 }, (_, n) => `t${n}`);
  const client = await api.createClient({ tags: twenty });
  await page.goto(`/clients?editar=${client.id}`);
  await expect(chosen(page)).toHaveCount(20);
  await field(page).fill('una más');
  await field(page).press('Enter');
  await expect(field(page)).toHaveAccessibleDescription(/como máximo 20 etiquetas/);
  await page.getByRole('button', { name: 'Quitar etiqueta t0' }).click();
  await field(page).fill('x'.repeat(41));
  await field(page).press('Enter');
  await expect(field(page)).toHaveAccessibleDescription(/hasta 40 caracteres/);
});

test('a new licence has tags, and the filter of the list asks for all of several', async ({ page, api }) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}` });
  const software = await api.createSoftware();
  const make = (tags: string[]) => api.createLicense({ client: client.id, software: software.id, tags });
  const both = await make([`A ${mark}`, `B ${mark}`]);
  const one = await make([`A ${mark}`]);
  await page.goto(`/licenses?editar=${one.id}`);
  await field(page).fill('Nueva');
  await page.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await tagsOf(api, 'licenses', one.id)).toEqual([`A ${mark}`, 'Nueva']);

  await page.goto('/licenses');
  await page.getByRole('button', { name: 'Filtros', exact: true }).click();
  await field(page).fill(`a ${mark}`);
  await field(page).press('Enter');
  await page.getByRole('button', { name: 'Listo' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Filtros', exact: true }).click();
  await field(page).fill(`b ${mark}`);
  await page.getByRole('button', { name: 'Listo' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(both.license_key);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
});

test('a tag is added to all that match the filters, and taken away from selected ones', async ({
  page,
  api,
}) => {
  const mark = unique();
  const clients = [];
  for (const name of ['Ana', 'Eva', 'Sol'])
    clients.push(await api.createClient({ name: `${name} ${mark}`, tags: [`Base ${mark}`, `Otra ${mark}`] }));
  const filter = encodeURIComponent(`Base ${mark};Otra ${mark}`);
  await page.goto(`/clients?tag=${filter}&page_size=5`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Seleccionar los de esta página' }).check();
  const bar = page.getByRole('region', { name: 'Acciones en lote' });
  const act = async (name: string) => {
    const button = bar.getByRole('button', { name });
    await expect(bar.getByRole('button').first()).toBeVisible();
    if (await button.isVisible()) return button.click();
    await bar.getByRole('button', { name: 'Más', exact: true }).click();
    return page.getByRole('menuitem', { name }).click();
  };
  await act('Añadir etiqueta');
  const dialog = page.getByRole('dialog', { name: /^Añadir etiqueta a 3/ });
  await dialog.getByRole('button', { name: 'Añadir', exact: true }).click();
  await expect(dialog.getByText('Escribe la etiqueta')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Etiqueta' }).fill(`Feria ${mark}`);
  await dialog.getByRole('button', { name: 'Añadir', exact: true }).click();
  await expect(page.getByText('Etiqueta añadida a 3 clientes')).toBeVisible();
  for (const { id } of clients)
    expect(await tagsOf(api, 'clients', id)).toEqual([`Base ${mark}`, `Otra ${mark}`, `Feria ${mark}`]);

  await page.goto(`/clients?q=Sol+${mark}`);
  await page.getByRole('checkbox', { name: 'Seleccionar los de esta página' }).check();
  await act('Quitar etiqueta');
  const removal = page.getByRole('dialog', { name: /^Quitar etiqueta de 1/ });
  await removal.getByRole('combobox', { name: 'Etiqueta' }).selectOption(`Feria ${mark}`);
  await removal.getByRole('button', { name: 'Quitar', exact: true }).click();
  await expect(page.getByText('Etiqueta quitada de 1 cliente')).toBeVisible();
  expect(await tagsOf(api, 'clients', clients[2]!.id)).toEqual([`Base ${mark}`, `Otra ${mark}`]);
});

for (const [theme, width] of [
  ['light', 1440],
  ['dark', 390],
  ['light', 320],
] as const) {
  test(`axe finds nothing where tags are typed and shown, and nothing overflows, ${theme}, ${width} px`, async ({
    page,
    api,
  }) => {
    test.setTimeout(90_000);
    const mark = unique();
    const tags = [`VIP ${mark}`, 'Sin espacios muyLargaParaUnaSolaLinea', 'x'.repeat(40)];
    const client = await api.createClient({ name: `Ana ${mark}`, tags });
    await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
    await page.setViewportSize({ width, height: 844 });
    const picture = async (name: string) => {
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/tags-${name}-${theme}-${width}.png` });
    };
    const look = async (name: string) => {
      expect(await barriers(page), name).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over, name).toBeLessThanOrEqual(0);
      await picture(name);
    };
    await page.goto(`/clients?editar=${client.id}`);
    await expect(chosen(page)).toHaveCount(3);
    await field(page).scrollIntoViewIfNeeded();
    await look('form');
    await page.goto(`/clients/${client.id}`);
    const link = page.getByRole('link', { name: `Ver todos con la etiqueta VIP ${mark}` });
    await link.scrollIntoViewIfNeeded();
    await look('details');
    await page.goto(`/clients?tag=${encodeURIComponent(`VIP ${mark}`)}`);
    await expect(rows(page)).toHaveCount(1);
    await look('list');
    await page.getByRole('button', { name: 'Filtros', exact: true }).click();
    await expect(chosen(page)).toHaveCount(1);
    await look('filters');
  });
}
