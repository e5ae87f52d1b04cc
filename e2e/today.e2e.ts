import type { Locator, Page } from '@playwright/test';
import { addDays, localDay } from '../contract/base/time.ts';
import type { Today } from '../contract/figures/today.ts';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { fullSize } from './support/browser.ts';
import { effortOf } from './support/effort.ts';
import { listRows, rowsIn } from './support/list-rows.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** The tasks of today on the dashboard, urgency in lists, and the first steps in an empty installation. */

// A test measures whether texts are cut off.
test.use({ launchOptions: fullSize });

const TODAY = '/licenses/api/statistics/today/';
const MONTHS = '/licenses/api/statistics/licenses/';

const FIGURES: Today = {
  as_of: '2026-11-22T18:00:00.000Z',
  currency: 'MXN',
  expiring: [
    { days: 7, count: 2, amount: 4500, by_currency: [{ currency: 'MXN', count: 2, amount: 4500 }] },
    { days: 30, count: 11, amount: 28950.5, by_currency: [{ currency: 'MXN', count: 11, amount: 28950.5 }] },
  ],
  expired_recently: { days: 30, count: 0 },
  failed_mails: 1,
  client_requests: 0,
  payment_reviews: 0,
  seats_full: 0,
  revenue: {
    this_month: 9000,
    last_month: 15000,
    last_month_to_date: 12000,
    by_currency: [{ currency: 'MXN', this_month: 9000, last_month: 15000, last_month_to_date: 12000 }],
  },
  setup: { software: 1, license_types: 1, clients: 1, licenses: 1, installations: 1 },
};

const withToday = (page: Page, answerAfter = () => 0) =>
  page.route(`**${TODAY}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, answerAfter()));
    await route.fulfill({ json: FIGURES });
  });

/** A local day of the server. */
const localDayIn = (days: number) => addDays(localDay(new Date(), 'America/Mexico_City'), days);

const section = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
/** The order of the parameters does not matter. */
const sameAddress = (url: URL, address: string) => {
  const [path, query] = address.split('?');
  url.searchParams.sort();
  const wanted = new URLSearchParams(query);
  wanted.sort();
  return url.pathname === path && url.searchParams.toString() === wanted.toString();
};

const rows = (page: Page) => listRows(page, 'Lista de licencias');

test.describe('on a separate server', () => {
  test.use({ serverEnv: {} });

  test('each task of today and each stat card links to the list of the records it counts @gate', async ({
    page,
    api,
  }) => {
    test.slow();
    const client = (await api.createClient()).id;
    const software = (await api.createSoftware()).id;
    const soon = await api.createLicense({ client, software, expiry_days: 5, price: 150 });
    const later = await api.createLicense({ client, software, expiry_days: 20, price: 250.5 });
    const full = await api.createLicense({ client, software, max_installations: 1 });
    await api.activate(full.license_key, { machine_id: `machine-${unique()}` });

    const today = await api.call<Today>('GET', TODAY);
    const [week, month] = [7, 30].map((days) => today.expiring.find((span) => span.days === days));

    for (const [name, address, count, key] of [
      [
        'Por vencer en 7 días',
        '/licenses?expiring_within=7&ordering=expiry_date',
        week?.count,
        soon.license_key,
      ],
      [
        'Por vencer de 8 a 30 días',
        `/licenses?expiring_within=30&expiry_from=${localDayIn(8)}&ordering=expiry_date`,
        (month?.count ?? 0) - (week?.count ?? 0),
        later.license_key,
      ],
      ['Correos fallidos', '/licenses?email_status=failed', today.failed_mails, null],
      ['Lugares completos', '/licenses?seats_full=true', today.seats_full, full.license_key],
    ] as const) {
      await page.goto('/dashboard');
      const task = section(page, 'Para hoy').getByRole('link', { name });
      await expect(task).toContainText(String(count));
      await task.click();
      await expect(page).toHaveURL((url) => sameAddress(url, address));
      if (key === null) continue;
      // The list is sorted by urgency, so the licence may be further down.
      await page.goto(`${address}&page_size=50`);
      await expect(rows(page).filter({ hasText: key })).toHaveCount(1);
      await expect(page.getByText(new RegExp(`de ${count} licencias?$`))).toBeVisible();
    }

    await page.goto('/dashboard');
    await page.getByRole('article').getByRole('link', { name: 'Licencias Activas' }).click();
    await expect(page).toHaveURL(/\/licenses\?active=true$/);
  });
});

test.describe('the tasks of today', () => {
  test.use({ serverEnv: { DEMO: '1' } });

  /** Licences of separate clients that are more urgent than those of the sample data. */
  async function urgent(api: StaffApi, days: number) {
    const mark = unique();
    const client = await api.createClient({ name: `Urgente ${mark}`, phone: '+5491122334455' });
    const { id: software } = await api.createSoftware();
    const { id: license_type_config } = await api.createLicenseType();
    const license = await api.createLicense({
      client: client.id,
      software,
      license_type_config,
      expiry_date: localDayIn(days),
      max_installations: 40,
    });
    return { name: client.name, license };
  }

  test('licences about to end are listed once, the most urgent first, and three clicks renew one and open WhatsApp', async ({
    page,
    api,
    context,
  }) => {
    const today = await urgent(api, 0);
    const later = await urgent(api, 8);
    await context.route(/^https:\/\/wa\.me\//, (route) => route.fulfill({ body: 'chat' }));
    await page.goto('/dashboard');
    const named = (task: string) =>
      section(page, 'Para hoy').getByRole('list', { name: task }).getByRole('listitem');
    const week = named('Por vencer en 7 días');
    const month = named('Por vencer de 8 a 30 días');
    await expect(week.first()).toContainText(today.name);
    await expect(month.first()).toContainText(later.name);
    await expect(month.filter({ hasText: today.name })).toHaveCount(0);
    expect(await month.count()).toBeLessThanOrEqual(3);

    const chat = context.waitForEvent('page');
    const effort = await effortOf(page, async () => {
      await week
        .first()
        .getByRole('link', { name: `Renovar: ${today.name}` })
        .click();
      const question = asked(page, 'Renovar la licencia');
      await question.getByRole('button', { name: 'Renovar', exact: true }).click();
      await page
        .getByRole('status')
        .filter({ hasText: 'Licencia renovada' })
        .getByRole('link', { name: 'Enviar por WhatsApp' })
        .click();
      await chat;
    });
    expect(effort).toEqual({ clicks: 3, keys: 0 });
    await page.goto('/dashboard');
    await expect(month.first()).toContainText(later.name);
    await expect(week.filter({ hasText: today.name })).toHaveCount(0);
  });

  test('a full licence is listed with a link that releases a machine, and one with a single seat is not listed', async ({
    page,
    api,
  }) => {
    const { name, license } = await urgent(api, 90);
    for (let machine = 0; machine < 40; machine++) {
      await api.activate(license.license_key, { machine_id: `caja-${machine}` });
    }
    await page.goto('/dashboard');
    const full = section(page, 'Para hoy').getByRole('list', { name: 'Lugares completos' });
    await expect(full.getByRole('listitem').first()).toContainText(`${name}40/40`);
    await expect(full).not.toContainText('1/1');
    const effort = await effortOf(page, async () => {
      await full.getByRole('link', { name: `Liberar: ${name}` }).click();
      await asked(page, 'Liberar un equipo').getByRole('button', { name: 'Liberar', exact: true }).click();
      await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
    });
    expect(effort).toEqual({ clicks: 2, keys: 0 });
  });

  test('one click sends a failed mail again', async ({ page, api }) => {
    const { name, license } = await urgent(api, 90);
    await withToday(page);
    let isFailed = true;
    await page.route(/\/licenses\/api\/licenses\/\?.*email_status=failed/, async (route) => {
      const results = isFailed ? [{ ...license, can: ['resend_email'], email_status: 'failed' }] : [];
      await route.fulfill({ json: { count: results.length, results } });
    });
    await page.goto('/dashboard');
    const failed = section(page, 'Para hoy').getByRole('list', { name: 'Correos fallidos' });
    await expect(failed.getByRole('listitem')).toContainText(license.client_email);
    const effort = await effortOf(page, async () => {
      const sent = page.waitForResponse((answer) => answer.url().includes(`/${license.id}/resend_email/`));
      isFailed = false;
      await failed.getByRole('button', { name: `Reenviar: ${name}` }).click();
      expect((await sent).ok()).toBe(true);
      await expect(page.getByText('Correo reenviado')).toBeVisible();
    });
    expect(effort).toEqual({ clicks: 1, keys: 0 });
    await expect(failed.getByRole('listitem')).toHaveCount(0);
  });
});

test('the income of this month is compared in words with the same days of last month, and licences about to end show amounts', async ({
  page,
}) => {
  await withToday(page);
  await page.goto('/dashboard');
  const tasks = section(page, 'Para hoy');
  await expect(tasks.getByRole('link', { name: 'Por vencer en 7 días' })).toContainText('2por $4,500.00');
  await expect(tasks.getByRole('link', { name: 'Por vencer de 8 a 30 días' })).toContainText(
    '9por $24,450.50',
  );
  await expect(tasks.getByRole('link', { name: 'Correos fallidos' })).toContainText('1Por reenviar');
  await expect(tasks.getByRole('link', { name: 'Lugares completos' })).toContainText('0Todas tienen lugar');
  const revenue = section(page, 'Ingresos de este mes');
  await expect(revenue).toContainText('$9,000.00');
  await expect(revenue).toContainText('Baja: -25%');
  await expect(revenue).toContainText('Baja $3,000.00');
  await expect(revenue).toContainText('Al mismo día: $12,000.00');
  await expect(revenue).toContainText('Mes pasado: $15,000.00');
});

test('the income by month is drawn as a chart, with a table for screen readers', async ({ page, api }) => {
  const client = (await api.createClient()).id;
  await api.createLicense({ client, software: (await api.createSoftware()).id });
  const { statistics } = await api.call<{ statistics: { issued_by_month: { count: number }[] } }>(
    'GET',
    MONTHS,
  );
  await page.goto('/dashboard');
  const chart = page.getByRole('figure', { name: 'Licencias emitidas por mes' });
  await expect(chart.locator('svg')).toBeVisible();
  const cells = chart.getByRole('table', { name: 'Licencias emitidas por mes' }).getByRole('cell');
  await expect(cells).toHaveText(statistics.issued_by_month.map(({ count }) => String(count)));
});

test('an empty installation shows the first steps, which tick themselves and are then replaced by the tasks of today', async ({
  browser,
  freshServer,
  guard,
  playwright,
}) => {
  test.slow();
  const account = { username: 'ana', password: 'at-least-fifteen-characters' };
  const server = await freshServer({
    DEMO: '0',
    ADMIN_USERNAME: account.username,
    ADMIN_PASSWORD: account.password,
  });
  const request = await playwright.request.newContext({ baseURL: server.url });
  const session = await (await request.post('/api/auth/login/', { data: account })).json();
  const create = async (path: string, data: object) => {
    const answer = await request.post(`/licenses/api/${path}/`, {
      data,
      headers: { authorization: `Bearer ${session.token}` },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const page = await context.newPage();
  await page.addInitScript((answer) => {
    localStorage.setItem('license_manager_user', JSON.stringify(answer.user));
    localStorage.setItem('license_manager_token', answer.token);
  }, session);

  await page.goto('/dashboard');
  const steps = section(page, 'Primeros pasos');
  await expect(steps.getByText('0 de 5 listos')).toBeVisible();
  await expect(section(page, 'Para hoy')).toHaveCount(0);
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('license_manager_theme', value), theme);
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await expect(steps.getByRole('listitem')).toHaveCount(5);
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
  await expect(steps.getByRole('link', { name: 'Activa el primer equipo' })).toHaveAttribute(
    'href',
    '/api/docs/',
  );

  // The empty state of a list has a button too.
  await steps.getByRole('link', { name: 'Registra tu software' }).click();
  await expect(page).toHaveURL(/\/software\?nuevo=1$/);
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Agregar tu primer cliente' }).click();
  await expect(page.getByRole('dialog', { name: 'Nuevo Cliente' })).toBeVisible();
  await page.goto('/clients?q=nadie');
  await expect(page.getByText('Nada coincide con la búsqueda o los filtros.')).toBeVisible();
  await page.getByRole('button', { name: 'Limpiar filtros' }).first().click();
  await expect(page).toHaveURL(/\/clients$/);

  const software = await create('software', { name: 'Caja', version: '1' });
  await create('license-types', { name: 'Anual', base_price: 100, max_installations: 1, validity_days: 365 });
  const client = await create('clients', { name: 'Luz', email: 'luz@example.com', phone: '+525512345678' });
  await page.goto('/dashboard');
  await expect(steps.getByText('3 de 5 listos')).toBeVisible();
  await expect(steps.getByRole('listitem').filter({ hasText: 'Listo' })).toHaveCount(3);

  const license = await create('licenses', {
    client: client.id,
    software: software.id,
    license_type: 'basic',
    price: 10,
  });
  await page.reload();
  await expect(section(page, 'Para hoy'), 'with a licence there is work').toBeVisible();
  await expect(steps.getByText('4 de 5 listos')).toBeVisible();
  await create('installations', { license_key: license.license_key, machine_id: 'caja-1' });
  await page.reload();
  await expect(section(page, 'Para hoy')).toBeVisible();
  await expect(rowsIn(section(page, 'Licencias Recientes'))).toHaveCount(1);
  await expect(steps).toHaveCount(0);
  await context.close();
  await request.dispose();
});

test('lists show how many days and seats are left, and what failed, in words and colours', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = (await api.createClient({ name: `Urgente ${mark}` })).id;
  const software = (await api.createSoftware()).id;
  const issue = (values: object) => api.createLicense({ client, software, ...values });
  const full = await issue({ expiry_date: localDayIn(5), max_installations: 1 });
  await api.activate(full.license_key, { machine_id: `machine-${mark}` });
  const past = await issue({ expiry_date: localDayIn(-4) });
  const endless = await issue({ expiry_days: null, expiry_date: null });
  await page.goto(`/licenses?q=${mark}`);
  const row = (license: { license_key: string }) => rows(page).filter({ hasText: license.license_key });
  const colour = (text: Locator) => text.evaluate((element) => getComputedStyle(element).color);
  const quiet = await colour(row(endless).getByText('Sin expiración'));
  const several = await issue({ max_installations: 2 });
  await api.activate(several.license_key, { machine_id: `uno-${mark}` });
  await api.activate(several.license_key, { machine_id: `dos-${mark}` });
  await page.reload();
  const red = await colour(row(past).getByText('Venció hace 3 días'));
  for (const text of [row(full).getByText('Vence en 5 días'), row(several).getByText('0 restantes')]) {
    expect(await colour(text)).not.toBe(quiet);
  }
  expect(red).not.toBe(quiet);
  // A licence whose seats are all taken is never red, and has no urgency if it is for one machine (D143).
  expect(await colour(row(several).getByText('0 restantes'))).not.toBe(red);
  expect(await colour(row(full).getByText('0 restantes'))).toBe(quiet);
  expect(await colour(row(past).getByText('5 restantes'))).toBe(quiet);

  await page.goto(`/clients?q=${mark}`);
  const unspecified = page.getByRole('table').getByText('Sin especificar').first();
  expect(await colour(unspecified)).toBe(quiet);
});

test('on the dashboard nothing moves and nothing overlaps at any width', async ({ page }) => {
  test.slow();
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push('value' in entry ? Number(entry.value) : 0);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // The figures arrive one after the other, after the screen is rendered.
  const later = () => 150 + Math.random() * 300;
  await page.route(/\/api\/statistics\/|ordering=-created_at/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, later()));
    await route.continue();
  });
  await withToday(page, later);
  for (const width of [320, 390, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/dashboard');
    await expect(page.getByRole('figure', { name: 'Licencias emitidas por mes' })).toBeVisible();
    await expect(page.locator('[data-skeleton-card]')).toHaveCount(0);
    await expect(section(page, 'Ingresos de este mes')).toContainText('Mes pasado');
    const moved = await page.evaluate(() =>
      (Reflect.get(window, 'shifts') as number[]).reduce((a, b) => a + b, 0),
    );
    expect(moved, `layout shift at ${width} px`).toBeLessThan(0.02);
    expect(await overlaps(page), `at ${width} px`).toEqual([]);
  }
});

/** Texts that extend beyond their card or are cut off, and cards that overlap. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = [];
    const isCutOff = (text: Element) =>
      text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline';
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push('the page scrolls sideways');
    const cards = [...document.querySelectorAll('main section, main article')].filter(
      (card) => card.querySelector('section, article') === null,
    );
    cards.forEach((card, position) => {
      const box = card.getBoundingClientRect();
      for (const other of cards.slice(position + 1)) {
        const place = other.getBoundingClientRect();
        const width = Math.min(box.right, place.right) - Math.max(box.left, place.left);
        const height = Math.min(box.bottom, place.bottom) - Math.max(box.top, place.top);
        if (width > 0.5 && height > 0.5) faults.push(`${card.textContent} lies over ${other.textContent}`);
      }
      const texts = [...card.querySelectorAll('p, dt, dd, h2, li span')].filter(
        (text) => text.closest('.sr-only, table') === null && text.textContent,
      );
      faults.push(...texts.filter(isCutOff).map((text) => `'${text.textContent}' is cut off`));
    });
    return faults;
  });
