import type { Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import { licenseDetails } from './support/details.ts';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { listRows } from './support/list-rows.ts';
import { callsTo, expect, type StaffApi, test } from './support/staff.ts';

const LIST = '/licenses/api/licenses/';
const RECORD = /\/licenses\/api\/licenses\/\d+\/$/;

const today = (offsetDays = 0) =>
  new Intl.DateTimeFormat('es-MX', {
    timeZone: 'America/Mexico_City',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).format(new Date(Date.now() + offsetDays * 86_400_000));

async function oneLicense(api: StaffApi, values: Record<string, unknown> = {}) {
  const choices = await licenseChoices(api);
  const license = await api.createLicense({
    client: choices.client.id,
    software: choices.software.id,
    license_type_config: choices.type.id,
    ...values,
  });
  return { ...choices, license };
}

const row = (page: Page) => listRows(page, 'Lista de licencias');
const success = (page: Page) => page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });

/** Changes the answer to a creation: the stored licence with the test's changes. */
async function changeCreated(page: Page, change: (license: License) => object): Promise<void> {
  await page.route(
    (url) => url.pathname === LIST,
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, json: change(await response.json()) });
    },
  );
}

test('the success dialog shows every field of the new licence (SEED-2.8-26, SEED-2.8-27, SEED-2.8-28, SEED-2.8-29, SEED-2.8-30, SEED-2.8-31, SEED-2.8-32, SEED-2.8-33, SEED-2.8-34, SEED-2.8-35, SEED-2.8-36, SEED-8.3-10, SEED-4-28)', {
  tag: '@gate',
}, async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const choices = await licenseChoices(api);
  await page.goto('/licenses');
  await page.getByRole('button', { name: 'Nueva Licencia' }).click();
  const form = page.getByRole('dialog', { name: 'Nueva Licencia' });
  await fillRequired(page, form, choices);
  await form.getByLabel('Días de Expiración').fill('365');
  await form.getByLabel('Precio', { exact: true }).fill('100');
  await form.getByLabel('Precio Original').fill('150');
  await form.getByLabel('Descuento (%)').fill('33.33');
  await form.getByLabel('Nombre de Promoción').fill('Aniversario');
  await form.getByLabel('Descripción de Promoción').fill('Diez años juntos');
  await form.getByLabel('Notas').fill('Entregar a <compras>');
  await form.getByRole('button', { name: 'Crear Licencia' }).click();

  const dialog = success(page);
  await expect(dialog).toBeVisible();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/licenses$/);
  await expect(page.getByText('Licencia creada exitosamente', { exact: true })).toBeVisible();
  const key = /[2-9A-HJ-NP-Z]{5}(?:-[2-9A-HJ-NP-Z]{5}){4}/.exec(await dialog.innerText())?.[0] ?? '';
  expect(key).not.toBe('');
  for (const text of [
    'Clave de Licencia',
    'Guarda esta clave en un lugar seguro.',
    `Ana ${choices.mark}`,
    choices.client.email,
    `Empresa ${choices.mark}`,
    `Agenda ${choices.mark}`,
    '3.1.0',
    `Citas y pacientes ${choices.mark}`,
    'Premium',
    'Activa',
    '$100.00',
    today(),
    today(365),
    '365',
    'Aniversario',
    '33.33%',
    'Diez años juntos',
    'Entregar a <compras>',
    'Email enviado',
    `Se ha enviado un correo electrónico a ${choices.client.email} con la información de la licencia.`,
  ]) {
    await expect(dialog.getByText(text, { exact: true }).first()).toBeVisible();
  }
  await expect(dialog.getByText('$150.00')).toHaveCSS('text-decoration-line', 'line-through');
  const seats = dialog.getByText('Máximo de Instalaciones', { exact: true });
  await expect(seats.locator('xpath=following-sibling::dd')).toHaveText('7');

  await dialog.getByRole('button', { name: 'Copiar' }).click();
  await expect(dialog.getByRole('button', { name: 'Copiada' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  await dialog.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Nueva Licencia' })).toBeFocused();
  await expect(row(page).first(), 'the list is the new one').toContainText(key);

  await page.getByRole('button', { name: 'Nueva Licencia' }).click();
  // The form is blank except for software and type of the last licence, and the terms of that type.
  await expect(form.getByLabel('Software', { exact: true })).toHaveValue(String(choices.software.id));
  await expect(form.getByLabel('Precio', { exact: true })).toHaveValue('250');
  await expect(form.getByLabel('Notas')).toHaveValue('');
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toHaveValue('');
});

test("the success dialog shows N/A without days, a badge for 'inactive', and no original price that equals the price (SEED-2.8-33, SEED-3-16, SEED-2.8-34)", async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  await changeCreated(page, (license) => ({
    ...license,
    status: 'inactive',
    days_remaining: null,
    original_price: license.price,
  }));
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  const dialog = success(page);
  await expect(dialog.getByText('Inactiva', { exact: true })).toBeVisible();
  await expect(
    dialog.getByText('Días restantes', { exact: true }).locator('xpath=following-sibling::dd'),
  ).toHaveText('N/A');
  await expect(dialog.locator('s')).toHaveCount(0);
});

test('a mail that could not be sent shows an amber note, also when the server sends relations as ids and numbers as text (SEED-2.8-36)', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  await changeCreated(page, (license) => ({
    ...license,
    client: license.client.id,
    software: license.software.id,
    price: '250.00',
    email_status: 'failed',
  }));
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  const dialog = success(page);
  await expect(
    dialog.getByText('No se pudo enviar el correo. Se reintentará automáticamente.'),
  ).toBeVisible();
  await expect(dialog.getByText('Email enviado')).toBeHidden();
  await expect(dialog.getByText(choices.client.email).first()).toBeVisible();
  await expect(dialog.getByText('$250.00')).toBeVisible();
});

test('the details of a licence open by their own URL (SEED-2.8-21, SEED-2.8-22, SEED-2.8-23, SEED-2.8-24, SEED-2.1-08, SEED-1-06)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { license, mark, client } = await oneLicense(api, {
    max_installations: 5,
    expiry_days: 90,
    notes: 'Primera línea\nSegunda línea',
  });
  await api.activate(license.license_key, { machine_id: 'caja-1' });
  await page.goto(`/licenses?q=${mark}`);
  await row(page).getByRole('button', { name: 'Ver detalles' }).click();
  await expect(page).toHaveURL(new RegExp(`/licenses\\?q=${mark}&ver=${license.id}$`));
  const dialog = licenseDetails(page);
  for (const text of [
    license.license_key,
    `Ana ${mark}`,
    client.email,
    `Agenda ${mark}`,
    '3.1.0',
    'Premium',
    `Trimestral ${mark}`,
    'Activa',
    '1/5',
    '4 restantes',
    '$100.00',
    today(),
    today(90),
  ]) {
    await expect(dialog.getByText(text, { exact: true }).first()).toBeVisible();
  }
  await expect(dialog.getByText('Segunda línea')).toBeVisible();
  await page.reload();
  await expect(dialog.getByText(license.license_key)).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/licenses\\?q=${mark}$`));

  await row(page).getByRole('link', { name: license.license_key }).click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}$`));
  await expect(dialog.getByText('1/5')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/licenses\\?q=${mark}$`));
  await expect(row(page)).toContainText(license.license_key);
});

test("a link to a deleted licence shows 'not found', and its link leads to the list (SEED-2.1-08)", async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/);
  await page.goto('/licenses/987654321');
  const dialog = licenseDetails(page);
  await expect(dialog.getByText('Licencia no encontrada')).toBeVisible();
  await dialog.getByRole('link', { name: 'Licencias' }).click();
  await expect(page).toHaveURL(/\/licenses$/);
});

test('the details show the state of the mail, and the mail can be sent again', async ({
  browser,
  freshServer,
  smtp,
  guard,
  playwright,
}) => {
  test.slow();
  smtp.answers.recipient = () => ({ code: 550, text: 'No such user' });
  const server = await freshServer({ SMTP_URL: smtp.url });
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const page = await context.newPage();
  const request = await playwright.request.newContext({ baseURL: server.url });
  const session = await (
    await request.post('/api/auth/login/', { data: { username: 'admin', password: 'admin123' } })
  ).json();
  const headers = { authorization: `Bearer ${session.token}` };
  const post = async (path: string, data: object) =>
    (await request.post(`/licenses/api${path}`, { data, headers })).json();
  const client = await post('/clients/', { name: 'Luz', email: 'luz@example.com', phone: '+525512345678' });
  const software = await post('/software/', { name: 'Correo', version: '1' });
  const license: License = await post('/licenses/', {
    client: client.id,
    software: software.id,
    license_type: 'basic',
    price: 10,
  });
  const emailStatus = async () => {
    const answer = await request.get(`${LIST}${license.id}/`, { headers });
    return (await answer.json()).email_status;
  };
  await expect.poll(emailStatus).toBe('failed');
  await page.addInitScript((answer) => {
    localStorage.setItem('license_manager_user', JSON.stringify(answer.user));
    localStorage.setItem('license_manager_token', answer.token);
  }, session);
  // The dashboard links to licences with failed mails, and the list shows the failure.
  await page.goto('/dashboard');
  await page.getByRole('link', { name: /^Correos fallidos/ }).click();
  await expect(
    page.locator('tbody tr').filter({ hasText: license.license_key }).getByText('Correo fallido'),
  ).toBeVisible();
  await page.goto(`/licenses/${license.id}`);
  const dialog = licenseDetails(page);
  await expect(dialog.getByText('Falló', { exact: true })).toBeVisible();
  await expect(dialog.getByText('luz@example.com').first()).toBeVisible();

  smtp.answers.recipient = () => 'accept';
  await dialog.getByRole('button', { name: 'Reenviar' }).click();
  await expect(page.getByText('Correo reenviado')).toBeVisible();
  await smtp.waitFor((message) => message.to.includes('luz@example.com'));
  // The server stores the delivery shortly after the mail was sent.
  await expect.poll(emailStatus).toBe('sent');
  await page.reload();
  await expect(dialog.getByText('Enviado', { exact: true })).toBeVisible();
  await request.dispose();
  await context.close();
});

test('any status can follow any other in the edit form (SEED-4-09, SEED-4-10, SEED-2.8-17, SEED-2.8-18, SEED-2.8-19, SEED-2.8-20, SEED-8.3-10, SEED-9-19)', async ({
  page,
  api,
}) => {
  const { license, mark } = await oneLicense(api, { license_type: 'trial', expiry_date: '2027-03-01' });
  await page.goto(`/licenses?q=${mark}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  const changes = callsTo(page, 'PUT', RECORD);
  const order = ['cancelled', 'active', 'expired', 'trial', 'suspended', 'inactive'];
  const labels = ['Cancelada', 'Activa', 'Expirada', 'Trial', 'Suspendida', 'Inactiva'];
  for (const [position, status] of order.entries()) {
    await row(page).getByRole('button', { name: 'Editar' }).click();
    if (position === 0) {
      await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
        'Información Básica',
        'Precios y Promociones',
        'Configuración de Licencia',
        'Notas Adicionales',
      ]);
      await expect(dialog.getByRole('combobox', { name: 'Cliente' })).toHaveValue(
        `Ana ${mark} - ana-${mark}@example.com`,
      );
    }
    await dialog.getByLabel('Estado', { exact: true }).selectOption(status);
    await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();
    await expect(dialog).toBeHidden();
    await expect(row(page).getByRole('cell').nth(4)).toHaveText(labels[position]!);
  }
  await expect(page.getByText('Licencia actualizada exitosamente').first()).toBeVisible();
  const sent = changes[0]?.postDataJSON();
  // The licence keeps its category, and unchanged terms are not sent (D059, D071).
  expect(sent.license_type).toBe('trial');
  expect(sent).not.toHaveProperty('expiry_days');
  expect(sent.updated_at).toBe(license.updated_at);
  const after = await api.call<License>('GET', `${LIST}${license.id}/`);
  expect(after.expiry_date).toBe(license.expiry_date);
  expect(after.license_key).toBe(license.license_key);
});

test('editing a licence whose type was deleted does not change its price, seats and days', async ({
  page,
  api,
}) => {
  const { license, mark, type } = await oneLicense(api, { max_installations: 9 });
  await api.call('DELETE', `/licenses/api/license-types/${type.id}/`);
  await page.goto(`/licenses?q=${mark}&editar=${license.id}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  await expect(dialog.getByLabel('Tipo de Licencia', { exact: true }).locator('option:checked')).toHaveText(
    'Sin tipo de licencia (se conservan sus condiciones)',
  );
  await dialog.getByLabel('Notas').fill('Sigue igual');
  await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(dialog).toBeHidden();
  const after = await api.call<License>('GET', `${LIST}${license.id}/`);
  expect(after).toMatchObject({ license_type_config: null, max_installations: 9, notes: 'Sigue igual' });
});

test('when two people edit one licence, both changes are saved and a field that both changed is asked about (SEED-8.3-07, SEED-8.3-08)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/412|Error al actualizar la licencia/);
  const { license, mark } = await oneLicense(api, { notes: 'Antes' });
  await page.goto(`/licenses?q=${mark}`);
  await row(page).getByRole('button', { name: 'Editar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  await dialog.getByLabel('Notas').fill('Lo mío');
  await api.call('PUT', `${LIST}${license.id}/`, { notes: 'Lo suyo', status: 'suspended' });
  await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();

  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('Este registro cambió mientras lo editabas');
  await expect(notice).toContainText('Se incorporaron los cambios de otra persona en: Estado');
  await expect(dialog.getByLabel('Estado', { exact: true })).toHaveValue('suspended');
  await expect(notice.getByRole('listitem')).toHaveText([
    'NotasConservar el mío: Lo míoUsar el actual: Lo suyo',
  ]);
  await expect(dialog.getByRole('textbox', { name: 'Notas' })).toHaveValue('Lo mío');
  await notice.getByRole('radio', { name: 'Conservar el mío' }).check();
  await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(dialog).toBeHidden();
  const after = await api.call<License>('GET', `${LIST}${license.id}/`);
  expect(after).toMatchObject({ notes: 'Lo mío', status: 'suspended' });
});

test('leaving a changed form by Escape, ×, Cancelar or Back asks first, and an unchanged form closes at once', async ({
  page,
  api,
}) => {
  const { mark } = await oneLicense(api);
  await page.goto(`/licenses?q=${mark}`);
  const edit = row(page).getByRole('button', { name: 'Editar' });
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  const question = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await edit.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(edit).toBeFocused();

  await edit.click();
  await dialog.getByLabel('Notas').fill('Sin guardar');
  const ways = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cerrar' }).click(),
    () => dialog.getByRole('button', { name: 'Cancelar' }).click(),
    () => page.goBack(),
  ];
  for (const leave of ways) {
    await leave();
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    await expect(question).toBeHidden();
    await expect(dialog.getByLabel('Notas')).toHaveValue('Sin guardar');
    await expect(page).toHaveURL(/editar=/);
  }
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Descartar cambios' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/editar=/);
});
