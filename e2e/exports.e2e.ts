import type { Page } from '@playwright/test';
import { expect, test, unique } from './support/staff.ts';

/** What the console's export buttons ask for (INPUT-15). */

/** The exports that a screen asks for. */
function exportsOf(page: Page): URL[] {
  const asked: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/export/')) asked.push(url);
  });
  return asked;
}

test('every export button asks for words, beside the filters of the screen (INPUT-15)', async ({
  page,
  api,
}) => {
  const name = `Palabras ${unique()}`;
  await api.createClient({ name, email: `palabras-${unique()}@example.com` });
  const asked = exportsOf(page);
  const press = async (address: string, button: string | RegExp) => {
    await page.goto(address);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).first().click();
    await file;
    return asked.at(-1)!;
  };
  const clients = await press(`/clients?q=${encodeURIComponent(name)}`, 'Exportar');
  expect([clients.pathname, clients.searchParams.get('search')]).toEqual([
    '/licenses/api/clients/export/',
    name,
  ]);
  await press('/software', 'Exportar');
  await press('/licenses', 'Exportar');
  await press('/payments/pagos', 'Exportar');
  await press('/reports', 'Exportar CSV: Ventas y cobros');
  await press('/reports', 'Exportar CSV: Datos fiscales');
  await press('/settings/auditoria', 'Exportar');
  expect(asked.map(({ searchParams }) => searchParams.get('values'))).toEqual(asked.map(() => 'words'));
  expect(new Set(asked.map(({ pathname }) => pathname)).size).toBe(7);

  // The rows that are ticked, from the bar below the list, and a workbook from the menu.
  await page.goto(`/clients?q=${encodeURIComponent(name)}`);
  await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  const ticked = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar seleccionados' }).click();
  await ticked;
  expect(asked.at(-1)!.searchParams.get('values')).toBe('words');
  await page.getByRole('button', { name: 'Elegir formato' }).click();
  const workbook = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Excel (.xlsx)' }).click();
  expect((await workbook).suggestedFilename()).toMatch(/\.xlsx$/);
  expect(Object.fromEntries(asked.at(-1)!.searchParams)).toMatchObject({ values: 'words', file: 'xlsx' });
});
