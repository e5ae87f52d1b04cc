import type { Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { clientDetails } from './support/details.ts';
import { accept, joinAs, USERS } from './support/join.ts';
import { enter, expect, test, unique } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** 'Usuarios', 'Claves de API', and a console that offers only allowed actions (PEOPLE-02, -03, -07, -08). */

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, row: Locator, action: string) {
  await row.getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test.describe('with no other administrators', () => {
  // A separate server, because other tests create administrators on the shared one.
  test.use({ serverEnv: {} });

  test('a person is invited, gets a copied link and another role, and the last administrator cannot be removed (PEOPLE-02, PEOPLE-03)', {
    tag: '@gate',
  }, async ({ page, browser, server, request, api, guard }) => {
    guard.allowConsoleError(/40[039]/);
    const mark = unique();
    await api.createClient({ name: `Cliente ${mark}` });
    await page.goto('/settings/usuarios?page_size=50');
    await page.getByRole('button', { name: 'Invitar' }).click();
    const form = page.getByRole('dialog', { name: 'Invitar a una persona' });
    const email = form.getByLabel('Email');
    await email.fill('admin@example.com');
    await form.getByRole('radio', { name: 'Operador' }).check();
    await form.getByRole('button', { name: 'Invitar' }).click();
    await expect(email).toHaveAccessibleDescription(/Ya existe un usuario con este email/);
    await email.fill(`ana-${mark}@example.com`);
    await form.getByRole('button', { name: 'Invitar' }).click();

    const once = page.getByRole('dialog', { name: 'Entrega esta invitación' });
    await expect(once).toContainText('No hay un servidor de correo configurado');
    const link = await once.getByRole('textbox', { name: 'Enlace' }).inputValue();
    expect(link).toMatch(/\/invitacion\?usuario=ana-\w+#[\w-]{43}$/);
    await page.keyboard.press('Escape');
    await expect(once).toBeVisible();
    await once.getByRole('button', { name: 'Ya lo entregué' }).click();
    await expect(once).toBeHidden();
    await expect(rowOf(page, `ana-${mark}`)).toContainText('Invitado');

    const context = await browser.newContext({ baseURL: server.url });
    await guard.watch(context);
    const other = await context.newPage();
    await enter(other, await accept(request, link, { names: 'Ana' }));
    await other.goto(`/clients?q=${mark}`);
    const create = other.getByRole('button', { name: 'Nuevo Cliente' });
    await expect(create).toBeVisible();

    await page.reload();
    const row = rowOf(page, `ana-${mark}`);
    await expect(row).toContainText('Activo');
    await choose(page, row, 'Editar');
    const edit = page.getByRole('dialog', { name: 'Editar usuario' });
    await edit.getByRole('radio', { name: 'Solo lectura' }).check();
    await edit.getByRole('button', { name: 'Guardar cambios' }).click();
    await expect(row).toContainText('Solo lectura');

    // From the refusal the other browser learns that its role has changed.
    other.on('dialog', (question) => void question.accept());
    await rowOf(other, `Cliente ${mark}`).getByRole('button', { name: 'Eliminar' }).click();
    await expect(create).toBeHidden();
    await expect(other.getByRole('button', { name: 'Eliminar' })).toBeHidden();
    await context.close();

    await choose(page, row, 'Enlace para cambiar la contraseña');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Crear enlace' }).click();
    const reset = page.getByRole('dialog', { name: 'Entrega este enlace' });
    await expect(reset.getByRole('textbox')).toHaveValue(/\/restablecer#[\w-]{43}$/);
    await reset.getByRole('button', { name: 'Ya lo entregué' }).click();

    await choose(page, rowOf(page, 'admin@example.com'), 'Desactivar');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Desactivar' }).click();
    await expect(page.getByText('Debe quedar al menos un administrador activo')).toBeVisible();
  });
});

test("changing a user's email asks for the password without losing the input, and the sent link is not shown in Correos (PEOPLE-05)", async ({
  page,
  request,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/403/);
  await joinAs(api, request, 'operator');
  const mark = unique();
  const { email } = await api.call<{ email: string }>('POST', USERS, {
    username: `eva-${mark}`,
    names: 'Eva',
    last_name: mark,
    email: `eva-${mark}@example.com`,
    role: 'operator',
  });
  await page.goto('/settings/usuarios?page_size=50');
  await choose(page, rowOf(page, email), 'Editar');
  const form = page.getByRole('dialog', { name: 'Editar usuario' });
  await form.getByLabel('Email').fill(`nueva-${mark}@example.com`);
  forgetPasswords(server);
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await confirm.getByRole('button', { name: 'Cancelar' }).click();
  await expect(form.getByLabel('Email')).toHaveValue(`nueva-${mark}@example.com`);
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await confirm.getByLabel('Contraseña').fill('admin123');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(rowOf(page, `nueva-${mark}@example.com`)).toBeVisible();

  // For one's own account these actions are in 'Mi cuenta'.
  await rowOf(page, 'admin@example.com').getByRole('button', { name: 'Más acciones' }).click();
  await expect(page.getByRole('menuitem', { name: 'Desactivar' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Enlace para cambiar la contraseña' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.goto('/settings/correos?kind=invitation');
  await page
    .getByRole('link', { name: /te invita a la consola/ })
    .first()
    .click();
  await expect(page.getByText('su contenido solo lo ve quien lo recibe')).toBeVisible();
});

test('an API key is created after a password check, shown once, used by a program, and revoked (PEOPLE-05, PEOPLE-07)', async ({
  page,
  request,
  server,
  guard,
}) => {
  guard.allowConsoleError(/40[013]/);
  const name = `Tienda ${unique()}`;
  await page.goto('/settings/claves');
  await page.getByRole('button', { name: 'Nueva clave' }).click();
  const form = page.getByRole('dialog', { name: 'Nueva clave de API' });
  await form.getByRole('button', { name: 'Crear clave' }).click();
  await expect(form.getByText('Elige al menos un permiso')).toBeVisible();
  await form.getByLabel('Nombre').fill(name);
  await form.getByRole('button', { name: 'Solo lectura' }).click();
  await expect(form.getByRole('checkbox', { name: 'Ver clientes' })).toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'Administrar usuarios' })).toHaveCount(0);
  await form.getByRole('combobox', { name: 'Vence' }).selectOption('En 30 días');
  forgetPasswords(server);
  await form.getByRole('button', { name: 'Crear clave' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await confirm.getByLabel('Contraseña').fill('otra');
  await page.keyboard.press('Enter');
  await expect(confirm.getByText('La contraseña no es correcta')).toBeVisible();
  await confirm.getByLabel('Contraseña').fill('admin123');
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();

  const once = page.getByRole('dialog', { name: 'Guarda la clave ahora' });
  const key = await once.getByRole('textbox').inputValue();
  expect(key).toMatch(/^lmk_[0-9A-Za-z]{36}$/);
  await page.keyboard.press('Escape');
  await expect(once).toBeVisible();
  await once.getByRole('button', { name: 'Ya la guardé' }).click();
  const call = () => request.get('/licenses/api/clients/', { headers: { authorization: `Bearer ${key}` } });
  expect((await call()).status()).toBe(200);

  const row = rowOf(page, name);
  await expect(row).toContainText(`…${key.slice(-4)}`);
  await choose(page, row, 'Revocar');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(name);
  await question.getByRole('button', { name: 'Revocar' }).click();
  await expect(row).toContainText('Revocada');
  await expect(row.getByRole('button', { name: 'Más acciones' })).toHaveCount(0);
  expect((await call()).status()).toBe(401);
});

test.describe('for a person with the role viewer', () => {
  test.use({
    // The session of a person with the role 'viewer' instead of the administrator's.
    page: async ({ context, api, request }, use) => {
      const page = await context.newPage();
      await enter(page, await joinAs(api, request, 'viewer'));
      await use(page);
    },
  });

  test('buttons that the server would refuse are hidden, and their addresses show that permission is missing (PEOPLE-02)', async ({
    page,
    api,
  }) => {
    const client = await api.createClient({ name: `Cliente ${unique()}` });
    await page.goto(`/clients/${client.id}`);
    const details = clientDetails(page);
    await expect(details.getByRole('tab', { name: /Licencias/ })).toBeVisible();
    await expect(details.getByRole('button', { name: 'Editar' })).toHaveCount(0);
    await expect(details.getByRole('link', { name: 'Nueva licencia' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Exportar' })).toBeVisible();
    for (const name of ['Nuevo Cliente', 'Editar', 'Eliminar']) {
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
    }
    const screens = page.getByRole('navigation').first();
    await expect(screens.getByRole('link', { name: 'Licencias', exact: true })).toBeVisible();
    await expect(screens.getByRole('link', { name: 'Configuración' })).toHaveCount(0);

    await page.goto('/settings/usuarios?page_size=50');
    await expect(page.getByText('No tienes permiso para ver esta página').last()).toBeVisible();
    await page.goto('/clients?nuevo=1');
    await expect(page.getByRole('dialog')).toContainText('No tienes permiso para hacer esto');
  });
});

test('axe finds nothing in both sections, light and wide, dark and narrow (PEOPLE-08)', async ({
  page,
  api,
}) => {
  await api.call('POST', '/licenses/api/api-keys/', {
    name: 'Reportes',
    permissions: ['clients:read', 'licenses:write', 'mails:send'],
  });
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/settings/usuarios');
    await page.evaluate((chosen) => localStorage.setItem('license_manager_theme', chosen), theme);
    // A dialog covers its list, so each theme shows one list and the other dialog.
    const shown = theme === 'light' ? ['usuarios', 'claves?nuevo=1'] : ['usuarios?nuevo=1', 'claves'];
    for (const [address, ready] of [
      ['usuarios', page.getByRole('table', { name: 'Usuarios' }).getByText('Administrador').first()],
      ['usuarios?nuevo=1', page.getByRole('radio', { name: 'Operador' })],
      ['claves', page.getByRole('table', { name: 'Claves de API' }).getByText('Reportes', { exact: true })],
      ['claves?nuevo=1', page.getByRole('checkbox', { name: 'Ver clientes' })],
    ] as const) {
      if (!shown.includes(address)) continue;
      await page.goto(`/settings/${address}`);
      await expect(ready).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      expect(await barriers(page), `${address}, ${theme}`).toEqual([]);
    }
  }
});
