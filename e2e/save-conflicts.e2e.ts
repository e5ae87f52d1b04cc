import type { Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { callsTo, expect, type StaffApi, test } from './support/staff.ts';

/**
 * Two people edit one record (D091). The form asks about fields that both changed to different values, and merges the
 * rest.
 */

const CLIENTS = '/licenses/api/clients/';
const input = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });
const select = (form: Locator, name: string) => form.getByRole('combobox', { name, exact: true });
const notice = (form: Locator) =>
  form.getByRole('alert').filter({ hasText: 'Este registro cambió mientras lo editabas' });
const choices = (form: Locator, field: string) => form.getByRole('radiogroup', { name: field, exact: true });
const mine = (form: Locator, field: string) =>
  choices(form, field).getByRole('radio', { name: /^Conservar el mío/ });
const theirs = (form: Locator, field: string) =>
  choices(form, field).getByRole('radio', { name: /^Usar el actual/ });

async function openClient(page: Page, id: number): Promise<Locator> {
  await page.goto(`${'/clients?editar='}${id}`);
  const form = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(input(form, 'Nombre')).toBeFocused();
  return form;
}

const save = (form: Locator) => form.getByRole('button', { name: /^Actualizar / }).click();

async function licenseOf(api: StaffApi, terms: Record<string, unknown> = {}) {
  const [client, software] = [await api.createClient(), await api.createSoftware()];
  return api.createLicense({ client: client.id, software: software.id, ...terms });
}

test.beforeEach(({ guard }) => guard.allowConsoleError(/412|Error al actualizar/));

test('when two people change different fields in two browsers, both saves are merged without a question (D091) @both', async ({
  page,
  colleague,
  api,
}) => {
  const client = await api.createClient({ city: 'Puebla' });
  const [form, other] = [await openClient(page, client.id), await openClient(colleague, client.id)];
  await input(form, 'Cargo').fill('Gerente');
  await input(form, 'Ciudad').fill('Cholula');
  await input(other, 'Teléfono Principal').fill('+525587654321');
  await input(other, 'Notas').fill('Llamar por la tarde');
  // Both change the field to the same value, so there is no question.
  await input(other, 'Ciudad').fill(' Cholula ');
  await save(other);
  await expect(other).toBeHidden();

  const puts = callsTo(page, 'PUT', `${CLIENTS}${client.id}/`);
  await save(form);
  const toast = page.getByRole('status').filter({ hasText: 'Cliente actualizado exitosamente' });
  await expect(toast).toContainText(
    'Se incorporaron los cambios de otra persona en: Teléfono Principal, Notas',
  );
  await expect(form).toBeHidden();
  expect(puts).toHaveLength(2);
  expect(await api.call('GET', `${CLIENTS}${client.id}/`)).toMatchObject({
    city: 'Cholula',
    contact_position: 'Gerente',
    phone: '+525587654321',
    notes: 'Llamar por la tarde',
  });
});

test("a field that both changed is asked about, and the form's save button saves the answer (D091)", async ({
  page,
  colleague,
  api,
}) => {
  const client = await api.createClient({ city: 'Puebla' });
  const [form, other] = [await openClient(page, client.id), await openClient(colleague, client.id)];
  await input(form, 'Cargo').fill('Gerente');
  await input(form, 'Ciudad').fill('Cholula');
  await input(other, 'Ciudad').fill('Atlixco');
  await select(other, 'Estado').selectOption('suspended');
  await save(other);
  await expect(other).toBeHidden();

  const puts = callsTo(page, 'PUT', `${CLIENTS}${client.id}/`);
  await save(form);
  await expect(notice(form)).toContainText('Se incorporaron los cambios de otra persona en: Estado');
  await expect(form.getByRole('radiogroup')).toHaveCount(1);
  await expect(mine(form, 'Ciudad')).toHaveAccessibleName('Conservar el mío: Cholula');
  await expect(theirs(form, 'Ciudad')).toHaveAccessibleName('Usar el actual: Atlixco');
  await expect(mine(form, 'Ciudad')).toBeFocused();
  await expect(notice(form)).toBeInViewport();
  // The notice has no button; only the form's button saves.
  await expect(notice(form).getByRole('button')).toHaveCount(0);
  await expect(select(form, 'Estado')).toHaveValue('suspended');
  expect(await barriers(page)).toEqual([]);

  // The form is not saved while a question is unanswered.
  await save(form);
  await expect(notice(form)).toContainText('Elige con qué valor quedarte');
  await expect(mine(form, 'Ciudad')).toBeFocused();
  expect(puts).toHaveLength(1);

  // The arrow keys choose the other answer, and back.
  await page.keyboard.press('ArrowDown');
  await expect(theirs(form, 'Ciudad')).toBeChecked();
  await expect(input(form, 'Ciudad')).toHaveValue('Atlixco');
  await page.keyboard.press('ArrowUp');
  await expect(mine(form, 'Ciudad')).toBeChecked();
  await expect(input(form, 'Ciudad')).toHaveValue('Cholula');
  await expect(notice(form)).not.toContainText('Elige con qué valor quedarte');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  expect(await api.call('GET', `${CLIENTS}${client.id}/`)).toMatchObject({
    city: 'Cholula',
    contact_position: 'Gerente',
    status: 'suspended',
  });
});

test('for each conflicting field the stored value, the typed value or a new value can be chosen (D091)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({ city: 'Puebla', state: 'Puebla', notes: 'Antes' });
  const form = await openClient(page, client.id);
  await input(form, 'Ciudad').fill('Cholula');
  await input(form, 'Estado/Provincia').fill('Pue.');
  await input(form, 'Notas').fill('Lo mío');
  await api.call('PUT', `${CLIENTS}${client.id}/`, { city: 'Atlixco', state: 'PUE', notes: 'Lo suyo' });
  await save(form);
  await expect(form.getByRole('radiogroup')).toHaveCount(3);
  await theirs(form, 'Ciudad').check();
  await mine(form, 'Estado/Provincia').check();
  // Typing into the field answers its question.
  await input(form, 'Notas').fill('Lo mío y lo suyo');
  await expect(mine(form, 'Notas')).toBeChecked();
  await expect(mine(form, 'Notas')).toHaveAccessibleName('Conservar el mío: Lo mío y lo suyo');
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', `${CLIENTS}${client.id}/`)).toMatchObject({
    city: 'Atlixco',
    state: 'Pue.',
    notes: 'Lo mío y lo suyo',
  });
});

test('another save in between causes a new merge, and too many show a message without losing the typed values (D091)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({ city: 'Puebla' });
  const form = await openClient(page, client.id);
  await input(form, 'Cargo').fill('Gerente');
  let others = 0;
  let limit = 2;
  const path = `${CLIENTS}${client.id}/`;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'PUT' && others < limit) {
      others += 1;
      await api.call('PUT', path, { notes: `Nota ${others}` });
    }
    await route.continue();
  });
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({ contact_position: 'Gerente', notes: 'Nota 2' });

  await openClient(page, client.id);
  await input(form, 'Cargo').fill('Dueña');
  limit = 100;
  await save(form);
  await expect(form.getByRole('group', { name: 'Error al actualizar el cliente' })).toContainText(
    'Este registro fue modificado por otra persona',
  );
  await expect(input(form, 'Cargo')).toHaveValue('Dueña');
  await expect(input(form, 'Notas')).toHaveValue(`Nota ${others}`);
  expect(others).toBeLessThan(10);
  limit = 0;
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({ contact_position: 'Dueña', notes: `Nota ${others}` });
});

test('a record that changes while a question is open is merged with the answers (D091)', async ({
  page,
  api,
}) => {
  const path = (id: number) => `/licenses/api/software/${id}/`;
  const software = await api.createSoftware();
  await page.goto(`/software?editar=${software.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Software' });
  await input(form, 'Versión').fill('3.0.0');
  await api.call('PUT', path(software.id), { version: '2.0.0', is_active: false });
  await save(form);
  await mine(form, 'Versión').check();
  await api.call('PUT', path(software.id), { description: 'De una colega' });
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path(software.id))).toMatchObject({
    version: '3.0.0',
    is_active: false,
    description: 'De una colega',
  });
});

test('dates that the server computes are no conflict when one person edits the note and the other the days (D071, D091)', async ({
  page,
  api,
}) => {
  const license = await licenseOf(api, { expiry_days: 365 });
  const path = `/licenses/api/licenses/${license.id}/`;
  await page.goto(`/licenses?editar=${license.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Licencia' });
  await input(form, 'Notas').fill('Renovar en mayo');
  // For a past date the stored number of days is below 1, which the form must not send.
  await api.call('PUT', path, { expiry_date: '2020-01-31', license_type: 'trial' });
  await save(form);
  await expect(page.getByText('Licencia actualizada exitosamente')).toBeVisible();
  await expect(form).toBeHidden();
  const first = await api.call<{ expiry_date: string }>('GET', path);
  expect(first).toMatchObject({ notes: 'Renovar en mayo', license_type: 'trial' });
  expect(first.expiry_date).toMatch(/^2020-0[12]-/);

  await page.goto(`/licenses?editar=${license.id}`);
  await form.getByLabel('Días de Expiración').fill('30');
  await api.call('PUT', path, { notes: 'De una colega', price: 100 });
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({ expiry_days: 30, notes: 'De una colega' });
});

test('days that are changed back after a merge are still sent (D071, D091)', async ({ page, api }) => {
  const license = await licenseOf(api, { expiry_days: 365, notes: 'Antes' });
  const path = `/licenses/api/licenses/${license.id}/`;
  await page.goto(`/licenses?editar=${license.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Licencia' });
  await input(form, 'Notas').fill('Lo mío');
  await api.call('PUT', path, { expiry_days: 30, notes: 'Lo suyo' });
  await save(form);
  await expect(form.getByLabel('Días de Expiración')).toHaveValue('30');
  await form.getByLabel('Días de Expiración').fill('365');
  await mine(form, 'Notas').check();
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({ expiry_days: 365, notes: 'Lo mío' });
});

test('one person ending a promotion while another renames it is shown as one conflict (D080, D091)', async ({
  page,
  api,
}) => {
  const type = await api.createLicenseType({
    is_promotion: true,
    promotion_name: 'Verano',
    discount_percentage: 10,
  });
  const path = `/licenses/api/license-types/${type.id}/`;
  await page.goto(`/license-types?editar=${type.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await form.getByRole('checkbox', { name: 'Es promoción' }).uncheck();
  await api.call('PUT', path, { promotion_name: 'Otoño', discount_percentage: 20 });
  await save(form);
  await expect(form.getByRole('radiogroup')).toHaveCount(1);
  await expect(mine(form, 'Es promoción')).toHaveAccessibleName('Conservar el mío: No');
  await expect(theirs(form, 'Es promoción')).toHaveAccessibleName(
    'Usar el actual: Sí · Nombre de Promoción: Otoño · Porcentaje de Descuento: 20',
  );
  await theirs(form, 'Es promoción').check();
  await expect(input(form, 'Nombre de Promoción')).toHaveValue('Otoño');
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({ is_promotion: true, promotion_name: 'Otoño' });
});

test('a merge that gives an invalid record shows the error at its field and saves nothing (D091)', async ({
  page,
  api,
}) => {
  const type = await api.createLicenseType({
    is_promotion: true,
    promotion_name: 'Verano',
    promotion_start_date: '2026-06-01',
    promotion_end_date: '2026-08-31',
  });
  const path = `/licenses/api/license-types/${type.id}/`;
  await page.goto(`/license-types?editar=${type.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await form.getByLabel('Fecha de Inicio').fill('2026-08-01');
  await api.call('PUT', path, { promotion_end_date: '2026-07-15' });
  await save(form);
  await expect(form.getByText('La fecha de fin debe ser posterior a la fecha de inicio')).toBeVisible();
  await expect(
    form.getByText('Se incorporaron los cambios de otra persona en: Fecha de Fin', { exact: false }),
  ).toBeVisible();
  await expect(form.getByLabel('Fecha de Fin')).toBeFocused();
  await form.getByLabel('Fecha de Fin').fill('2026-09-15');
  await save(form);
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({
    promotion_start_date: '2026-08-01',
    promotion_end_date: '2026-09-15',
  });
});

test("a user's own save whose answer was lost is not shown as a conflict (D091)", async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/ERR_/);
  const client = await api.createClient({ city: 'Puebla' });
  const path = `${CLIENTS}${client.id}/`;
  const form = await openClient(page, client.id);
  let lose = true;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'PUT' || !lose) return route.continue();
    lose = false;
    await route.fetch();
    await route.abort();
  });
  await input(form, 'Ciudad').fill('Cholula');
  await save(form);
  await expect(form.getByRole('group', { name: 'Error al actualizar el cliente' })).toBeVisible();
  await input(form, 'Ciudad').fill('San Pedro Cholula');
  await save(form);
  const toast = page.getByRole('status').filter({ hasText: 'Cliente actualizado exitosamente' });
  await expect(toast).toBeVisible();
  await expect(toast).not.toContainText('otra persona');
  await expect(form).toBeHidden();
  expect(await api.call('GET', path)).toMatchObject({ city: 'San Pedro Cholula' });
});
