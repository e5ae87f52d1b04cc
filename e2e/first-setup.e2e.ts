import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzip } from '../test/unzip.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { hasFocus } from './support/focus.ts';
import { test } from './support/receiver.ts';
import { enter, expect, signIn, unique } from './support/staff.ts';
import { countSteps, stepsOf } from './support/steps.ts';

/** Tasks of the first days, with the number of clicks: inviting a colleague, and creating a key with its webhook. */

const openInvitation = async (page: Page) => {
  await page.getByRole('button', { name: /^Cuenta:/ }).click();
  await page.getByRole('link', { name: 'Invitar a una persona' }).click();
  return page.getByRole('dialog', { name: 'Invitar a una persona' });
};

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('a colleague is invited by mail in three steps from any screen: two clicks, the address and Enter (PEOPLE-03)', async ({
  browser,
  freshServer,
  smtp,
  guard,
  playwright,
}) => {
  const server = await freshServer({ SMTP_URL: smtp.url });
  const request = await playwright.request.newContext({ baseURL: server.url });
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const page = await context.newPage();
  await enter(page, await signIn(request));
  const steps = await countSteps(context);
  await page.goto('/licenses');
  await expect(page.getByRole('button', { name: 'Nueva Licencia' })).toBeVisible();

  const form = await openInvitation(page);
  await expect(form.getByLabel('Email')).toBeFocused();
  await form.getByLabel('Email').fill('eva.rios@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invitación creada')).toBeVisible();
  expect(steps()).toBe(3);
  // Until the person says the own name, the list has the address.
  const row = page.getByRole('row').filter({ hasText: 'eva.rios@example.com' });
  await expect(row).toContainText('Invitado');
  const { email: mail } = await smtp.waitFor(({ to }) => to.includes('eva.rios@example.com'));
  const link = /https?:\S+\/invitacion\S+/.exec(mail.text ?? '')?.[0] ?? '';

  const other = await browser.newContext({ baseURL: server.url });
  await guard.watch(other);
  const invited = await other.newPage();
  await invited.goto(link);
  await expect(invited.getByLabel('Nombre', { exact: true })).toBeFocused();
  await expect(invited.getByLabel('Usuario')).toHaveValue('eva.rios');
  await invited.getByLabel('Contraseña', { exact: true }).fill('tres tristes tigres');
  await invited.getByRole('button', { name: 'Guardar y entrar' }).click();
  await expect(invited.getByLabel('Nombre', { exact: true })).toHaveAccessibleDescription(/obligatorio/);
  for (const look of LOOKS) {
    await invited.emulateMedia({ colorScheme: look.theme });
    await invited.setViewportSize({ width: look.width, height: 800 });
    expect(await barriers(invited)).toEqual([]);
  }
  await invited.getByLabel('Nombre', { exact: true }).fill('Eva Ríos');
  await invited.getByRole('button', { name: 'Guardar y entrar' }).click();
  await expect(invited).toHaveURL(/dashboard/);
  await other.close();
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'Eva Ríos' })).toContainText('Activo');
  await context.close();
  await request.dispose();
});

test('without a mail server one more click copies the link, which offers the user name (PEOPLE-03)', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const mark = unique();
  await page.goto('/clients');
  const taken = await stepsOf(page, async () => {
    const form = await openInvitation(page);
    await form.getByLabel('Email').fill(`eva-${mark}@example.com`);
    await page.keyboard.press('Enter');
    const once = page.getByRole('dialog', { name: 'Entrega esta invitación' });
    await once.getByRole('button', { name: 'Copiar y cerrar' }).click();
    await expect(once).toBeHidden();
    await expect(page.getByText('Copiado al portapapeles')).toBeVisible();
  });
  expect(taken).toEqual({ clicks: 3, keys: 1 });
  expect(await clipboard(page)).toMatch(new RegExp(`/invitacion\\?usuario=eva-${mark}#[\\w-]{43}$`));
});

test('creating an API key and a webhook and testing both takes nine clicks (PEOPLE-07, HOOK-01)', async ({
  page,
  context,
  request,
  receiver,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const mark = unique();
  let key = '';
  await page.goto('/dashboard');
  const taken = await stepsOf(page, async () => {
    await page.getByRole('link', { name: 'Configuración' }).first().click();
    await page.getByRole('link', { name: 'Claves de API' }).click();
    await page.getByRole('button', { name: 'Nueva clave' }).first().click();
    const keyForm = page.getByRole('dialog', { name: 'Nueva clave de API' });
    await keyForm.getByLabel('Nombre').fill(`Tienda ${mark}`);
    await keyForm.getByRole('button', { name: 'Tienda en línea' }).click();
    await keyForm.getByRole('button', { name: 'Crear clave' }).click();
    const shownKey = page.getByRole('dialog', { name: 'Guarda la clave ahora' });
    await shownKey.getByRole('button', { name: 'Copiar y crear un webhook' }).click();
    const hookForm = page.getByRole('dialog', { name: 'Nuevo webhook' });
    await hookForm.getByLabel('Dirección').fill(receiver.url);
    key = await clipboard(page);
    await expect(hookForm.getByRole('checkbox', { name: 'Licencias: todos' })).toBeChecked();
    await hookForm.getByRole('button', { name: 'Crear webhook' }).click();
    const secret = page.getByRole('dialog', { name: 'Guarda el secreto ahora' });
    await secret.getByRole('button', { name: 'Enviar prueba' }).click();
    await expect(page.getByText('El receptor aceptó la prueba')).toBeVisible();
    await secret.getByRole('button', { name: 'Copiar y cerrar' }).click();
    await expect(secret).toBeHidden();
  });
  expect(taken).toEqual({ clicks: 9, keys: 0 });
  expect(await clipboard(page)).toMatch(/^whsec_/);
  expect(receiver.messages.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test']);
  const answer = await request.get('/licenses/api/licenses/', {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status()).toBe(200);
});

test('when the browser refuses to copy a secret, the dialog stays open and shows why', async ({
  page,
  api,
}) => {
  await page.addInitScript(() => {
    // A browser in which both ways of copying fail.
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await api.call('POST', '/licenses/api/webhooks/', {
    url: `https://sistemas.example.com/${unique()}`,
    types: ['license.*'],
    is_active: false,
  });
  for (const look of LOOKS) {
    await wear(page, look);
    await page.goto('/settings/webhooks');
    await page.getByRole('button', { name: 'Más acciones' }).first().click();
    await page.getByRole('menuitem', { name: 'Rotar secreto' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotar secreto' }).click();
    const secret = page.getByRole('dialog', { name: 'Guarda el secreto ahora' });
    await hasFocus(secret);
    await secret.getByRole('button', { name: 'Copiar y cerrar' }).focus();
    await page.keyboard.press('Enter');
    await expect(secret.getByRole('alert')).toContainText('El navegador no dejó copiarlo');
    expect(await barriers(page, { within: '[role=dialog]', goodPractice: true })).toEqual([]);
    await secret.getByRole('button', { name: 'Ya lo guardé' }).click();
    await expect(secret).toBeHidden();
  }
});

const downloadKit = async (page: Page) => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar .zip' }).click(),
  ]);
  const zip = unzip(await readFile(await file.path()));
  return {
    name: file.suggestedFilename(),
    folders: new Set(zip.map(({ path }) => path.split('/')[1])),
    page: zip.find(({ path }) => path.endsWith('/LEEME.md'))?.text ?? '',
  };
};

test('three clicks download all that a developer needs, with a trial key that works (PROG-08)', async ({
  page,
  api,
  server,
}) => {
  const software = await api.createSoftware({ name: `Caja ${unique()}` });
  await page.goto('/dashboard');
  let kit: Awaited<ReturnType<typeof downloadKit>> | undefined;
  const taken = await stepsOf(page, async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Software', exact: true }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: software.name })
      .getByRole('link', { name: 'Para tu programador' })
      .click();
    kit = await downloadKit(page);
  });
  expect(taken).toEqual({ clicks: 3, keys: 0 });
  await expect(page).toHaveURL(`/software/${software.id}/integracion`);
  expect(kit?.name).toBe(`${software.code}-programador.zip`);
  expect(kit?.folders).toEqual(new Set(['LEEME.md', 'claves', 'javascript']));
  expect(kit?.page).toContain(server.url);
  const key = /node example\.js ([0-9A-Z-]{29})/.exec(kit?.page ?? '')?.[1] ?? '';
  await expect(page.getByText(`Trae la clave de prueba ${key}`)).toBeVisible();
  await api.activate(key, { machine_id: `laptop-${unique()}` });

  // The next download contains the same trial, and all languages.
  await page.getByRole('checkbox', { name: 'También los otros SDK' }).check();
  const all = await downloadKit(page);
  expect(all.page).toContain(key);
  // Six languages with a file of their own, and five with a library.
  expect(all.folders.size).toBe(2 + 6 + 5);
  await page.getByRole('checkbox', { name: 'Con una clave de prueba que funciona' }).uncheck();
  expect((await downloadKit(page)).page).toContain('XXXXX-XXXXX-XXXXX-XXXXX-XXXXX');

  await page.goto(`/licenses?q=${key}`);
  await expect(page.getByRole('row').filter({ hasText: key })).toContainText('Trial');
});

test('axe finds nothing on the page Integración, and its way back leads to the software (PROG-08)', async ({
  page,
  api,
}) => {
  const software = await api.createSoftware({ name: `Caja ${unique()}` });
  for (const look of LOOKS) {
    await wear(page, look);
    await page.goto(`/software/${software.id}/integracion`);
    await expect(page).toHaveTitle(new RegExp(`${software.name} 1.0.0 · Integración`));
    await expect(page.getByRole('heading', { name: 'Claves públicas' })).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  }
  await page.getByRole('link', { name: 'Volver al software' }).click();
  await expect(page.getByRole('dialog', { name: 'Detalles del Software' })).toContainText(software.name);
});
