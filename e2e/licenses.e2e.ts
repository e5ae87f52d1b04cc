import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { License, LicenseInput } from '../contract/licenses/licenses.ts';
import { lateAnswer } from './support/drawn.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, queryOf, type StaffApi, test, typeAtOnce, unique } from './support/staff.ts';

const LIST = '/licenses/api/licenses/';
const KEY = /[2-9A-HJ-NP-Z]{5}(?:-[2-9A-HJ-NP-Z]{5}){4}/;

/** Creates a client with a unique name and some licences. The last licence created is first in the list. */
async function someLicenses(
  api: StaffApi,
  count: number,
  values: (position: number) => Partial<Omit<LicenseInput, 'client' | 'software'>> = () => ({}),
) {
  const mark = unique();
  const client = await api.createClient({ name: `Cliente ${mark}` });
  const software = await api.createSoftware();
  const licenses: License[] = [];
  for (let position = 1; position <= count; position++) {
    licenses.push(await api.createLicense({ client: client.id, software: software.id, ...values(position) }));
  }
  return { mark, client, software, licenses };
}

const rows = (page: Page) => listRows(page, 'Lista de licencias');
const sentence = (page: Page) => page.getByText(/^Mostrando /);

const businessDay = (instant: string) =>
  new Intl.DateTimeFormat('es-MX', {
    timeZone: 'America/Mexico_City',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).format(new Date(instant));

test('a single licence is counted in the singular, and both seat numbers have thousands separators', async ({
  page,
  api,
}) => {
  const { mark } = await someLicenses(api, 1, () => ({ max_installations: 10_000 }));
  await page.goto(`/licenses?q=${mark}`);
  await expect(sentence(page)).toHaveText('Mostrando 1 a 1 de 1 licencia');
  await expect(rows(page).getByRole('cell').nth(5)).toHaveText('0/10,00010,000 restantes');
});

test('the page has its heading, its subtitle and its actions (SEED-2.1-07, SEED-2.8-01)', async ({
  page,
}) => {
  await page.goto('/licenses');
  await expect(page.getByRole('heading', { level: 1, name: 'Licencias' })).toBeVisible();
  await expect(page.getByText('Gestiona las licencias de software')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nueva Licencia' })).toBeVisible();
  await expect(page).toHaveTitle('Licencias · License Manager');
});

test('the table has its columns (SEED-2.8-06, SEED-2.8-07, SEED-2.8-08, SEED-2.8-09, SEED-2.8-10, SEED-2.8-11, SEED-2.8-12, SEED-2.8-13)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Óscar ${mark}`, email: `oscar-${mark}@example.com` });
  const software = await api.createSoftware({ name: `Taller ${mark}`, version: '2.4.1' });
  const type = await api.createLicenseType({ name: `Anual ${mark}` });
  const terms = { client: client.id, software: software.id };
  await api.createLicense({ ...terms, status: 'suspended', expiry_days: null, expiry_date: null });
  const license = await api.createLicense({
    ...terms,
    license_type_config: type.id,
    max_installations: 5,
    expiry_days: 90,
  });
  await api.activate(license.license_key, { machine_id: 'caja-1' });

  await page.goto(`/licenses?q=${mark}`);
  await expect(page.getByRole('columnheader')).toHaveText([
    'Licencia',
    'Cliente',
    'Software',
    'Tipo',
    'Estado',
    'Instalaciones',
    'Expiración',
    'Acciones',
  ]);
  const cells = rows(page).first().getByRole('cell');
  await expect(cells.nth(0)).toContainText(license.license_key);
  await expect(cells.nth(0)).toContainText(businessDay(license.issued_date));
  await expect(cells.nth(1)).toHaveText(`Óscar ${mark}oscar-${mark}@example.com`);
  await expect(cells.nth(2)).toHaveText(`Taller ${mark}2.4.1`);
  await expect(cells.nth(3)).toHaveText(`PremiumAnual ${mark}`);
  await expect(cells.nth(4)).toHaveText('Activa');
  await expect(cells.nth(5)).toHaveText('1/54 restantes');
  await expect(cells.nth(6)).toContainText(businessDay(license.expiry_date ?? ''));
  await expect(cells.nth(6)).toContainText(/Vence en [23] meses/);
  for (const name of ['Ver detalles', 'Editar', 'Eliminar']) {
    await expect(cells.nth(7).getByRole('button', { name, exact: true })).toBeVisible();
  }

  const perpetual = rows(page).nth(1).getByRole('cell');
  await expect(perpetual.nth(4)).toHaveText('Suspendida');
  await expect(perpetual.nth(5)).toHaveText('0/55 restantes');
  await expect(perpetual.nth(6)).toHaveText('Sin expiración');
});

test('a past date shows how long ago it was (SEED-2.8-12, SEED-4-11)', async ({ page, api }) => {
  const { mark } = await someLicenses(api, 1, () => ({ expiry_date: '2026-01-15' }));
  await page.goto(`/licenses?q=${mark}`);
  await expect(rows(page).getByRole('cell').nth(6)).toHaveText(/^15\/01\/2026Venció hace \d+ (meses|años?)$/);
});

test('each licence category has its badge (SEED-4-14)', async ({ page, api }) => {
  const categories = ['trial', 'basic', 'premium', 'enterprise'] as const;
  const { mark } = await someLicenses(api, 4, (position) => ({ license_type: categories[position - 1] }));
  await page.goto(`/licenses?q=${mark}`);
  const looks = new Set<string>();
  for (const label of ['Trial', 'Básica', 'Premium', 'Empresarial']) {
    const badge = rows(page).getByText(label, { exact: true });
    await expect(badge).toBeVisible();
    looks.add(await badge.evaluate((element) => getComputedStyle(element).color));
  }
  expect(looks.size).toBe(4);
});

test('the search finds licences by key and client, with one request after typing stops and without empty filters (SEED-2.8-02, SEED-7.4-02)', async ({
  page,
  api,
}) => {
  const { mark, licenses } = await someLicenses(api, 2);
  const calls = callsTo(page, 'GET', LIST);
  await page.clock.install();
  await page.goto('/licenses');
  await expect(rows(page).first()).toBeVisible();
  expect(queryOf(calls[0])).toEqual({ page: '1', page_size: '5' });

  const box = page.getByPlaceholder('Buscar licencias...');
  await typeAtOnce(page, box, `cliente ${mark}`);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText(`Cliente ${mark}`);
  const searched = calls.map((call) => queryOf(call).search).filter((text) => text !== undefined);
  expect(searched, 'one request for all that was typed').toEqual([`cliente ${mark}`]);

  await box.fill(licenses[0]!.license_key.toLowerCase().slice(0, 17));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(licenses[0]!.license_key);

  await box.fill(`nadie ${mark}`);
  await expect(page.getByText('No hay licencias', { exact: true })).toBeVisible();
  await expect(page.getByText('Ajusta los filtros o crea tu primera licencia.')).toBeVisible();
  await page.getByRole('button', { name: 'Limpiar filtros' }).click();
  await expect(page).toHaveURL(/\/licenses$/);
  await expect(box).toHaveValue('');
});

test('the filters for status, type and validity are in the URL (SEED-2.8-03, SEED-2.8-04, SEED-2.8-05)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const type = await api.createLicenseType({ name: `Semestral ${unique()}` });
  const statuses = ['active', 'suspended', 'cancelled'] as const;
  const { mark } = await someLicenses(api, 3, (position) => ({
    status: statuses[position - 1],
    license_type: position === 2 ? 'pack' : 'premium',
    license_type_config: position === 3 ? type.id : undefined,
  }));
  await page.goto(`/licenses?q=${mark}`);
  await expect(rows(page)).toHaveCount(3);

  const status = page.getByLabel('Filtrar por estado');
  await expect(status.locator('option')).toHaveText([
    'Todos los estados',
    'Activa',
    'Expirada',
    'Suspendida',
    'Cancelada',
    'Inactiva',
    'Trial',
  ]);
  await status.selectOption('Cancelada');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Cancelada');
  await expect(page).toHaveURL(/status=cancelled/);
  await page.goBack();
  await expect(rows(page)).toHaveCount(3);
  await expect(status).toHaveValue('');

  const kind = page.getByLabel('Filtrar por tipo');
  await kind.selectOption('Pack');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Pack');
  await kind.selectOption(String(type.id));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Semestral');
  await page.reload();
  await expect(kind.locator('option:checked')).toHaveText(/Semestral/);
  await expect(rows(page)).toHaveCount(1);
  await kind.selectOption('Todos los tipos');

  const active = page.getByLabel('Filtrar por vigencia');
  await expect(active.locator('option')).toHaveText(['Todas', 'Activas', 'Inactivas']);
  await active.selectOption('Activas');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Activa');
  await active.selectOption('Inactivas');
  await expect(rows(page)).toHaveCount(2);
  await active.selectOption('Todas');
  await expect(rows(page)).toHaveCount(3);
});

test('the list shows pages of five rows with a summary sentence (SEED-2.8-14, SEED-2.8-15, SEED-2.8-16, SEED-7.4-04, SEED-9-03)', async ({
  page,
  api,
}) => {
  const { mark } = await someLicenses(api, 7);
  await page.goto(`/licenses?q=${mark}`);
  await expect(rows(page)).toHaveCount(5);
  await expect(sentence(page)).toHaveText('Mostrando 1 a 5 de 7 licencias');
  const size = page.getByLabel('Por página');
  await expect(size).toHaveValue('5');
  await expect(size.locator('option')).toHaveText(['5', '10', '20', '50']);

  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(sentence(page)).toHaveText('Mostrando 6 a 7 de 7 licencias');
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/page=2/);
  await page.reload();
  await expect(sentence(page)).toHaveText('Mostrando 6 a 7 de 7 licencias');

  await size.selectOption('10');
  await expect(rows(page)).toHaveCount(7);
  await expect(page).not.toHaveURL(/[?&]page=/);
  // With a single page the text is shown, but no buttons (D049).
  await expect(sentence(page)).toHaveText('Mostrando 1 a 7 de 7 licencias');
  await expect(page.getByRole('button', { name: 'Siguiente' })).toBeHidden();
  await page.goBack();
  await expect(sentence(page)).toHaveText('Mostrando 6 a 7 de 7 licencias');
});

test('the screen requests only the page that it shows, with its filters (D045, D127)', async ({
  page,
  api,
}) => {
  const { mark } = await someLicenses(api, 12, () => ({ status: 'suspended' }));
  const calls = callsTo(page, 'GET', LIST);
  // Only requests with this search, because the notifications bell requests licences too.
  const asked = () => calls.map(queryOf).filter(({ search }) => search === mark);
  const narrowing = { search: mark, status: 'suspended' };
  await page.goto(`/licenses?q=${mark}&status=suspended`);
  await expect(sentence(page)).toHaveText('Mostrando 1 a 5 de 12 licencias');
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(sentence(page)).toHaveText('Mostrando 6 a 10 de 12 licencias');
  await page.getByRole('button', { name: '3', exact: true }).click();
  await expect(sentence(page)).toHaveText('Mostrando 11 a 12 de 12 licencias');
  await page.getByLabel('Por página').selectOption('10');
  await expect(sentence(page)).toHaveText('Mostrando 1 a 10 de 12 licencias');
  expect(asked()).toEqual([
    { ...narrowing, page: '1', page_size: '5' },
    { ...narrowing, page: '2', page_size: '5' },
    { ...narrowing, page: '3', page_size: '5' },
    { ...narrowing, page: '1', page_size: '10' },
  ]);
  // A page in the cache is not requested again (D052).
  await page.goBack();
  await expect(sentence(page)).toHaveText('Mostrando 11 a 12 de 12 licencias');
  expect(asked()).toHaveLength(4);
});

test('a list answer without paging fields is paged in the browser (SEED-2.8-14, SEED-3-28)', async ({
  page,
  api,
}) => {
  const { mark, licenses } = await someLicenses(api, 6);
  await page.route(
    (url) => url.pathname === LIST,
    (route) => route.fulfill({ json: licenses }),
  );
  await page.goto(`/licenses?q=${mark}`);
  await expect(sentence(page)).toHaveText('Mostrando 1 a 5 de 6 licencias');
  await page.getByRole('button', { name: '2', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(licenses[5]!.license_key);
});

test('a list that cannot be loaded shows an error after one retry (SEED-2.8-25, SEED-8.3-02, SEED-4-27)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500/);
  let calls = 0;
  await page.route(
    (url) => url.pathname === LIST && !url.searchParams.has('ordering'),
    (route) => {
      calls += 1;
      return route.fulfill({ status: 500, json: { success: false, message: 'Sin memoria' } });
    },
  );
  await page.goto('/licenses');
  const alert = page.getByRole('alert').filter({ hasText: 'Error al cargar las licencias' });
  await expect(alert).toContainText('Sin memoria');
  expect(calls).toBe(2);
  const [red, green] = await alert
    .getByText('Error al cargar las licencias')
    .evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? []);
  expect(red).toBeGreaterThan(2 * green!);

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(alert).toBeHidden();
});

test("the form's options are fetched when the screen opens (SEED-7.6-11)", async ({ page }) => {
  const clients = callsTo(page, 'GET', '/licenses/api/clients/');
  const software = callsTo(page, 'GET', '/licenses/api/software/');
  const types = callsTo(page, 'GET', '/licenses/api/license-types/');
  await page.goto('/licenses');
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(() => [clients.length, software.length, types.length]).toEqual([1, 1, 1]);
});

test('deleting asks with the specified text, and focus moves to the next row (SEED-5.6-02, SEED-8.3-10, SEED-4-28)', async ({
  page,
  api,
}) => {
  const { mark, licenses } = await someLicenses(api, 3);
  await page.goto(`/licenses?q=${mark}`);
  await expect(rows(page)).toHaveCount(3);
  const questions: string[] = [];
  const deletions = callsTo(page, 'DELETE', /\/licenses\/api\/licenses\/\d+\/$/);
  const readings = callsTo(page, 'GET', LIST);

  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await rows(page).first().getByRole('button', { name: 'Eliminar' }).click();
  expect(questions).toEqual(['¿Estás seguro de que quieres eliminar esta licencia?']);
  expect(deletions).toHaveLength(0);

  page.once('dialog', (dialog) => void dialog.accept());
  await rows(page).first().getByRole('button', { name: 'Eliminar' }).click();
  await expect(page.getByText('Licencia eliminada exitosamente')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText(licenses[1]!.license_key);
  await expect(rows(page).first().getByRole('button', { name: 'Eliminar' })).toBeFocused();
  expect(readings.length).toBeGreaterThan(0);
});

test('deleting the only row of the last page opens the page before it', async ({ page, api }) => {
  const { mark } = await someLicenses(api, 6);
  await page.goto(`/licenses?q=${mark}&page=2`);
  await expect(rows(page)).toHaveCount(1);
  page.once('dialog', (dialog) => void dialog.accept());
  await rows(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(sentence(page)).toHaveText('Mostrando 1 a 5 de 5 licencias');
  await expect(page).not.toHaveURL(/[?&]page=/);
});

test("a refused deletion shows the server's message", async ({ page, api, guard }) => {
  guard.allowConsoleError(/409/);
  const { mark } = await someLicenses(api, 1);
  await page.goto(`/licenses?q=${mark}`);
  await page.route(/\/licenses\/api\/licenses\/\d+\/$/, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({
          status: 409,
          json: { success: false, code: 'conflict', message: 'Tiene pagos pendientes' },
        })
      : route.continue(),
  );
  page.once('dialog', (dialog) => void dialog.accept());
  await rows(page).getByRole('button', { name: 'Eliminar' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al eliminar la licencia' });
  await expect(toast).toContainText('Tiene pagos pendientes');
  await expect(rows(page)).toHaveCount(1);
});

test('the export sends the filters, and a failed export shows the specified text (SEED-8.1-09)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/500/);
  const { mark, licenses } = await someLicenses(api, 2, (position) => ({
    status: position === 1 ? 'suspended' : 'active',
  }));
  await page.goto(`/licenses?q=${mark}&status=suspended`);
  await expect(rows(page)).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^licencias_\d{4}-\d{2}-\d{2}\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain(licenses[0]!.license_key);
  expect(text).not.toContain(licenses[1]!.license_key);

  await page.route(/\/licenses\/export\//, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Exportar' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al exportar' });
  await expect(toast).toContainText('Failed to export licenses');
});

test('one click copies the key and confirms it', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { mark, licenses } = await someLicenses(api, 1);
  await page.goto(`/licenses?q=${mark}`);
  await rows(page).getByRole('button', { name: 'Copiar clave' }).click();
  await expect(rows(page).getByRole('button', { name: 'Copiada' })).toBeVisible();
  await expect(rows(page).getByRole('status')).toHaveText('Copiada');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(licenses[0]!.license_key);
  expect(copied).toMatch(KEY);
});

test('a late answer never replaces a newer one, and the old rows are shown until then', async ({
  page,
  api,
}) => {
  const first = await someLicenses(api, 1);
  const second = await someLicenses(api, 1);
  await page.goto(`/licenses?q=${first.mark}`);
  await expect(rows(page)).toHaveCount(1);
  const late = lateAnswer(page, (route) => route.fulfill({ json: [] }));
  await page.route(
    (url) => url.pathname === LIST && url.searchParams.get('search') === 'lento',
    late.handler,
  );
  const box = page.getByPlaceholder('Buscar licencias...');
  await box.fill('lento');
  await expect(page.getByRole('table', { name: 'Lista de licencias' })).toHaveAttribute('aria-busy', 'true');
  await expect(rows(page)).toContainText(first.mark);
  await box.fill(second.mark);
  await expect(rows(page)).toContainText(second.mark);
  await late.release();
  await expect(rows(page)).toContainText(second.mark);
});
