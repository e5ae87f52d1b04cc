import type { Locator, Page } from '@playwright/test';
import { lateAnswer } from './support/drawn.ts';
import { fillRequired, licenseChoices, openNewLicense, pickClient } from './support/license-form.ts';
import { callsTo, expect, test } from './support/staff.ts';

const LIST = '/licenses/api/licenses/';

const submit = (dialog: Locator) => dialog.getByRole('button', { name: 'Crear Licencia' }).click();
const errorOf = async (page: Page, control: Locator) => {
  const ids = (await control.getAttribute('aria-describedby')) ?? '';
  const texts = await Promise.all(
    ids
      .split(' ')
      .filter((id) => id.endsWith('-error'))
      .map((id) => page.locator(`[id="${id}"]`).innerText()),
  );
  return texts.join(' ');
};

test('the form of a new licence shows its defaults in four sections (SEED-4-20, SEED-9-07, SEED-2.8-17, SEED-2.8-18, SEED-2.8-19, SEED-2.8-20, SEED-5.3-04, SEED-5.3-05, SEED-5.3-06, SEED-5.3-07)', async ({
  page,
  api,
}) => {
  const { software, type, mark } = await licenseChoices(api);
  const dialog = await openNewLicense(page);
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
    'Información Básica',
    'Precios y Promociones',
    'Configuración de Licencia',
    'Notas Adicionales',
  ]);
  await expect(dialog.getByRole('combobox', { name: 'Cliente' })).toBeFocused();
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await expect(field('Precio')).toHaveValue('100');
  await expect(field('Precio Original')).toHaveValue('');
  await expect(field('Descuento (%)')).toHaveValue('0');
  await expect(field('Estado')).toHaveValue('active');
  await expect(field('Máximo de Instalaciones')).toHaveValue('5');
  await expect(field('Días de Expiración')).toHaveValue('365');
  await expect(field('Sin expiración')).not.toBeChecked();
  await expect(field('Software').locator(`option[value="${software.id}"]`)).toHaveText(
    `Agenda ${mark} (3.1.0)`,
  );
  await expect(field('Tipo de Licencia').locator(`option[value="${type.id}"]`)).toHaveText(
    `Trimestral ${mark} - $250.00`,
  );

  await expect(field('Máximo de Instalaciones')).toHaveAttribute('min', '1');
  await expect(field('Días de Expiración')).toHaveAttribute('min', '1');
  await expect(field('Descuento (%)')).toHaveAttribute('min', '0');
  await expect(field('Descuento (%)')).toHaveAttribute('max', '100');
  for (const label of ['Descuento (%)', 'Precio', 'Precio Original']) {
    await expect(field(label)).toHaveAttribute('step', '0.01');
    await expect(field(label)).toHaveRole('spinbutton');
    await expect(field(label)).toHaveAttribute('inputmode', 'decimal');
  }
  for (const label of [
    'Cliente',
    'Software',
    'Tipo de Licencia',
    'Precio',
    'Estado',
    'Máximo de Instalaciones',
  ]) {
    await expect(field(label).first()).toHaveAttribute('aria-required', 'true');
  }
});

test('choosing a type fills in price, installations and days every time (SEED-4-21, SEED-4-22, SEED-4-23)', async ({
  page,
  api,
}) => {
  const { type } = await licenseChoices(api);
  const dialog = await openNewLicense(page);
  const types = dialog.getByLabel('Tipo de Licencia', { exact: true });
  const price = dialog.getByLabel('Precio', { exact: true });
  await types.selectOption(String(type.id));
  await expect(price).toHaveValue('250');
  await expect(dialog.getByLabel('Máximo de Instalaciones')).toHaveValue('7');
  await expect(dialog.getByLabel('Días de Expiración')).toHaveValue('90');

  await price.fill('199.5');
  await types.selectOption('');
  await expect(price).toHaveValue('199.5');
  await types.selectOption(String(type.id));
  await expect(price).toHaveValue('250');
});

test("an incomplete form sends nothing, shows each missing field, and an edit clears that field's message (SEED-5.3-01, SEED-5.3-02, SEED-5.3-03, SEED-5.3-14)", {
  tag: '@gate',
}, async ({ page, api }) => {
  const choices = await licenseChoices(api);
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNewLicense(page);
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const client = dialog.getByRole('combobox', { name: 'Cliente' });
  await field('Precio').fill('');
  await field('Estado').selectOption('');
  await field('Máximo de Instalaciones').fill('');
  await submit(dialog);

  expect(await errorOf(page, client)).toBe('Debe seleccionar un cliente');
  expect(await errorOf(page, field('Software'))).toBe('Debe seleccionar un software');
  expect(await errorOf(page, field('Tipo de Licencia'))).toBe('Debe seleccionar un tipo de licencia');
  expect(await errorOf(page, field('Precio'))).toBe('El precio es obligatorio y debe ser mayor a 0');
  expect(await errorOf(page, field('Estado'))).toBe('Debe seleccionar un estado');
  expect(await errorOf(page, field('Máximo de Instalaciones'))).toBe(
    'El máximo de instalaciones debe ser mayor a 0',
  );
  await expect(client).toBeFocused();
  await expect(client).toHaveAttribute('aria-invalid', 'true');

  await field('Precio').fill('0');
  await expect(dialog.getByText('El precio es obligatorio y debe ser mayor a 0')).toBeHidden();
  await expect(dialog.getByText('Debe seleccionar un software')).toBeVisible();
  await field('Precio').blur();
  await expect(dialog.getByText('El precio es obligatorio y debe ser mayor a 0')).toBeVisible();

  await pickClient(page, dialog, choices.mark);
  await expect(dialog.getByText('Debe seleccionar un cliente')).toBeHidden();
  // Choosing a type removes the errors of the fields that it fills.
  await field('Tipo de Licencia').selectOption(String(choices.type.id));
  await expect(dialog.getByText('El precio es obligatorio y debe ser mayor a 0')).toBeHidden();
  await expect(dialog.getByText('El máximo de instalaciones debe ser mayor a 0')).toBeHidden();
  await expect(dialog.getByText('Debe seleccionar un software')).toBeVisible();
  expect(creations).toHaveLength(0);
});

test('discounts out of range, too many decimals and days below 1 are refused at their fields (SEED-5.3-06, SEED-9-06)', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await field('Descuento (%)').fill('100.01');
  await field('Precio').fill('10.9999');
  await field('Precio Original').fill('0');
  await field('Días de Expiración').fill('0');
  await submit(dialog);
  expect(await errorOf(page, field('Descuento (%)'))).toBe('El descuento debe estar entre 0 y 100%');
  expect(await errorOf(page, field('Precio'))).toBe('Usa como máximo dos decimales');
  expect(await errorOf(page, field('Precio Original'))).toBe('El precio original debe ser mayor a 0');
  expect(await errorOf(page, field('Días de Expiración'))).toBe(
    'Los días de expiración deben ser mayores a 0',
  );
  await field('Descuento (%)').fill('-0.01');
  await field('Descuento (%)').blur();
  expect(await errorOf(page, field('Descuento (%)'))).toBe('El descuento debe estar entre 0 y 100%');
  await field('Descuento (%)').fill('100');
  await field('Descuento (%)').blur();
  expect(await errorOf(page, field('Descuento (%)'))).toBe('');
  expect(creations).toHaveLength(0);
});

test('the form sends its fields as the server expects them (SEED-5.3-08, SEED-5.3-09, SEED-5.3-10, SEED-5.3-11, SEED-5.3-12)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const choices = await licenseChoices(api);
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  await dialog.getByLabel('Máximo de Instalaciones').fill('0');
  await dialog.getByLabel('Días de Expiración').fill('');
  await dialog.getByLabel('Descuento (%)').fill('');
  await dialog.getByLabel('Precio', { exact: true }).fill('99.9');
  await submit(dialog);
  await expect(page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' })).toBeVisible();
  expect(creations).toHaveLength(1);
  expect(creations[0]?.postDataJSON()).toEqual({
    client: choices.client.id,
    software: choices.software.id,
    license_type_config: choices.type.id,
    license_type: 'premium',
    status: 'active',
    price: 99.9,
    currency: 'MXN',
    original_price: null,
    discount_percentage: 0,
    promotion_name: '',
    promotion_description: '',
    max_installations: 1,
    expiry_days: 365,
    notes: '',
  });
  expect(creations[0]?.headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
});

test("'Sin expiración' sends null for days and date, and choosing a type switches it off", async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  const perpetual = dialog.getByRole('switch', { name: 'Sin expiración' });
  await perpetual.check();
  await expect(dialog.getByLabel('Días de Expiración')).not.toBeEditable();
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption('');
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(choices.type.id));
  await expect(perpetual).not.toBeChecked();
  await perpetual.check();
  await submit(dialog);
  const success = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(success).toContainText('Sin expiración');
  await expect(success.getByText('N/A', { exact: true })).toBeVisible();
  expect(creations[0]?.postDataJSON()).toMatchObject({ expiry_days: null, expiry_date: null });
});

test('a suggested price is applied only by a click, and a promotion of the type is offered', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const promotion = await api.createLicenseType({
    name: `Oferta ${choices.mark}`,
    base_price: 300,
    is_promotion: true,
    promotion_name: 'Verano',
    promotion_description: 'Solo en julio',
    discount_percentage: 20,
  });
  const dialog = await openNewLicense(page);
  const price = dialog.getByLabel('Precio', { exact: true });
  await expect(dialog.getByText('Precio sugerido:')).toBeHidden();
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(promotion.id));
  await expect(dialog.getByLabel('Descuento (%)')).toHaveValue('0');
  await expect(dialog.getByText('Este tipo tiene la promoción "Verano" con 20% de descuento.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Aplicar promoción' }).click();
  await expect(dialog.getByLabel('Descuento (%)')).toHaveValue('20');
  await expect(dialog.getByLabel('Nombre de Promoción')).toHaveValue('Verano');
  await expect(dialog.getByLabel('Descripción de Promoción')).toHaveValue('Solo en julio');
  await expect(price).toHaveValue('300');

  await dialog.getByLabel('Precio Original').fill('100');
  await expect(dialog.getByText('Precio sugerido: $80.00')).toBeVisible();
  await expect(price).toHaveValue('300');
  await dialog.getByRole('button', { name: 'Aplicar', exact: true }).click();
  await expect(price).toHaveValue('80');
  await expect(dialog.getByText('Precio sugerido:')).toBeHidden();
});

test('server errors show at their fields, others in a toast, and the form does not lose its values (SEED-5.3-13, SEED-8.3-07, SEED-8.3-08)', {
  tag: '@gate',
}, async ({ page, api, guard }) => {
  guard.allowConsoleError(/40[09]|500|Error al crear la licencia/);
  const choices = await licenseChoices(api);
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  await dialog.getByLabel('Notas').fill('Se conserva');

  const answers = [
    {
      status: 400,
      json: {
        success: false,
        code: 'invalid',
        message: 'Datos inválidos',
        errors: { software: ['Fuera de catálogo'], price: ['Muy bajo'] },
      },
    },
    { status: 500, json: { success: false, code: 'server_error', message: 'Error en el servidor' } },
  ];
  await page.route(
    (url) => url.pathname === LIST,
    (route) => {
      const answer = route.request().method() === 'POST' ? answers.shift() : undefined;
      return answer === undefined ? route.continue() : route.fulfill(answer);
    },
  );
  await submit(dialog);
  const software = dialog.getByLabel('Software', { exact: true });
  await expect(software).toBeFocused();
  expect(await errorOf(page, software)).toBe('Fuera de catálogo');
  expect(await errorOf(page, dialog.getByLabel('Precio', { exact: true }))).toBe('Muy bajo');
  await software.blur();
  await expect(
    dialog.getByText('Fuera de catálogo'),
    'a verdict stays until the field is edited',
  ).toBeVisible();
  await software.selectOption('');
  await software.selectOption(String(choices.software.id));
  await expect(dialog.getByText('Fuera de catálogo')).toBeHidden();
  await expect(dialog.getByText('Muy bajo')).toBeVisible();

  await submit(dialog);
  const toast = page.getByRole('alert').filter({ hasText: 'Error al crear la licencia' });
  await expect(toast).toContainText('Error en el servidor');
  await expect(dialog.getByLabel('Notas')).toHaveValue('Se conserva');
  expect(logged.filter((text) => text.startsWith('Error al crear la licencia'))).toHaveLength(2);
  expect(logged.join('\n')).not.toContain('Se conserva');

  await submit(dialog);
  await expect(page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' })).toBeVisible();
});

test('two fast clicks send one request, and the button shows that it is saving', async ({ page, api }) => {
  const choices = await licenseChoices(api);
  const creations = callsTo(page, 'POST', LIST);
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  const saved = lateAnswer(page, (route) => route.continue());
  await page.route(
    (url) => url.pathname === LIST,
    (route) => (route.request().method() === 'POST' ? saved.handler(route) : route.continue()),
  );
  const button = dialog.getByRole('button', { name: 'Crear Licencia' });
  const before = await button.boundingBox();
  await button.dblclick();
  const busy = dialog.getByRole('button', { name: 'Creando...' });
  await expect(busy).toBeVisible();
  expect((await busy.boundingBox())?.width).toBe(before?.width);
  await saved.release();
  await expect(page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' })).toBeVisible();
  expect(creations).toHaveLength(1);
});

test('options that cannot be loaded show an error in their place and a retry button', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500/);
  await page.route(
    (url) => url.pathname === '/licenses/api/software/',
    (route) => route.fulfill({ status: 500, json: { message: 'x' } }),
  );
  const dialog = await openNewLicense(page);
  const software = dialog.getByLabel('Software', { exact: true });
  await expect(dialog.getByText('Error al cargar el software.')).toBeVisible();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Reintentar' }).click();
  await expect(dialog.getByText('Error al cargar el software.')).toBeHidden();
  await expect(software.locator('option').nth(1)).toBeAttached();
});
