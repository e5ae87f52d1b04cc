import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext, Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import PostalMime from 'postal-mime';
import type { RunningServer } from '../test/start-server.ts';
import { barriers } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { type StaffApi, signIn as sessionOf, staffApi, unique } from './support/staff.ts';

/** Links in mails, the second factor and 'Mi cuenta' (PEOPLE-03 to PEOPLE-06, PEOPLE-08). */

const PASSWORD = 'siete gatos en el tejado';
const STEP_MS = 30_000;

type Person = { username: string; email: string };

/**
 * Invites a person as the demo administrator.
 * @returns the person and the invitation link
 */
async function invite(api: StaffApi): Promise<Person & { link: string }> {
  const username = `ana-${unique()}`;
  const email = `${username}@example.com`;
  const { link } = await api.call<{ link: string }>('POST', '/licenses/api/users/', {
    username,
    email,
    names: 'Ana',
    last_name: 'Ríos',
    role: 'admin',
  });
  return { username, email, link };
}

const adminApi = async (request: APIRequestContext) => staffApi(request, (await sessionOf(request)).token);

/** The path of a link with its token, because the test's server has another origin than PUBLIC_URL. */
const pathOf = (link: string) => {
  const { pathname, hash } = new URL(link);
  return pathname + hash;
};

/** A person who has accepted an invitation, created through the API. */
async function joined(request: APIRequestContext): Promise<Person> {
  const { link, ...person } = await invite(await adminApi(request));
  const token = new URL(link).hash.slice(1);
  const answer = await request.post('/api/auth/invitation/accept/', { data: { token, password: PASSWORD } });
  expect(answer.ok()).toBe(true);
  return person;
}

async function signIn(page: Page, { username }: Person, password = PASSWORD): Promise<void> {
  await page.getByLabel('Usuario', { exact: true }).fill(username);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByLabel('Contraseña', { exact: true }).press('Enter');
}

const onDashboard = (page: Page) => expect(page).toHaveURL(/\/dashboard$/);
const codeHeading = (page: Page) =>
  page.getByRole('heading', { name: 'Verificación en dos pasos', level: 1 });
const card = (page: Page, name: string) => page.getByRole('region', { name });
/** The code of an authenticator app, now or some time steps later. */
const codeOf = (secret: string, steps: number) =>
  TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: Date.now() + steps * STEP_MS });

async function hasNoAxeProblem(page: Page, where: string): Promise<void> {
  expect(await barriers(page), where).toEqual([]);
}

test('an invitation link lets a person set a password and sign in, and works once (PEOPLE-03)', async ({
  page,
  request,
  guard,
}) => {
  guard.allowConsoleError(/400/);
  const { link } = await invite(await adminApi(request));
  await page.goto(pathOf(link));
  await expect(page.getByRole('heading', { name: 'Te damos la bienvenida' })).toBeVisible();
  // The token is neither in the address nor in the browser history.
  expect(new URL(page.url()).hash).toBe('');
  const password = page.getByLabel('Contraseña', { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type('corta');
  await expect(page.getByText('Faltan 3 caracteres.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(password).toHaveAccessibleDescription(/al menos 8 caracteres/);
  await password.fill('password1');
  await expect(page.getByText(/^Alcanza\./)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(password).toHaveAccessibleDescription(/de las más usadas/);
  await expect(password).toBeFocused();
  await password.fill(PASSWORD);
  await expect(page.getByText('Buena longitud.')).toBeVisible();
  await page.keyboard.press('Enter');
  await onDashboard(page);
  await expect(page.getByRole('button', { name: /^Cuenta: Ana Ríos/ })).toBeVisible();

  await page.goto(pathOf(link));
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Guardar y entrar' }).click();
  await expect(page.getByRole('heading', { name: 'Este enlace ya no vale' })).toBeVisible();
  // Without its token, the page of a link explains what to do.
  await page.goto('/restablecer');
  await expect(page.getByRole('heading', { name: 'El enlace está incompleto' })).toBeVisible();
});

test('a second factor is set up with a first code, then signing in asks for a code or a recovery code, all by keyboard (PEOPLE-05)', {
  tag: '@gate',
}, async ({ page, request, guard }) => {
  guard.allowConsoleError(/40[01]/);
  const person = await joined(request);
  // No parameter of the address can make a sign-in leave the console.
  await page.goto('/login?from=https://evil.example&return=//evil.example#https://evil.example');
  await signIn(page, person);
  await onDashboard(page);
  await page.getByRole('button', { name: /^Cuenta:/ }).click();
  await page.getByRole('link', { name: 'Mi cuenta' }).click();
  const factor = card(page, 'Verificación en dos pasos');
  await expect(factor.getByText('Desactivada')).toBeVisible();
  await factor.getByRole('button', { name: 'Activar' }).click();
  await factor.getByLabel('Tu contraseña').fill('otra-clave');
  await page.keyboard.press('Enter');
  await expect(factor.getByLabel('Tu contraseña')).toHaveAccessibleDescription(
    'La contraseña no es correcta',
  );
  await factor.getByLabel('Tu contraseña').fill(PASSWORD);
  await page.keyboard.press('Enter');
  const picture = factor.getByRole('img', { name: 'Código QR para la aplicación de verificación' });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const secret = await factor.locator('code').innerText();
  await expect(factor.getByLabel('Código que muestra la aplicación')).toBeFocused();
  await page.keyboard.type('000 000');
  await page.keyboard.press('Enter');
  await expect(factor.getByText('El código no es correcto o ya se usó')).toBeVisible();
  await factor.getByLabel('Código que muestra la aplicación').fill(codeOf(secret, 0));
  await page.keyboard.press('Enter');
  const codes = factor.getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = await codes.first().innerText();
  const download = page.waitForEvent('download');
  await factor.getByRole('button', { name: 'Descargar' }).click();
  expect((await download).suggestedFilename()).toBe('codigos-de-recuperacion.txt');
  await factor.getByRole('button', { name: 'Terminar' }).click();
  await expect(factor.getByText('Confirma que guardaste los códigos')).toBeVisible();
  await factor.getByLabel('Guardé los códigos en un lugar seguro').check();
  await factor.getByRole('button', { name: 'Terminar' }).click();
  await expect(factor.getByText('Activada', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();

  await signIn(page, person);
  await expect(codeHeading(page)).toBeVisible();
  const code = page.getByLabel('Código de verificación');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await page.keyboard.type('12345');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/El código tiene 6 dígitos/);
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('El código no es correcto o ya se usó.')).toBeVisible();
  await expect(code).toHaveAccessibleDescription(/Revisa el código/);
  await expect(code).toBeFocused();
  const [, first, second] = /^(...)(...)$/.exec(codeOf(secret, 1)) ?? [];
  await code.fill(` ${first} ${second} `);
  await page.keyboard.press('Enter');
  await onDashboard(page);
  await expect(page.getByText('Inicio de sesión exitoso').last()).toBeVisible();
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();

  await signIn(page, person);
  await page.getByRole('button', { name: 'Volver a usuario y contraseña' }).click();
  await expect(page.getByLabel('Usuario', { exact: true })).toHaveValue(person.username);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
  await expect(page.getByLabel('Código de recuperación')).toBeFocused();
  await page.keyboard.type(recovery.toLowerCase());
  await page.keyboard.press('Enter');
  await onDashboard(page);
});

test('five minutes after the password the step for the code returns to the sign-in form with the reason (PEOPLE-05)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/401/);
  await page.clock.install();
  await page.route('**/api/auth/login/', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({ success: false, code: 'mfa_required', message: 'x', mfa_token: 'un-token' }),
    }),
  );
  await page.goto('/login');
  await signIn(page, { username: 'admin', email: '' });
  await expect(codeHeading(page)).toBeVisible();
  await page.clock.runFor(5 * 60_000);
  await expect(page.getByText('Pasaron 5 minutos sin verificar el código.')).toBeVisible();
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue('');
});

test("in 'Mi cuenta' a person changes password and data, and ends a session on another device (PEOPLE-04, PEOPLE-06, PEOPLE-08)", async ({
  page,
  request,
  browser,
  server,
  guard,
}) => {
  guard.allowConsoleError(/40[01]/);
  const person = await joined(request);
  await page.goto('/login');
  await signIn(page, person);
  await onDashboard(page);
  const elsewhere = await browser.newContext({
    baseURL: server.url,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  });
  await guard.watch(elsewhere);
  const other = await elsewhere.newPage();
  await other.goto('/login');
  await signIn(other, person);
  await onDashboard(other);

  await page.goto('/account');
  const sessions = card(page, 'Sesiones');
  await expect(sessions.getByRole('listitem').filter({ hasText: 'Esta sesión' })).toContainText(
    /Chrome en \w+/,
  );
  await sessions.getByRole('button', { name: 'Cerrar la sesión de Firefox en Linux' }).click();
  await expect(page.getByText('Sesión cerrada')).toBeVisible();
  await expect(sessions.getByText('Firefox en Linux')).toBeHidden();
  await other.getByRole('navigation').getByRole('link', { name: 'Clientes', exact: true }).click();
  await expect(other).toHaveURL(/\/login$/);
  await elsewhere.close();

  const password = card(page, 'Contraseña');
  await password.getByLabel('Contraseña actual').fill('equivocada');
  await password.getByLabel('Contraseña nueva').fill('otra frase bien larga');
  await page.keyboard.press('Enter');
  await expect(password.getByLabel('Contraseña actual')).toHaveAccessibleDescription(
    'La contraseña no es correcta',
  );
  await expect(password.getByLabel('Contraseña actual')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Contraseña cambiada')).toBeVisible();

  const data = card(page, 'Datos personales');
  await data.getByLabel('Nombre').fill('Ana Sofía');
  // A slip in the domain is named, and one click mends it (INPUT-14).
  await data.getByLabel('Email').fill('ana@gmial.com');
  await data.getByRole('button', { name: 'Usar ana@gmail.com' }).click();
  await expect(data.getByLabel('Email')).toHaveValue('ana@gmail.com');
  await expect(data.getByLabel('Email')).toBeFocused();
  await data.getByLabel('Email').fill(`nueva-${person.email}`);
  await page.keyboard.press('Enter');
  await expect(data.getByText('Escribe tu contraseña para cambiar el email')).toBeVisible();
  // Unsaved changes are not lost by a click on a link.
  await page.getByRole('link', { name: 'Reportes', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Seguir editando' }).click();
  await data.getByLabel('Contraseña actual').fill('otra frase bien larga');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Cuenta: Ana Sofía Ríos nueva-/ })).toBeVisible();
});

/** The link in the first mail to an address. Without SMTP, mails are files. */
async function mailedLink(server: RunningServer, to: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const written = (await readdir(server.mailDir).catch(() => [])).filter((name) => name.endsWith('.eml'));
      for (const file of written) {
        const mail = await PostalMime.parse(await readFile(join(server.mailDir, file)));
        if (!mail.to?.some(({ address }) => address === to)) continue;
        link = /https?:\S+\/restablecer#[\w-]+/.exec(mail.text ?? '')?.[0] ?? link;
      }
      return link;
    })
    .toBeDefined();
  return link ?? '';
}

test('a forgotten password is replaced through a mail, and the page shows the same text for known and unknown addresses (PEOPLE-04)', {
  tag: '@gate',
}, async ({ page, request, server, guard }) => {
  guard.allowConsoleError(/40[01]/);
  const person = await joined(request);
  await page.goto('/login');
  for (const email of ['nadie@example.com', person.email]) {
    await page.getByRole('link', { name: 'Olvidé mi contraseña' }).click();
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await expect(
      // This server has no SMTP server.
      page.getByText(/^Si hay una cuenta con este email, el enlace para cambiar la contraseña se guarda/),
    ).toBeVisible();
    await page.getByRole('link', { name: 'Volver a iniciar sesión' }).click();
  }
  await page.goto(pathOf(await mailedLink(server, person.email)));
  await expect(page.getByRole('heading', { name: 'Elige una contraseña nueva' })).toBeVisible();
  await page.getByLabel('Contraseña nueva').fill('otra frase bien larga');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Contraseña cambiada' })).toBeVisible();
  await page.getByRole('link', { name: 'Ir a iniciar sesión' }).click();
  await signIn(page, person);
  await expect(page.getByText('Contraseña incorrecta')).toBeVisible();
  await signIn(page, person, 'otra frase bien larga');
  await onDashboard(page);
});

test('a person who must use a second factor sees its setup at every address until it is done, and can sign out (PEOPLE-05)', async ({
  freshServer,
  browser,
  guard,
}) => {
  guard.allowConsoleError(/40[13]/);
  const server = await freshServer();
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const own = await context.newPage();
  await own.goto('/login');
  const admin = { username: 'admin', email: '' };
  await signIn(own, admin, 'admin123');
  await onDashboard(own);
  await own.goto('/settings/usuarios');
  await own.getByLabel('Deben usar la verificación en dos pasos').selectOption('Todas las personas');
  await expect(own.getByText('Verificación en dos pasos guardada')).toBeVisible();
  await own.goto('/dashboard');
  const heading = own.getByRole('heading', { name: 'Activa la verificación en dos pasos' });
  await expect(heading).toBeVisible();
  await own.goto('/clients');
  await expect(heading).toBeVisible();
  await own.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await expect(own).toHaveURL(/\/login$/);
  await signIn(own, admin, 'admin123');
  await own.getByLabel('Tu contraseña').fill('admin123');
  await own.keyboard.press('Enter');
  const secret = await own.locator('code').innerText();
  await own.keyboard.type(codeOf(secret, 0));
  await own.keyboard.press('Enter');
  await own.getByLabel('Guardé los códigos en un lugar seguro').check();
  await own.getByRole('button', { name: 'Terminar' }).click();
  await expect(own.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await expect(
    own.getByRole('navigation').getByRole('link', { name: 'Clientes', exact: true }),
  ).toBeVisible();
  await context.close();
});

test('axe finds nothing on the pages of mailed links, the second step and Mi cuenta, light and dark (PEOPLE-08)', async ({
  page,
  request,
  guard,
}) => {
  guard.allowConsoleError(/401/);
  const person = await joined(request);
  const inLook = async (theme: 'light' | 'dark', width: number) => {
    await page.evaluate((name) => localStorage.setItem('license_manager_theme', name), theme);
    // High enough to need no scrolling, because axe reports controls partly covered by the top bar as too small.
    await page.setViewportSize({ width, height: 2000 });
    await page.reload();
  };
  await page.goto('/login');
  await signIn(page, person);
  await onDashboard(page);
  await page.goto('/account');
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await inLook(theme, width);
    const factor = card(page, 'Verificación en dos pasos');
    await factor.getByRole('button', { name: 'Activar' }).click();
    await factor.getByLabel('Tu contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
    // The QR code has a white background in both themes, because cameras need dark on light.
    await expect(factor.getByRole('img')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await hasNoAxeProblem(page, `account ${theme}`);
  }
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await page.route('**/api/auth/login/', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({ success: false, code: 'mfa_required', message: 'x', mfa_token: 'un-token' }),
    }),
  );
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.goto('/login');
    await inLook(theme, width);
    await signIn(page, person);
    await expect(codeHeading(page)).toBeVisible();
    await hasNoAxeProblem(page, `second step ${theme}`);
    await page.goto('/primer-administrador#un-token');
    await expect(page.getByRole('heading', { name: 'Crea el primer administrador' })).toBeVisible();
    await page.getByLabel('Contraseña', { exact: true }).fill('corta');
    await page.keyboard.press('Enter');
    await hasNoAxeProblem(page, `link ${theme}`);
  }
});

test('the form for the first administrator says the rule of the password before it is typed (PEOPLE-04)', {
  tag: '@gate',
}, async ({ page }) => {
  await page.goto('/primer-administrador#un-token');
  const password = page.getByLabel('Contraseña', { exact: true });
  await expect(password).toHaveAccessibleDescription(
    /Al menos 15 caracteres, que no sea común ni contenga tu nombre de usuario\./,
  );
  await page.getByLabel('Usuario').fill('eva.rios');
  await password.fill('catorce-letra!');
  await expect(page.getByText('Falta 1 carácter.')).toBeVisible();
  await page.getByRole('button', { name: 'Crear y entrar' }).click();
  await expect(password).toHaveAccessibleDescription(/debe tener al menos 15 caracteres/);
  await password.fill('la casa de eva.rios');
  await page.getByRole('button', { name: 'Crear y entrar' }).click();
  await expect(password).toHaveAccessibleDescription(/contiene el nombre de usuario/);
});

test('the page of an invitation says both rules of the password before it is typed (PEOPLE-04)', async ({
  page,
}) => {
  await page.goto('/invitacion#un-token');
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAccessibleDescription(
    /Al menos 8 caracteres; si eres administrador, 15/,
  );
});
