import type { Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import { lateAnswer } from './support/drawn.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, queryOf, test, unique } from './support/staff.ts';

const LIST = '/licenses/api/license-types/';
const RECORD = /\/licenses\/api\/license-types\/\d+\/$/;

const rows = (page: Page) => listRows(page, 'Tipos de licencia');
const strip = (page: Page) => page.getByText(/^Búsqueda: /);

test('the catalogue has its columns (SEED-2.1-09, SEED-2.9-01, SEED-2.9-03, SEED-2.9-04, SEED-2.9-05, SEED-2.9-06, SEED-2.9-07, SEED-2.9-08)', async ({
  page,
  api,
}) => {
  const mark = unique();
  await api.createLicenseType({
    name: `Anual ${mark}`,
    description: `Con soporte ${mark}`,
    base_price: 1234.5,
    max_installations: 5,
    validity_days: 365,
  });
  await api.createLicenseType({
    name: `Breve ${mark}`,
    max_installations: 1,
    validity_days: 1,
    is_active: false,
    is_promotion: true,
    promotion_name: `Verano ${mark}`,
  });
  await page.goto(`/license-types?q=${mark}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Tipos de Licencia' })).toBeVisible();
  await expect(page.getByText('Administra los tipos de licencia disponibles')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nuevo Tipo' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Nombre',
    'Precio Base',
    'Configuración',
    'Estado',
    'Acciones',
  ]);
  const annual = rows(page).nth(0).getByRole('cell');
  await expect(annual.nth(0)).toHaveText(`Anual ${mark}Con soporte ${mark}`);
  await expect(annual.nth(1)).toHaveText('$1,234.50');
  await expect(annual.nth(2)).toHaveText('5 instalaciones365 días');
  await expect(annual.nth(3)).toHaveText('Activo');
  const brief = rows(page).nth(1).getByRole('cell');
  await expect(brief.nth(2)).toHaveText('1 instalación1 día');
  await expect(brief.nth(3)).toHaveText(`InactivoVerano ${mark}`);
  await expect(brief.nth(4).getByRole('button')).toHaveCount(2);
  await expect(brief.nth(4).getByRole('button', { name: 'Editar' })).toBeVisible();
  await expect(brief.nth(4).getByRole('button', { name: 'Eliminar' })).toBeVisible();
});

test('the search narrows the table, and the green strip describes the visible types (SEED-2.9-02, SEED-2.9-11)', async ({
  page,
  api,
}) => {
  const mark = unique();
  await api.createLicenseType({ name: `Bimestral ${mark}` });
  await api.createLicenseType({ name: `Quincenal ${mark}` });
  const calls = callsTo(page, 'GET', LIST);
  await page.goto('/license-types');
  await expect(strip(page)).toHaveText(/^Búsqueda: Ninguna · Total: \d+ · Estado: Cargado$/);
  await expect(strip(page)).toHaveRole('status');
  const [red, green, blue] = await strip(page).evaluate(
    (element) => getComputedStyle(element).backgroundColor.match(/\d+/g)?.map(Number) ?? [],
  );
  expect(green! > red! && green! > blue!, 'the strip is green').toBe(true);
  expect(queryOf(calls[0])).toEqual({});

  await page.getByPlaceholder('Buscar tipos de licencia...').fill(`bimestral ${mark}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(strip(page)).toHaveText(`Búsqueda: "bimestral ${mark}" · Total: 1 · Estado: Cargado`);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);

  await page.getByPlaceholder('Buscar tipos de licencia...').fill(`ninguno ${mark}`);
  await expect(page.getByText('No hay tipos de licencia')).toBeVisible();
  await expect(page.getByText('Ajusta la búsqueda o crea tu primer tipo de licencia.')).toBeVisible();
  await expect(strip(page)).toContainText('Total: 0');
});

test('a catalogue that cannot be loaded shows an error, in the strip too (SEED-2.9-12, SEED-8.3-04, SEED-2.9-11)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500/);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.pathname === LIST,
    async (route) => {
      await released;
      await route.fulfill({ status: 500, json: { success: false, message: 'Disco lleno' } });
    },
  );
  await page.goto('/license-types');
  await expect(strip(page)).toHaveText('Búsqueda: Ninguna · Total: — · Estado: Cargando...');
  release();
  const alert = page.getByRole('alert').filter({ hasText: 'Error al cargar tipos de licencia' });
  await expect(alert).toContainText('Disco lleno');
  await expect(strip(page)).toContainText('Estado: Error');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(strip(page)).toContainText('Estado: Cargado');
});

test("deleting asks in a dialog of the console, not in the browser's confirm box (SEED-2.9-09, SEED-2.9-10, SEED-5.6-04, SEED-8.3-11, SEED-4-28)", {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  await api.createLicenseType({ name: `Aaa ${mark}` });
  await api.createLicenseType({ name: `Bbb ${mark}` });
  const deletions = callsTo(page, 'DELETE', RECORD);
  let native = false;
  page.on('dialog', (dialog) => {
    native = true;
    void dialog.dismiss();
  });
  await page.goto(`/license-types?q=${mark}`);
  const remove = rows(page).first().getByRole('button', { name: 'Eliminar' });
  await remove.click();
  const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
  await expect(
    question.getByText(
      `¿Estás seguro de que quieres eliminar el tipo de licencia "Aaa ${mark}"? Esta acción no se puede deshacer.`,
    ),
  ).toBeVisible();
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(question).toBeHidden();
  await expect(remove).toBeFocused();
  expect(deletions).toHaveLength(0);

  const removal = lateAnswer(page, (route) => route.continue());
  await page.route(RECORD, removal.handler);
  await remove.click();
  await question.getByRole('button', { name: 'Eliminar' }).click();
  await expect(question.getByRole('button', { name: 'Eliminando...' })).toBeVisible();
  await removal.release();
  await expect(page.getByText('Tipo de licencia eliminado exitosamente')).toBeVisible();
  await expect(question).toBeHidden();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(`Bbb ${mark}`);
  await expect(rows(page).getByRole('button', { name: 'Eliminar' })).toBeFocused();
  expect(deletions).toHaveLength(1);
  expect(native).toBe(false);
});

test("a refused deletion shows the server's message", async ({ page, api, guard }) => {
  guard.allowConsoleError(/409/);
  const mark = unique();
  await api.createLicenseType({ name: `Fijo ${mark}` });
  await page.route(RECORD, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({
          status: 409,
          json: { success: false, code: 'conflict', message: 'En uso por otro proceso' },
        })
      : route.continue(),
  );
  await page.goto(`/license-types?q=${mark}`);
  await rows(page).getByRole('button', { name: 'Eliminar' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al eliminar el tipo de licencia' });
  await expect(toast).toContainText('En uso por otro proceso');
  await expect(rows(page)).toHaveCount(1);
});

test('the name opens the details, where a type can be deactivated and activated (SEED-1-05, SEED-4-15, SEED-4-16)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const type = (await api.createLicenseType({
    name: `Ficha ${mark}`,
    description: 'Todo incluido',
    base_price: 960,
    is_promotion: true,
    promotion_name: 'Aniversario',
    promotion_description: 'Una vez al año',
    discount_percentage: 12.5,
    promotion_start_date: '2026-11-01',
    promotion_end_date: '2026-11-30',
  })) as LicenseType;
  await page.goto(`/license-types?q=${mark}`);
  await rows(page)
    .getByRole('button', { name: `Ficha ${mark}` })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' });
  for (const text of [
    'Todo incluido',
    '$960.00',
    '5 instalaciones',
    '365 días',
    'Activo',
    'Aniversario',
    '12.5%',
    '01/11/2026',
    '30/11/2026',
    'Una vez al año',
  ]) {
    await expect(dialog.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(page).toHaveURL(new RegExp(`ver=${type.id}`));
  await dialog.getByRole('button', { name: 'Desactivar' }).click();
  await expect(dialog.getByText('Inactivo', { exact: true })).toBeVisible();
  await expect(page.getByText('Tipo de licencia desactivado exitosamente')).toBeVisible();
  await dialog.getByRole('button', { name: 'Activar' }).click();
  await expect(dialog.getByText('Activo', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/license-types\\?q=${mark}$`));
});
