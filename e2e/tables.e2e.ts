import type { Page } from '@playwright/test';
import { COUNT_MAX, MONEY_MAX, VALIDITY_DAYS_MAX } from '../contract/base/limits.ts';
import { LICENSE_STATUSES } from '../contract/licenses/licenses.fields.ts';
import { drawn } from './support/drawn.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';
import { rowLines, tableFaults } from './support/table-layout.ts';
import { withScrollbars } from './support/with-scrollbars.ts';

/** Tables adapt to their own width, measured in the page at window widths from 320 to 1920 px. */

test.use(withScrollbars);
// Off, because a trace would store a screenshot of each width.
test.use({ trace: 'off' });

const WIDTHS = Array.from({ length: 81 }, (_, step) => 320 + 20 * step);
/** A phone, a tablet and two desks. */
const USUAL_WIDTHS = [320, 768, 1280, 1920];
const ROWS = 7;

/**
 * The longest values that the contract accepts (contract/clients/clients.ts, limits.ts). Created last, so that it is
 * the newest.
 */
const filled = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const widest = (mark: string) => ({
  client: {
    name: `${mark} ${filled('Comercializadora ', 191 - mark.length)}W${'W'.repeat(7)}`,
    email: `${filled('administracion', 64)}@${[63, 63, 57].map((length) => filled(`${mark}mw`, length)).join('.')}.mx`,
    phone: '+1888888888888888',
    company: filled('Electrodomésticos ', 199).concat('W'),
    city: filled('Guadalupe ', 99).concat('W'),
    contact_person: filled('Villaseñor ', 199).concat('W'),
  },
  software: {
    name: `${mark} ${filled('Administración ', 191 - mark.length)}${'M'.repeat(8)}`,
    version: filled('2026.11.3-candidata.', 50),
  },
  type: {
    name: `${mark} ${filled('Suscripción ', 191 - mark.length)}${'M'.repeat(8)}`,
    description: filled('Capacitación ', 500),
    base_price: MONEY_MAX,
    max_installations: COUNT_MAX,
    validity_days: VALIDITY_DAYS_MAX,
    promotion_name: filled('Temporada ', 199).concat('W'),
  },
});

const TYPES = ['individual', 'small_business', 'medium_business', 'large_business', 'enterprise'] as const;
const CATEGORIES = ['trial', 'basic', 'premium', 'enterprise', 'promocional', 'individual'] as const;
const STATUSES = ['active', 'inactive', 'suspended', 'pending'] as const;

const LONG_TYPE = (mark: string) => ({
  name: `Suscripción empresarial anual con soporte prioritario ${mark}`,
  description: 'Incluye instalación, capacitación del personal y soporte los siete días',
  base_price: 9_999_999_999.99,
  max_installations: 10_000,
  validity_days: 36_500,
  is_promotion: true,
  promotion_name: `Promoción de temporada navideña ${mark}`,
});

const SHORT_TYPE = (mark: string, position: number) => ({
  name: `Anual ${mark} ${position}`,
  description: '',
  base_price: 1200,
  max_installations: 5,
  validity_days: 365,
  is_promotion: false,
  promotion_name: '',
});

const LONG_CLIENT = (mark: string) => ({
  name: `Comercializadora Internacional de Electrodomésticos y Refacciones del Bajío ${mark}`,
  email: `administracion.y.finanzas.${unique()}@comercializadora-internacional.example.com`,
});

const SHORT_CLIENT = (mark: string) => ({ name: `Ana López ${mark}`, email: `${unique()}@example.com` });

const IN_A_COMPANY = {
  company: 'Comercializadora Internacional de Electrodomésticos S.A. de C.V.',
  city: 'San Miguel de Allende',
  contact_person: 'María Guadalupe Hernández Villaseñor',
};

/** Creates records with long values that a search for the returned mark finds. */
async function longRecords(api: StaffApi) {
  const mark = unique();
  const software = await api.createSoftware({
    name: `Sistema Integral de Administración de Inventarios y Facturación ${mark}`,
    version: '2026.11.3-candidata.2',
  });
  const short = await api.createSoftware({ name: `Caja ${mark}`, version: '1.0' });
  const extreme = widest(mark);
  const widestSoftware = await api.createSoftware(extreme.software);
  for (let position = 0; position < ROWS; position++) {
    const isWidest = position === ROWS - 1;
    const long = position % 2 === 0;
    const type = await api.createLicenseType({
      ...(long ? LONG_TYPE(mark) : SHORT_TYPE(mark, position)),
      is_active: position !== 1,
      ...(isWidest && extreme.type),
    });
    const client = await api.createClient({
      ...(long ? LONG_CLIENT(mark) : SHORT_CLIENT(mark)),
      phone: '+521234567890123',
      client_type: TYPES[position % TYPES.length],
      status: STATUSES[position % STATUSES.length],
      ...(position === 2 && IN_A_COMPANY),
      ...(isWidest && extreme.client),
    });
    const usual = { software: (long ? software : short).id, max_installations: long ? 10_000 : 5 };
    await api.createLicense({
      client: client.id,
      ...usual,
      ...(isWidest && { software: widestSoftware.id, max_installations: COUNT_MAX }),
      license_type: CATEGORIES[position % CATEGORIES.length],
      license_type_config: type.id,
      status: LICENSE_STATUSES[position % LICENSE_STATUSES.length],
      expiry_date: position === 1 ? '2026-01-15' : undefined,
      ...(position === 3 && { expiry_days: null, expiry_date: null }),
    });
  }
  return mark;
}

type Screen = { name: string; path: (mark: string) => string; rows: number; columns: number };

const SCREENS: Screen[] = [
  { name: 'licences', path: (mark) => `/licenses?q=${mark}&page_size=10`, rows: ROWS, columns: 8 },
  { name: 'clients', path: (mark) => `/clients?q=${mark}&page_size=10`, rows: ROWS, columns: 8 },
  { name: 'licence types', path: (mark) => `/license-types?q=${mark}`, rows: ROWS, columns: 5 },
  { name: 'the dashboard', path: () => '/dashboard', rows: 5, columns: 5 },
];

/** The table of the list; the chart of the dashboard has a table too. */
const rows = (page: Page) => page.locator('table[role=table] tbody tr:not([data-skeleton-row])');
const toggle = (page: Page) => page.getByRole('button', { name: 'Alternar menú' });

async function openTable(page: Page, screen: Screen, mark: string) {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1920, height: 900 });
  await page.goto(screen.path(mark));
  await expect(rows(page)).toHaveCount(screen.rows);
  await page.evaluate(() => document.fonts.ready);
}

/** The visible column headings. */
const headingsAbove = (page: Page) =>
  page
    .locator('table[role=table] thead th')
    .evaluateAll((list) =>
      list
        .filter((heading) => heading.getBoundingClientRect().width > 1)
        .map((heading) => heading.textContent),
    );

/** What overlaps, is clipped or scrolls sideways, by width, with the sidebar open and closed. */
async function faultsByWidth(page: Page, widths: readonly number[]): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const sidebar of ['open', 'closed']) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // The layout may still change after a resize, so it is measured again while there are faults.
      let found = await tableFaults(page);
      for (let tries = 0; found.length > 0 && tries < 5; tries++) {
        await drawn(page);
        found = await tableFaults(page);
      }
      if (found.length > 0) faults[`${width} px, sidebar ${sidebar}`] = found;
    }
    await toggle(page).click();
  }
  return faults;
}

test('licences: nothing overlaps, is clipped or scrolls sideways at the usual widths, sidebar open and closed', {
  tag: '@gate',
}, async ({ page, api }) => {
  await openTable(page, SCREENS[0]!, await longRecords(api));
  expect(await faultsByWidth(page, USUAL_WIDTHS)).toEqual({});
});

for (const screen of SCREENS) {
  test(`${screen.name}: nothing overlaps, is clipped or scrolls sideways from 320 to 1920 px, sidebar open and closed`, async ({
    page,
    api,
  }) => {
    await openTable(page, screen, await longRecords(api));
    expect(await faultsByWidth(page, WIDTHS)).toEqual({});
  });

  test(`${screen.name}: at 1440 px with the open sidebar no column folds, and first lines have the same baseline`, async ({
    page,
    api,
  }) => {
    await openTable(page, screen, await longRecords(api));
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await headingsAbove(page)).toHaveLength(screen.columns);
    for (const { spread, cells } of await rowLines(page)) {
      expect(cells).toBeGreaterThanOrEqual(screen.columns - 1);
      expect(spread).toBeLessThanOrEqual(0.5);
    }
  });
}

test('a row of ordinary length is 44 to 56 px high at 1280 and 1440 px', async ({ page, api }) => {
  const mark = unique();
  const client = await api.createClient({ name: 'Ana López', email: `${mark}@example.com` });
  const software = await api.createSoftware({ name: 'Caja', version: mark });
  // More than a year at any hour, because 'Vence en 11 meses' needs one line more.
  await api.createLicense({ client: client.id, software: software.id, expiry_days: 400 });
  // Two hours later, because 'Hace 2 horas' is shorter than the texts of the first minutes.
  await page.clock.setFixedTime(Date.now() + 2 * 60 * 60 * 1000);
  for (const path of [`/licenses?q=${mark}`, `/clients?q=${mark}`]) {
    await page.goto(path);
    await expect(rows(page)).toHaveCount(1);
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const [row] = await rowLines(page);
      expect(row?.height, `${path} at ${width} px`).toBeGreaterThanOrEqual(44);
      expect(row?.height, `${path} at ${width} px`).toBeLessThanOrEqual(56);
    }
  }
});

test('at 1280 px the newest licences of the dashboard show as a table with five columns', async ({
  page,
  api,
}) => {
  await longRecords(api);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(5);
  expect(await headingsAbove(page)).toEqual([
    'Clave de Licencia',
    'Cliente',
    'Software',
    'Estado',
    'Fecha de Emisión',
  ]);
});

test('a key takes one line, and its day is below it, at every width with columns (SEED-2.8-06)', async ({
  page,
  api,
}) => {
  const mark = await longRecords(api);
  await page.goto(`/licenses?q=${mark}`);
  await expect(page.locator('tbody [data-row-key]').first()).toBeVisible();
  for (const width of [640, 768, 900, 1024, 1100, 1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const faults = await page.locator('tbody [data-row-key]').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const key = row.querySelector('td a code')!;
        const day = row.querySelector('td time')!.getBoundingClientRect();
        const lines = key.getClientRects().length;
        if (lines > 1) return [`a key of ${lines} lines`];
        return day.height > 0 && day.top < key.getBoundingClientRect().bottom - 1
          ? ['a day beside its key']
          : [];
      }),
    );
    expect(faults, String(width)).toEqual([]);
  }
});
