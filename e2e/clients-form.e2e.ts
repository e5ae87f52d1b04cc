import type { Locator, Page, Request } from '@playwright/test';
import { clientDetails } from './support/details.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

const LIST = '/licenses/api/clients/';
const PHONE_MESSAGE = 'El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890';

const SECTIONS = [
  'Información Personal',
  'Información Empresarial',
  'Información de Contacto',
  'Información de Ubicación',
  'Configuración',
  'Notas',
];

const input = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });
const select = (form: Locator, name: string) => form.getByRole('combobox', { name, exact: true });
const bodyOf = (request: Request): Record<string, unknown> => request.postDataJSON();

/** The texts that describe an input (aria-describedby): its error and its help. */
const describes = (control: Locator) =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );

async function openCreate(page: Page): Promise<Locator> {
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await expect(input(dialog, 'Nombre')).toBeFocused();
  return dialog;
}

async function fillRequired(
  form: Locator,
  values: { name: string; email: string; phone?: string },
): Promise<void> {
  await input(form, 'Nombre').fill(values.name);
  await input(form, 'Email').fill(values.email);
  await input(form, 'Teléfono Principal').fill(values.phone ?? '+525512345678');
}

test('a client is created, found, edited, viewed and deleted (SEED-1-03, SEED-2.6-24, SEED-2.6-25, SEED-2.6-27, SEED-4-28, SEED-8.3-09) @gate', async ({
  page,
}) => {
  const mark = unique();
  const lists = callsTo(page, 'GET', LIST);
  const dialog = await openCreate(page);
  await fillRequired(dialog, { name: `Ana ${mark}`, email: `ana-${mark}@example.com` });
  const before = lists.length;
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Cliente creado exitosamente' })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/clients$/);
  expect(lists.length).toBeGreaterThan(before);
  const row = page.getByRole('row', { name: new RegExp(mark) });
  await expect(row).toContainText('Hace un momento');
  await expect(page.getByRole('button', { name: 'Nuevo Cliente' })).toBeFocused();

  await page.getByPlaceholder('Buscar clientes...').fill(mark);
  await expect(page.getByText('1 cliente', { exact: true })).toBeVisible();

  await row.getByRole('button', { name: 'Editar' }).click();
  const edit = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(input(edit, 'Nombre')).toHaveValue(`Ana ${mark}`);
  await expect(input(edit, 'Email')).toHaveValue(`ana-${mark}@example.com`);
  await input(edit, 'Empresa').fill('Panadería La Espiga');
  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'Cliente actualizado exitosamente' }),
  ).toBeVisible();
  await expect(edit).toBeHidden();
  await expect(row).toContainText('Panadería La Espiga');
  await expect(row.getByRole('button', { name: 'Editar' })).toBeFocused();

  await row.getByRole('button', { name: 'Ver detalles' }).click();
  await expect(clientDetails(page)).toContainText('Panadería La Espiga');
  await page.keyboard.press('Escape');
  await expect(row.getByRole('button', { name: 'Ver detalles' })).toBeFocused();

  page.once('dialog', (question) => void question.accept());
  await row.getByRole('button', { name: 'Eliminar' }).click();
  await expect(page.getByText('No hay clientes', { exact: true })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Cliente eliminado exitosamente' })).toBeVisible();
});

test('the create and edit dialogs have six sections and seven required marks (SEED-2.6-26, SEED-5.2-01, SEED-3-05, SEED-3-06)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  for (const path of ['/clients?nuevo=1', `/clients?editar=${client.id}`]) {
    await page.goto(path);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(SECTIONS);
    for (const label of ['Nombre', 'Email', 'Empresa', 'Teléfono Principal', 'Dirección']) {
      await expect(input(dialog, label)).toHaveAttribute('aria-required', 'true');
    }
    for (const label of ['Tipo de Cliente', 'Estado']) {
      await expect(select(dialog, label)).toHaveAttribute('aria-required', 'true');
    }
    const marked = await dialog
      .locator('label')
      .evaluateAll((labels) =>
        labels
          .filter((label) => getComputedStyle(label, '::after').content.startsWith('"*"'))
          .map((label) => label.textContent),
      );
    expect(marked).toEqual([
      'Nombre',
      'Email',
      'Empresa',
      'Tipo de Cliente',
      'Teléfono Principal',
      'Dirección',
      'Estado',
    ]);
    await expect(select(dialog, 'Tipo de Cliente')).toHaveValue('individual');
    await expect(select(dialog, 'Estado')).toHaveValue('active');
  }
});

test('a phone that breaks the rule shows a message, in create and in edit (SEED-5.2-02, SEED-5.2-03, SEED-8.3-06, SEED-9-05)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}` });
  const posts = callsTo(page, 'POST', LIST);
  const puts = callsTo(page, 'PUT', `${LIST}${client.id}/`);
  const dialog = await openCreate(page);
  await fillRequired(dialog, { name: 'Ana', email: `${mark}@example.com`, phone: '123' });
  for (const wrong of ['123', '12345678', '12345abc9', '12345678901234567', '+52 5512345678']) {
    await input(dialog, 'Teléfono Principal').fill(wrong);
    await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
    await expect(dialog.getByText(PHONE_MESSAGE), wrong).toBeVisible();
    await expect(input(dialog, 'Teléfono Principal')).toBeFocused();
    expect(await describes(input(dialog, 'Teléfono Principal'))).toContain(PHONE_MESSAGE);
  }
  expect(posts).toHaveLength(0);
  for (const [position, right] of ['+1234567890', '123456789', '123456789012345'].entries()) {
    if (position > 0) await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
    await fillRequired(dialog, { name: 'Ana', email: `${unique()}@example.com`, phone: right });
    await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
    await expect(dialog, right).toBeHidden();
  }

  await page.goto(`/clients?editar=${client.id}`);
  const edit = page.getByRole('dialog', { name: 'Editar Cliente' });
  await input(edit, 'Teléfono Principal').fill('123');
  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(edit.getByText(PHONE_MESSAGE)).toBeVisible();
  expect(puts).toHaveLength(0);
});

test('the form sends trimmed texts, the phone with its plus, and the defaults (SEED-5.2-04, SEED-5.2-05, SEED-5.2-06, SEED-5.2-07, SEED-5.2-08, SEED-9-09)', async ({
  page,
}) => {
  const mark = unique();
  const posts = callsTo(page, 'POST', LIST);
  const dialog = await openCreate(page);
  await fillRequired(dialog, {
    name: `  Ana ${mark}  `,
    email: ` ${mark}@example.com `,
    phone: ' 5512345678 ',
  });
  await expect(input(dialog, 'País')).toHaveValue('México');
  await input(dialog, 'País').fill('');
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(dialog).toBeHidden();
  expect(posts).toHaveLength(1);
  expect(bodyOf(posts[0]!)).toMatchObject({
    name: `Ana ${mark}`,
    email: `${mark}@example.com`,
    phone: '+5512345678',
    company: 'Sin especificar',
    address: 'Sin especificar',
    city: 'Sin especificar',
    state: 'Sin especificar',
    contact_person: 'Sin especificar',
    country: 'México',
    postal_code: '00000',
    client_type: 'individual',
    status: 'active',
    last_contact: null,
    reminders: true,
  });
});

test('submitting an empty form shows every missing field at once and sends nothing (D046, D077)', async ({
  page,
}) => {
  const posts = callsTo(page, 'POST', LIST);
  const dialog = await openCreate(page);
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(dialog.getByText('El nombre es obligatorio')).toBeVisible();
  await expect(dialog.getByText('El email es obligatorio')).toBeVisible();
  await expect(dialog.getByText(PHONE_MESSAGE)).toBeVisible();
  await expect(dialog.locator('[aria-invalid=true]')).toHaveCount(3);
  await expect(input(dialog, 'Nombre')).toBeFocused();

  await input(dialog, 'Email').fill('ana@');
  await input(dialog, 'Sitio Web').fill('javascript:alert(1)');
  await input(dialog, 'Nombre').fill('Ana');
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(dialog.getByText('El email no es válido')).toBeVisible();
  await expect(dialog.getByText('El sitio web debe empezar con http:// o https://')).toBeVisible();
  expect(posts).toHaveLength(0);
});

test('a taken email shows an error at its field, the values stay, and the error disappears on edit (SEED-5.2-09, SEED-5.2-10, SEED-8.3-05)', {
  tag: '@gate',
}, async ({ page, api, guard }) => {
  guard.allowConsoleError(/400|Error al (crear|actualizar) el cliente/);
  const taken = await api.createClient();
  const dialog = await openCreate(page);
  await fillRequired(dialog, { name: 'Ana', email: taken.email.toUpperCase() });
  await input(dialog, 'Cargo').fill('Dueña');
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  const message = dialog.getByText('Ya existe un cliente con este email');
  await expect(message).toBeVisible();
  await expect(input(dialog, 'Email')).toBeFocused();
  await expect(input(dialog, 'Email')).toHaveAttribute('aria-invalid', 'true');
  expect(await describes(input(dialog, 'Email'))).toContain('Ya existe un cliente con este email');
  await expect(input(dialog, 'Cargo')).toHaveValue('Dueña');

  // When the field loses the focus, the server's error stays; editing removes it.
  await page.keyboard.press('Tab');
  await expect(message).toBeVisible();
  await input(dialog, 'Email').press('End');
  await input(dialog, 'Email').pressSequentially('x');
  await expect(message).toBeHidden();

  // The same when editing (D028), for any field in the server's answer.
  const other = await api.createClient();
  await page.route(`**${LIST}${other.id}/`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 400,
          json: { success: false, message: 'Datos inválidos', errors: { phone: ['Teléfono de prueba'] } },
        })
      : route.continue(),
  );
  page.on('dialog', (question) => void question.accept());
  await page.goto(`/clients?editar=${other.id}`);
  const edit = page.getByRole('dialog', { name: 'Editar Cliente' });
  await input(edit, 'Cargo').fill('Gerente');
  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(edit.getByText('Teléfono de prueba')).toBeVisible();
  await expect(input(edit, 'Teléfono Principal')).toBeFocused();
});

test('a failure without a field shows a toast, the dialog stays open with its values, and a retry sends the same idempotency key', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500|Error al crear el cliente/);
  const mark = unique();
  const posts = callsTo(page, 'POST', LIST);
  let fail = true;
  await page.route(`**${LIST}`, (route) => {
    if (route.request().method() !== 'POST' || !fail) return route.continue();
    return route.fulfill({ status: 500, json: { success: false, message: 'Error en el servidor' } });
  });
  const dialog = await openCreate(page);
  await fillRequired(dialog, { name: `Ana ${mark}`, email: `${mark}@example.com` });
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Error al crear el cliente' });
  await expect(toast).toContainText('Error en el servidor');
  await expect(input(dialog, 'Nombre')).toHaveValue(`Ana ${mark}`);
  fail = false;
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(dialog).toBeHidden();
  const keys = posts.map((request) => request.headers()['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('when the answer to a save was lost and the form changed since, a message explains it and the list shows the stored record', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/409|ERR_|Error al crear el cliente/);
  const mark = unique();
  let lose = true;
  await page.route(`**${LIST}`, async (route) => {
    if (route.request().method() !== 'POST' || !lose) return route.continue();
    lose = false;
    await route.fetch();
    await route.abort();
  });
  await page.goto(`/clients?q=${mark}&nuevo=1`);
  const dialog = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await fillRequired(dialog, { name: `Ana ${mark}`, email: `${mark}@example.com` });
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Network error' })).toBeVisible();
  await input(dialog, 'Nombre').fill(`Ana María ${mark}`);
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Un envío anterior ya se guardó, con otros datos.' }),
  ).toContainText('Búscalo en la lista y edítalo');
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Descartar cambios' }).click();
  await expect(page.getByRole('row', { name: new RegExp(`Ana ${mark}`) })).toBeVisible();
});

test('two fast clicks send one POST, and the button does not change its width while it shows Creando...', async ({
  page,
}) => {
  const mark = unique();
  const posts = callsTo(page, 'POST', LIST);
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${LIST}`, async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  const dialog = await openCreate(page);
  await fillRequired(dialog, { name: `Ana ${mark}`, email: `${mark}@example.com` });
  const submit = dialog.getByRole('button', { name: 'Crear Cliente' });
  const width = (await submit.boundingBox())?.width;
  await submit.dblclick();
  const busy = dialog.getByRole('button', { name: 'Creando...' });
  await expect(busy).toBeVisible();
  expect((await busy.boundingBox())?.width).toBe(width);
  release();
  await expect(dialog).toBeHidden();
  expect(posts).toHaveLength(1);
});

test('every way to close a changed form asks first, and an unchanged form closes at once (SEED-2.3-03, SEED-2.3-04)', async ({
  page,
}) => {
  const dialog = await openCreate(page);
  const question = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  await input(dialog, 'Nombre').fill('Ana');
  const ways: [string, () => Promise<unknown>][] = [
    ['Escape', () => page.keyboard.press('Escape')],
    ['×', () => dialog.getByRole('button', { name: 'Cerrar' }).click()],
    ['Cancelar', () => dialog.getByRole('button', { name: 'Cancelar' }).click()],
    ['Back', () => page.evaluate(() => history.back())],
  ];
  for (const [way, leave] of ways) {
    await leave();
    await expect(question, way).toBeVisible();
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    await expect(question).toBeHidden();
    await expect(input(dialog, 'Nombre'), way).toHaveValue('Ana');
  }
  // A click outside the dialog does not close it (D103).
  await page.mouse.click(5, 5);
  await expect(question).toBeHidden();
  await expect(dialog).toBeVisible();
  // When the tab is closed, the browser itself asks.
  const prevented = await page.evaluate(() => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(prevented).toBe(true);

  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await question.getByRole('button', { name: 'Descartar cambios' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/clients$/);
  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  await expect(input(dialog, 'Nombre')).toHaveValue('');
});

test('when two people edit different fields of one client, both changes are saved (D091)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/412|Error al actualizar el cliente/);
  const client = await api.createClient({ city: 'Puebla', notes: 'Llamar por la tarde' });
  await page.goto(`/clients?editar=${client.id}`);
  const edit = page.getByRole('dialog', { name: 'Editar Cliente' });
  await input(edit, 'Cargo').fill('Gerente');
  await input(edit, 'Ciudad').fill('Cholula');
  await api.call('PUT', `${LIST}${client.id}/`, { city: 'Atlixco', status: 'suspended' });

  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  const notice = edit.getByRole('alert').filter({ hasText: 'Este registro cambió mientras lo editabas' });
  await expect(notice).toBeVisible();
  // The form asks only about fields that both people changed (e2e/save-conflicts.e2e.ts).
  await expect(notice.getByRole('radiogroup')).toHaveCount(1);
  // Typed values stay; unchanged fields get the other person's values.
  await expect(input(edit, 'Ciudad')).toHaveValue('Cholula');
  await expect(input(edit, 'Cargo')).toHaveValue('Gerente');
  await expect(select(edit, 'Estado')).toHaveValue('suspended');

  await notice.getByRole('radio', { name: 'Conservar el mío: Cholula' }).check();
  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(edit).toBeHidden();
  expect(await api.call('GET', `${LIST}${client.id}/`)).toMatchObject({
    city: 'Cholula',
    contact_position: 'Gerente',
    status: 'suspended',
    notes: 'Llamar por la tarde',
  });

  await page.goto(`/clients?editar=${client.id}`);
  await input(edit, 'Ciudad').fill('Puebla');
  await api.call('PUT', `${LIST}${client.id}/`, { city: 'Tehuacán' });
  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await notice.getByRole('radio', { name: 'Usar el actual: Tehuacán' }).check();
  await expect(input(edit, 'Ciudad')).toHaveValue('Tehuacán');
  // The form has no unsaved changes, so closing it does not ask.
  await page.keyboard.press('Escape');
  await expect(edit).toBeHidden();
});

test("the edit form opens at once with the row's data, and is updated from the server while the user has changed nothing", async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}`, city: 'Puebla' });
  await page.goto(`/clients?q=${mark}`);
  await expect(page.getByRole('row', { name: new RegExp(mark) })).toBeVisible();
  await api.call('PUT', `${LIST}${client.id}/`, { city: 'Atlixco' });
  await page
    .getByRole('row', { name: new RegExp(mark) })
    .getByRole('button', { name: 'Editar' })
    .click();
  const edit = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(input(edit, 'Ciudad')).toHaveValue('Atlixco');
  await input(edit, 'Ciudad').fill('Cholula');
  await edit.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(edit).toBeHidden();
});
