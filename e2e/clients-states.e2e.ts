import type { Page } from '@playwright/test';
import type { ClientInput } from '../contract/clients/clients.ts';
import { lateAnswer, passOn } from './support/drawn.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, type StaffApi, test, unique } from './support/staff.ts';

/** States of the list of clients: loading, failed, restored from the URL, printed. */

const LIST = '/licenses/api/clients/';

/** Creates clients that only a search for the returned mark finds. The last one created is first in the list. */
async function someClients(
  api: StaffApi,
  count: number,
  values: (position: number) => Partial<ClientInput> = () => ({}),
) {
  const mark = unique();
  for (let position = 1; position <= count; position++) {
    await api.createClient({ name: `Cliente ${position} ${mark}`, ...values(position) });
  }
  return mark;
}

const rows = (page: Page) => listRows(page, 'Lista de clientes');

test('five skeleton rows show while the list loads, at any page size (SEED-2.6-22)', async ({ page }) => {
  // The answer is delayed, because the list is requested before the screen is rendered.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${LIST}?*`, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/clients?page_size=20');
  await expect(page.locator('[data-skeleton-row]')).toHaveCount(5);
  release();
  await expect(page.locator('[data-skeleton-row]')).toHaveCount(0);
  await expect(rows(page).first()).toBeVisible();
});

test('a failed load is retried once, then shows the error and a retry button (SEED-2.6-23, SEED-4-27, SEED-8.3-01, SEED-8.1-04)', {
  tag: '@gate',
}, async ({ page, guard }) => {
  guard.allowConsoleError(/500|ERR_FAILED/);
  const calls = callsTo(page, 'GET', LIST);
  await page.route(`**${LIST}?*`, (route) =>
    route.fulfill({ status: 500, json: { success: false, message: 'Falla de prueba' } }),
  );
  await page.goto('/clients');
  const alert = page.getByRole('alert').filter({ hasText: 'Error al cargar los clientes' });
  await expect(alert).toContainText('Falla de prueba');
  expect(calls.length).toBe(2);
  const [red = 0, green = 0] = await alert
    .getByText('Error al cargar los clientes')
    .evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? []);
  expect(red).toBeGreaterThan(2 * green);

  await page.unroute(`**${LIST}?*`);
  await page.route(`**${LIST}?*`, (route) => route.abort());
  await alert.getByRole('button', { name: 'Reintentar' }).click();
  await expect(alert).toContainText('Network error: No se pudo conectar con el servidor');

  await page.unroute(`**${LIST}?*`);
  await alert.getByRole('button', { name: 'Reintentar' }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(alert).toBeHidden();
});

test('search, filter, page and page size are in the URL, survive a reload, and Back undoes one step', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = await someClients(api, 12);
  await page.goto('/clients');
  await page.getByPlaceholder('Buscar clientes...').fill(mark);
  await expect(page).toHaveURL(new RegExp(`q=${mark}`));
  await expect(page.getByText('Mostrando 1 a 5 de 12 resultados')).toBeVisible();
  await page.getByRole('button', { name: '2', exact: true }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.reload();
  await expect(page.getByText('Mostrando 6 a 10 de 12 resultados')).toBeVisible();
  await expect(page.getByPlaceholder('Buscar clientes...')).toHaveValue(mark);

  await page.getByLabel('Filtrar por estado').selectOption('Activo');
  await expect(page).not.toHaveURL(/page=/);
  await page.goBack();
  await expect(page.getByText('Mostrando 6 a 10 de 12 resultados')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Mostrando 1 a 5 de 12 resultados')).toBeVisible();
  await page.goBack();
  await expect(page.getByPlaceholder('Buscar clientes...')).toHaveValue('');
});

test('while the next page loads the old rows are dimmed and nothing moves, and a late answer never replaces a newer one', async ({
  page,
  api,
}) => {
  const mark = await someClients(api, 7, (position) => ({
    company: position === 7 ? 'Zapatería' : 'Abarrotes',
  }));
  await page.goto(`/clients?q=${mark}`);
  await expect(rows(page)).toHaveCount(5);
  const late = lateAnswer(page, passOn);
  await page.route(`**${LIST}?page=2*`, late.handler);
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(rows(page)).toHaveCount(5);

  await page.getByPlaceholder('Buscar clientes...').fill(`zapatería ${mark}`);
  await expect(rows(page)).toHaveCount(1);
  await late.release();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(`Cliente 7 ${mark}`);
});

test('the printed page shows the table with every column and its filters, and no controls', async ({
  page,
  api,
}) => {
  const mark = await someClients(api, 2, (position) => ({
    email: `${unique()}.una.direccion.bastante.larga.${position}@subdominio.example.com`,
  }));
  await page.goto(`/clients?q=${mark}&status=active`);
  await expect(rows(page)).toHaveCount(2);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 900, height: 700 });
  // Text that is truncated on the screen is printed in full.
  const cut = await rows(page).evaluateAll(
    (list) =>
      list.flatMap((row) =>
        [...row.querySelectorAll('p, a')].filter((text) => text.scrollWidth > text.clientWidth + 1),
      ).length,
  );
  expect(cut).toBe(0);
  await expect(page.getByText(`Búsqueda: ${mark} · Estado: Activo · Impreso el`)).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Cliente',
    'Empresa',
    'Tipo',
    'Estado',
    'Contacto',
    'Licencias',
    'Registro',
  ]);
  for (const name of ['Nuevo Cliente', 'Imprimir', 'Exportar', 'Editar', 'Cerrar Sesión']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await expect(page.getByPlaceholder('Buscar clientes...')).toBeHidden();
});

test('the printed page shows page number, filters, print time and total (D056)', async ({ page, api }) => {
  const mark = await someClients(api, 12);
  await page.goto(`/clients?q=${mark}&status=active&page=2`);
  await expect(rows(page)).toHaveCount(5);
  const note = page.getByText(`Página 2 de 3 · Búsqueda: ${mark} · Estado: Activo · Impreso el`);
  await expect(note).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(note).toBeVisible();
  await expect(page.getByText('12 clientes', { exact: true })).toBeVisible();
  await expect(page.getByText('Mostrando 6 a 10 de 12 resultados')).toBeVisible();
});
