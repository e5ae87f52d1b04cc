import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ClientInput } from '../contract/clients/clients.ts';
import { barriers } from './support/axe.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, queryOf, type StaffApi, test, typeAtOnce, unique } from './support/staff.ts';

const LIST = '/licenses/api/clients/';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

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

test('the page has its heading, its subtitle and its actions (SEED-1-01, SEED-2.1-05, SEED-2.6-01, SEED-2.6-02, SEED-2.6-15)', async ({
  page,
}) => {
  await page.goto('/clients');
  await expect(page.getByRole('heading', { level: 1, name: 'Clientes' })).toBeVisible();
  await expect(page.getByText('Gestiona los clientes del sistema')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nuevo Cliente' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Exportar' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Lista de clientes' })).toBeVisible();

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.getByRole('button', { name: 'Imprimir' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
});

test('the table has its columns (SEED-2.6-06, SEED-2.6-07, SEED-2.6-08, SEED-2.6-09, SEED-2.6-10, SEED-2.6-11, SEED-2.6-12, SEED-2.6-13, SEED-4-24)', async ({
  page,
  api,
}) => {
  const software = await api.createSoftware();
  const mark = unique();
  const client = await api.createClient({
    name: `Óscar ${mark}`,
    email: `oscar-${mark}@example.com`,
    company: 'Panadería La Espiga',
    city: 'Puebla',
    phone: '+522221234567',
    contact_person: 'Lucía Ramos',
    client_type: 'small_business',
    status: 'pending',
  });
  await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/clients?q=${mark}`);
  const headers = page.getByRole('columnheader');
  await expect(headers).toHaveText([
    'Cliente',
    'Empresa',
    'Tipo',
    'Estado',
    'Contacto',
    'Licencias',
    'Registro',
    'Acciones',
  ]);
  const cells = rows(page).first().getByRole('cell');
  await expect(cells.nth(0)).toContainText(`ÓÓscar ${mark}oscar-${mark}@example.com`);
  await expect(cells.nth(1)).toHaveText('Panadería La EspigaPuebla');
  await expect(cells.nth(2)).toHaveText('Pequeña Empresa');
  await expect(cells.nth(3)).toHaveText('Pendiente');
  await expect(cells.nth(4)).toHaveText('+522221234567Lucía Ramos');
  await expect(cells.nth(5)).toHaveText('1 activa');
  const today = new Intl.DateTimeFormat('es-MX', {
    timeZone: 'America/Mexico_City',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).format(new Date());
  await expect(cells.nth(6)).toHaveText(`${today}Hace un momento`);
  for (const name of ['Ver detalles', 'Editar', 'Eliminar']) {
    await expect(cells.nth(7).getByRole('button', { name, exact: true })).toBeVisible();
  }

  // An expired licence counts as a licence of the client, but not as an active one (D094).
  await api.createLicense({ client: client.id, software: software.id, status: 'suspended' });
  await api.createLicense({ client: client.id, software: software.id });
  await page.reload();
  await expect(cells.nth(5)).toHaveText('2 activas');
});

test('the search sends one request after typing stops, without empty filters (SEED-2.6-03, SEED-7.2-02)', async ({
  page,
  api,
}) => {
  const mark = await someClients(api, 2, (position) => ({
    company: position === 1 ? 'Zapatería' : 'Abarrotes',
  }));
  const calls = callsTo(page, 'GET', LIST);
  await page.clock.install();
  await page.goto('/clients');
  await expect(rows(page).first()).toBeVisible();
  expect(queryOf(calls[0])).toEqual({ page: '1', page_size: '5' });

  await typeAtOnce(page, page.getByPlaceholder('Buscar clientes...'), `ZAPATERIA ${mark}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(`Cliente 1 ${mark}`);
  expect(calls.length).toBe(2);
  expect(queryOf(calls[1])).toMatchObject({ search: `ZAPATERIA ${mark}`, page: '1' });

  await page.getByRole('button', { name: 'Limpiar búsqueda' }).click();
  await expect(page).toHaveURL(/\/clients$/);
});

test('the list can be filtered by status and type, each with its label and colour (SEED-2.6-04, SEED-2.6-05, SEED-3-08, SEED-4-13)', async ({
  page,
  api,
}) => {
  const types = ['individual', 'small_business', 'medium_business', 'large_business', 'enterprise'] as const;
  const statuses = ['active', 'inactive', 'suspended', 'pending'] as const;
  const mark = await someClients(api, 5, (position) => ({
    client_type: types[position - 1],
    status: statuses[(position - 1) % 4],
  }));
  const calls = callsTo(page, 'GET', LIST);
  await page.goto(`/clients?q=${mark}`);
  await expect(rows(page)).toHaveCount(5);
  for (const label of ['Individual', 'Pequeña Empresa', 'Mediana Empresa', 'Gran Empresa', 'Corporativo']) {
    await expect(rows(page).getByText(label, { exact: true })).toBeVisible();
  }
  const colour = (label: string) =>
    rows(page)
      .getByText(label, { exact: true })
      .first()
      .evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? []);
  const [green, grey, red, amber] = await Promise.all(
    ['Activo', 'Inactivo', 'Suspendido', 'Pendiente'].map(colour),
  );
  expect(green![1], 'success is green').toBeGreaterThan(green![0]!);
  expect(Math.max(...grey!) - Math.min(...grey!), 'secondary is grey').toBeLessThan(40);
  expect(red![0], 'danger is red').toBeGreaterThan(3 * red![1]!);
  expect(amber![0]! > amber![1]! && amber![1]! > amber![2]!, 'warning is amber').toBe(true);

  await page.getByLabel('Filtrar por estado').selectOption('Suspendido');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Mediana Empresa');
  expect(queryOf(calls.at(-1))).toMatchObject({ status: 'suspended' });
  await expect(page).toHaveURL(/status=suspended/);

  await page.getByLabel('Filtrar por estado').selectOption('Todos los estados');
  await page.getByLabel('Filtrar por tipo').selectOption('Corporativo');
  await expect(rows(page)).toHaveCount(1);
  expect(queryOf(calls.at(-1))).toEqual({ page: '1', page_size: '5', search: mark, type: 'enterprise' });
});

test('the list shows pages of five that the server computes (SEED-2.3-08, SEED-2.3-09, SEED-2.3-10, SEED-2.3-12, SEED-2.6-14, SEED-2.6-17, SEED-2.6-18, SEED-2.6-19, SEED-2.6-20, SEED-9-03)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = await someClients(api, 21);
  const calls = callsTo(page, 'GET', LIST);
  await page.goto(`/clients?q=${mark}`);
  await expect(rows(page)).toHaveCount(5);
  expect(queryOf(calls[0])).toMatchObject({ page: '1', page_size: '5' });
  await expect(page.getByText('21 clientes', { exact: true })).toBeVisible();
  await expect(page.getByText('Mostrando 1 a 5 de 21 resultados')).toBeVisible();
  const pager = page.getByRole('navigation', { name: 'Paginación' });
  await expect(pager.getByRole('button')).toHaveText(['Anterior', '1', '2', '3', '4', '5', 'Siguiente']);
  await expect(pager.getByRole('button', { name: '1', exact: true })).toHaveAttribute('aria-current', 'page');
  await expect(pager.getByRole('button', { name: 'Anterior' })).toBeDisabled();

  await pager.getByRole('button', { name: '2', exact: true }).click();
  await expect(page.getByText('Mostrando 6 a 10 de 21 resultados')).toBeVisible();
  expect(queryOf(calls.at(-1))).toMatchObject({ page: '2', page_size: '5' });
  await pager.getByRole('button', { name: '5', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(pager.getByRole('button', { name: 'Siguiente' })).toBeDisabled();

  const size = page.getByLabel('Por página');
  await expect(size.getByRole('option')).toHaveText(['5', '10', '20', '50']);
  await size.selectOption('50');
  await expect(rows(page)).toHaveCount(21);
  expect(queryOf(calls.at(-1))).toMatchObject({ page: '1', page_size: '50' });
  await expect(pager).toBeHidden();
  await expect(page.getByText(/Mostrando/)).toBeHidden();
  await expect(page.getByText('21 clientes', { exact: true })).toBeVisible();
});

test('a list answer as a plain array and one inside data are both paged, with links to five pages (SEED-2.3-11, SEED-9-02, SEED-2.6-21, SEED-3-27, SEED-3-28)', async ({
  page,
}) => {
  const many = Array.from({ length: 57 }, (_, position) => ({
    id: position + 1,
    name: `Cliente ${position + 1}`,
    email: `c${position + 1}@example.com`,
    status: 'active',
    client_type: 'individual',
    created_at: new Date().toISOString(),
    license_count: 1,
  }));
  let answer: unknown = many;
  await page.route(`**${LIST}?*`, (route) => route.fulfill({ json: answer }));
  await page.goto('/clients?page=6');
  const pager = page.getByRole('navigation', { name: 'Paginación' });
  await expect(page.getByText('Mostrando 26 a 30 de 57 resultados')).toBeVisible();
  await expect(rows(page).first()).toContainText('Cliente 26');
  // Older servers send no active_license_count (D094).
  await expect(rows(page).first()).toContainText('1 activa');
  await expect(pager).toHaveText('Anterior1...45678...12Siguiente');

  answer = { success: true, data: { count: 57, results: many.slice(0, 5) } };
  await page.goto('/clients?page=1&page_size=5');
  await expect(page.getByText('Mostrando 1 a 5 de 57 resultados')).toBeVisible();
  await expect(pager).toHaveText('Anterior12345...12Siguiente');
});

test('an empty result shows a message and a way to clear the filters (SEED-2.6-16)', async ({ page }) => {
  await page.goto(`/clients?q=${unique()}&status=active`);
  await expect(page.getByText('No hay clientes', { exact: true })).toBeVisible();
  await expect(page.getByText('Ajusta los filtros o agrega tu primer cliente.')).toBeVisible();
  await page.getByRole('button', { name: 'Limpiar filtros' }).click();
  await expect(rows(page)).not.toHaveCount(0);
  await expect(page.getByPlaceholder('Buscar clientes...')).toHaveValue('');
  await expect(page).toHaveURL(/\/clients$/);
});

test('ages are shown in minutes, hours, days, months and years, with the exact time as tooltip (SEED-4-25)', async ({
  page,
  api,
}) => {
  const ages: [number, string][] = [
    [5 * MINUTE, 'Hace 5 minutos'],
    [5 * 60 * MINUTE, 'Hace 5 horas'],
    [5 * DAY, 'Hace 5 días'],
    [60 * DAY, 'Hace 2 meses'],
    [800 * DAY, 'Hace 2 años'],
  ];
  const mark = await someClients(api, 5);
  await page.route(`**${LIST}?*`, async (route) => {
    const answer = await route.fetch();
    const body: { results: { created_at: string }[] } = await answer.json();
    body.results.forEach((client, position) => {
      client.created_at = new Date(Date.now() - ages[position]![0] - 1_000).toISOString();
    });
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(`/clients?q=${mark}`);
  for (const [position, [, label]] of ages.entries()) {
    const time = rows(page).nth(position).getByRole('time');
    await expect(time).toHaveText(label);
    await expect(time).toHaveAttribute('title', /^\d{2}\/\d{2}\/\d{4}, \d{2}:\d{2}$/);
  }
});

test('the export sends the filters, and a failed export shows an error (SEED-8.1-08, SEED-7.2-09)', async ({
  page,
  api,
  guard,
}) => {
  const mark = await someClients(api, 2);
  await page.goto(`/clients?q=${mark}`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^clientes_\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(3);

  guard.allowConsoleError(/500/);
  await page.route(`**${LIST}export/*`, (route) => route.fulfill({ status: 500, body: 'x' }));
  await page.getByRole('button', { name: 'Exportar' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al exportar' });
  await expect(toast).toContainText('Failed to export clients');
});

test('a list is exported to Excel from the menu beside the button, by keyboard too (INPUT-06)', async ({
  page,
  api,
}) => {
  const mark = await someClients(api, 2);
  await page.goto(`/clients?q=${mark}`);
  const formats = page.getByRole('button', { name: 'Elegir formato' });
  await formats.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Excel (.xlsx)', 'CSV']);
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(formats).toBeFocused();
  await formats.click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel (.xlsx)' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^clientes_\d{4}-\d{2}-\d{2}\.xlsx$/);
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
  await expect(formats).toBeFocused();
});

test("deleting asks with the browser's confirm box, and focus moves to the next row (SEED-5.6-01, SEED-8.3-09)", async ({
  page,
  api,
}) => {
  const mark = await someClients(api, 6);
  await page.goto(`/clients?q=${mark}&page=2`);
  await expect(rows(page)).toHaveCount(1);

  let question = '';
  page.once('dialog', (dialog) => {
    question = dialog.message();
    void dialog.dismiss();
  });
  await rows(page).getByRole('button', { name: 'Eliminar' }).click();
  expect(question).toBe('¿Estás seguro de que quieres eliminar este cliente?');
  await expect(rows(page)).toHaveCount(1);

  // After the last row of the last page was deleted, the previous page is shown (D044).
  page.on('dialog', (dialog) => void dialog.accept());
  await rows(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Cliente eliminado exitosamente' })).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await expect(page).not.toHaveURL(/page=/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await rows(page).nth(1).getByRole('button', { name: 'Eliminar' }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).nth(1).getByRole('button', { name: 'Eliminar' })).toBeFocused();
});

test('a client with licences is not deleted, and a toast shows the reason (D013)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/409/);
  const client = await api.createClient({ company: unique() });
  const software = await api.createSoftware();
  await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/clients?q=${client.company}`);
  page.on('dialog', (dialog) => void dialog.accept());
  await rows(page).getByRole('button', { name: 'Eliminar' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al eliminar el cliente' });
  await expect(toast).toContainText('No se puede eliminar el cliente porque tiene 1 licencia asociada.');
  await expect(rows(page)).toHaveCount(1);
});

test("a search with more than a thousand matches shows 'Más de 1000', and paging reaches the last page (D045)", async ({
  page,
  api,
}) => {
  const mark = unique();
  const create = (position: number) => api.createClient({ name: `Cliente ${position} ${mark}` });
  for (let done = 0; done < 1003; done += 17) {
    await Promise.all(Array.from({ length: 17 }, (_, index) => create(done + index)));
  }
  await page.goto(`/clients?q=${mark}&page=200`);
  await expect(page.getByText('Más de 1000 clientes')).toBeVisible();
  await expect(page.getByText('Mostrando 996 a 1,000 de más de 1000 resultados')).toBeVisible();
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByText('Mostrando 1,001 a 1,003 de 1,003 resultados')).toBeVisible();
  await expect(page.getByText('1,003 clientes')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Siguiente' })).toBeDisabled();
  await expect(rows(page)).toHaveCount(3);
});
