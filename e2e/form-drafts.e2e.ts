import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { expect, test, unique } from './support/staff.ts';

/** After the session ended, unsaved input is restored when the same user signs in again (D004). */

const NOTE = 'Lo que escribiste sigue aquí: revísalo y guarda.';
const input = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });
const select = (form: Locator, name: string) => form.getByRole('combobox', { name, exact: true });
const draft = (page: Page) => page.evaluate(() => sessionStorage.getItem('license_manager_draft'));

/** Ends the page's session on the server. The page detects it at its next call. */
async function revoke(request: APIRequestContext, session: { token: string }): Promise<void> {
  const answer = await request.post('/api/auth/logout/', {
    headers: { authorization: `Bearer ${session.token}` },
  });
  expect(answer.ok()).toBe(true);
}

/** Clicks save. Another call of the page (that of the bell) may already have ended the session. */
async function press(save: Locator): Promise<void> {
  await expect(async () => {
    if (!save.page().url().endsWith('/login')) await save.click({ timeout: 1000 });
  }).toPass();
}

async function signInAs(page: Page, username: string, password: string): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Usuario', { exact: true }).fill(username);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
}

test.beforeEach(({ guard }) => guard.allowConsoleError(/401|412|Error al/));

test('unsaved input of a new client is restored after signing in again, and can be saved', {
  tag: '@gate',
}, async ({ page, request, session }) => {
  const mark = unique();
  await page.goto('/clients?nuevo=1');
  const form = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await input(form, 'Nombre').fill(`Ana ${mark}`);
  await input(form, 'Email').fill(`${mark}@example.com`);
  await input(form, 'Teléfono Principal').fill('+525512345678');
  await select(form, 'Tipo de Cliente').selectOption('enterprise');
  await input(form, 'Notas').fill('Llamar por la tarde');
  await revoke(request, session);
  await press(form.getByRole('button', { name: 'Crear Cliente' }));
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('lo que escribiste se conserva')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  // After a reload the unsaved input is still there.
  await page.reload();
  await signInAs(page, 'admin', 'admin123');

  await expect(page).toHaveURL(/\/clients\?nuevo=1$/);
  await expect(form.getByText(NOTE)).toBeVisible();
  await expect(input(form, 'Nombre')).toHaveValue(`Ana ${mark}`);
  await expect(input(form, 'Email')).toHaveValue(`${mark}@example.com`);
  await expect(input(form, 'Teléfono Principal')).toHaveValue('+525512345678');
  await expect(select(form, 'Tipo de Cliente')).toHaveValue('enterprise');
  await expect(input(form, 'Notas')).toHaveValue('Llamar por la tarde');
  expect(await draft(page)).toBeNull();
  expect(await barriers(page)).toEqual([]);

  // The restored input counts as a change, so leaving asks.
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(page.getByText('Cliente creado exitosamente')).toBeVisible();
  await expect(form).toBeHidden();
  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  await expect(input(form, 'Nombre')).toHaveValue('');
  await expect(form.getByText(NOTE)).toBeHidden();
});

test('another user does not get the unsaved input, and the first user does not get it afterwards', async ({
  page,
  api,
  request,
  session,
}) => {
  const other = `marta-${unique()}`;
  const account = { username: other, password: 'secreta-9', names: 'Marta', last_name: 'Ibáñez' };
  await api.call('POST', '/api/auth/register/', { ...account, email: `${other}@example.com` });
  await page.goto('/software?nuevo=1');
  const form = page.getByRole('dialog', { name: 'Nuevo Software' });
  await input(form, 'Nombre').fill('Secreto de Ana');
  await input(form, 'Versión').fill('1.0');
  await revoke(request, session);
  await press(form.getByRole('button', { name: 'Crear Software' }));
  await expect(page).toHaveURL(/\/login$/);
  expect(await draft(page)).toContain('Secreto de Ana');
  await signInAs(page, other, 'secreta-9');

  await expect(page).toHaveURL(/\/software\?nuevo=1$/);
  await expect(input(form, 'Nombre')).toHaveValue('');
  await expect(form.getByText(NOTE)).toBeHidden();
  expect(await draft(page)).toBeNull();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await signInAs(page, 'admin', 'admin123');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/software?nuevo=1');
  await expect(input(form, 'Nombre')).toHaveValue('');
});

test('the options chosen in a licence form are restored although the option lists are loaded again', async ({
  page,
  api,
  request,
  session,
}) => {
  const client = await api.createClient({ name: `Ana ${unique()}` });
  const software = await api.createSoftware();
  const type = await api.createLicenseType();
  await page.goto('/licenses?nuevo=1');
  const form = page.getByRole('dialog', { name: 'Nueva Licencia' });
  await select(form, 'Cliente').fill(client.name);
  await page.getByRole('option', { name: new RegExp(client.name) }).click();
  await select(form, 'Software').selectOption(String(software.id));
  await select(form, 'Tipo de Licencia').selectOption(String(type.id));
  await form.getByRole('spinbutton', { name: 'Máximo de Instalaciones' }).fill('7');
  await revoke(request, session);
  await press(form.getByRole('button', { name: 'Crear Licencia' }));
  await signInAs(page, 'admin', 'admin123');

  await expect(form.getByText(NOTE)).toBeVisible();
  await expect(select(form, 'Cliente')).toHaveValue(`${client.name} - ${client.email}`);
  await expect(select(form, 'Software')).toHaveValue(String(software.id));
  await expect(select(form, 'Tipo de Licencia')).toHaveValue(String(type.id));
  await expect(form.getByRole('spinbutton', { name: 'Máximo de Instalaciones' })).toHaveValue('7');
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  await expect(page.getByText('¡Licencia Creada Exitosamente!')).toBeVisible();
});

test("restored input does not silently overwrite another user's save", async ({
  page,
  api,
  request,
  session,
  playwright,
  server,
}) => {
  const type = await api.createLicenseType({ name: `Anual ${unique()}`, base_price: 100 });
  await page.goto(`/license-types?editar=${type.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await form.getByLabel('Precio Base').fill('150');
  await revoke(request, session);
  await press(form.getByRole('button', { name: 'Actualizar Tipo de Licencia' }));
  await expect(page).toHaveURL(/\/login$/);

  const colleague = await playwright.request.newContext({ baseURL: server.url });
  const entered = await colleague.post('/api/auth/login/', {
    data: { username: 'admin', password: 'admin123' },
  });
  const { token } = await entered.json();
  const saved = await colleague.put(`/licenses/api/license-types/${type.id}/`, {
    data: { base_price: 175, description: 'De una colega' },
    headers: { authorization: `Bearer ${token}` },
  });
  expect(saved.ok()).toBe(true);
  await colleague.dispose();

  await signInAs(page, 'admin', 'admin123');
  await expect(form.getByText(NOTE)).toBeVisible();
  await expect(form.getByLabel('Precio Base')).toHaveValue('150');
  await form.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  const notice = form.getByRole('alert').filter({ hasText: 'Este registro cambió mientras lo editabas' });
  await expect(notice).toContainText('175');
  await expect(notice).toContainText('150');
  await expect(notice).toContainText('Se incorporaron los cambios de otra persona en: Descripción');
  await notice.getByRole('radio', { name: 'Conservar el mío: 150' }).check();
  await form.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  await expect(form).toBeHidden();
});
