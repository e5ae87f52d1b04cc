import type { Page } from '@playwright/test';
import type { RecurringReport } from '../contract/figures/recurring.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { rowsIn } from './support/list-rows.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** 'Venta recurrente' in Reportes (REPORT-05). */

const REPORTS = '/licenses/api/reports/';
const section = (page: Page) => page.getByRole('region', { name: 'Venta recurrente', exact: true });

/** A software with a licence of a year that began, and one that grew, in this month. */
async function soldSoftware(api: StaffApi) {
  const client = (await api.createClient({ name: `Suscrita ${unique()}` })).id;
  const software = (await api.createSoftware()).id;
  await api.createLicense({ client, software, price: 1200, expiry_months: 12 });
  const other = (await api.createClient({ name: `Mensual ${unique()}` })).id;
  await api.createLicense({ client: other, software, price: 50, expiry_months: 1 });
  return software;
}

/** The report with a year behind it: what a browser test cannot wait for. */
async function withAPast(page: Page) {
  await page.route(`**${REPORTS}recurring/?**`, async (route) => {
    const report: RecurringReport = await (await route.fetch()).json();
    const moves = [
      { start: 1000, new: 400, expansion: 150, contraction: 0, churned: 200, reactivated: 0, end: 1350 },
      { start: 1350, new: 0, expansion: 0, contraction: 60, churned: 0, reactivated: 110, end: 1400 },
    ];
    const months = report.months.map((month, index) => ({
      ...month,
      ...(moves[index] ?? { ...moves[1], start: 1400, contraction: 0, reactivated: 0, end: 1400 }),
      clients: 7,
      arpa: 200,
    }));
    const totals = report.totals.map((total) => ({ ...total, grr: 74, nrr: 100 }));
    await route.fulfill({ json: { ...report, months, totals } });
  });
}

test('the waterfall, its sentence, its table and its file say the same as the API (REPORT-05)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const software = await soldSoftware(api);
  const { months } = await api.call<RecurringReport>('GET', `${REPORTS}recurring/?software=${software}`);
  expect(months.at(-1)).toMatchObject({ new: 150, end: 150, clients: 2, arpa: 75 });
  await page.goto(`/reports?software=${software}`);
  const recurring = section(page);
  await expect(
    recurring.getByText(
      /la venta recurrente subió de \$0\.00 a \$150\.00 al mes: sumó \$150\.00 de clientes nuevos\.$/,
    ),
  ).toBeVisible();
  await expect(recurring).toContainText('2 clientes');
  const steps = recurring
    .getByRole('figure', { name: 'Venta recurrente al mes en MXN' })
    .getByRole('listitem');
  // Without colour: each amount has its sign.
  await expect(steps).toHaveText([
    'Al inicio$0.00',
    'Nueva+$150.00',
    'Ampliada$0.00',
    'Recuperada$0.00',
    'Reducida$0.00',
    'Perdida$0.00',
    'Al final$150.00',
  ]);

  // By keyboard: the file, its menu of formats, and the table.
  await page.getByRole('button', { name: 'Exportar CSV: Venta recurrente' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(recurring.getByRole('button', { name: 'Ver tabla Venta recurrente' })).toBeFocused();
  await page.keyboard.press('Enter');
  const rows = rowsIn(recurring.getByRole('table', { name: 'Venta recurrente al mes en MXN' }));
  await expect(rows).toHaveCount(months.length + 1);
  await expect(rows.last()).toContainText('Todo el periodo');
  await expect(rows.last().getByRole('cell')).toHaveText([
    '$0.00',
    '$150.00',
    '$0.00',
    '$0.00',
    '$0.00',
    '$0.00',
    '$150.00',
    '2',
    '$75.00',
  ]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar CSV: Venta recurrente' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test('a period in which clients came, grew, shrank and left is told in one sentence (REPORT-05)', async ({
  page,
  api,
}) => {
  const software = await soldSoftware(api);
  await withAPast(page);
  await page.goto(`/reports?software=${software}`);
  await expect(section(page).getByText(/subió de/)).toHaveText(
    /^Del .* al .* la venta recurrente subió de \$1,000\.00 a \$1,400\.00 al mes: sumó \$400\.00 de clientes nuevos, \$150\.00 de clientes que compraron más y \$110\.00 de clientes que volvieron; perdió \$60\.00 de clientes que redujeron y \$200\.00 de clientes que se fueron\.$/,
  );
  await expect(section(page)).toContainText('74%');
  await expect(section(page).getByText('−$200.00')).toBeVisible();
});

test('an empty period says what will be here (REPORT-05, DESK-09)', async ({ page }) => {
  await page.goto('/reports?software=999999');
  await expect(section(page).getByText('Aún no hay venta recurrente en este periodo')).toBeVisible();
  await expect(section(page).getByRole('link', { name: 'Nueva Licencia' })).toBeVisible();
});

for (const look of LOOKS) {
  test(`the waterfall has no barrier and nothing is cut, ${look.theme} at ${look.width} px (REPORT-05)`, async ({
    page,
    api,
  }) => {
    const software = await soldSoftware(api);
    await withAPast(page);
    await wear(page, look);
    await page.goto(`/reports?software=${software}`);
    await expect(section(page).getByText('−$200.00')).toBeVisible();
    await section(page).getByRole('button', { name: 'Ver tabla Venta recurrente' }).click();
    // Else a link may lie below the top bar.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await barriers(page, { within: 'main' })).toEqual([]);
    if (process.env.SHOTS)
      await section(page).screenshot({ path: `${process.env.SHOTS}/${look.theme}-${look.width}.png` });
    // Amounts of millions are not cut either, which the page's own width would not show.
    await page.setViewportSize({ width: 320, height: 800 });
    const amounts = section(page)
      .getByRole('figure')
      .first()
      .getByRole('listitem')
      .locator('span:last-child');
    const cut = () =>
      amounts.evaluateAll((all) => {
        for (const amount of all) amount.textContent = '−MXN 4,800,006.00';
        const { right } = document.querySelector('figure.chart .waterfall')!.getBoundingClientRect();
        return all.filter((amount) => amount.getBoundingClientRect().right > right + 1).length;
      });
    await expect.poll(cut).toBe(0);
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
}
