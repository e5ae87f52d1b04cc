import type { Locator, Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import { barriers } from './support/axe.ts';
import { lateAnswer } from './support/drawn.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

const LIST = '/licenses/api/license-types/';
const RECORD = /\/licenses\/api\/license-types\/\d+\/$/;

const rows = (page: Page) => listRows(page, 'Tipos de licencia');

async function openNew(page: Page): Promise<Locator> {
  await page.goto('/license-types?nuevo=1');
  const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await expect(dialog).toBeVisible();
  return dialog;
}
const create = (dialog: Locator) => dialog.getByRole('button', { name: 'Crear', exact: true }).click();
const field = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true });

test("a new type starts with its defaults, and the promotion checkbox shows the promotion's fields (SEED-2.9-13, SEED-2.9-14, SEED-2.9-15, SEED-9-08, SEED-4-17, SEED-5.5-13, SEED-5.5-14)", async ({
  page,
}) => {
  await page.goto('/license-types');
  await page.getByRole('button', { name: 'Nuevo Tipo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
    'Información Básica',
    'Configuración de Promoción',
    'Estado',
  ]);
  await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Crear', exact: true })).toBeVisible();
  await expect(field(dialog, 'Nombre')).toBeFocused();
  await expect(field(dialog, 'Precio Base')).toHaveValue('');
  await expect(field(dialog, 'Precio Base')).toHaveAttribute('step', '0.01');
  await expect(field(dialog, 'Precio Base')).toHaveAttribute('min', '0');
  await expect(field(dialog, 'Máximo de Instalaciones')).toHaveValue('1');
  await expect(field(dialog, 'Días de Validez')).toHaveValue('365');
  await expect(field(dialog, 'Activo')).toBeChecked();
  const promotion = dialog.getByRole('checkbox', { name: 'Es promoción' });
  await expect(promotion).not.toBeChecked();
  const promotionFields = [
    'Nombre de Promoción',
    'Descripción de Promoción',
    'Porcentaje de Descuento',
    'Fecha de Inicio',
    'Fecha de Fin',
  ];
  for (const label of promotionFields) await expect(field(dialog, label)).toBeHidden();
  await promotion.check();
  for (const label of promotionFields) await expect(field(dialog, label)).toBeVisible();
  const discount = field(dialog, 'Porcentaje de Descuento');
  await expect(discount).toHaveAttribute('step', '0.01');
  await expect(discount).toHaveAttribute('min', '0');
  await expect(discount).toHaveAttribute('max', '100');
  await promotion.uncheck();
  for (const label of promotionFields) await expect(field(dialog, label)).toBeHidden();
});

test("the form is checked on submit, shows messages under the fields, and an edit clears that field's message (SEED-5.5-01, SEED-5.5-02, SEED-5.5-03, SEED-5.5-04, SEED-5.5-05, SEED-5.5-06)", async ({
  page,
}) => {
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNew(page);
  const messages = dialog.locator('p[id$="-error"]');
  await field(dialog, 'Nombre').fill('   ');
  await field(dialog, 'Precio Base').fill('0');
  await field(dialog, 'Máximo de Instalaciones').fill('0');
  await field(dialog, 'Días de Validez').fill('0');
  await field(dialog, 'Días de Validez').blur();
  await expect(messages).toHaveCount(0);
  await create(dialog);
  await expect(messages).toHaveText([
    'El nombre es obligatorio',
    'El precio base debe ser mayor a 0',
    'El máximo de instalaciones debe ser mayor a 0',
    'Los días de validez deben ser mayores a 0',
  ]);
  await expect(field(dialog, 'Nombre')).toBeFocused();
  await field(dialog, 'Nombre').fill('Con nombre');
  await expect(messages).toHaveCount(3);
  await expect(dialog.getByText('El nombre es obligatorio')).toBeHidden();
  await field(dialog, 'Precio Base').fill('');
  await field(dialog, 'Precio Base').blur();
  await expect(dialog.getByText('El precio base debe ser mayor a 0')).toBeVisible();
  expect(creations).toHaveLength(0);
});

test('a promotion needs a name, a discount within range, and an end after its start (SEED-5.5-07, SEED-5.5-08, SEED-5.5-09)', async ({
  page,
}) => {
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNew(page);
  await field(dialog, 'Nombre').fill(`Promo ${unique()}`);
  await field(dialog, 'Precio Base').fill('100');
  await dialog.getByRole('checkbox', { name: 'Es promoción' }).check();
  await field(dialog, 'Porcentaje de Descuento').fill('101');
  await field(dialog, 'Fecha de Inicio').fill('2026-12-10');
  await field(dialog, 'Fecha de Fin').fill('2026-12-10');
  await create(dialog);
  const messages = dialog.locator('p[id$="-error"]');
  await expect(messages).toHaveText([
    'El nombre de promoción es obligatorio',
    'El descuento debe estar entre 0 y 100%',
    'La fecha de fin debe ser posterior a la fecha de inicio',
  ]);
  await field(dialog, 'Nombre de Promoción').fill('Posada');
  await field(dialog, 'Porcentaje de Descuento').fill('-1');
  await field(dialog, 'Fecha de Fin').fill('2026-12-09');
  await create(dialog);
  await expect(messages).toHaveText([
    'El descuento debe estar entre 0 y 100%',
    'La fecha de fin debe ser posterior a la fecha de inicio',
  ]);
  expect(creations).toHaveLength(0);

  // A blank discount and a single date are valid.
  await field(dialog, 'Porcentaje de Descuento').fill('');
  await field(dialog, 'Fecha de Fin').fill('');
  await create(dialog);
  await expect(page.getByText('Tipo de licencia creado exitosamente')).toBeVisible();
  expect(creations[0]?.postDataJSON()).toMatchObject({
    promotion_name: 'Posada',
    discount_percentage: null,
    promotion_start_date: '2026-12-10',
    promotion_end_date: null,
  });
});

test('the form sends its fields as specified, and the button shows that it saves (SEED-5.5-10, SEED-5.5-11, SEED-5.5-12, SEED-2.9-16, SEED-8.3-11, SEED-4-28)', async ({
  page,
}) => {
  const mark = unique();
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNew(page);
  const stored = lateAnswer(page, (route) => route.continue());
  await page.route(
    (url) => url.pathname === LIST,
    (route) => (route.request().method() === 'POST' ? stored.handler(route) : route.continue()),
  );
  await field(dialog, 'Nombre').fill(`  Mensual ${mark}  `);
  await field(dialog, 'Precio Base').fill('149.90');
  await field(dialog, 'Máximo de Instalaciones').fill('2');
  await field(dialog, 'Días de Validez').fill('30');
  // The promotion is switched off again, so its values are not sent.
  await dialog.getByRole('checkbox', { name: 'Es promoción' }).check();
  await field(dialog, 'Nombre de Promoción').fill('Al final no');
  await field(dialog, 'Porcentaje de Descuento').fill('10');
  await dialog.getByRole('checkbox', { name: 'Es promoción' }).uncheck();
  await dialog.getByRole('button', { name: 'Crear', exact: true }).dblclick();
  await expect(dialog.getByRole('button', { name: 'Creando...' })).toBeVisible();
  await stored.release();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Tipo de licencia creado exitosamente')).toBeVisible();
  await expect(rows(page).filter({ hasText: `Mensual ${mark}` })).toContainText('$149.90');
  expect(creations).toHaveLength(1);
  expect(creations[0]?.postDataJSON()).toEqual({
    name: `Mensual ${mark}`,
    description: '',
    base_price: 149.9,
    currency: 'MXN',
    max_installations: 2,
    validity_days: 30,
    is_promotion: false,
    promotion_name: '',
    promotion_description: '',
    discount_percentage: null,
    promotion_start_date: null,
    promotion_end_date: null,
    is_active: true,
    is_public: false,
    updates_days: null,
    renewal_price: null,
  });
  expect(creations[0]?.headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
});

test('each opening starts with fresh values, and an edit is saved (SEED-4-18, SEED-4-19, SEED-2.9-13, SEED-2.9-15, SEED-2.9-16, SEED-8.3-11)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  await api.createLicenseType({ name: `Alfa ${mark}`, base_price: 10 });
  const beta = await api.createLicenseType({
    name: `Beta ${mark}`,
    base_price: 20,
    is_promotion: true,
    promotion_name: 'Lanzamiento',
    discount_percentage: 5,
    promotion_start_date: '2026-11-01',
  });
  await page.goto(`/license-types?q=${mark}`);
  const editing = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await rows(page).first().getByRole('button', { name: 'Editar' }).click();
  await expect(field(editing, 'Nombre')).toHaveValue(`Alfa ${mark}`);
  await expect(editing.getByRole('checkbox', { name: 'Es promoción' })).not.toBeChecked();
  await editing.getByRole('button', { name: 'Cancelar' }).click();
  await expect(editing).toBeHidden();

  await rows(page).nth(1).getByRole('button', { name: 'Editar' }).click();
  await expect(field(editing, 'Nombre')).toHaveValue(`Beta ${mark}`);
  await expect(field(editing, 'Precio Base')).toHaveValue('20');
  await expect(field(editing, 'Nombre de Promoción')).toHaveValue('Lanzamiento');
  await expect(field(editing, 'Fecha de Inicio')).toHaveValue('2026-11-01');
  await field(editing, 'Precio Base').fill('25.5');
  const update = lateAnswer(page, (route) => route.continue());
  await page.route(RECORD, update.handler);
  await editing.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  await expect(editing.getByRole('button', { name: 'Actualizando...' })).toBeVisible();
  await update.release();
  await expect(page.getByText('Tipo de licencia actualizado exitosamente')).toBeVisible();
  await expect(editing).toBeHidden();
  await expect(rows(page).nth(1)).toContainText('$25.50');
  const saved = await api.call<LicenseType>('GET', `${LIST}${beta.id}/`);
  expect(saved).toMatchObject({ base_price: 25.5, discount_percentage: 5, promotion_end_date: null });

  await page.getByRole('button', { name: 'Nuevo Tipo' }).click();
  const creating = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await expect(field(creating, 'Nombre')).toHaveValue('');
  await create(creating);
  await expect(creating.getByText('El nombre es obligatorio')).toBeVisible();
  await creating.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Nuevo Tipo' }).click();
  await expect(creating).toBeVisible();
  await expect(creating.getByText('El nombre es obligatorio')).toBeHidden();
});

test("a failed save leaves the form open, and another person's change to other fields is merged and reported (SEED-8.3-07)", async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/500|412|400|Error al (crear|actualizar) el tipo de licencia/);
  const mark = unique();
  const type = await api.createLicenseType({ name: `Gama ${mark}`, base_price: 10 });
  await page.goto(`/license-types?q=${mark}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await rows(page).getByRole('button', { name: 'Editar' }).click();
  await field(dialog, 'Descripción').fill('Lo mío');
  const answers = [
    { status: 500, json: { success: false, message: 'Error en el servidor' } },
    {
      status: 400,
      json: {
        success: false,
        code: 'invalid',
        message: 'x',
        errors: { base_price: ['Precio no permitido'] },
      },
    },
  ];
  await page.route(RECORD, (route) => {
    const answer = route.request().method() === 'PUT' ? answers.shift() : undefined;
    return answer === undefined ? route.continue() : route.fulfill(answer);
  });
  const save = dialog.getByRole('button', { name: 'Actualizar Tipo de Licencia' });
  await save.click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Error al actualizar el tipo de licencia' }),
  ).toContainText('Error en el servidor');
  await save.click();
  await expect(dialog.getByText('Precio no permitido')).toBeVisible();
  await expect(field(dialog, 'Precio Base')).toBeFocused();

  await api.call('PUT', `${LIST}${type.id}/`, { base_price: 99, is_active: false });
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: 'Tipo de licencia actualizado' })).toContainText(
    'Se incorporaron los cambios de otra persona en: Precio Base, Activo',
  );
  await expect(dialog).toBeHidden();
  expect(await api.call('GET', `${LIST}${type.id}/`)).toMatchObject({
    base_price: 99,
    is_active: false,
    description: 'Lo mío',
  });
});

test('choosing a preset fills in the model of sale of a new type, by mouse and by keyboard, and does not replace what was typed', async ({
  page,
  api,
}) => {
  const dialog = await openNew(page);
  await expect(field(dialog, 'Nombre')).toBeFocused();
  const name = `Plan ${unique()}`;
  await field(dialog, 'Nombre').fill(name);
  await field(dialog, 'Precio Base').fill('1200');
  const options = dialog.getByText('Opciones de venta', { exact: true });
  await expect(field(dialog, 'Días de actualizaciones')).toBeHidden();
  await dialog.getByRole('button', { name: 'Flotante' }).click();
  await expect(field(dialog, 'Días de actualizaciones')).toBeHidden();
  await dialog.getByRole('button', { name: 'Perpetua con actualizaciones' }).click();
  await expect(options).toBeVisible();
  await expect(field(dialog, 'Días de actualizaciones')).toHaveValue('365');
  await expect(field(dialog, 'Días de Validez')).toHaveValue('36500');
  // The keyboard can move from one preset to the next, because the section stays open.
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Flotante' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(field(dialog, 'Días de Validez')).toHaveValue('365');
  await expect(field(dialog, 'Días de actualizaciones')).toHaveValue('');
  await expect(field(dialog, 'Nombre')).toHaveValue(name);
  expect(await barriers(page)).toEqual([]);
  await create(dialog);
  await expect(dialog).toBeHidden();
  const { results } = await api.call<{ results: LicenseType[] }>(
    'GET',
    `${LIST}?search=${encodeURIComponent(name)}`,
  );
  expect(results[0]).toMatchObject({
    base_price: 1200,
    grace_days: 7,
    seat_mode: 'fixed',
    updates_days: null,
    meters: { documentos: { limit: 500, period: 'month', overage: 'refuse' } },
  });
});
