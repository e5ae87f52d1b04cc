import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { RenewalsReport, RevenueReport, UsageReport } from '../contract/figures/reports.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { rowsIn } from './support/list-rows.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';
import { countSteps } from './support/steps.ts';

const REPORTS = '/licenses/api/reports/';

const section = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const open = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const money = (amount: number) => amount.toLocaleString('es-MX', { minimumFractionDigits: 2 });

/**
 * A software with a sale in pesos, one in dollars, and an installation. Other tests on the server do not change its
 * figures.
 */
async function soldSoftware(api: StaffApi) {
  const client = (await api.createClient({ name: `Compradora ${unique()}` })).id;
  const software = (await api.createSoftware()).id;
  const sold = await api.createLicense({ client, software, price: 1500.5, expiry_days: 60 });
  await api.createLicense({ client, software, price: 2000, expiry_days: 90, max_installations: 3 });
  await api.createLicense({ client, software, price: 99, currency: 'USD', expiry_days: 60 });
  await api.activate(sold.license_key, { machine_id: `equipo-${unique()}` });
  return software;
}

/** The same period as on the page: a year of whole months until today. */
async function answers(api: StaffApi, software: number) {
  const today = new Date(Date.now() - 6 * 3600_000).toISOString().slice(0, 10);
  const from = `${Number(today.slice(0, 4)) - (today.slice(5, 7) === '12' ? 0 : 1)}-${String((Number(today.slice(5, 7)) % 12) + 1).padStart(2, '0')}-01`;
  const days = `from=${from}&to=${today}&software=${software}`;
  return {
    revenue: await api.call<RevenueReport>('GET', `${REPORTS}revenue/?${days}`),
    renewals: await api.call<RenewalsReport>('GET', `${REPORTS}renewals/?software=${software}`),
    usage: await api.call<UsageReport>('GET', `${REPORTS}usage/?${days}`),
  };
}

test('report figures equal those of the API and link to their lists, and the URL contains period, software and currency (REPORT-01, MONEY-01)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const software = await soldSoftware(api);
  const { revenue, renewals, usage } = await answers(api, software);
  const inPesos = revenue.totals.find(({ currency }) => currency === 'MXN');
  expect(inPesos?.total).toBe(3500.5);

  await page.goto('/reports');
  await page.getByLabel('Software', { exact: true }).selectOption(String(software));
  await expect(page).toHaveURL(new RegExp(`software=${software}$`));
  const income = section(page, 'Ventas y cobros');
  // Two currencies have separate charts, and are never added.
  await expect(income.getByRole('heading', { name: 'En MXN' })).toBeVisible();
  await expect(income.getByRole('figure', { name: 'Ventas y cobros por mes en USD' })).toBeVisible();
  await expect(income.getByRole('link', { name: `MXN ${money(inPesos?.total ?? 0)}` })).toBeVisible();
  const due = renewals.totals.find(({ currency }) => currency === 'MXN');
  await expect(section(page, 'Renovaciones')).toContainText(money(due?.amount ?? 0));
  await open(page, 'Uso');
  await expect(section(page, 'Uso')).toContainText(`${usage.seats_used} de ${usage.seats_total}`);
  await expect(section(page, 'Uso')).toContainText(`Pagan MXN ${money(2000)} · USD ${money(99)} y no usan`);

  await page.getByLabel('Moneda').selectOption('USD');
  await page.getByLabel('Periodo').selectOption('Este mes');
  await expect(page).toHaveURL(/period=this_month/);
  await page.reload();
  await expect(page.getByLabel('Periodo')).toHaveValue('this_month');
  await expect(page.getByLabel('Moneda')).toHaveValue('USD');
  await open(page, 'Dinero');
  await expect(income).toBeVisible();
  await expect(income.getByRole('heading', { name: 'En MXN' })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByLabel('Periodo')).toHaveValue('12_months');
  await page.getByLabel('Periodo').selectOption('Personalizado');
  await page.getByLabel('Desde').fill('2026-01-15');
  await expect(page).toHaveURL(/from=2026-01-15&to=/);
  await page.getByLabel('Hasta').fill('2026-01-10');
  await expect(page.getByText('El último día no puede ser anterior al primero')).toBeVisible();
  await expect(page).toHaveURL(/from=2026-01-15&to=(?!2026-01-10)/);

  await open(page, 'Uso');
  const uso = section(page, 'Uso');
  await uso.getByRole('link', { name: 'Sin equipos: 1' }).click();
  await expect(page).toHaveURL(/\/licenses\?.*unused=true/);
  await expect(page.getByText(/de 1 licencia$/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Filtros activos' })).toContainText('Moneda: USD');
});

test('a huge change of sales is a quiet percentage, since the earlier amount was small', async ({ page }) => {
  await page.route(`**${REPORTS}revenue/**`, async (route) => {
    const report: RevenueReport = await (await route.fetch()).json();
    const totals = report.totals.map((total, index) => ({ ...total, change: index === 0 ? 411.8 : 12.5 }));
    await route.fulfill({ json: { ...report, totals } });
  });
  await page.goto('/reports');
  const income = section(page, 'Ventas y cobros');
  await expect(income.getByText('+411.8%', { exact: true })).toBeVisible();
  await expect(income.locator('[data-trend]').filter({ hasText: '+411.8%' })).toHaveCount(0);
});

test('a chart can be read by keyboard, and has a table and a CSV (REPORT-03)', async ({ page, api }) => {
  const software = await soldSoftware(api);
  const { revenue } = await answers(api, software);
  const months = revenue.months.filter(({ currency }) => currency === 'MXN');
  await page.goto(`/reports?software=${software}&currency=MXN`);
  const income = section(page, 'Ventas y cobros');
  const chart = income.getByRole('slider', { name: /^Ventas y cobros por mes en MXN/ });
  // Before its figures are there, the chart cannot have the focus.
  await expect(income).toContainText('Datos al');
  await page.getByRole('button', { name: 'Exportar CSV: Ventas y cobros' }).focus();
  // The menu of formats, a link, and the chart: nothing was sold last month, so its figure is no link.
  for (let presses = 1; presses <= 3; presses += 1) await page.keyboard.press('Tab');
  await expect(chart).toBeFocused();
  // The last month is chosen first: visible in the legend, and announced as the slider's value.
  await expect(chart).toHaveAttribute('aria-valuetext', /Nuevas \$3,500\.50.*Vendido \$3,500\.50/);
  await expect(income.locator('[data-chosen]')).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuetext', /Nuevas \$0\.00/);
  await expect(chart).toHaveAttribute('aria-valuenow', String(months.length - 1));
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuenow', '1');
  await page.keyboard.press('Tab');
  await expect(income.getByText('Todo el periodo')).toBeVisible();

  await page.keyboard.press('Enter');
  const rows = rowsIn(income.getByRole('table', { name: 'Ventas y cobros por mes en MXN' }));
  await expect(rows).toHaveCount(months.length);
  await expect(rows.last().getByRole('cell')).toHaveText(
    [3500.5, 0, 3500.5, 0, 0, 0, 0].map((amount) => `$${money(amount)}`).concat('2'),
  );
  await rows.last().getByRole('link').click();
  await expect(page).toHaveURL(/\/licenses\?.*sold=\d{4}-\d{2}-01\.\.\d{4}-\d{2}-\d{2}/);
  await expect(page.getByText(/de 2 licencias$/)).toBeVisible();

  await page.goBack();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar CSV: Ventas y cobros' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(lines).toHaveLength(months.length + 1);
  expect(lines.at(-1)).toContain('3500.5');
});

test('a report that fails shows its error and a retry, and the layout does not move', async ({
  page,
  guard,
  api,
}) => {
  const software = await soldSoftware(api);
  guard.allowConsoleError(/500/);
  await page.route(`**${REPORTS}versions/**`, (route) =>
    route.fulfill({ status: 500, json: { success: false, message: 'Sin aliento' } }),
  );
  await page.goto(`/reports?tab=uso&software=${software}`);
  const versions = section(page, 'Versiones');
  await expect(versions.getByRole('alert')).toContainText('Error al cargar Versiones');
  // The other sections are loaded.
  await expect(section(page, 'Uso')).toContainText('Datos al');
  // A test before may have let a program ask.
  await expect(section(page, 'Actividad de los programas')).toContainText(
    /Ningún programa preguntó en este periodo|Datos al/,
  );
  const place = () =>
    versions.evaluate((card) => {
      const { top, height } = card.getBoundingClientRect();
      return [Math.round(top + scrollY), Math.round(height)];
    });
  const before = await place();
  await page.unroute(`**${REPORTS}versions/**`);
  await versions.getByRole('button', { name: 'Reintentar' }).click();
  await expect(versions).toContainText('No dice su versión');
  expect((await place())[0]).toEqual(before[0]);
});

test('an empty report shows the next step, and is as high as its words (DESK-09)', async ({ page }) => {
  await page.goto('/reports?software=999999');
  const empty = {
    Dinero: ['Ventas y cobros', 'Venta recurrente', 'Renovaciones'],
    Licencias: ['Licencias', 'Pruebas'],
    Uso: ['Uso', 'Versiones', 'Actividad de los programas'],
    Clientes: ['Clientes'],
  };
  for (const [tab, titles] of Object.entries(empty)) {
    await open(page, tab);
    for (const title of titles) {
      await expect(section(page, title).getByText(/^(Aún no hay|Nada vence|Ningún programa)/)).toBeVisible();
      expect((await section(page, title).boundingBox())?.height, title).toBeLessThanOrEqual(340);
    }
  }
  await open(page, 'Dinero');
  await expect(section(page, 'Ventas y cobros').getByRole('link', { name: 'Nueva Licencia' })).toBeVisible();
});

test('the reports are in four tabs, and only those of the open one are asked for (DESK-09)', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const kind = /reports\/(\w+)\/\?/.exec(request.url())?.[1];
    if (kind) asked.push(kind);
  });
  await page.goto('/reports');
  const tabs = page.getByRole('tablist', { name: 'Reportes' }).getByRole('tab');
  await expect(tabs).toHaveText(['Dinero', 'Licencias', 'Uso', 'Clientes']);
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
  await expect(section(page, 'Renovaciones')).toContainText('Datos al');
  await expect(section(page, 'Datos fiscales')).toBeVisible();
  expect(asked).not.toContain('clients');
  expect(asked).not.toContain('usage');

  await tabs.first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/reports\?tab=clientes$/);
  await expect(section(page, 'Clientes')).toContainText('Datos al');
  await expect(section(page, 'Ventas y cobros')).toHaveCount(0);
  await page.reload();
  await expect(section(page, 'Clientes')).toContainText('Datos al');
  await page.getByLabel('Periodo').selectOption('Trimestre');
  await expect(page).toHaveURL(/tab=clientes.*period=quarter|period=quarter.*tab=clientes/);
  await open(page, 'Dinero');
  await expect(page).toHaveURL(/\/reports\?period=quarter$/);
});

test("last month's sales are one step from the first screen, and a preset of each report (DESK-09)", async ({
  page,
  api,
}) => {
  await api.createLicense({
    client: (await api.createClient()).id,
    software: (await api.createSoftware()).id,
    price: 750,
    expiry_days: 60,
  });
  // A month later what was sold now was sold last month.
  const soon = new Date();
  soon.setDate(15);
  soon.setMonth(soon.getMonth() + 1);
  await page.clock.setFixedTime(soon);
  const steps = await countSteps(page.context());
  await page.goto('/dashboard');

  await page.getByRole('navigation').getByRole('link', { name: 'Reportes' }).click();
  const income = section(page, 'Ventas y cobros');
  const figure = income.locator('dl > div').filter({ has: page.getByText('Mes pasado', { exact: true }) });
  await expect(figure.first()).toContainText(/(\$|MXN\s)[1-9]/);
  expect(steps()).toBe(1);

  await page.getByLabel('Periodo').selectOption('Mes pasado');
  await expect(page).toHaveURL(/period=last_month$/);
  await expect(income).toContainText('Datos al');
  await expect(figure).toHaveCount(0);
});

for (const width of [1440, 1024, 390, 320]) {
  test(`an open table hides no figure at ${width} px (DESK-09)`, async ({ page, api }) => {
    const software = await soldSoftware(api);
    await page.setViewportSize({ width, height: 900 });
    for (const [tab, title] of [
      ['dinero', 'Ventas y cobros'],
      ['dinero', 'Renovaciones'],
      ['licencias', 'Licencias'],
      ['uso', 'Uso'],
      ['clientes', 'Clientes'],
    ] as const) {
      await page.goto(`/reports?tab=${tab}&software=${software}&currency=MXN`);
      await section(page, title)
        .getByRole('button', { name: `Ver tabla ${title}` })
        .click();
      const tables = section(page, title).getByRole('table');
      await expect(tables.first()).toBeVisible();
      const hidden = await tables.evaluateAll((all) =>
        all.flatMap((table) => {
          const frame = table.closest('section')!.getBoundingClientRect();
          return [...table.querySelectorAll('tbody :is(th, td)')]
            .filter((cell) => cell.getBoundingClientRect().right > frame.right)
            .map((cell) => cell.textContent);
        }),
      );
      expect(hidden, title).toEqual([]);
    }
  });
}

test('a report that the server is still making is asked for again until it comes (OPS-06)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/503/);
  let refused = 0;
  // The server answers like this for a period with millions of sales whose figures it has not computed before.
  await page.route(`**${REPORTS}clients/**`, (route) => {
    refused += 1;
    return refused > 2
      ? route.continue()
      : route.fulfill({
          status: 503,
          headers: { 'retry-after': '1' },
          json: { success: false, code: 'figures_pending', message: 'Estas cifras se están calculando.' },
        });
  });
  await page.goto('/reports?tab=clientes');
  const clients = section(page, 'Clientes');
  await expect(clients.getByRole('status')).toHaveText(
    'Calculando las cifras de este periodo. La primera vez puede tardar un minuto.',
  );
  await expect(clients).toContainText('Datos al');
  await expect(clients.getByRole('alert')).toHaveCount(0);
  expect(refused).toBe(3);
});

test('each printed report fits one A4 page, with its table and without controls (REPORT-03)', async ({
  page,
}) => {
  // A4 with margins of 14 mm, in CSS pixels.
  const paper = { width: 688, height: 1017 };
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  const heights = () =>
    page
      .locator('section:has([data-report])')
      .evaluateAll((sections) =>
        sections.map((one) => one.getBoundingClientRect().height).filter((height) => height > 0),
      );
  for (const [tab, name, last, count] of [
    ['dinero', 'Dinero', 'Renovaciones', 3],
    ['licencias', 'Licencias', 'Pruebas', 2],
    ['uso', 'Uso', 'Actividad de los programas', 3],
    ['clientes', 'Clientes', 'Clientes', 1],
  ] as const) {
    await page.goto(`/reports?currency=MXN&tab=${tab}`);
    await expect(section(page, last).getByRole('status')).toHaveCount(0);
    await expect(section(page, last).locator('[aria-busy=false]')).toBeVisible();
    await expect(page.getByRole('tab', { name })).toBeHidden();
    await expect(page.getByLabel('Periodo')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden();
    await expect(
      page.getByText(new RegExp(`^${name}.*Del \\d\\d/\\d\\d/\\d{4} al .*Impreso el`)),
    ).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(paper.width);
    expect(await heights()).toHaveLength(count);
    // The charts are drawn again for the width of the paper.
    await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(paper.height);
  }
  await page.goto('/reports?currency=MXN');
  await expect(page.getByRole('table', { name: /^Ventas y cobros por mes/ }).first()).toBeVisible();
});

for (const look of LOOKS) {
  test(`axe finds nothing on the reports, ${look.theme} at ${look.width} px (REPORT-03, REPORT-04)`, async ({
    page,
  }) => {
    await wear(page, look);
    for (const [tab, title] of [
      ['dinero', 'Ventas y cobros'],
      ['uso', 'Versiones'],
      ['clientes', 'Clientes'],
      ['licencias', 'Licencias'],
    ] as const) {
      await page.goto(`/reports?tab=${tab}`);
      await expect(section(page, title)).toContainText('Datos al');
      await section(page, title).getByRole('button', { name: 'Ver tabla' }).click();
      if (tab === 'licencias') await page.getByRole('slider').first().focus();
      await expect(page.getByText('Esta página está en desarrollo. Lo que sigue:')).toBeVisible();
      // Else a link may lie below the top bar.
      await page.evaluate(() => scrollTo(0, 0));
      expect(await barriers(page, { within: 'main' })).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
}
