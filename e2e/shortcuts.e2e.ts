import type { Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { clientDetails } from './support/details.ts';
import { codeFile, hold } from './support/network.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** The shortcuts of the console (FIND-02): single keys outside fields and dialogs, and Ctrl+Enter in forms. */

const help = (page: Page) => page.getByRole('dialog', { name: 'Atajos de teclado' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('g and a letter open a screen, n opens its form, Ctrl+Enter saves it (FIND-02)', async ({ page }) => {
  await page.goto('/account');
  await expect(heading(page, 'Mi cuenta')).toBeVisible();
  for (const [letter, path] of [
    ['d', '/dashboard'],
    ['l', '/licenses'],
    ['t', '/license-types'],
    ['s', '/software'],
    ['c', '/clients'],
  ]) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter!);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  await expect(heading(page, 'Clientes')).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  const name = `Nora ${unique()}`;
  await form.getByRole('textbox', { name: 'Nombre', exact: true }).fill(name);
  await form.getByRole('textbox', { name: 'Email', exact: true }).fill(`${unique()}@example.com`);
  const phone = form.getByRole('textbox', { name: 'Teléfono Principal', exact: true });
  await phone.fill('+525512345678');
  // Inside a field the letters are just text.
  await phone.pressSequentially('n?');
  await expect(help(page)).toBeHidden();
  await phone.fill('+525512345678');
  const saves = callsTo(page, 'POST', '/licenses/api/clients/');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Cliente creado exitosamente')).toBeVisible();
  await expect(form).toBeHidden();
  expect(saves).toHaveLength(1);
});

test("keys pressed before the shortcuts' code has loaded are not lost, and letters typed after Ctrl+K are not shortcuts (FIND-02)", async ({
  page,
}) => {
  const arrive = Promise.withResolvers<void>();
  await page.route('**/assets/frame-later-*.js', async (route) => {
    await arrive.promise;
    await route.continue();
  });
  await page.goto('/software');
  await expect(page.getByRole('button', { name: 'Nuevo Software' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('n');
  arrive.resolve();
  await expect(page.getByRole('dialog', { name: 'Buscador' }).getByRole('combobox')).toBeFocused();
  await expect(page.getByRole('dialog', { name: 'Nuevo Software' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('text typed after an early Ctrl+K goes to the palette, and closing it returns the focus (FIND-02)', async ({
  page,
}) => {
  const box = page.getByRole('dialog', { name: 'Buscador' }).getByRole('combobox');
  const opener = page.getByRole('button', { name: 'Nuevo Software' });
  // The code of the shortcuts and of the palette is not loaded yet.
  const shortcuts = await hold(page, codeFile('frame-later'));
  const palette = await hold(page, codeFile('palette-dialog'));
  await page.goto('/software');
  await opener.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zz');
  shortcuts.release();
  await page.keyboard.type('top');
  palette.release();
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('zztop');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
  await expect(page.getByRole('banner').getByRole('combobox', { name: 'Buscar' })).toHaveValue('');
});

test('Escape or a click into another field before the palette has loaded cancels it (FIND-02)', async ({
  page,
}) => {
  const palette = await hold(page, codeFile('palette-dialog'));
  await page.goto('/software');
  const opener = page.getByRole('button', { name: 'Nuevo Software' });
  const search = page.getByRole('searchbox', { name: 'Buscar software' });
  const inBar = page.getByRole('banner').getByRole('combobox', { name: 'Buscar' });
  await opener.focus();
  await page.keyboard.press('Control+k');
  await expect(inBar).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(inBar).toBeFocused();
  await search.click();
  await page.keyboard.type('caja');
  palette.release();
  await page.waitForLoadState('networkidle');
  await expect(search).toHaveValue('caja');
  await expect(search).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a record dialog that opens under the palette takes neither its focus nor its keys (FIND-02)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({ name: `Rita ${unique()}` });
  const code = await hold(page, codeFile('clients-details'));
  const record = await hold(page, new RegExp(`/api/clients/${client.id}/$`));
  await page.goto(`/clients?ver=${client.id}`);
  await expect(clientDetails(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('dialog', { name: 'Buscador' }).getByRole('combobox');
  await expect(box).toBeFocused();
  code.release();
  record.release();
  await expect(page.locator('[role=dialog]').filter({ hasText: client.name })).toBeVisible();
  await expect(box).toBeFocused();
  await page.keyboard.type('zz');
  await expect(box).toHaveValue('zz');
  await page.keyboard.press('Escape');
  const details = clientDetails(page);
  await expect(details).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Buscador' })).toBeHidden();
  await expect.poll(() => details.evaluate((node) => node.contains(document.activeElement))).toBe(true);
});

test('/ focuses the search of the list or of the top bar, and letters in a field or with Ctrl are not shortcuts (FIND-02)', async ({
  page,
}) => {
  await page.goto('/software');
  const search = page.getByRole('main').getByRole('searchbox');
  await expect(heading(page, 'Software')).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('');
  await page.keyboard.type('n?gc');
  await expect(search).toHaveValue('n?gc');
  await expect(page).toHaveURL(/\/software\?q=n/);
  await search.blur();
  await page.keyboard.press('Alt+n');
  await page.keyboard.press('Control+Shift+n');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto('/account');
  await expect(heading(page, 'Mi cuenta')).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByPlaceholder('Buscar...', { exact: true })).toBeFocused();
});

test('j and k move through the rows, x selects one, o and Enter open the details, and focus returns to the row (FIND-02)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  for (const name of ['Alba', 'Bruno', 'Carla']) await api.createClient({ name: `${name} ${mark}` });
  await page.goto(`/clients?q=${mark}`);
  const rows = page.getByRole('main').locator('tbody [data-row-key]');
  await expect(rows).toHaveCount(3);
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await expect(rows.nth(0)).toHaveAttribute('data-current-row', '');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows.nth(1)).toBeFocused();
  await expect(page.locator('[data-current-row]')).toHaveCount(1);

  // The key x selects the current row and deselects it.
  const box = rows.nth(1).getByRole('checkbox');
  await page.keyboard.press('x');
  await expect(box).toBeChecked();
  await expect(page.getByText('1 seleccionado', { exact: true })).toBeVisible();
  await page.keyboard.press('x');
  await expect(box).not.toBeChecked();
  await expect(rows.nth(1)).toBeFocused();

  const details = page.getByRole('dialog');
  for (const key of ['o', 'Enter']) {
    await page.keyboard.press(key);
    await expect(details).toContainText(mark);
    await expect(page).toHaveURL(/[?&]ver=\d+$/);
    // Inside a dialog the letters have no effect.
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    await expect(details).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    await expect(rows.nth(1)).toBeFocused();
  }
  // Tab continues inside the row.
  await page.keyboard.press('Tab');
  await expect(rows.nth(1).locator(':focus')).toHaveCount(1);
});

test('? lists the shortcuts and can turn the single-key ones off, and the choice is remembered (WCAG 2.1.4, FIND-02)', async ({
  page,
}) => {
  await page.goto('/software');
  await expect(heading(page, 'Software')).toBeVisible();
  await page.keyboard.press('?');
  await expect(help(page)).toBeVisible();
  for (const text of ['Abrir el buscador', 'Guardar el formulario abierto', 'Ir a Clientes']) {
    await expect(help(page).getByText(text, { exact: true })).toBeVisible();
  }
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await page.setViewportSize({ width, height: 800 });
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const single = help(page).getByRole('switch', { name: 'Atajos de una sola tecla' });
  await expect(single).toBeChecked();
  await single.press('Space');
  await expect(single).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();

  await page.reload();
  await expect(heading(page, 'Software')).toBeVisible();
  for (const key of ['?', 'n', '/', 'j']) await page.keyboard.press(key);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('input:focus, [data-current-row]')).toHaveCount(0);

  // The list of shortcuts is still available from the palette.
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('atajos');
  await expect(page.getByRole('option', { name: /Atajos de teclado/, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  // The dialog focuses the switch once it is loaded.
  await expect(help(page).getByRole('switch')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(help(page).getByRole('switch')).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  // If the palette's code arrived late, the focus returns to the box of the top bar, in which 'n' is text.
  await heading(page, 'Software').click();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Nuevo Software' })).toBeVisible();
});
