import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import { unzip } from '../test/unzip.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { hasFocus } from './support/focus.ts';
import { type Message, type Receiver, test } from './support/receiver.ts';
import { expect, type StaffApi, unique } from './support/staff.ts';

/** Features for other systems: webhooks (HOOK-01, HOOK-02), and the code of programs (PROG-08). */

const typesOf = ({ messages }: Receiver) => messages.map(({ body }) => JSON.parse(body).type);

/** Verifies the signature as the Standard Webhooks specification requires. */
function isSigned({ headers, body }: Message, secret: string): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

const row = (page: Page, { url }: Receiver) => page.getByRole('row').filter({ hasText: url });
const details = (page: Page) => page.getByRole('dialog', { name: 'Detalles del webhook' });
const secretDialog = (page: Page) => page.getByRole('dialog', { name: 'Guarda el secreto ahora' });
const tick = (scope: Locator, name: string) => scope.getByRole('checkbox', { name, exact: true }).check();

async function newLicense(
  api: StaffApi,
): Promise<{ license: License; software: { id: number; code: string } }> {
  const [client, software] = [await api.createClient(), await api.createSoftware()];
  return { license: await api.createLicense({ client: client.id, software: software.id }), software };
}

const newWebhook = (api: StaffApi, values: object) =>
  api.call<{ id: number }>('POST', '/licenses/api/webhooks/', { types: ['license.*'], ...values });

test('a webhook is created, corrected and tested, and receives an event of a licence (HOOK-01, HOOK-02)', {
  tag: '@gate',
}, async ({ page, api, receiver, guard }) => {
  guard.allowConsoleError(/400/);
  await page.goto('/settings/webhooks');
  await page.getByRole('button', { name: 'Nuevo webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Nuevo webhook' });
  const address = form.getByLabel('Dirección');
  await expect(form.getByRole('checkbox', { name: 'Licencias: todos' })).toBeChecked();
  await form.getByRole('checkbox', { name: 'Licencias: todos' }).uncheck();
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription(/La dirección es obligatoria/);
  await expect(form.getByText('Elige al menos un evento')).toBeVisible();
  await tick(form, 'Licencias: todos');
  // Only the server refuses this address.
  await address.fill('http://sistemas.example.com/avisos');
  await form.getByRole('button', { name: 'Crear webhook' }).click();
  await expect(address).toHaveAccessibleDescription(/La dirección debe empezar con https/);
  await expect(address).toBeFocused();
  await address.fill(receiver.url);
  await form.getByRole('button', { name: 'Elegir algunos: Licencias' }).click();
  await form.getByRole('checkbox', { name: 'Licencia suspendida' }).uncheck();
  await expect(form.getByRole('checkbox', { name: 'Licencias: todos' })).not.toBeChecked();
  await form.getByRole('button', { name: 'Crear webhook' }).click();

  const once = secretDialog(page);
  const secret = await once.getByLabel('Secreto').inputValue();
  expect(secret).toMatch(/^whsec_/);
  await once.getByRole('button', { name: 'Ya lo guardé' }).click();
  await expect(row(page, receiver)).toContainText('Activo');

  await row(page, receiver).getByRole('link', { name: receiver.url }).click();
  await expect(details(page).getByText('Todavía no hay envíos')).toBeVisible();
  await details(page).getByRole('button', { name: 'Enviar prueba' }).click();
  await expect(page.getByText('El receptor aceptó la prueba')).toBeVisible();
  expect(typesOf(receiver)).toEqual(['webhook.test']);

  const { license } = await newLicense(api);
  await api.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {});
  await expect.poll(() => typesOf(receiver)).toEqual(['webhook.test', 'license.issued']);
  for (const message of receiver.messages) expect(isSigned(message, secret)).toBe(true);
  await page.reload();
  const sent = details(page).getByRole('list', { name: 'Envíos' });
  await sent.getByRole('button', { name: 'Licencia emitida', exact: true }).click();
  await expect(sent).toContainText('Aceptado (200)');
  await expect(sent).toContainText(license.license_key);
  await expect(sent).toContainText('recibido');
  await sent.getByRole('button', { name: 'Reenviar: Licencia emitida' }).click();
  await expect(page.getByText('El receptor aceptó el mensaje')).toBeVisible();
  expect(receiver.messages[2]?.headers['webhook-id']).toBe(receiver.messages[1]?.headers['webhook-id']);
});

test('by keyboard, a disabled webhook shows its reason and is reactivated, and its secret is rotated (HOOK-01, HOOK-02)', async ({
  page,
  api,
  receiver,
}) => {
  receiver.answer = 410;
  const { id } = await newWebhook(api, { url: receiver.url, description: `CRM ${unique()}` });
  await newLicense(api);
  const isActive = async () =>
    (await api.call<{ is_active: boolean }>('GET', `/licenses/api/webhooks/${id}/`)).is_active;
  await expect.poll(isActive).toBe(false);
  await page.goto('/software');
  await page.getByRole('button', { name: 'Notificaciones' }).focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('link', { name: /Se desactivó el webhook/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await expect(row(page, receiver)).toContainText('Desactivado');
  await row(page, receiver).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(details(page)).toContainText('El receptor respondió que ya no existe (410)');
  await hasFocus(details(page));
  receiver.answer = 200;
  await details(page).getByRole('button', { name: 'Reactivar' }).focus();
  await page.keyboard.press('Enter');
  await expect(details(page).getByRole('button', { name: 'Reactivar' })).toBeHidden();
  expect(await isActive()).toBe(true);

  await details(page).getByRole('button', { name: 'Rotar secreto' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: '¿Rotar el secreto?' });
  await expect(question).toContainText('24 horas');
  await hasFocus(question);
  await question.getByRole('button', { name: 'Rotar secreto' }).focus();
  await page.keyboard.press('Enter');
  const secret = await secretDialog(page).getByLabel('Secreto').inputValue();
  await hasFocus(secretDialog(page));
  await page.keyboard.press('Escape');
  await expect(secretDialog(page).getByRole('button', { name: 'Ya lo guardé' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(details(page)).toContainText('también firma el secreto anterior');
  await details(page).getByRole('button', { name: 'Enviar prueba' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('El receptor aceptó la prueba')).toBeVisible();
  const [tried] = receiver.messages.filter(({ body }) => JSON.parse(body).type === 'webhook.test');
  expect(tried && isSigned(tried, secret)).toBe(true);

  await page.keyboard.press('Escape');
  await expect(details(page)).toBeHidden();
  await expect(row(page, receiver).getByRole('link')).toBeFocused();
  await row(page, receiver).getByRole('button', { name: 'Más acciones' }).focus();
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('menu'));
  await page.getByRole('menuitem', { name: 'Eliminar' }).focus();
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('alertdialog'));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).focus();
  await page.keyboard.press('Enter');
  await expect(row(page, receiver)).toBeHidden();
});

test('the integration page of a software shows the code for its programs and validates a key (PROG-08)', async ({
  page,
  api,
  server,
}) => {
  const { license, software } = await newLicense(api);
  const { keys } = await (await page.request.get('/.well-known/jwks.json')).json();
  await page.goto(`/software/${software.id}`);
  const dialog = page.getByRole('dialog', { name: 'Detalles del Software' });
  await dialog.getByRole('tab', { name: 'Integración' }).click();
  const code = dialog.getByRole('region', { name: 'Código de JavaScript' });
  await expect(code).toContainText(`software: '${software.code}'`);
  await expect(code).toContainText(server.url);
  for (const { kid, x, y } of keys) {
    for (const text of [kid, x, y]) await expect(code).toContainText(text);
  }
  await dialog.getByLabel('Lenguaje').selectOption('Python');
  await expect(dialog.getByRole('region', { name: 'Código de Python' })).toContainText(`"${software.code}"`);
  for (const path of ['python/license.py', 'javascript/license.js', 'javascript/license.d.ts']) {
    const [folder = '', name = ''] = path.split('/');
    await dialog.getByLabel('Lenguaje').selectOption(folder);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: `Descargar ${name}` }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(name);
    const original = await readFile(join(import.meta.dirname, '../sdk', path), 'utf8');
    expect(await readFile(await file.path(), 'utf8')).toBe(original);
  }

  const form = dialog.getByRole('form', { name: 'Probar una clave' });
  const outcome = dialog.getByRole('status', { name: 'Resultado de la prueba' });
  const ask = (key: string) =>
    form
      .getByLabel('Clave de licencia')
      .fill(key)
      .then(() => page.keyboard.press('Enter'));
  await form.getByRole('button', { name: 'Probar' }).click();
  await expect(form.getByLabel('Clave de licencia')).toBeFocused();
  await ask(license.license_key);
  await expect(outcome).toContainText('El programa puede trabajar después de activarse');
  await expect(outcome).toContainText('Comprobada con la clave actual');
  await api.activate(license.license_key, { machine_id: 'caja-7' });
  await form.getByLabel('Equipo').fill('caja-7');
  await ask(license.license_key);
  await expect(outcome).toContainText('La licencia vale y este equipo está activado');
  await api.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {});
  await ask(license.license_key);
  await expect(outcome).toContainText('La licencia está suspendida');
  await expect(outcome.getByRole('link', { name: license.license_key })).toBeVisible();
  const seats = await api.call<License>('GET', `/licenses/api/licenses/${license.id}/`);
  expect(seats.current_installations).toBe(1);
});

test('C, C++, Delphi, Visual FoxPro and Visual Basic have their code, file and kit (CODE-06)', async ({
  page,
  api,
  server,
}) => {
  const software = await api.createSoftware();
  await page.goto(`/software/${software.id}?tab=integracion`);
  const dialog = page.getByRole('dialog', { name: 'Detalles del Software' });
  const language = dialog.getByLabel('Lenguaje');
  for (const [label, file, isWindows] of [
    ['C', 'license_manager.h', false],
    ['C++', 'license_manager.hpp', false],
    ['Delphi y Lazarus', 'LicenseManager.pas', false],
    ['Visual FoxPro', 'license.prg', true],
    ['Visual Basic 6 y VBA', 'LicenseManager.bas', true],
  ] as const) {
    await language.selectOption({ label });
    const code = dialog.getByRole('region', { name: `Código de ${label}`, exact: true });
    await expect(code).toContainText(server.url);
    await expect(code).toContainText(software.code);
    await expect(code).not.toContainText('licencias.example.com');
    // Where the library is to be had, and which of the two goes with a program for Windows.
    await expect(dialog).toContainText('La biblioteca compartida viene en el .zip, en «bibliotecas»');
    await expect(dialog).toContainText('license_manager32.dll');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: `Descargar ${file}`, exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(file);
    const text = await readFile(await saved.path(), 'utf8');
    expect(text).toContain(isWindows ? 'lms_check' : 'lm_check');
    expect(text.includes('\r\n')).toBe(isWindows);
  }
  const [kit] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Descargar .zip' }).click(),
  ]);
  const files = unzip(await readFile(await kit.path()));
  const names = files.map(({ path }) => path.split('/').slice(1).join('/'));
  expect(names).toEqual(expect.arrayContaining(['LEEME.md', 'vb6/LicenseManager.bas', 'vb6/Example.bas']));
  expect(files[0]!.text).toContain('Agrega los dos archivos .bas');
  // Chosen once, it is the first the next time.
  await page.reload();
  await expect(language).toHaveValue('vb6');
});

/** Only the dialog, because content behind it is hidden and checked by other tests. */
const DIALOG = { within: '[role=dialog]', goodPractice: true };

test('axe finds nothing in the section, its dialogs and the integration page', async ({
  page,
  api,
  receiver,
}) => {
  const { software } = await newLicense(api);
  const { id } = await newWebhook(api, { url: receiver.url, types: ['client.created'] });
  await api.call('POST', `/licenses/api/webhooks/${id}/test/`);
  for (const look of LOOKS) {
    await wear(page, look);
    await page.goto(`/settings/webhooks?ver=${id}`);
    await details(page).getByRole('button', { name: 'Prueba', exact: true }).click();
    await expect(details(page)).toContainText('webhook.test');
    expect(await barriers(page, DIALOG)).toEqual([]);
    await page.goto(`/settings/webhooks?editar=${id}`);
    await expect(page.getByRole('checkbox', { name: 'Cliente creado' })).toBeChecked();
    expect(await barriers(page, DIALOG)).toEqual([]);
    await page.goto(`/software/${software.id}?tab=integracion`);
    await page.getByLabel('Clave de licencia').fill('XXXXX-XXXXX-XXXXX-XXXXX-XXXXX');
    await page.keyboard.press('Enter');
    await expect(page.getByText('La clave no existe')).toBeVisible();
    expect(await barriers(page, DIALOG)).toEqual([]);
    await page.getByLabel('Lenguaje').selectOption('foxpro');
    await expect(page.getByRole('region', { name: 'Código de Visual FoxPro' })).toBeVisible();
    expect(await barriers(page, DIALOG)).toEqual([]);
  }
});
