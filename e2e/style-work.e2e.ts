import type { Page } from '@playwright/test';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/**
 * How many elements get new styles after a click. A rule that selects all descendants of a state, or a variable set on
 * the root element, costs more time than all code of the click, which is noticed only on a slow processor
 * (docs/performance.md).
 */

/** The largest number of elements that got new styles at once while `act` ran. */
async function styledBy(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await act();
  const trace = JSON.parse(String(await browser.stopTracing()));
  const counts = trace.traceEvents
    .filter(({ name }: { name: string }) => name === 'UpdateLayoutTree')
    .map(({ args }: { args: { elementCount?: number } }) => args.elementCount ?? 0);
  return Math.max(0, ...counts);
}

async function clients(api: StaffApi, count: number): Promise<string> {
  const mark = unique();
  for (let position = 0; position < count; position++)
    await api.createClient({ name: `Ana ${mark} ${position}` });
  return mark;
}

test('selecting all rows, or opening a dialog, does not recalculate the styles of the whole page', async ({
  page,
  api,
}) => {
  const mark = await clients(api, 20);
  await page.goto(`/clients?q=${mark}&page_size=20`);
  const rows = page.locator('[data-row-key]');
  await expect(rows).toHaveCount(20);
  const all = page.locator('main *');
  const ticked = await styledBy(page, async () => {
    await page.getByRole('checkbox', { name: 'Seleccionar los de esta página' }).check();
    await expect(page.getByRole('region', { name: 'Acciones en lote' })).toBeVisible();
  });
  // Rows, checkboxes and cells, but not their content.
  expect(ticked).toBeLessThan((await all.count()) / 3);

  // The first time also renders the frame that is shown while the dialog's code loads.
  const details = page.getByRole('dialog');
  const view = rows.first().getByRole('button', { name: 'Ver detalles' });
  await view.click();
  await expect(details.getByRole('tab').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0);
  const before = await page.locator('body *').count();
  const opened = await styledBy(page, async () => {
    await view.click();
    await expect(details.getByRole('tab').first()).toBeVisible();
  });
  expect(opened).toBeLessThan(before / 2);
});
