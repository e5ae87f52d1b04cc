import type { Locator, Page } from '@playwright/test';
import { callsTo, expect, queryOf, type StaffApi, test, typeAtOnce, unique } from './support/staff.ts';

const LIST = '/licenses/api/software/';

const cards = (page: Page) => page.getByRole('list', { name: 'Software' }).getByRole('article');
const card = (page: Page, name: string) => cards(page).filter({ hasText: name });
const input = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });
const select = (form: Locator, name: string) => form.getByRole('combobox', { name, exact: true });

/** Creates three software records that a search for the returned mark finds: two active, one inactive. */
async function somePrograms(api: StaffApi): Promise<string> {
  const mark = unique();
  await api.createSoftware({ name: `Caja ${mark}`, version: '4.2.0', description: 'Punto de venta' });
  await api.createSoftware({ name: `Nómina ${mark}`, version: '2.8.1', description: '' });
  await api.createSoftware({ name: `Antiguo ${mark}`, version: '0.9', is_active: false });
  return mark;
}

test('each software is shown in one card (SEED-2.1-10, SEED-2.10-01, SEED-2.10-02, SEED-2.10-03, SEED-2.10-04, SEED-4-15)', async ({
  page,
  api,
}) => {
  const mark = await somePrograms(api);
  const client = await api.createClient();
  const { id } = await api.createSoftware({
    name: `Ruta ${mark}`,
    version: '3.1.4',
    description: 'Entregas',
  });
  for (let count = 0; count < 3; count++) await api.createLicense({ client: client.id, software: id });
  await api.createLicense({ client: client.id, software: id, status: 'cancelled' });
  await page.goto(`/software?q=${mark}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Software' })).toBeVisible();
  await expect(page.getByText('Gestiona el software registrado')).toBeVisible();
  await expect(cards(page)).toHaveCount(4);
  const route = card(page, 'Ruta');
  for (const text of ['3.1.4', 'Entregas', '3 licencias activas', 'Activo', 'Hace un momento']) {
    await expect(route.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(card(page, 'Caja').getByText('0 licencias activas')).toBeVisible();
  // The count links to all licences of the software, including ended ones.
  await expect(route.getByRole('link', { name: '3 licencias activas' })).toHaveAttribute(
    'href',
    `/licenses?software=${id}`,
  );
  await route.getByRole('link', { name: new RegExp(`^Ruta ${mark}`) }).click();
  const details = page.getByRole('dialog', { name: 'Detalles del Software' });
  await expect(details.getByRole('heading', { name: `Ruta ${mark} 3.1.4` })).toBeVisible();
  await details.getByRole('link', { name: '3: ver sus licencias' }).click();
  await expect(page).toHaveURL(new RegExp(`/licenses\\?software=${id}$`));
  await expect(page.locator('tbody [data-row-key]')).toHaveCount(4);
  await page.goto(`/software?q=${mark}`);
  await expect(card(page, 'Antiguo').getByText('Inactivo', { exact: true })).toBeVisible();
  await expect(card(page, 'Nómina').getByText('Sin descripción')).toBeVisible();
});

test('search and filter narrow the grid, and empty filters are not sent (SEED-2.10-05, SEED-2.10-06, SEED-7.3-01, SEED-7.3-02)', async ({
  page,
  api,
}) => {
  const mark = await somePrograms(api);
  const calls = callsTo(page, 'GET', LIST);
  await page.clock.install();
  await page.goto('/software');
  await expect(cards(page).first()).toBeVisible();
  expect(queryOf(calls[0])).toEqual({});

  await typeAtOnce(page, page.getByPlaceholder('Buscar software...'), `nomina ${mark}`);
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText(`Nómina ${mark}`);
  expect(calls).toHaveLength(2);
  await page.getByPlaceholder('Buscar software...').fill(mark);
  await expect(cards(page)).toHaveCount(3);

  const filter = page.getByLabel('Filtrar por estado');
  await expect(filter.getByRole('option')).toHaveText(['Todos', 'Activos', 'Inactivos']);
  await filter.selectOption('Activos');
  await expect(cards(page)).toHaveCount(2);
  expect(queryOf(calls.at(-1))).toEqual({ search: mark, is_active: 'true' });
  await filter.selectOption('Inactivos');
  await expect(cards(page)).toHaveCount(1);
  await page.reload();
  await expect(cards(page)).toHaveCount(1);
  await expect(filter).toHaveValue('false');
  await filter.selectOption('Todos');
  await expect(cards(page)).toHaveCount(3);
});

test('a software is registered, edited, viewed and deleted (SEED-1-04, SEED-2.10-07, SEED-2.10-09, SEED-5.6-03, SEED-7.3-04, SEED-8.3-12) @gate', async ({
  page,
}) => {
  const mark = unique();
  const posts = callsTo(page, 'POST', LIST);
  const puts = callsTo(page, 'PUT', /\/licenses\/api\/software\/\d+\/$/);
  const lists = callsTo(page, 'GET', LIST);
  await page.goto('/software');
  await page.getByRole('button', { name: 'Nuevo Software' }).click();
  const create = page.getByRole('dialog', { name: 'Nuevo Software' });
  await input(create, 'Nombre').fill(`  Caja ${mark} `);
  await input(create, 'Versión').fill('4.2.0');
  const before = lists.length;
  await create.getByRole('button', { name: 'Crear Software' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'Software registrado exitosamente' }),
  ).toBeVisible();
  await expect(create).toBeHidden();
  expect(posts[0]!.postDataJSON()).toEqual({
    name: `Caja ${mark}`,
    version: '4.2.0',
    description: '',
    is_active: true,
    trial_type: null,
    trial_email: 'no',
    trial_daily_limit: 200,
    is_public: false,
  });
  expect(posts[0]!.headers()['idempotency-key']).toBeTruthy();
  expect(lists.length).toBeGreaterThan(before);
  await expect(card(page, mark)).toBeVisible();

  await card(page, mark).getByRole('button', { name: 'Editar' }).click();
  const edit = page.getByRole('dialog', { name: 'Editar Software' });
  await expect(input(edit, 'Nombre')).toHaveValue(`Caja ${mark}`);
  await input(edit, 'Descripción').fill('Punto de venta');
  await select(edit, 'Estado').selectOption('Inactivo');
  await edit.getByRole('button', { name: 'Actualizar Software' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'Software actualizado exitosamente' }),
  ).toBeVisible();
  expect(puts[0]!.postDataJSON()).toMatchObject({
    name: `Caja ${mark}`,
    version: '4.2.0',
    description: 'Punto de venta',
    is_active: false,
    updated_at: expect.any(String),
  });
  await expect(card(page, mark).getByText('Inactivo', { exact: true })).toBeVisible();
  await expect(card(page, mark).getByRole('button', { name: 'Editar' })).toBeFocused();

  let question = '';
  page.once('dialog', (dialog) => {
    question = dialog.message();
    void dialog.dismiss();
  });
  await card(page, mark).getByRole('button', { name: 'Eliminar' }).click();
  expect(question).toBe('¿Estás seguro de que quieres eliminar este software?');
  await expect(card(page, mark)).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await card(page, mark).getByRole('button', { name: 'Eliminar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Software eliminado exitosamente' })).toBeVisible();
  await expect(card(page, mark)).toHaveCount(0);
  await expect(cards(page).first().getByRole('button', { name: 'Eliminar' })).toBeFocused();
});

test('the details open from the card and by their address (SEED-2.1-11, SEED-2.10-08)', async ({
  page,
  api,
  guard,
}) => {
  const mark = unique();
  const software = await api.createSoftware({
    name: `Caja ${mark}`,
    version: '4.2.0',
    description: 'Punto de venta',
    is_active: false,
  });
  await page.goto(`/software?q=${mark}`);
  await card(page, mark).getByRole('button', { name: 'Ver detalles' }).click();
  const details = page.getByRole('dialog', { name: 'Detalles del Software' });
  await expect(page).toHaveURL(new RegExp(`/software/${software.id}\\?q=${mark}$`));
  const moment = /\d{2}\/\d{2}\/\d{4}, \d{2}:\d{2}Hace un momento/.source;
  await expect(details.locator('dl')).toHaveText(
    new RegExp(
      `^NombreCaja ${mark}Versión4.2.0DescripciónPunto de ventaEstadoInactivoLicencias activas0Pruebas desde el programaNo se ofrecenCreado${moment}Última actualización${moment}Código${software.code}`,
    ),
  );
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(card(page, mark).getByRole('button', { name: 'Ver detalles' })).toBeFocused();

  await page.goto(`/software/${software.id}`);
  await expect(details).toContainText(`Caja ${mark}`);
  guard.allowConsoleError(/404/);
  await page.goto('/software/999999999');
  await expect(details.getByText('Software no encontrado')).toBeVisible();
});

test('name and version are required, the description is optional (SEED-5.4-01, SEED-5.4-02, SEED-5.4-03, SEED-5.4-04)', async ({
  page,
}) => {
  const posts = callsTo(page, 'POST', LIST);
  await page.goto('/software?nuevo=1');
  const create = page.getByRole('dialog', { name: 'Nuevo Software' });
  await expect(create.getByPlaceholder('1.0.0')).toBeVisible();
  await expect(input(create, 'Nombre')).toHaveAttribute('aria-required', 'true');
  await expect(input(create, 'Versión')).toHaveAttribute('aria-required', 'true');
  await expect(input(create, 'Descripción')).not.toHaveAttribute('aria-required');
  await expect(select(create, 'Estado').getByRole('option')).toHaveText(['Activo', 'Inactivo']);
  await create.getByRole('button', { name: 'Crear Software' }).click();
  await expect(create.getByText('El nombre es obligatorio')).toBeVisible();
  await expect(create.getByText('La versión es obligatoria')).toBeVisible();
  await expect(input(create, 'Nombre')).toBeFocused();
  await input(create, 'Nombre').fill(`Caja ${unique()}`);
  await expect(create.getByText('El nombre es obligatorio')).toBeHidden();
  await create.getByRole('button', { name: 'Crear Software' }).click();
  await expect(input(create, 'Versión')).toBeFocused();
  expect(posts).toHaveLength(0);
  await input(create, 'Versión').fill('1.0.0');
  await create.getByRole('button', { name: 'Crear Software' }).click();
  await expect(create).toBeHidden();
  expect(posts).toHaveLength(1);
});

test('server errors show under their fields, others in a toast, and the dialog stays open (SEED-5.4-05, SEED-8.3-07, SEED-8.3-08)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400|500|Error al (registrar|actualizar) el software/);
  const taken = await api.createSoftware();
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  await page.goto('/software?nuevo=1');
  const create = page.getByRole('dialog', { name: 'Nuevo Software' });
  await input(create, 'Nombre').fill(taken.name.toUpperCase());
  await input(create, 'Versión').fill(taken.version);
  await create.getByRole('button', { name: 'Crear Software' }).click();
  await expect(create.getByText('Ya existe un software con este nombre y versión')).toBeVisible();
  await expect(input(create, 'Nombre')).toBeFocused();
  await expect(input(create, 'Nombre')).toHaveAttribute('aria-invalid', 'true');

  await page.route(`**${LIST}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { success: false, message: 'Falla de prueba' } })
      : route.continue(),
  );
  await input(create, 'Nombre').fill('Otro');
  await create.getByRole('button', { name: 'Crear Software' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al registrar el software' });
  await expect(toast).toContainText('Falla de prueba');
  await expect(input(create, 'Nombre')).toHaveValue('Otro');
  expect(logged.filter((line) => line.includes('Error al registrar el software')).length).toBe(2);

  page.on('dialog', (question) => void question.accept());
  const other = await api.createSoftware();
  await page.route(`**${LIST}${other.id}/`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 400, json: { success: false, errors: { version: ['Versión de prueba'] } } })
      : route.continue(),
  );
  await page.goto(`/software?editar=${other.id}`);
  const edit = page.getByRole('dialog', { name: 'Editar Software' });
  await input(edit, 'Descripción').fill('Algo');
  await edit.getByRole('button', { name: 'Actualizar Software' }).click();
  await expect(edit.getByText('Versión de prueba')).toBeVisible();
  await expect(input(edit, 'Versión')).toBeFocused();
});

test('the page shows the number of software above the cards', async ({ page, api }) => {
  const mark = unique();
  for (const name of ['Caja', 'Agenda']) await api.createSoftware({ name: `${name} ${mark}` });
  await page.goto(`/software?q=${mark}`);
  await expect(page.getByRole('main').getByText('2 software', { exact: true })).toBeVisible();
  await page.goto(`/software?q=Caja ${mark}`);
  await expect(page.getByRole('main').getByText('1 software', { exact: true })).toBeVisible();
});

test('an empty result shows a message and a way to clear the filters (SEED-2.10-10)', async ({ page }) => {
  await page.goto(`/software?q=${unique()}`);
  await expect(page.getByText('No hay software', { exact: true })).toBeVisible();
  await expect(page.getByText('Ajusta los filtros o registra tu primer software.')).toBeVisible();
  await page.getByRole('button', { name: 'Limpiar filtros' }).click();
  await expect(cards(page).first()).toBeVisible();
});

test('a failed load of the list shows the error (SEED-2.10-11, SEED-8.1-02, SEED-8.1-03, SEED-8.1-04, SEED-8.3-03)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500|503|ERR_FAILED/);
  let answer: { status: number; json: unknown } | null = { status: 500, json: { message: 'Fallo X' } };
  await page.route(`**${LIST}`, (route) => (answer === null ? route.abort() : route.fulfill(answer)));
  await page.goto('/software');
  const alert = page.getByRole('alert').filter({ hasText: 'Error al cargar el software' });
  await expect(alert).toContainText('Fallo X');
  answer = { status: 503, json: {} };
  await alert.getByRole('button', { name: 'Reintentar' }).click();
  await expect(alert).toContainText('HTTP 503');
  answer = null;
  await alert.getByRole('button', { name: 'Reintentar' }).click();
  await expect(alert).toContainText('Network error: No se pudo conectar con el servidor');
});

test('the list is cached for five minutes (SEED-4-26)', async ({ page }) => {
  const calls = callsTo(page, 'GET', LIST);
  await page.goto('/software');
  await expect(cards(page).first()).toBeVisible();
  // Goes to a screen that does not request software; Reportes would, for its filter.
  await page.getByRole('link', { name: 'Tipos de Licencia' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tipos de Licencia' })).toBeVisible();
  await page.getByRole('link', { name: 'Software', exact: true }).click();
  await expect(cards(page).first()).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('the export sends the filters, and a failed export shows an error (SEED-8.1-10)', async ({
  page,
  api,
  guard,
}) => {
  const mark = await somePrograms(api);
  await page.goto(`/software?q=${mark}&active=false`);
  await expect(cards(page)).toHaveCount(1);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^software_\d{4}-\d{2}-\d{2}\.csv$/);
  expect(queryOf(await lastExport(page))).toEqual({ search: mark, is_active: 'false', values: 'words' });

  guard.allowConsoleError(/500/);
  await page.route(`**${LIST}export/*`, (route) => route.fulfill({ status: 500, body: 'x' }));
  await page.getByRole('button', { name: 'Exportar' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Error al exportar' })).toContainText(
    'Failed to export software',
  );
});

/** Exports again and returns the call. */
async function lastExport(page: Page) {
  const [request] = await Promise.all([
    page.waitForRequest(`**${LIST}export/*`),
    page.getByRole('button', { name: 'Exportar' }).click(),
  ]);
  return request;
}

test('when two people edit the same software, a field that both changed is asked about and the rest merges (D091)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/412|Error al actualizar el software/);
  const software = await api.createSoftware();
  await page.goto(`/software?editar=${software.id}`);
  const edit = page.getByRole('dialog', { name: 'Editar Software' });
  await input(edit, 'Versión').fill('3.0.0');
  await api.call('PUT', `${LIST}${software.id}/`, { version: '2.0.0', is_active: false });
  await edit.getByRole('button', { name: 'Actualizar Software' }).click();
  const notice = edit.getByRole('alert');
  await expect(notice.getByRole('listitem')).toHaveText([
    'VersiónConservar el mío: 3.0.0Usar el actual: 2.0.0',
  ]);
  await expect(notice).toContainText('Se incorporaron los cambios de otra persona en: Estado');
  await notice.getByRole('radio', { name: 'Conservar el mío' }).check();
  await edit.getByRole('button', { name: 'Actualizar Software' }).click();
  await expect(edit).toBeHidden();
  expect(await api.call('GET', `${LIST}${software.id}/`)).toMatchObject({
    version: '3.0.0',
    is_active: false,
  });
});
