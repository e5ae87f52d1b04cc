import type { Page } from '@playwright/test';
import { rowsIn } from './support/list-rows.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** DESK-09, decision 146: rows are as wide as their words need, and lists remember each person's page size. */

const table = (page: Page) => page.locator('table[role=table]');
const rows = (page: Page) => rowsIn(table(page));

/** Names, addresses and types as long as vendors really have them. */
async function usualRecords(api: StaffApi, count = 3) {
  const mark = unique();
  const software = await api.createSoftware({ name: 'Punto de Venta', version: `4.${mark}` });
  for (let position = 0; position < count; position += 1) {
    const client = await api.createClient({
      name: `Ferretería La Esperanza ${position}`,
      email: `contabilidad${position}.${mark}@laesperanza.com.mx`,
      client_type: 'small_business',
      company: 'La Esperanza S.A. de C.V.',
      city: 'Guadalajara',
      contact_person: 'Laura Hernández Ruiz',
    });
    await api.createLicense({ client: client.id, software: software.id, expiry_days: 365 });
  }
  return mark;
}

/** Texts in cells that are not shown whole: cut with an ellipsis, or a relative time on two lines. */
const cutTexts = (page: Page) =>
  rows(page).evaluateAll((list) =>
    list.flatMap((row) =>
      [...row.querySelectorAll<HTMLElement>('td *')]
        .filter((box) => box.children.length === 0 && box.textContent.trim() && box.offsetWidth > 1)
        .filter((box) => {
          const block = box.closest<HTMLElement>('p, div, a') ?? box;
          const isCut =
            getComputedStyle(block).overflowX !== 'visible' &&
            (block.scrollWidth > block.clientWidth + 1 || block.scrollHeight > block.clientHeight + 1);
          return isCut || (box.tagName === 'TIME' && box.getClientRects().length > 1);
        })
        .map((box) => box.textContent),
    ),
  );

for (const path of ['/clients', '/licenses']) {
  test(`${path}: at 1440 px ordinary texts are whole, with the sidebar open (DESK-09)`, async ({
    page,
    api,
  }) => {
    const mark = await usualRecords(api);
    // 'Hace 9 minutos' is as long as a recent time can be.
    await page.clock.setFixedTime(Date.now() + 9.5 * 60_000);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${path}?q=${mark}`);
    await expect(rows(page)).toHaveCount(3);
    expect(await cutTexts(page)).toEqual([]);
    await expect(rows(page).first()).toContainText(`@laesperanza.com.mx`);
  });

  test(`${path}: at 1024 px the second line of each row begins where that of the others does (DESK-09)`, async ({
    page,
    api,
  }) => {
    const mark = await usualRecords(api);
    await page.setViewportSize({ width: 1024, height: 900 });
    await page.goto(`${path}?q=${mark}`);
    await expect(rows(page)).toHaveCount(3);
    const places = await rows(page).evaluateAll((list) =>
      list.map((row) => {
        const top = row.querySelector('td')!.getBoundingClientRect().bottom;
        return [...row.querySelectorAll('td')]
          .filter((cell) => cell.getBoundingClientRect().top >= top - 4)
          .map((cell) => `${cell.dataset.label} ${Math.round(cell.getBoundingClientRect().left)}`);
      }),
    );
    expect(places[0]?.length, 'a table of 1024 px has a second line').toBeGreaterThan(1);
    expect(new Set(places.map((line) => line.join(', '))).size).toBe(1);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('licence types and recent licences are rows of three lines, as licences are (DESK-09)', async ({
    page,
    api,
  }) => {
    const { id: software } = await api.createSoftware();
    const { id: client } = await api.createClient();
    await api.createLicense({ client, software });
    const name = `Anual ${unique()}`;
    await api.createLicenseType({ name, description: 'Con soporte' });
    await page.goto(`/license-types?q=${encodeURIComponent(name)}`);
    const row = rows(page).first();
    await expect(row).toContainText('$1,200.00');
    await expect(row).toContainText('5 instalaciones');
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(132);
    await row.getByRole('button', { name: 'Más acciones' }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Ver detalles', 'Editar', 'Eliminar']);

    await page.goto('/dashboard');
    await expect(rows(page).first().locator('td[data-phone=title]')).toBeVisible();
    for (const height of await rows(page).evaluateAll((all) => all.map((one) => one.clientHeight))) {
      expect(height).toBeLessThanOrEqual(120);
    }
  });
});

test('the page size is that of the person, also in a browser that two people share (DESK-09)', async ({
  page,
  api,
}) => {
  const mark = await usualRecords(api, 6);
  const username = `turno-${mark}`;
  await api.call('POST', '/api/auth/register/', {
    username,
    password: 'secreta-9',
    names: 'Tere',
    last_name: 'Turno',
    email: `${username}@example.com`,
  });
  const size = page.getByLabel('Por página');
  await page.goto(`/clients?q=${mark}`);
  await expect(size).toHaveValue('5');
  await size.selectOption('10');
  await expect(rows(page)).toHaveCount(6);

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await page.getByLabel('Usuario', { exact: true }).fill(username);
  await page.getByLabel('Contraseña', { exact: true }).fill('secreta-9');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(`/clients?q=${mark}`);
  await expect(size).toHaveValue('5');
  await expect(rows(page)).toHaveCount(5);
  await size.selectOption('20');

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await page.getByLabel('Usuario', { exact: true }).fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill('admin123');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(`/clients?q=${mark}`);
  await expect(size).toHaveValue('10');
});
