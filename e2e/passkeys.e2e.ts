import type { CDPSession, Page } from '@playwright/test';
import { freePort } from '../test/postgres/free-port.ts';
import type { RunningServer, ServerEnv } from '../test/start-server.ts';
import { barriers } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { deactivateAll, forgetPasswords } from './support/step-up.ts';

/** Passkeys with the authenticator of the browser, which keeps and uses real keys (SIGN-01). */

const ADD = 'Añadir llave de acceso';
const ENTER = 'Entrar con llave de acceso';

/** A server whose PUBLIC_URL is the address that the browser opens, because passkeys are made for a name. */
async function startAtName(start: (env: ServerEnv) => Promise<RunningServer>) {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  return { server: await start({ PORT: port, PUBLIC_URL: url }), url };
}

/** Gives the page an authenticator: the one of a device, whose person is recognised at once. */
async function withAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/** A page keeps its authenticators, and Playwright uses a page's browser again. */
test.afterEach(async ({ page }) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.disable');
});

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Usuario', { exact: true }).fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill('admin123');
  await page.getByLabel('Contraseña', { exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${url}/login`);
}

const card = (page: Page) => page.getByRole('region', { name: 'Llaves de acceso' });
const row = (page: Page, name: string) => card(page).getByRole('listitem').filter({ hasText: name });

async function addByKeyboard(page: Page, name: string): Promise<void> {
  await card(page).getByRole('button', { name: ADD }).press('Enter');
  const field = card(page).getByLabel('Nombre de la llave');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(/ en /);
  await field.fill(name);
  await field.press('Enter');
  await expect(row(page, name)).toBeVisible();
}

/** A signed-in page of 'Mi cuenta' with a passkey, made on a server of its own. */
async function withPasskey(page: Page, start: (env: ServerEnv) => Promise<RunningServer>) {
  const { server, url } = await startAtName(start);
  const device = await withAuthenticator(page);
  await signIn(page, url);
  await page.goto(`${url}/account`);
  await addByKeyboard(page, 'Portátil');
  return { server, url, ...device };
}

test('a passkey is made, signs in, is renamed and removed by keyboard alone (SIGN-01)', {
  tag: ['@gate', '@both'],
}, async ({ page, freshServer, guard }) => {
  guard.allowConsoleError(/401/);
  const { url } = await startAtName(freshServer);
  await withAuthenticator(page);
  await signIn(page, url);
  await page.goto(`${url}/account`);
  await expect(card(page)).toContainText('Todavía no tienes ninguna.');
  await addByKeyboard(page, 'Portátil');
  await expect(page.getByText('Desde ahora puedes entrar con «Portátil».')).toBeVisible();
  await expect(card(page).getByRole('button', { name: ADD })).toBeFocused();
  await expect(row(page, 'Portátil')).toContainText('Sin usar todavía');
  expect(await barriers(page), 'the card').toEqual([]);

  // Signing in takes one key: no name, no password, no code.
  await signOut(page, url);
  await page.getByRole('button', { name: ENTER }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Bienvenido al sistema de gestión de licencias')).toBeVisible();
  await page.goto(`${url}/account`);
  await expect(row(page, 'Portátil')).toContainText('Último uso:');

  await page.getByRole('button', { name: 'Cambiar nombre de Portátil' }).press('Enter');
  const field = card(page).getByLabel('Nombre de la llave');
  await field.fill('');
  await field.press('Enter');
  await expect(card(page)).toContainText('El nombre es obligatorio');
  // Escape leaves the name as it was.
  await field.fill('Otro');
  await field.press('Escape');
  await expect(page.getByRole('button', { name: 'Cambiar nombre de Portátil' })).toBeFocused();
  await page.keyboard.press('Enter');
  await field.fill('Mi portátil');
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Cambiar nombre de Mi portátil' })).toBeFocused();

  await page.getByRole('button', { name: 'Eliminar la llave Mi portátil' }).press('Enter');
  const question = page.getByRole('alertdialog', { name: '¿Eliminar la llave «Mi portátil»?' });
  await expect(question).toContainText('se cierran las demás sesiones que abrió');
  expect(await barriers(page), 'the question').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Eliminar la llave Mi portátil' })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Eliminar' }).press('Enter');
  await expect(card(page)).toContainText('Todavía no tienes ninguna.');
  await expect(card(page).getByRole('button', { name: ADD })).toBeFocused();

  // The device still has it, and the server says that it opens nothing.
  await signOut(page, url);
  await page.getByRole('button', { name: ENTER }).press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'no abre ninguna cuenta' })).toBeVisible();
  await expect(page.getByText('Prueba con otra llave de acceso')).toBeVisible();
  await expect(page.getByRole('button', { name: ENTER })).toBeFocused();
});

test('a passkey confirms one’s identity in place of the password (SIGN-01, PEOPLE-05)', async ({
  page,
  freshServer,
  guard,
}) => {
  guard.allowConsoleError(/403/);
  const { server } = await withPasskey(page, freshServer);
  forgetPasswords(server);
  await page.getByRole('button', { name: 'Eliminar la llave Portátil' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await expect(dialog.getByLabel('Contraseña', { exact: true })).toBeFocused();
  expect(await barriers(page), 'the dialog').toEqual([]);
  await dialog.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await expect(card(page)).toContainText('Todavía no tienes ninguna.');
});

test('a device makes one passkey for an account, and a refusal says so in its place (SIGN-01)', async ({
  page,
  freshServer,
}) => {
  const { url, cdp, authenticatorId } = await withPasskey(page, freshServer);
  await card(page).getByRole('button', { name: ADD }).click();
  await card(page).getByRole('button', { name: 'Crear llave de acceso' }).click();
  await expect(card(page).getByRole('alert')).toHaveText(
    'Este dispositivo ya tiene una llave de acceso de tu cuenta.',
  );
  await card(page).getByRole('button', { name: 'Cancelar' }).click();

  // Whose finger is not recognised uses no passkey, and the page says what is possible.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signOut(page, url);
  await page.getByRole('button', { name: ENTER }).click();
  await expect(
    page.getByText('No se usó ninguna llave de acceso. Puedes intentarlo de nuevo.'),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  expect(await barriers(page), 'the sign-in page').toEqual([]);
});

test('a person who is inactive is told so after a correct passkey (SIGN-01)', async ({
  page,
  freshServer,
  guard,
}) => {
  guard.allowConsoleError(/403/);
  const { server, url } = await withPasskey(page, freshServer);
  deactivateAll(server);
  await signOut(page, url);
  await page.getByRole('button', { name: ENTER }).click();
  await expect(page.getByText('Tu cuenta ha sido desactivada.')).toBeVisible();
});

test('under another name of the server passkeys are not offered (SIGN-01)', async ({ page, freshServer }) => {
  const { server } = await startAtName(freshServer);
  await page.goto(`${server.url}/login`);
  await expect(page.getByText('Credenciales de demostración')).toBeVisible();
  await expect(page.getByRole('button', { name: ENTER })).toBeHidden();
  await signIn(page, server.url);
  await page.goto(`${server.url}/account`);
  await expect(page.getByRole('region', { name: 'Sesiones' })).toBeVisible();
  await expect(card(page)).toBeHidden();
});
