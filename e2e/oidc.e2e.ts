import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { type OpenIdProvider, startOpenIdProvider } from '../test/openid-provider.ts';
import type { RunningServer, ServerEnv } from '../test/start-server.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { enter, signIn } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';
import { runUserCommand } from './support/user-command.ts';

/** Signing in with OpenID Connect, in a real browser and at a real provider (SIGN-02). */

const ANA = {
  sub: 'ana-1',
  email: 'ana@example.com',
  email_verified: true,
  given_name: 'Ana',
  family_name: 'Ríos',
};

type World = { server: RunningServer; provider: OpenIdProvider; request: APIRequestContext; token: string };

const providers: OpenIdProvider[] = [];
test.afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

/** A server that uses a provider; people come back to its address, which is known once it runs. */
async function world(
  freshServer: (env?: ServerEnv) => Promise<RunningServer>,
  newContext: (options: { baseURL: string }) => Promise<APIRequestContext>,
  env: ServerEnv = {},
): Promise<World> {
  const server = await freshServer();
  const request = await newContext({ baseURL: server.url });
  const { token } = await signIn(request);
  const provider = await startOpenIdProvider({ redirectUris: [`${server.url}/api/auth/oidc/callback/`] });
  providers.push(provider);
  provider.somebody = ANA;
  await server.restart({ ...provider.env, ...env });
  return { server, provider, request, token };
}

const invite = (request: APIRequestContext, token: string) =>
  request.post('/licenses/api/users/', {
    data: { email: 'ana@example.com', role: 'operator' },
    headers: { Authorization: `Bearer ${token}` },
  });

async function openPage(
  context: BrowserContext,
  guard: { watch: (context: BrowserContext) => Promise<void> },
) {
  await guard.watch(context);
  return context.newPage();
}

const entry = (page: Page) => page.getByRole('link', { name: 'Entrar con Acme ID' });

test('an invited person signs in by keyboard, and comes back to the address where the session ended (SIGN-02)', async ({
  browser,
  freshServer,
  guard,
  playwright,
}) => {
  const { server, request, token, provider } = await world(freshServer, (o) =>
    playwright.request.newContext(o),
  );
  const page = await openPage(await browser.newContext({ baseURL: server.url }), guard);
  guard.allowConsoleError(/403/);
  // Not invited yet.
  await page.goto('/login');
  await expect(entry(page)).toBeVisible();
  await entry(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('Pide una invitación a un administrador');
  await expect(page).toHaveURL(/\/login$/);

  expect((await invite(request, token)).status()).toBe(201);
  await entry(page).press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Inicio de sesión exitoso')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Cuenta: Ana Ríos/ })).toBeVisible();

  // The session ends while another screen is open.
  guard.allowConsoleError(/401/);
  await page.goto('/clients?q=ana');
  await page.evaluate(() => localStorage.setItem('license_manager_token', 'ended'));
  await page.evaluate(() => localStorage.removeItem('license_manager_refresh_token'));
  await page.reload();
  await expect(page.getByText('Tu sesión terminó.')).toBeVisible();
  await entry(page).press('Enter');
  await expect(page).toHaveURL(/\/clients\?q=ana$/);
  expect(provider.exchanges).toBe(3);
});

test('a way back that fails says so, and offers the next try (SIGN-02)', async ({
  browser,
  freshServer,
  guard,
  playwright,
}) => {
  const { server, provider } = await world(freshServer, (o) => playwright.request.newContext(o));
  provider.falsify = ({ header, payload }) => ({ header, payload: { ...payload, nonce: 'another' } });
  for (const look of LOOKS) {
    const page = await openPage(await browser.newContext({ baseURL: server.url }), guard);
    await wear(page, look);
    await page.goto('/login');
    await entry(page).click();
    await expect(page.getByRole('alert')).toContainText('No se pudo entrar con Acme ID.');
    await expect(page).toHaveURL(/\/login$/);
    await expect(entry(page)).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  }
});

test('a person with a password links the identity in Mi cuenta, and confirms with it (SIGN-02)', async ({
  browser,
  freshServer,
  guard,
  playwright,
}) => {
  const { server, request } = await world(freshServer, (o) => playwright.request.newContext(o));
  const context = await browser.newContext({ baseURL: server.url });
  const page = await openPage(context, guard);
  await enter(page, await signIn(request));
  await page.goto('/account');
  await page.getByRole('button', { name: 'Enlazar con Acme ID' }).press('Enter');
  await expect(page.getByText('Ya puedes entrar con Acme ID.')).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('Enlazada', { exact: true })).toBeVisible();
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.theme });
    await page.setViewportSize({ width: look.width, height: 800 });
    expect(await barriers(page)).toEqual([]);
  }

  // More than ten minutes later: what a sensitive call asks for can be proved at the provider, in a window.
  guard.allowConsoleError(/403/);
  forgetPasswords(server);
  await page.getByRole('button', { name: 'Quitar el enlace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await expect(dialog.getByRole('button', { name: 'Confirmar con Acme ID' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Confirmar con Acme ID' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Ya no se entra en tu cuenta con Acme ID.')).toBeVisible();
  expect(context.pages()).toHaveLength(1);
});

test('where only the provider lets people in, nothing else is offered, and a link of the server helps (SIGN-02)', async ({
  browser,
  freshServer,
  guard,
  playwright,
}) => {
  const { server, request, token } = await world(freshServer, (o) => playwright.request.newContext(o), {
    OIDC_ONLY: '1',
  });
  // The session of the password ended at the start.
  const headers = { Authorization: `Bearer ${token}` };
  expect((await request.get('/api/auth/user/', { headers })).status()).toBe(401);
  for (const look of LOOKS) {
    const page = await openPage(await browser.newContext({ baseURL: server.url }), guard);
    await wear(page, look);
    await page.goto('/login');
    await expect(entry(page)).toBeVisible();
    await expect(page.getByLabel('Contraseña', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Olvidé mi contraseña' })).toHaveCount(0);
    expect(await barriers(page)).toEqual([]);
  }
  const link = /http\S+\/login#k=\S+/.exec(await runUserCommand(server, ['link', 'admin']))?.[0] ?? '';
  const page = await openPage(await browser.newContext({ baseURL: server.url }), guard);
  await page.goto(link);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Entrar con el enlace' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Entrar con el enlace' }).press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);

  guard.allowConsoleError(/400/);
  const again = await openPage(await browser.newContext({ baseURL: server.url }), guard);
  await again.goto(link);
  await again.getByRole('button', { name: 'Entrar con el enlace' }).click();
  await expect(again.getByRole('alert')).toContainText('El enlace no es válido, ya se usó o venció.');
});
