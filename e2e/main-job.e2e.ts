import type { Page } from '@playwright/test';
import { clientDetails } from './support/details.ts';
import { expect, test } from './support/fixtures.ts';

/**
 * The main task, from the sign-in page to the heartbeat of an installed program, with the real server, a real browser
 * and a real SMTP server.
 */

test.use({ prefetches: true });

const client = {
  name: 'Óscar "El Güero" Núñez, hijo',
  email: 'oscar.nunez@example.com',
  phone: '5512345678',
};
const software = { name: 'Taller <Pro> & Cía', version: '3.2.1' };
const type = { name: 'Anual de prueba', price: '1499.5', seats: '2', days: '90' };
const machine = 'caja-principal';

async function signIn(page: Page): Promise<void> {
  await page.goto('/clients');
  await expect(page).toHaveURL(/\/login/);
  const hint = page.getByText('Credenciales de demostración').locator('..');
  await expect(hint).toContainText('Usuario: admin');
  await expect(hint).toContainText('Contraseña: admin123');
  await page.getByLabel('Usuario', { exact: true }).fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill('admin123');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Bienvenido al sistema de gestión de licencias')).toBeVisible();
}

const navigate = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

async function registerSoftware(page: Page): Promise<void> {
  await navigate(page, 'Software');
  await page.getByRole('button', { name: 'Nuevo Software' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo Software' });
  await dialog.getByLabel('Nombre').fill(software.name);
  await dialog.getByLabel('Versión').fill(software.version);
  await dialog.getByRole('button', { name: 'Crear Software' }).click();
  await expect(page.getByText('Software registrado exitosamente')).toBeVisible();
  await expect(dialog).toBeHidden();
}

async function registerType(page: Page): Promise<void> {
  await navigate(page, 'Tipos de Licencia');
  await page.getByRole('button', { name: 'Nuevo Tipo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  await dialog.getByLabel('Nombre', { exact: true }).fill(type.name);
  await dialog.getByLabel('Precio Base').fill(type.price);
  await dialog.getByLabel('Máximo de Instalaciones').fill(type.seats);
  await dialog.getByLabel('Días de Validez').fill(type.days);
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(page.getByText('Tipo de licencia creado exitosamente')).toBeVisible();
  await expect(dialog).toBeHidden();
}

async function registerClient(page: Page): Promise<void> {
  await navigate(page, 'Clientes');
  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await dialog.getByLabel('Nombre', { exact: true }).fill(client.name);
  await dialog.getByLabel('Email').fill(client.email);
  await dialog.getByLabel('Teléfono Principal').fill(client.phone);
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(page.getByText('Cliente creado exitosamente')).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** Issues the licence and returns its key from the success dialog. */
async function issueLicense(page: Page): Promise<string> {
  await navigate(page, 'Licencias');
  await page.getByRole('button', { name: 'Nueva Licencia' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nueva Licencia' });
  const picker = dialog.getByRole('combobox', { name: 'Cliente' });
  await picker.click();
  await picker.pressSequentially('nunez');
  await page.getByRole('option', { name: /oscar\.nunez@example\.com/ }).click();
  await dialog.getByLabel('Software').selectOption({ label: `${software.name} (${software.version})` });
  await dialog.getByLabel('Tipo de Licencia').selectOption({ label: `${type.name} - $1,499.50` });
  await expect(dialog.getByLabel('Precio', { exact: true })).toHaveValue('1499.5');
  await expect(dialog.getByLabel('Máximo de Instalaciones')).toHaveValue(type.seats);
  await expect(dialog.getByLabel('Días de Expiración')).toHaveValue(type.days);
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();

  const success = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(success).toContainText(client.name);
  await expect(success).toContainText(software.name);
  await expect(success).toContainText('$1,499.50');
  await expect(success).toContainText('Guarda esta clave en un lugar seguro.');
  await expect(success).toContainText(
    `Se ha enviado un correo electrónico a ${client.email} con la información de la licencia.`,
  );
  const key = /[2-9A-HJ-NP-Z]{5}(?:-[2-9A-HJ-NP-Z]{5}){4}/.exec(await success.innerText())?.[0];
  await success.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect(success).toBeHidden();
  return key ?? '';
}

test('a user signs in, issues a licence, receives its mail, activates it and sees its heartbeat (SEED-1-06, SEED-1-08, SEED-1-10, SEED-7-03, SEED-8.3-13) @both', async ({
  browser,
  freshServer,
  smtp,
  guard,
  playwright,
}) => {
  test.slow();
  const server = await freshServer({ SMTP_URL: smtp.url, MAIL_FROM: 'Ventas <ventas@vendedor.example.com>' });
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const page = await context.newPage();

  await signIn(page);
  await registerSoftware(page);
  await registerType(page);
  await registerClient(page);
  const key = await issueLicense(page);
  expect(key).not.toBe('');

  // The mail has one recipient although the name contains a comma; text and HTML contain all values, and the HTML is
  // escaped.
  const { to, email: mail } = await smtp.waitFor((message) => message.to.includes(client.email));
  expect(to).toEqual([client.email]);
  expect(mail.to).toEqual([{ name: client.name, address: client.email }]);
  expect(mail.subject).toBe(`Su licencia de ${software.name} ${software.version}`);
  for (const part of [mail.text ?? '', (mail.html ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>')]) {
    expect(part).toContain(key);
    expect(part.replaceAll('&amp;', '&')).toContain(`${software.name} ${software.version}`);
    expect(part).toContain(type.name);
  }
  expect(mail.html).not.toContain('<Pro>');

  // The installed program only has the key.
  const program = await playwright.request.newContext({ baseURL: server.url });
  const credentials = { license_key: key, machine_id: machine };
  const validate = async () =>
    (await program.post('/licenses/api/license/validate/', { data: credentials })).json();
  expect(await validate()).toMatchObject({ valid: true, machine_registered: false });
  const activated = await program.post('/licenses/api/installations/', {
    data: { ...credentials, machine_name: 'Caja principal' },
  });
  expect(activated.status()).toBe(201);
  const beat = await program.post('/licenses/api/installation/heartbeat/', { data: credentials });
  expect(await beat.json()).toMatchObject({ success: true, installation: { is_active: true } });
  expect(await validate()).toMatchObject({
    valid: true,
    machine_registered: true,
    license: { current_installations: 1, remaining_installations: 1, days_remaining: 90 },
  });
  await program.dispose();

  // The client's details show the machine and how old its heartbeat is.
  await navigate(page, 'Clientes');
  await page.getByPlaceholder('Buscar clientes...').fill('nunez');
  const row = page.getByRole('row', { name: /oscar\.nunez@example\.com/ });
  await row.getByRole('button', { name: /Ver detalles/ }).click();
  const details = clientDetails(page);
  await details.getByRole('tab', { name: /Instalaciones/ }).click();
  await expect(details).toContainText('Caja principal');
  await expect(details).toContainText('Activa');
  await expect(details).toContainText('Hace un momento');
  await page.keyboard.press('Escape');

  // The dashboard counts the licence and lists it first.
  await navigate(page, 'Dashboard');
  const recent = page.getByRole('table', { name: /Licencias Recientes/ });
  await expect(recent.getByRole('row').nth(1)).toContainText(key);
  await expect(recent.getByRole('row').nth(1)).toContainText(client.name);

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => localStorage.getItem('license_manager_token'))).toBeNull();
  await context.close();
});
