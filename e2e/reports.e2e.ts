import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { RenewalsReport, RevenueReport, UsageReport } from '../contract/figures/reports.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { rowsIn } from './support/list-rows.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

const REPORTS = '/licenses/api/reports/';

const section = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
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
  const income = section(page, 'Ingresos');
  // Two currencies have separate charts, and are never added.
  await expect(income.getByRole('heading', { name: 'En MXN' })).toBeVisible();
  await expect(income.getByRole('figure', { name: 'Ingresos por mes en USD' })).toBeVisible();
  await expect(income.getByRole('link', { name: `MXN ${money(inPesos?.total ?? 0)}` })).toBeVisible();
  const due = renewals.totals.find(({ currency }) => currency === 'MXN');
  await expect(section(page, 'Renovaciones')).toContainText(money(due?.amount ?? 0));
  await expect(section(page, 'Uso')).toContainText(`${usage.seats_used} de ${usage.seats_total}`);
  await expect(section(page, 'Uso')).toContainText(`Pagan MXN ${money(2000)} · USD ${money(99)} y no usan`);

  await page.getByLabel('Moneda').selectOption('USD');
  await page.getByLabel('Periodo').selectOption('Este mes');
  await expect(page).toHaveURL(/period=this_month/);
  await page.reload();
  await expect(page.getByLabel('Periodo')).toHaveValue('this_month');
  await expect(page.getByLabel('Moneda')).toHaveValue('USD');
  await expect(income.getByRole('heading', { name: 'En MXN' })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByLabel('Periodo')).toHaveValue('12_months');
  await page.getByLabel('Periodo').selectOption('Personalizado');
  await page.getByLabel('Desde').fill('2026-01-15');
  await expect(page).toHaveURL(/from=2026-01-15&to=/);
  await page.getByLabel('Hasta').fill('2026-01-10');
  await expect(page.getByText('El último día no puede ser anterior al primero')).toBeVisible();
  await expect(page).toHaveURL(/from=2026-01-15&to=(?!2026-01-10)/);

  const uso = section(page, 'Uso');
  await uso.getByRole('link', { name: 'Sin equipos: 1' }).click();
  await expect(page).toHaveURL(/\/licenses\?.*unused=true/);
  await expect(page.getByText(/de 1 licencia$/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Filtros activos' })).toContainText('Moneda: USD');
});

test('a chart can be read by keyboard, and has a table and a CSV (REPORT-03)', async ({ page, api }) => {
  const software = await soldSoftware(api);
  const { revenue } = await answers(api, software);
  const months = revenue.months.filter(({ currency }) => currency === 'MXN');
  await page.goto(`/reports?software=${software}&currency=MXN`);
  const income = section(page, 'Ingresos');
  const chart = income.getByRole('slider', { name: /^Ingresos por mes en MXN/ });
  await page.getByRole('button', { name: 'Exportar CSV: Ingresos' }).focus();
  // The menu of formats, a link, and the chart.
  for (let presses = 1; presses <= 3; presses += 1) await page.keyboard.press('Tab');
  await expect(chart).toBeFocused();
  // The last month is chosen first: visible in the legend, and announced as the slider's value.
  await expect(chart).toHaveAttribute('aria-valuetext', /Nuevas \$3,500\.50.*Total \$3,500\.50/);
  await expect(income.locator('[data-chosen]')).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuetext', /Nuevas \$0\.00/);
  await expect(chart).toHaveAttribute('aria-valuenow', String(months.length - 1));
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuenow', '1');
  await page.keyboard.press('Tab');
  await expect(income.getByText('Todo el periodo')).toBeVisible();

  await page.keyboard.press('Enter');
  const rows = rowsIn(income.getByRole('table', { name: 'Ingresos por mes en MXN' }));
  await expect(rows).toHaveCount(months.length);
  await expect(rows.last().getByRole('cell')).toHaveText(
    [3500.5, 0, 0, 0, 3500.5, 0].map((amount) => `$${money(amount)}`).concat('2'),
  );
  await rows.last().getByRole('link').click();
  await expect(page).toHaveURL(/\/licenses\?.*sold=\d{4}-\d{2}-01\.\.\d{4}-\d{2}-\d{2}/);
  await expect(page.getByText(/de 2 licencias$/)).toBeVisible();

  await page.goBack();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar CSV: Ingresos' }).click();
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
}) => {
  guard.allowConsoleError(/500/);
  await page.route(`**${REPORTS}versions/**`, (route) =>
    route.fulfill({ status: 500, json: { success: false, message: 'Sin aliento' } }),
  );
  await page.goto('/reports?software=999999');
  const versions = section(page, 'Versiones');
  await expect(versions.getByRole('alert')).toContainText('Error al cargar Versiones');
  // The other sections are loaded: an unknown software has no figures, and an empty report shows the next step.
  await expect(section(page, 'Ingresos')).toContainText('Aún no hay ventas en este periodo');
  await expect(section(page, 'Ingresos').getByRole('link', { name: 'Nueva Licencia' })).toBeVisible();
  const place = () =>
    versions.evaluate((card) => {
      const { top, height } = card.getBoundingClientRect();
      return [Math.round(top + scrollY), Math.round(height)];
    });
  const before = await place();
  await page.unroute(`**${REPORTS}versions/**`);
  await versions.getByRole('button', { name: 'Reintentar' }).click();
  await expect(versions).toContainText('Aún no hay equipos instalados');
  expect(await place()).toEqual(before);
});

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
  await page.goto('/reports');
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
  await page.goto('/reports?currency=MXN');
  await expect(section(page, 'Clientes')).toContainText('Datos al');
  // A4 with margins of 14 mm, in CSS pixels.
  const paper = { width: 688, height: 1017 };
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByLabel('Periodo')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden();
  await expect(page.getByText(/^Del \d\d\/\d\d\/\d{4} al .*Impreso el/)).toBeVisible();
  await expect(page.getByRole('table', { name: /^Ingresos por mes/ }).first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(paper.width);
  const heights = () =>
    page
      .locator('section:has([data-report])')
      .evaluateAll((sections) =>
        sections.map((one) => one.getBoundingClientRect().height).filter((height) => height > 0),
      );
  expect(await heights()).toHaveLength(8);
  // The charts are drawn again for the width of the paper.
  await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(paper.height);
});

for (const look of LOOKS) {
  test(`axe finds nothing on the reports, ${look.theme} at ${look.width} px (REPORT-03, REPORT-04)`, async ({
    page,
  }) => {
    await wear(page, look);
    await page.goto('/reports');
    await expect(section(page, 'Clientes')).toContainText('Datos al');
    await section(page, 'Licencias').getByRole('button', { name: 'Ver tabla' }).click();
    await page.getByRole('slider').first().focus();
    await expect(page.getByText('Esta página está en desarrollo. Lo que sigue:')).toBeVisible();
    expect(await barriers(page, { within: 'main' })).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
}
