import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { lateAnswer, passOn } from './support/drawn.ts';
import { hold } from './support/network.ts';
import { callsTo, expect, queryOf, test, unique } from './support/staff.ts';

/** The palette, opened from the search box of the top bar and with Ctrl+K (FIND-02, D017). */

const SEARCH = '/licenses/api/search/';
const box = (page: Page) => page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Buscador' });
const input = (page: Page) => palette(page).getByRole('combobox', { name: 'Buscar' });
/** The active option of the focused search box. */
const active = (page: Page) => page.getByRole('option', { selected: true });

async function openOnReports(page: Page) {
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Mi cuenta', exact: true })).toBeVisible();
}

test('Ctrl+K finds a record by keyboard alone, opens it, and lists it as recent (FIND-02)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}`, company: 'Librería Norte' });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await openOnReports(page);
  await page.keyboard.press('Control+k');
  await expect(input(page)).toBeFocused();
  await expect(active(page)).toHaveText(/Nueva licencia/);
  const calls = callsTo(page, 'GET', SEARCH);
  await page.keyboard.type(mark);
  const results = palette(page).getByRole('listbox', { name: 'Resultados' });
  await expect(results.getByRole('group', { name: 'Clientes' }).getByRole('option')).toHaveText([
    /Ana .*Librería Norte/,
  ]);
  await expect(results.getByRole('group', { name: 'Software' }).getByRole('option')).toHaveCount(1);
  await expect(results.getByRole('group', { name: 'Licencias' }).getByRole('option')).toContainText(
    license.license_key,
  );
  await expect(palette(page).getByRole('status')).toHaveText(/^\d resultados$/);
  // A slow machine asks for the beginning of the word first.
  await expect.poll(() => queryOf(calls.at(-1)).q).toBe(mark);
  expect(calls.length).toBeLessThan(mark.length);

  // The first match is active. Arrow keys, Home and End move, and the box refers to the active option.
  await expect(active(page)).toContainText(`Ana ${mark}`);
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText(license.license_key);
  await expect(input(page)).toHaveAttribute(
    'aria-activedescendant',
    (await active(page).getAttribute('id')) ?? '',
  );
  await page.keyboard.press('End');
  await expect(active(page)).toContainText(`Caja ${mark}`);
  await page.keyboard.press('Home');
  await expect(active(page)).toContainText(`Ana ${mark}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/clients/${client.id}$`));
  await expect(palette(page)).toBeHidden();
  await expect(clientDetails(page)).toContainText(`Ana ${mark}`);

  // It also opens above a page; there Escape closes only the palette.
  await page.keyboard.press('Control+k');
  const recent = palette(page).getByRole('group', { name: 'Recientes' }).getByRole('option');
  await expect(recent.first()).toContainText(`Ana ${mark}`);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(clientDetails(page)).toContainText(`Ana ${mark}`);

  // A pasted key and Enter, without waiting for the answer.
  await page.keyboard.press('Control+k');
  await input(page).fill(license.license_key.toLowerCase().replaceAll('-', ' '));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}$`));
  await page.reload();
  await expect(licenseDetails(page)).toContainText(license.license_key);
  await page.keyboard.press('Control+k');
  await expect(recent.nth(0)).toContainText(license.license_key);
  await expect(recent.nth(1)).toContainText(`Ana ${mark}`);
});

test('no option is active at first, so Enter does nothing until an arrow or the pointer chooses one (SEED-2.2-07, D017)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Berta ${mark}` });
  await openOnReports(page);
  await expect(page.getByText('Esta sesión')).toBeVisible();
  const before = await page.getByRole('main').innerText();
  await box(page).click();
  await page.keyboard.type(mark);
  const option = page.getByRole('option', { name: new RegExp(`^Berta ${mark}`) });
  await expect(option).toBeVisible();
  await expect(active(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  expect(await page.getByRole('main').innerText()).toBe(before);
  await expect(box(page)).toHaveValue(mark);
  await expect(box(page)).toBeFocused();

  await page.keyboard.press('Escape');
  await expect(option).toBeHidden();
  await expect(box(page)).toHaveValue(mark);
  await page.keyboard.press('ArrowDown');
  await expect(option).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText(`Berta ${mark}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/clients/${client.id}$`));

  await box(page).fill(mark);
  await option.click();
  await expect(page).toHaveURL(new RegExp(`/clients/${client.id}$`));
});

test('actions open forms and screens, change the theme and sign out (FIND-02)', async ({ page }) => {
  await openOnReports(page);
  const run = async (text: string) => {
    await page.keyboard.press('Control+k');
    await expect(input(page)).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await expect(palette(page)).toBeHidden();
  };
  await run('nueva lic');
  await expect(page).toHaveURL(/\/licenses\?nuevo=1$/);
  await page.keyboard.press('Escape');
  await run('tipos');
  await expect(page).toHaveURL(/\/license-types$/);
  await run('oscuro');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await run('salir');
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem('license_manager_recent'))).toBeNull();
});

test('the palette shows when nothing matches, offers a retry after a failure, and ignores a late answer to an earlier text (FIND-02)', async ({
  page,
  guard,
  api,
}) => {
  guard.allowConsoleError(/500/);
  const mark = unique();
  await api.createClient({ name: `Carmen ${mark}` });
  await openOnReports(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`nadie${mark}`);
  await expect(palette(page).getByText(`Sin resultados para «nadie${mark}»`).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();

  await page.route(`**${SEARCH}*`, (route) => route.fulfill({ status: 500, json: {} }));
  await input(page).fill(mark);
  await expect(palette(page).getByRole('alert')).toContainText('No se pudo buscar');
  await page.unroute(`**${SEARCH}*`);
  await palette(page).getByRole('button', { name: 'Reintentar' }).click();
  await expect(palette(page).getByRole('option', { name: /^Carmen/ })).toBeVisible();

  // The answer to the first text arrives after that to the second.
  const late = lateAnswer(page, passOn);
  await page.route(`**${SEARCH}?q=lento*`, late.handler);
  const asked = page.waitForRequest(/q=lento/);
  await input(page).fill('lento');
  await asked;
  await input(page).fill(`Carmen ${mark}`);
  const option = palette(page).getByRole('option', { name: /^Carmen/ });
  await expect(option).toBeVisible();
  await late.release();
  await expect(option).toBeVisible();
});

test('on a phone the search box opens the palette over the whole screen with no active option (FIND-02)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Dalia ${mark}` });
  await page.setViewportSize({ width: 390, height: 844 });
  await openOnReports(page);
  await box(page).click();
  await expect(input(page)).toBeFocused();
  expect(await palette(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await input(page).fill(mark);
  const option = palette(page).getByRole('option', { name: new RegExp(`^Dalia ${mark}`) });
  await expect(option).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();
  await palette(page).getByRole('button', { name: 'Cerrar buscador' }).click();
  await expect(palette(page)).toBeHidden();
  await expect(page).toHaveURL(/\/account$/);
  await box(page).click();
  await input(page).fill(mark);
  await option.click();
  await expect(page).toHaveURL(new RegExp(`/clients/${client.id}$`));
});

test('axe finds nothing in the palette, light and dark, wide and narrow (FIND-02)', async ({ page, api }) => {
  const mark = unique();
  const client = await api.createClient({ name: `Elsa ${mark}`, status: 'pending' });
  const software = await api.createSoftware({ name: `Elsa ${mark}`, is_active: false });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await api.activate(license.license_key, { machine_id: `elsa-${mark}`, machine_name: 'Caja 1' });
  await openOnReports(page);
  const check = async (state: string) => {
    expect(await barriers(page, { goodPractice: true }), state).toEqual([]);
  };
  for (const { theme, width } of LOOKS) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await page.setViewportSize({ width, height: 800 });
    await page.keyboard.press('Control+k');
    await input(page).fill(mark);
    await expect(page.getByRole('group', { name: 'Equipos' })).toBeVisible();
    await check(`${theme} ${width}`);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await box(page).click();
    await page.keyboard.press('ArrowDown');
    await check(`${theme} from the box`);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Control+k');
  await input(page).fill(`nada${mark}`);
  await expect(
    palette(page)
      .getByText(/^Sin resultados/)
      .first(),
  ).toBeVisible();
  await check('without matches');
});

test('a late answer changes neither the active option nor what Enter does (FIND-02)', async ({
  page,
  api,
}) => {
  const mark = unique();
  await api.createClient({ name: `Tema ${mark}` });
  await openOnReports(page);
  const answers = await hold(page, /\/api\/search\/\?q=tema$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tema');
  await expect(active(page)).toHaveText(/Usar tema oscuro/);
  answers.release();
  await expect(palette(page).getByRole('group', { name: 'Clientes' }).first()).toBeVisible();
  await expect(active(page)).toHaveText(/Usar tema oscuro/);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page).toHaveURL(/\/account$/);
  // The same if Enter is pressed before the answer arrives.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tema');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page).toHaveURL(/\/account$/);
});

test('only records of the answer to the current text can be active, and Enter does nothing when the chosen one has disappeared (FIND-02)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const first = await api.createClient({ name: `Zoe ${mark}a` });
  const second = await api.createClient({ name: `Zulema ${mark}b` });
  await openOnReports(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(mark);
  const options = palette(page).getByRole('group', { name: 'Clientes' }).getByRole('option');
  await expect(options).toHaveCount(2);
  const shown = await options.first().innerText();
  const [stays, goes] = shown.includes('Zoe') ? [second, first] : [first, second];
  const answers = await hold(page, new RegExp(`q=${mark}.$`));
  // The lines belong to the previous text, so none is active, but an arrow key can choose one.
  await page.keyboard.type(stays.name.slice(-1));
  await expect(active(page)).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText(goes.name);
  answers.release();
  await expect(options).toHaveCount(1);
  await expect(active(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/clients/${stays.id}$`));
});

test("'Renovar …' is offered for found and for recently opened licences that can be renewed (FIND-02, LIFE-05)", async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Fidel ${mark}` });
  const software = await api.createSoftware({ name: `Agenda ${mark}` });
  const license = await api.createLicense({ client: client.id, software: software.id });
  const over = await api.createLicense({ client: client.id, software: software.id, status: 'cancelled' });
  const renewals = palette(page).getByRole('group', { name: 'Renovar' }).getByRole('option');
  const question = asked(page, 'Renovar la licencia');
  await openOnReports(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(mark);
  await expect(palette(page).getByRole('group', { name: 'Licencias' }).getByRole('option')).toHaveCount(2);
  await expect(renewals).toHaveText([new RegExp(`Renovar ${license.license_key}.*Fidel ${mark}`)]);
  await expect(palette(page).getByText(`Renovar ${over.license_key}`)).toHaveCount(0);

  // Found by its words: 'Renovar' continues with the choice of a licence.
  await input(page).fill('renov');
  await expect(active(page)).toHaveText(/^Renovar licencia/);
  await page.keyboard.press('Enter');
  await expect(input(page)).toHaveValue('Renovar ');
  await expect(input(page)).toBeFocused();
  await page.keyboard.type(mark);
  await expect(active(page)).toContainText(`Renovar ${license.license_key}`);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}\\?accion=renovar$`));
  await page.reload();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}$`));
  await expect(licenseDetails(page)).toContainText(license.license_key);

  // A recently opened licence can be renewed from there.
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Mi cuenta' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(renewals.first()).toContainText(`Renovar ${license.license_key}`);
  await renewals.first().click();
  await expect(question).toBeVisible();

  // The address of an action that is not possible only shows the licence.
  await page.goto(`/licenses/${over.id}?accion=renovar`);
  await expect(licenseDetails(page)).toContainText(over.license_key);
  await expect(question).toHaveCount(0);
});
