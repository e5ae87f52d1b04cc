import type { BrowserContext, Page, Route } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { callsTo } from './support/staff.ts';

const LOGIN = '/api/auth/login/';
const HEALTH = '/api/health/';
const MINUTE = 60_000;

const username = (page: Page) => page.getByLabel('Usuario', { exact: true });
const password = (page: Page) => page.getByLabel('Contraseña', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Iniciar Sesión' });

async function enter(page: Page, name: string, secret: string): Promise<void> {
  await username(page).fill(name);
  await password(page).fill(secret);
  await submit(page).click();
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await enter(page, 'admin', 'admin123');
  await expect(page).toHaveURL(/\/dashboard$/);
}

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

const answering = (status: number, body: unknown) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });

test('the sign-in screen asks for user name and password (SEED-1-02, SEED-2.4-01, SEED-2.4-02)', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(username(page)).toBeFocused();
  await expect(password(page)).toHaveAttribute('type', 'password');
  await expect(submit(page)).toBeVisible();
  await expect(page).toHaveTitle(/License Manager/);
});

test('the hint shows an account that can sign in (SEED-2.4-04, SEED-6-04)', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByText('Usuario: admin')).toBeVisible();
  await expect(page.getByText('Contraseña: admin123')).toBeVisible();
  await page.getByRole('button', { name: 'Usar estas credenciales' }).click();
  await submit(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('without the demo account there is no hint (D006)', async ({ page }) => {
  await page.route(`**${HEALTH}`, answering(200, { success: true, status: 'ok', demo_account: false }));
  await page.goto('/login');
  await expect(submit(page)).toBeVisible();
  await expect(page.getByText('Credenciales de demostración')).toHaveCount(0);
});

test.describe('checks before the request is sent', () => {
  const cases = [
    ['SEED-5.1-01', '', 'admin123', 'El nombre de usuario es requerido'],
    ['SEED-5.1-02 SEED-9-04', 'ab', 'admin123', 'El nombre de usuario debe tener al menos 3 caracteres'],
    [
      'SEED-5.1-03 SEED-9-04',
      'a'.repeat(51),
      'admin123',
      'El nombre de usuario no puede exceder 50 caracteres',
    ],
    ['SEED-5.1-04', 'admin', '', 'La contraseña es requerida'],
    ['SEED-5.1-05 SEED-9-04', 'admin', '12345', 'La contraseña debe tener al menos 6 caracteres'],
  ] as const;
  for (const [id, name, secret, message] of cases) {
    test(`a wrong input shows "${message}" at its field and sends nothing (${id}) (${id})`, async ({
      page,
    }) => {
      const calls = callsTo(page, 'POST', LOGIN);
      await page.goto('/login');
      await enter(page, name, secret);
      await expect(page.getByText(message)).toBeVisible();
      const wrong = name.length >= 3 && name.length <= 50 ? password(page) : username(page);
      await expect(wrong).toBeFocused();
      await expect(wrong).toHaveAttribute('aria-invalid', 'true');
      await expect(wrong).toHaveAccessibleDescription(message);
      expect(calls).toHaveLength(0);
    });
  }

  test('an empty form shows only that both fields are required, and editing a field clears its message (D031)', async ({
    page,
  }) => {
    await page.goto('/login');
    await submit(page).click();
    await expect(page.getByText('El nombre de usuario es requerido')).toBeVisible();
    await expect(page.getByText('La contraseña es requerida')).toBeVisible();
    await expect(page.getByText('al menos')).toHaveCount(0);
    await username(page).fill('a');
    await expect(page.getByText('El nombre de usuario es requerido')).toHaveCount(0);
    await username(page).blur();
    await expect(page.getByText('El nombre de usuario debe tener al menos 3 caracteres')).toBeVisible();
  });
});

test('while the sign-in runs the button shows it, and two presses send one request (SEED-2.4-03, SEED-3-24, SEED-7.1-08)', async ({
  page,
}) => {
  const calls = callsTo(page, 'POST', LOGIN);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${LOGIN}`, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/login');
  const width = (await submit(page).boundingBox())?.width;
  await enter(page, 'admin', 'admin123');
  const waiting = page.getByRole('button', { name: 'Iniciando sesión...' });
  await expect(waiting).toBeVisible();
  expect((await waiting.boundingBox())?.width).toBe(width);
  await waiting.click({ force: true });
  await password(page).press('Enter');
  release();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.postDataJSON()).toEqual({ username: 'admin', password: 'admin123' });
});

test('a sign-in shows a notification, is stored, and opens the dashboard (SEED-2.4-05, SEED-2.4-06, SEED-3-01, SEED-3-29, SEED-3-30, SEED-4-01, SEED-9-15) @gate', async ({
  page,
}) => {
  await signIn(page);
  await expect(page.getByText('Inicio de sesión exitoso')).toBeVisible();
  await expect(page.getByText('Bienvenido al sistema de gestión de licencias')).toBeVisible();
  const token = await stored(page, 'license_manager_token');
  expect(token).toBeTruthy();
  expect(await stored(page, 'license_manager_refresh_token')).toBeTruthy();
  const user = JSON.parse((await stored(page, 'license_manager_user')) ?? '{}');
  expect(user).toMatchObject({ names: expect.any(String), last_name: expect.any(String) });
  expect(Object.keys(user).join()).not.toMatch(/password|hash/);
  const store = JSON.parse((await stored(page, 'auth-storage')) ?? '{}');
  expect(store.state).toMatchObject({ user, token, isAuthenticated: true });
  await page.reload();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test.describe('messages of a refused sign-in', () => {
  const wrong = 'La contraseña ingresada no es correcta. Verifica tu contraseña e intenta nuevamente.';
  const unknown = 'El nombre de usuario no existe en el sistema. Verifica que esté escrito correctamente.';

  test(`an unknown user name shows: ${unknown} (SEED-8.2-01)`, async ({ page, guard }) => {
    guard.allowConsoleError(/401/);
    await page.goto('/login');
    await enter(page, 'nadie-conocido', 'una-clave');
    await expect(page.getByRole('alert').getByText('Usuario no encontrado')).toBeVisible();
    await expect(page.getByText(unknown)).toBeVisible();
    await expect(username(page)).toBeFocused();
    await expect(username(page)).toHaveValue('nadie-conocido');
  });

  test(`a wrong password shows: ${wrong} (SEED-8.2-02)`, async ({ page, guard }) => {
    guard.allowConsoleError(/401/);
    await page.goto('/login');
    await enter(page, 'admin', 'otra-clave');
    await expect(page.getByRole('alert').getByText('Contraseña incorrecta')).toBeVisible();
    await expect(page.getByText(wrong)).toBeVisible();
    await expect(password(page)).toBeFocused();
    await expect(page).toHaveURL(/\/login$/);
  });

  const stubbed = [
    [
      'SEED-8.2-03 SEED-6-05',
      403,
      'Usuario inactivo',
      'Usuario inactivo',
      'Tu cuenta ha sido desactivada. Contacta al administrador del sistema.',
    ],
    [
      'SEED-8.2-04',
      400,
      'Username y password son requeridos',
      'Datos incompletos',
      'Por favor, completa todos los campos requeridos.',
    ],
    [
      'SEED-8.2-07',
      500,
      'Error en el servidor',
      'Error del servidor',
      'El servidor está experimentando problemas. Intenta nuevamente en unos minutos.',
    ],
    [
      'SEED-8.2-08 SEED-8.1-01 D003',
      401,
      'Token inválido',
      'Error de autenticación',
      'Credenciales inválidas. Verifica tu usuario y contraseña.',
    ],
    ['SEED-8.2-09 D015', 418, 'Algo <b>raro</b>', 'Error de autenticación', 'Algo <b>raro</b>'],
  ] as const;
  for (const [id, status, message, title, text] of stubbed) {
    test(`the answer ${status} "${message}" shows its title and text (${id}) (${id})`, async ({
      page,
      guard,
    }) => {
      guard.allowConsoleError(new RegExp(String(status)));
      await page.route(`**${LOGIN}`, answering(status, { success: false, message }));
      await page.goto('/login');
      await enter(page, 'admin', 'admin123');
      await expect(page.getByRole('alert').getByText(title, { exact: true })).toBeVisible();
      await expect(page.getByText(text, { exact: true })).toBeVisible();
      await expect(page).toHaveURL(/\/login$/);
    });
  }

  test("a failure without a message shows 'Login failed' (SEED-8.1-11)", async ({ page }) => {
    await page.route(`**${LOGIN}`, answering(200, { success: false }));
    await page.goto('/login');
    await enter(page, 'admin', 'admin123');
    await expect(page.getByText('Login failed')).toBeVisible();
  });

  test('a failure with a message shows that message (SEED-8.1-11)', async ({ page }) => {
    await page.route(`**${LOGIN}`, answering(200, { success: false, message: 'Vuelve mañana' }));
    await page.goto('/login');
    await enter(page, 'admin', 'admin123');
    await expect(page.getByText('Vuelve mañana')).toBeVisible();
  });

  test('after too many attempts the form shows how long to wait (D002)', async ({ page, guard }) => {
    guard.allowConsoleError(/429/);
    const message = 'Demasiados intentos. Intenta nuevamente en unos minutos.';
    await page.route(`**${LOGIN}`, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '600' },
        contentType: 'application/json',
        body: JSON.stringify({ success: false, code: 'rate_limited', message }),
      }),
    );
    await page.goto('/login');
    await enter(page, 'admin', 'admin123');
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByText(/Podrás intentar de nuevo a las? \d{2}:\d{2}\./)).toBeVisible();
  });
});

test.describe('without a connection', () => {
  const banner = (page: Page) => page.getByText('Sin conexión: Verifica tu conexión a internet');
  const retry = (page: Page) => page.getByRole('button', { name: 'Reintentar Conexión' });

  test('the banner appears after a failed sign-in, and disappears when the health check succeeds (SEED-2.4-07, SEED-2.4-08, SEED-2.4-09, SEED-2.4-10, SEED-7.1-06, SEED-8.2-05, SEED-8.2-06)', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/ERR_|503/);
    await page.route(`**${LOGIN}`, (route) => route.abort('connectionrefused'));
    await page.goto('/login');
    await expect(page.getByText('Usuario: admin')).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
    await enter(page, 'admin', 'admin123');
    await expect(page.getByText('Error de conexión', { exact: true })).toBeVisible();
    await expect(
      page.getByText(
        'No se pudo conectar con el servidor. Verifica tu conexión a internet e intenta nuevamente.',
      ),
    ).toBeVisible();
    await expect(banner(page)).toBeVisible();

    const calls = callsTo(page, 'GET', HEALTH);
    await page.route(`**${HEALTH}`, (route) => route.abort('connectionrefused'));
    await retry(page).click();
    await expect.poll(() => calls.length).toBe(1);
    await expect(banner(page)).toBeVisible();

    await page.unroute(`**${HEALTH}`);
    await page.route(`**${HEALTH}`, answering(503, { success: false, status: 'error' }));
    await retry(page).click();
    await expect.poll(() => calls.length).toBe(2);
    await expect(banner(page)).toBeVisible();

    await page.unroute(`**${HEALTH}`);
    await retry(page).click();
    await expect(banner(page)).toHaveCount(0);
    expect(calls).toHaveLength(3);
    await expect(password(page)).toHaveValue('admin123');
  });

  test('the banner also disappears at the next sign-in that reaches the server (D035)', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/ERR_|401/);
    await page.route(`**${LOGIN}`, (route) => route.abort('connectionrefused'));
    await page.goto('/login');
    await enter(page, 'admin', 'mal-escrita');
    await expect(banner(page)).toBeVisible();
    await page.unroute(`**${LOGIN}`);
    await submit(page).click();
    await expect(page.getByText('Contraseña incorrecta')).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
  });
});

test('without a session every protected address redirects to the sign-in screen (SEED-2.1-15)', {
  tag: '@gate',
}, async ({ page }) => {
  const paths = [
    '/',
    '/dashboard',
    '/clients',
    '/clients/1',
    '/licenses',
    '/licenses/1',
    '/license-types',
    '/software',
    '/software/1',
    '/reports',
    '/settings',
    '/no-existe',
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login$/);
    await expect(submit(page)).toBeVisible();
  }
});

test('a signed-in user who opens the sign-in screen is redirected to the dashboard (SEED-2.1-01)', async ({
  page,
}) => {
  await signIn(page);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test.describe('signing out', () => {
  const keys = ['license_manager_token', 'license_manager_refresh_token', 'license_manager_user'];

  test('removes the session from the browser and from the server (SEED-2.2-12, SEED-4-03) @gate', async ({
    page,
    request,
  }) => {
    await signIn(page);
    await expect(page.getByRole('table', { name: 'Licencias Recientes' })).toBeVisible();
    const token = await stored(page, 'license_manager_token');
    await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
    await expect(page).toHaveURL(/\/login$/);
    for (const key of keys) expect(await stored(page, key), key).toBeNull();
    const store = JSON.parse((await stored(page, 'auth-storage')) ?? '{}');
    expect(store.state).toMatchObject({ user: null, token: null, isAuthenticated: false });
    const later = await request.get('/api/auth/user/', { headers: { authorization: `Bearer ${token}` } });
    expect(later.status()).toBe(401);
    await page.goto('/clients');
    await expect(page).toHaveURL(/\/login$/);
  });

  for (const [what, fault] of [
    ['cannot be sent', (route: Route) => route.abort('connectionrefused')],
    ['is answered 401', answering(401, { success: false, message: 'Unauthorized' })],
    ['is answered 500', answering(500, {})],
  ] as const) {
    test(`signs out in the browser also when the call ${what} (SEED-4-04, D122)`, async ({ page, guard }) => {
      guard.allowConsoleError(/ERR_|401|500/);
      await signIn(page);
      await page.route('**/api/auth/logout/', fault);
      await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
      await expect(page).toHaveURL(/\/login$/);
      for (const key of keys) expect(await stored(page, key), key).toBeNull();
    });
  }

  test('signing in again after signing out opens the dashboard (D004)', async ({ page }) => {
    await signIn(page);
    // The check of the session, and the calls of a screen that still loads, could arrive with a revoked token.
    const checked = page.waitForResponse(/\/api\/auth\/user\/$/);
    await page.goto('/account');
    await expect(page.getByRole('heading', { name: 'Mi cuenta' })).toBeVisible();
    await checked;
    await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await enter(page, 'admin', 'admin123');
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('signing out in one tab signs out all tabs', async ({ page, context }) => {
    await signIn(page);
    const other = await context.newPage();
    await other.goto('/account');
    await expect(other.getByRole('heading', { name: 'Mi cuenta' })).toBeVisible();
    await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
    await expect(other).toHaveURL(/\/login$/);
    await enter(other, 'admin', 'admin123');
    await expect(other).toHaveURL(/\/dashboard$/);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('a tab that gets a 401 while another tab still signs out is signed out too, and a new sign-in there stays', async ({
    page,
    context,
    guard,
  }) => {
    guard.allowConsoleError(/401/);
    await signIn(page);
    const other = await context.newPage();
    await other.goto('/account');
    await expect(other.getByRole('heading', { name: 'Mi cuenta' })).toBeVisible();
    const revoked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/api/auth/logout/', async (route) => {
      const response = await route.fetch();
      revoked.resolve();
      await released.promise;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
    await revoked.promise;
    // A call of the page may already have been refused, so that the link has disappeared; that is ignored.
    const link = other.getByRole('navigation').getByRole('link', { name: 'Clientes', exact: true });
    await link.dispatchEvent('click', undefined, { timeout: 10_000 }).catch(() => {});
    await expect(other).toHaveURL(/\/login$/);
    await expect(other.getByText('Tu sesión terminó.')).toBeHidden();
    await enter(other, 'admin', 'admin123');
    await expect(other).toHaveURL(/\/dashboard$/);
    await expect(page).toHaveURL(/\/dashboard$/);
    const token = await stored(page, 'license_manager_token');
    const late = page.waitForResponse('**/api/auth/logout/');
    released.resolve();
    await (await late).finished();
    await expect(page.getByRole('button', { name: 'Cerrar Sesión' })).toBeEnabled();
    expect(await stored(page, 'license_manager_token')).toBe(token);
    expect(token).not.toBeNull();
  });
});

test.describe('a session that ends while the user works', () => {
  test('any 401 clears the session, and signing in again returns to the same address (SEED-4-05, SEED-8.1-01, D004)', {
    tag: '@gate',
  }, async ({ page, guard }) => {
    guard.allowConsoleError(/401/);
    await signIn(page);
    await page.goto('/licenses?q=anual&page_size=10');
    await expect(page.getByRole('heading', { level: 1, name: 'Licencias' })).toBeVisible();
    const refuse = answering(401, { success: false, message: 'x' });
    await page.route('**/licenses/api/clients/**', async (route) => {
      // The pointer over the link already fetches the list. Refused at once, it would end the session on the old screen.
      await page.waitForURL(/\/clients$/);
      await refuse(route);
    });
    await page.evaluate(() => sessionStorage.setItem('mark', 'same page'));
    await page.getByRole('navigation').getByRole('link', { name: 'Clientes', exact: true }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await stored(page, 'license_manager_token')).toBeNull();
    await expect(
      page.getByText('Tu sesión terminó. Inicia sesión para continuar donde estabas.'),
    ).toBeVisible();
    await page.unroute('**/licenses/api/clients/**');
    await enter(page, 'admin', 'admin123');
    await expect(page).toHaveURL(/\/clients$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Clientes' })).toBeVisible();
  });

  test('a token that the server no longer accepts ends the session when the console starts, and the address is remembered (D120)', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/401/);
    await signIn(page);
    await page.evaluate(() => {
      localStorage.setItem('license_manager_token', 'no-longer-known');
    });
    await page.goto('/account');
    await expect(page).toHaveURL(/\/login$/);
    await page.reload();
    await enter(page, 'admin', 'admin123');
    await expect(page).toHaveURL(/\/account$/);
  });

  test('a 401 that arrives before the rest of the code has loaded also ends the session (D120)', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/401/);
    await signIn(page);
    await page.evaluate(() => {
      localStorage.setItem('license_manager_token', 'no-longer-known');
    });
    const refused = page.waitForResponse((answer) => answer.status() === 401);
    await page.route('**/assets/main-*.js', async (route) => {
      await refused;
      await route.continue();
    });
    await page.goto('/clients?q=ana');
    await expect(page).toHaveURL(/\/login$/);
    await enter(page, 'admin', 'admin123');
    await expect(page).toHaveURL(/\/clients\?q=ana$/);
  });

  test('an unreachable server does not end the session when the console starts (D120)', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/ERR_/);
    await signIn(page);
    await page.route('**/api/auth/user/', (route) => route.abort('connectionrefused'));
    await page.goto('/account');
    await expect(page.getByRole('heading', { name: 'Mi cuenta' })).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('admin@example.com');
  });
});

test.describe('access token', () => {
  test('every call after the sign-in sends the token, and none before it (SEED-6-06, SEED-7-02)', async ({
    page,
  }) => {
    const calls: { url: string; authorization: string | undefined }[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!/^\/(api|licenses\/api)\//.test(pathname)) return;
      calls.push({ url: pathname, authorization: request.headers().authorization });
    });
    await signIn(page);
    await expect(page.getByRole('table', { name: 'Licencias Recientes' })).toBeVisible();
    const token = await stored(page, 'license_manager_token');
    const before = calls.filter(({ url }) => url === LOGIN || url === HEALTH);
    const after = calls.filter((call) => !before.includes(call));
    expect(before.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect(after.length).toBeGreaterThan(1);
    expect(after.map(({ authorization }) => authorization)).toEqual(after.map(() => `Bearer ${token}`));
  });

  test('one of two tabs renews the token before it expires, and both stay signed in (D008)', {
    tag: '@gate',
  }, async ({ page, context }) => {
    await context.clock.install();
    await signIn(page);
    const other = await context.newPage();
    await other.goto('/settings');
    await expect(other.getByRole('heading', { name: 'Configuración' })).toBeVisible();
    const first = await stored(page, 'license_manager_token');
    const renewals = [page, other].map((tab) => callsTo(tab, 'POST', '/api/auth/refresh/'));
    await context.clock.fastForward(14 * MINUTE);
    await expect.poll(() => stored(page, 'license_manager_token')).not.toBe(first);
    await other.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(other.getByRole('table', { name: 'Licencias Recientes' })).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(other).toHaveURL(/\/dashboard$/);
    expect(renewals.flat()).toHaveLength(1);
  });

  test('a refused renewal of the token ends the session, and an unreachable server does not (D008)', async ({
    page,
    context,
    guard,
  }) => {
    guard.allowConsoleError(/503|401|ERR_/);
    await context.clock.install();
    await signIn(page);
    await page.goto('/account');
    // A single route with two answers: if it was replaced, a renewal could reach the server in between and succeed.
    let answer = answering(503, {});
    await page.route('**/api/auth/refresh/', (route) => answer(route));
    const away = page.waitForResponse('**/api/auth/refresh/');
    await context.clock.fastForward(14 * MINUTE);
    await (await away).finished();
    await expect(page.getByRole('heading', { name: 'Mi cuenta' })).toBeVisible();
    expect(await stored(page, 'license_manager_token')).toBeTruthy();
    answer = answering(401, { success: false, message: 'Unauthorized' });
    // If a renewal is still running, no other one starts, so the clock is advanced until one is refused.
    await expect(async () => {
      await context.clock.fastForward(MINUTE);
      await expect(page).toHaveURL(/\/login$/, { timeout: 1000 });
    }).toPass();
  });
});

test('the browser console logs the calls without passwords or tokens (SEED-7-05, D001)', async ({ page }) => {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  await signIn(page);
  await expect(page.getByRole('table', { name: 'Licencias Recientes' })).toBeVisible();
  const token = (await stored(page, 'license_manager_token')) ?? 'none';
  const refresh = (await stored(page, 'license_manager_refresh_token')) ?? 'none';
  const text = lines.join('\n');
  expect(text).toMatch(/POST \/api\/auth\/login\/ 200 \d+ ms/);
  for (const secret of ['admin123', token, refresh]) expect(text).not.toContain(secret);
});

test.describe('notifications', () => {
  async function showToast(page: Page, context: BrowserContext, secret: string, title: string) {
    await page.goto('/login');
    await context.clock.install();
    await page.reload();
    await enter(page, 'admin', secret);
    const toast = page.getByText(title, { exact: true });
    await expect(toast).toBeVisible();
    await page.mouse.move(5, 400);
    return toast;
  }

  test('a notification that is not an error disappears after five seconds and fades for 300 ms (SEED-4-06, SEED-4-08, SEED-9-01)', async ({
    page,
    context,
  }) => {
    const toast = await showToast(page, context, 'admin123', 'Inicio de sesión exitoso');
    // A toast under the pointer stays (D104).
    await toast.hover();
    await context.clock.fastForward(8000);
    await expect(toast).toBeVisible();
    const card = page.getByRole('status').filter({ has: toast });
    expect(await card.evaluate((element) => getComputedStyle(element).transitionDuration)).toBe('0.3s');
    await page.mouse.move(5, 400);
    await context.clock.fastForward(5400);
    await expect(toast).toHaveCount(0);
  });

  test('an error stays for ten seconds (SEED-4-07, SEED-9-01)', async ({ page, context, guard }) => {
    guard.allowConsoleError(/401/);
    const toast = await showToast(page, context, 'mal-escrita', 'Contraseña incorrecta');
    await context.clock.fastForward(6000);
    await expect(toast).toBeVisible();
    await context.clock.fastForward(6000);
    await expect(toast).toHaveCount(0);
  });
});

for (const look of LOOKS) {
  test(`axe finds nothing on the sign-in screen, ${look.theme} at ${look.width} px`, async ({
    page,
    guard,
  }) => {
    test.slow();
    guard.allowConsoleError(/ERR_/);
    await wear(page, look);
    await page.goto('/login');
    await expect(page.getByText('Usuario: admin')).toBeVisible();
    const check = async () => {
      expect(await barriers(page)).toEqual([]);
    };
    await check();
    await submit(page).click();
    await expect(page.getByText('La contraseña es requerida')).toBeVisible();
    await page.route(`**${LOGIN}`, (route) => route.abort('connectionrefused'));
    await enter(page, 'admin', 'admin123');
    await expect(page.getByText('Sin conexión')).toBeVisible();
    await check();
  });
}
