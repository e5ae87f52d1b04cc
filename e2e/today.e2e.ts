import type { Locator, Page } from '@playwright/test';
import { addDays, localDay } from '../contract/base/time.ts';
import type { Today } from '../contract/figures/today.ts';
import { fullSize } from './support/browser.ts';
import { listRows } from './support/list-rows.ts';
import { expect, test, unique } from './support/staff.ts';

/** The figures of today on the dashboard, and urgency in lists. */

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
  money: [
    {
      currency: 'MXN',
      sold: 9000,
      sold_last_month_to_date: 12000,
      collected: 6960,
      receivable: 3480,
      receivable_count: 2,
    },
  ],
  setup: {
    software: 1,
    license_types: 1,
    clients: 1,
    licenses: 1,
    installations: 1,
    company: true,
    mail: true,
    payments: true,
    team: true,
    skipped: [],
  },
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
  const requested = new URLSearchParams(query);
  requested.sort();
  return url.pathname === path && url.searchParams.toString() === requested.toString();
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

test('what was sold this month is compared in words with the same days of last month, and licences about to end show amounts', async ({
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
  const revenue = section(page, 'Ventas y cobros');
  await expect(revenue).toContainText('$9,000.00');
  await expect(revenue).toContainText('Baja: -25%');
  await expect(revenue).toContainText('Baja $3,000.00');
  await expect(revenue).toContainText('Mes pasado, al mismo día: $12,000.00');
  const word = (label: string) =>
    revenue.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });
  // Each word says what it is (MONEY-04).
  await expect(word('Vendido este mes')).toContainText('$9,000.00');
  await expect(word('Vendido este mes')).toContainText('Sin impuestos, esté pagado o no');
  await expect(word('Cobrado')).toContainText('$6,960.00Este mes, con impuestos, menos lo devuelto');
  await expect(word('Por cobrar')).toContainText('$3,480.002 cobros abiertos, con impuestos');
  await word('Por cobrar').getByRole('link', { name: '$3,480.00' }).click();
  await expect(page).toHaveURL(/\/payments\?state=open$/);
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
  // What was not given is a dash in lists (DESK-05).
  const unspecified = page.getByRole('table').getByText('—').first();
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
    await expect(section(page, 'Ventas y cobros')).toContainText('Mes pasado');
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
