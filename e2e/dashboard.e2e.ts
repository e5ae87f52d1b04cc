import type { Page } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { fullSize } from './support/browser.ts';
import { rowsIn } from './support/list-rows.ts';
import { callsTo, expect, queryOf, test, unique } from './support/staff.ts';

// A test measures to the pixel where things are.
test.use({ launchOptions: fullSize });

const STATISTICS = '/licenses/api/statistics/';
const LICENSES = '/licenses/api/licenses/';

const statistics = {
  active_licenses: 12,
  total_clients: 34,
  total_licenses: 1234,
  trial_licenses: 5,
  total_software: 6,
  last_updated: '2026-11-21T16:30:00.000Z',
  changes: { active_licenses: 25.5, total_clients: -3.2, trial_licenses: 0, total_software: null },
};

const withStatistics = (page: Page, values: Partial<typeof statistics> = {}) =>
  page.route(`**${STATISTICS}`, (route) =>
    route.fulfill({ json: { success: true, statistics: { ...statistics, ...values } } }),
  );

/** The request for the five newest licences, not the one of the notifications bell. */
const isRecent = (url: URL) =>
  url.pathname === LICENSES && url.searchParams.get('ordering') === '-created_at';
const withRecent = (page: Page, results: unknown[]) =>
  page.route(isRecent, (route) => route.fulfill({ json: { count: results.length, results } }));

const license = (values: Record<string, unknown> = {}) => ({
  id: 900,
  license_key: 'A7KQ2-M9XVD-4TRHB-W3NPE-6JZCY',
  status: 'active',
  issued_date: '2026-11-20T18:00:00.000Z',
  client: { id: 1, name: 'Ana López' },
  client_name: 'Ana López',
  software: { id: 1, name: 'Punto de Venta' },
  software_name: 'Punto de Venta',
  ...values,
});

const statCard = (page: Page, label: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: label, exact: true }) });
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const recentTable = (page: Page) => page.getByRole('table', { name: 'Licencias Recientes' });

test('the page shows title, subtitle and the time of the last update (SEED-1-09, SEED-2.1-04, SEED-2.5-01, SEED-2.5-02, SEED-2.5-03)', async ({
  page,
}) => {
  await withStatistics(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('Resumen general del sistema de licencias')).toBeVisible();
  await expect(page.getByText('Última actualización: 21/11/2026, 10:30')).toBeVisible();
});

test('the dashboard shows four figures with their trends (SEED-2.5-04, SEED-2.5-05, SEED-2.5-06, SEED-2.5-07, SEED-2.3-07, SEED-7.6-01, D105)', {
  tag: '@gate',
}, async ({ page }) => {
  await withStatistics(page);
  await page.goto('/dashboard');
  for (const [label, value, change] of [
    ['Licencias Activas', '12', 'Sube: +25.5%'],
    ['Total Clientes', '34', 'Baja: -3.2%'],
    ['Licencias Trial', '5', 'Sin cambio: 0%'],
    ['Software Registrado', '6', 'Aún no hay con qué comparar'],
  ] as const) {
    await expect(statCard(page, label).getByText(value, { exact: true })).toBeVisible();
    await expect(statCard(page, label)).toContainText(change);
  }
});

test('a change in percent that says little stands quietly beside the difference (SEED-2.3-07)', async ({
  page,
}) => {
  await page.route(`**${STATISTICS}`, (route) =>
    route.fulfill({
      json: {
        success: true,
        statistics: {
          ...statistics,
          active_licenses: 215,
          changes: { active_licenses: 1561.5, total_clients: 40, trial_licenses: -50, total_software: 20 },
          differences: { active_licenses: 202, total_clients: 4, trial_licenses: -4, total_software: 1 },
        },
      },
    }),
  );
  await page.goto('/dashboard');
  for (const [label, mark, beside] of [
    // Above 200 %.
    ['Licencias Activas', 'Sube: +202', '+1,561.5%'],
    ['Total Clientes', 'Sube: +40%', null],
    // There were 8, and 5.
    ['Licencias Trial', 'Baja: -4', '-50%'],
    ['Software Registrado', 'Sube: +1', '+20%'],
  ] as const) {
    await expect(statCard(page, label).locator('[data-trend]')).toHaveText(mark);
    if (beside === null) await expect(statCard(page, label).getByText('%')).toHaveCount(1);
    else
      await expect(statCard(page, label).getByText(beside, { exact: true })).not.toHaveAttribute(
        'data-trend',
      );
  }
});

test('the cards of distribution and summary show the statistics (SEED-2.5-12, SEED-2.5-13, SEED-2.5-14, SEED-2.5-15, SEED-2.5-16, D019)', async ({
  page,
}) => {
  await withStatistics(page, { active_licenses: 411, total_licenses: 1234 });
  await page.goto('/dashboard');
  const distribution = card(page, 'Distribución de Licencias');
  await expect(distribution.getByRole('definition')).toHaveText(['411', '5', '1,234']);
  await expect(distribution.getByText(/próximamente/i)).toBeVisible();
  await expect(distribution.getByRole('figure', { name: 'Licencias emitidas por mes' })).toBeVisible();

  const summary = card(page, 'Resumen del Sistema');
  await expect(summary.getByRole('definition')).toHaveText(['34', '6', '33.3%']);
  await expect(summary.getByText(/próximamente/i)).toBeVisible();
});

test('without licences the rate of active licences is 0% (SEED-2.5-17, D069)', async ({ page }) => {
  await withStatistics(page, { active_licenses: 0, trial_licenses: 0, total_licenses: 0 });
  await page.goto('/dashboard');
  await expect(card(page, 'Resumen del Sistema').getByText('0%', { exact: true })).toBeVisible();
});

test.describe('the system status (SEED-2.5-08, SEED-2.5-09, D016)', () => {
  const words = ['Conectada', 'Operativa', 'Activo'];

  test('is the same whatever the statistics call returns', async ({ page, guard }) => {
    guard.allowConsoleError(/500|ERR_/);
    await page.route(`**${STATISTICS}`, (route) => route.fulfill({ status: 500, json: {} }));
    await page.route('**/licenses/api/health/', (route) => route.abort('connectionrefused'));
    await page.goto('/dashboard');
    await expect(page.getByText('Error al cargar estadísticas')).toBeVisible();
    for (const word of words) {
      await expect(card(page, 'Estado del Sistema').getByText(word, { exact: true })).toBeVisible();
    }
  });

  test('says in the colour of a warning that there is no mail server, beside the specified word (D011)', async ({
    page,
  }) => {
    await page.goto('/dashboard');
    const status = card(page, 'Estado del Sistema');
    await expect(status.getByText('Sin servidor de correo', { exact: true })).toBeVisible();
    const colour = (word: string) =>
      status.getByText(word, { exact: true }).evaluate((text) => getComputedStyle(text).color);
    expect(await colour('Activo')).not.toBe(await colour('Operativa'));
    expect(await colour('Activo')).toBe(await colour('Sin servidor de correo'));
  });

  test('changes one word, and only when the server reports a failure', async ({ page, guard }) => {
    guard.allowConsoleError(/503/);
    await page.route('**/licenses/api/health/', (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, status: 'error', database: 'error', email: 'error' },
      }),
    );
    await page.goto('/dashboard');
    const status = card(page, 'Estado del Sistema');
    await expect(status.getByText('Desconectada')).toBeVisible();
    await expect(status.getByText('Inactivo')).toBeVisible();
    await expect(status.getByText('Operativa')).toBeVisible();
  });
});

for (const [name, path] of [
  ['Nueva Licencia', '/licenses?nuevo=1'],
  ['Agregar Cliente', '/clients?nuevo=1'],
  ['Registrar Software', '/software?nuevo=1'],
  ['Ver Reportes', '/reports'],
] as const) {
  test(`the link ${name} opens ${path}, and Back returns (SEED-2.5-10, SEED-2.5-11, D021)`, async ({
    page,
  }) => {
    await page.goto('/dashboard');
    await card(page, 'Acciones Rápidas').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL((url) => url.pathname + url.search === path);
    if (path.includes('nuevo')) await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard$/);
  });
}

test.describe('recent licences', () => {
  test('the card shows the five newest, with key, client, software, status and day (SEED-2.5-18, SEED-7.4-03, SEED-9-12) @gate', async ({
    page,
    api,
  }) => {
    const mark = unique();
    const client = await api.createClient({ name: `Clienta ${mark}` });
    const software = await api.createSoftware({ name: `Programa ${mark}` });
    const issued = [];
    for (let count = 0; count < 6; count++) {
      issued.push(await api.createLicense({ client: client.id, software: software.id }));
    }
    const calls = callsTo(page, 'GET', LICENSES);
    await page.goto('/dashboard');
    const table = recentTable(page);
    await expect(table.getByRole('columnheader')).toHaveText([
      'Clave de Licencia',
      'Cliente',
      'Software',
      'Estado',
      'Fecha de Emisión',
    ]);
    const rows = rowsIn(table);
    await expect(rows).toHaveCount(5);
    const newest = issued.at(-1);
    await expect(rows.first()).toContainText(newest?.license_key ?? '?');
    await expect(rows.first()).toContainText(`Clienta ${mark}`);
    await expect(rows.first()).toContainText(`Programa ${mark}`);
    await expect(rows.first()).toContainText('Activa');
    await expect(rows.first()).toContainText(/\d{2}\/\d{2}\/\d{4}/);
    expect(queryOf(calls[0])).toEqual({ page_size: '5', ordering: '-created_at' });
    await rows.first().getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(`/licenses/${newest?.id}$`));
  });

  test("a missing value shows N/A, and the status 'trial' has its badge (SEED-2.5-19, SEED-3-17, D092)", async ({
    page,
  }) => {
    const missing = { client: null, client_name: null, software: null, software_name: undefined };
    await withRecent(page, [
      license({ id: 901, status: 'trial', ...missing }),
      license({ id: 902, client: { id: 3, name: 'Sólo anidado' }, client_name: undefined }),
      license({ id: 903, client: 7, client_name: undefined, status: 'raro' }),
    ]);
    await page.goto('/dashboard');
    const rows = rowsIn(recentTable(page));
    await expect(rows.nth(0).getByText('N/A', { exact: true })).toHaveCount(2);
    await expect(rows.nth(0).getByText('Trial', { exact: true })).toBeVisible();
    await expect(rows.nth(1)).toContainText('Sólo anidado');
    await expect(rows.nth(2).getByText('N/A', { exact: true })).toHaveCount(1);
    await expect(rows.nth(2)).toContainText('raro');
  });

  test('the card shows a message when there are no licences (SEED-2.5-20)', async ({ page }) => {
    await withRecent(page, []);
    await page.goto('/dashboard');
    await expect(page.getByText('No hay licencias', { exact: true })).toBeVisible();
    await expect(page.getByText('Comienza creando tu primera licencia.')).toBeVisible();
  });

  test('a failed load shows an error in this card only, after one retry (SEED-4-27, D110)', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/500/);
    let asked = 0;
    await page.route(isRecent, (route) => {
      asked += 1;
      return route.fulfill({ status: 500, json: { success: false, message: 'Fallo X' } });
    });
    await page.goto('/dashboard');
    const recent = card(page, 'Licencias Recientes');
    await expect(recent.getByText('Error al cargar las licencias')).toBeVisible();
    await expect(recent.getByText('Fallo X')).toBeVisible();
    expect(asked).toBe(2);
    await expect(statCard(page, 'Total Clientes')).toBeVisible();
    await page.unroute(isRecent);
    await recent.getByRole('button', { name: 'Reintentar' }).click();
    await expect(rowsIn(recentTable(page)).first()).toBeVisible();
  });
});

test('skeleton cards show while the figures load, and the layout does not move when they arrive (SEED-2.5-21)', async ({
  page,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${STATISTICS}`, async (route) => {
    await released;
    await route.fulfill({ json: { success: true, statistics } });
  });
  await page.goto('/dashboard');
  await expect(page.locator('[data-skeleton-card]')).toHaveCount(4);
  const recent = card(page, 'Licencias Recientes');
  await expect(rowsIn(recentTable(page)).first()).toBeVisible();
  const before = await recent.boundingBox();
  release();
  await expect(statCard(page, 'Licencias Activas')).toBeVisible();
  await expect(page.locator('[data-skeleton-card]')).toHaveCount(0);
  expect((await recent.boundingBox())?.y).toBe(before?.y);
});

test('a failed load of the figures shows an error and a retry button (SEED-2.5-22, SEED-8.1-03)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500/);
  const calls = callsTo(page, 'GET', STATISTICS);
  await page.route(`**${STATISTICS}`, (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/dashboard');
  await expect(page.getByText('Error al cargar estadísticas')).toBeVisible();
  await expect(
    page.getByText('No se pudieron cargar los datos del dashboard. Por favor, intenta nuevamente.'),
  ).toBeVisible();
  expect(calls).toHaveLength(2);
  await page.unroute(`**${STATISTICS}`);
  await page.getByRole('main').getByRole('button', { name: 'Reintentar' }).click();
  await expect(statCard(page, 'Total Clientes')).toBeVisible();
  await expect(page.getByText('Error al cargar estadísticas')).toHaveCount(0);
});

test('figures are fetched again every 30 s, recent licences every 60 s (SEED-4-29, SEED-4-30, SEED-9-11)', async ({
  page,
}) => {
  await page.clock.install();
  await withStatistics(page);
  const figures = callsTo(page, 'GET', STATISTICS);
  let recent = 0;
  page.on('request', (request) => {
    if (isRecent(new URL(request.url()))) recent += 1;
  });
  await page.goto('/dashboard');
  await expect(statCard(page, 'Total Clientes')).toBeVisible();
  await expect(rowsIn(recentTable(page)).first()).toBeVisible();
  const start = { figures: figures.length, recent };
  // The time until the next refetch starts with this answer.
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === STATISTICS);
  await page.clock.fastForward(31_000);
  await expect.poll(() => figures.length).toBe(start.figures + 1);
  await (await answered).finished();
  expect(recent).toBe(start.recent);
  await page.clock.fastForward(31_000);
  await expect.poll(() => figures.length).toBe(start.figures + 2);
  await expect.poll(() => recent).toBe(start.recent + 1);
});

test('the figures stay on the screen when a later fetch fails (D110)', async ({ page, guard }) => {
  guard.allowConsoleError(/500/);
  await page.clock.install();
  await withStatistics(page);
  await page.goto('/dashboard');
  await expect(statCard(page, 'Total Clientes').getByText('34')).toBeVisible();
  await page.unroute(`**${STATISTICS}`);
  const failed = callsTo(page, 'GET', STATISTICS);
  await page.route(`**${STATISTICS}`, (route) => route.fulfill({ status: 500, json: {} }));
  await page.clock.fastForward(31_000);
  await expect.poll(() => failed.length).toBeGreaterThan(0);
  await page.clock.fastForward(2000);
  await expect.poll(() => failed.length).toBe(2);
  await expect(statCard(page, 'Total Clientes').getByText('34')).toBeVisible();
  await expect(page.getByText('Error al cargar estadísticas')).toHaveCount(0);
});

test('the displayed age of the figures updates by itself (SEED-4-24, SEED-4-25)', async ({ page }) => {
  const start = new Date('2026-11-21T16:30:10.000Z');
  await page.clock.install({ time: start });
  await withStatistics(page);
  await page.goto('/dashboard');
  const age = page.locator(`time[datetime="${statistics.last_updated}"]`);
  await expect(age).toHaveText('Hace un momento');
  await expect(age).toHaveAttribute('title', '21/11/2026, 10:30');
  await page.clock.runFor(130_000);
  await expect(age).toHaveText('Hace 2 minutos');
});

for (const look of LOOKS) {
  test(`axe finds nothing on the dashboard when it is filled, empty or failed, ${look.theme} at ${look.width} px`, async ({
    page,
    guard,
  }) => {
    test.slow();
    guard.allowConsoleError(/500/);
    await wear(page, look);
    const check = async () => {
      expect(await barriers(page)).toEqual([]);
    };
    await page.goto('/dashboard');
    await expect(page.getByRole('figure').locator('svg').first()).toBeVisible();
    await check();
    await withRecent(page, []);
    await page.reload();
    await expect(page.getByText('No hay licencias', { exact: true })).toBeVisible();
    await check();
    await page.route(`**${STATISTICS}`, (route) => route.fulfill({ status: 500, json: {} }));
    await page.reload();
    await expect(page.getByText('Error al cargar estadísticas')).toBeVisible();
    await check();
  });
}
