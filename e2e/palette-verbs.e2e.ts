import type { Page } from '@playwright/test';
import { barriers, LOOKS } from './support/axe.ts';
import { joinAs } from './support/join.ts';
import { enter, expect, type StaffApi, test, unique } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** Actions of the palette on a record that it found (FIND-02, D017). */

const box = (page: Page) => page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Buscador' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const active = (page: Page) => page.getByRole('option', { selected: true });

/** A client with a licence whose only seat is taken by a machine. */
async function arrange(api: StaffApi) {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}`, company: `Ferretería ${mark}` });
  const software = await api.createSoftware({ name: `Caja ${unique()}` });
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 1 });
  await api.activate(license.license_key, { machine_id: `m-${unique()}`, machine_name: 'Mostrador' });
  return { mark, client, license };
}

const seatsOf = async (api: StaffApi, id: number) =>
  (await api.call<{ current_installations: number }>('GET', `/licenses/api/licenses/${id}/`))
    .current_installations;

async function openSomewhere(page: Page) {
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Mi cuenta', exact: true })).toBeVisible();
}

test('searching a company releases its machine with two clicks, and one more click undoes it', async ({
  page,
  api,
}) => {
  const { client, license } = await arrange(api);
  await openSomewhere(page);
  const release = option(page, 'Liberar Mostrador').last();
  const steps = await stepsOf(page, async () => {
    await box(page).click();
    await page.keyboard.insertText(client.company);
    await release.click();
    await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });
  await expect(page).toHaveURL(/\/account$/);
  expect(await seatsOf(api, license.id)).toBe(0);

  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('El equipo recuperó su lugar')).toBeVisible();
  expect(await seatsOf(api, license.id)).toBe(1);
});

test('what was pasted from a mail finds its record: a key, an address, a name with other signs (INPUT-08, INPUT-10)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `D’Angelo ${mark}`, email: `rosa.${mark}@plumas.mx` });
  const software = await api.createSoftware({ name: `Caja ${unique()}` });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await openSomewhere(page);
  await box(page).click();
  for (const [pasted, name] of [
    [`Clave de licencia: “${license.license_key}”. ${'Guárdala bien. '.repeat(12)}`, license.license_key],
    [`Rosita <mailto:rosa.${mark}@plumas.mx>`, client.name],
    [`DAngelo, ${mark}`, client.name],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(pasted);
    await expect(option(page, new RegExp(name)).first()).toBeVisible();
  }
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('---');
  await expect(option(page, new RegExp(client.name))).toHaveCount(0);
});

test('undoing a release fails with a message when the seat was taken in the meantime', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/409/);
  const { client, license } = await arrange(api);
  await openSomewhere(page);
  await box(page).click();
  await page.keyboard.insertText(client.company);
  await option(page, 'Liberar Mostrador').last().click();
  await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  await api.activate(license.license_key, { machine_id: 'otra' });
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByRole('alertdialog').or(page.getByRole('alert'))).toContainText(
    'No se pudo deshacer la liberación',
  );
  expect(await seatsOf(api, license.id)).toBe(1);
});

test('by keyboard, Tab and the arrows move from the first match to its actions and back, and Tab after the last leaves the palette', async ({
  page,
  api,
}) => {
  const { mark, client } = await arrange(api);
  await openSomewhere(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(mark);
  const field = palette(page).getByRole('combobox');
  await expect(active(page)).toHaveAccessibleName(new RegExp(`^Ana ${mark}`));
  await expect(active(page)).toHaveAccessibleDescription('Con Tab o la flecha derecha, sus acciones');
  // Inside the text the arrow key moves the caret.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await expect(active(page)).toHaveAccessibleName(new RegExp(`^Ana ${mark}`));
  await page.keyboard.press('ArrowRight');
  await expect(active(page)).toHaveAccessibleName(`Nueva licencia para Ana ${mark}`);
  await expect(field).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id')) ?? '');
  await page.keyboard.press('Tab');
  await expect(active(page)).toHaveAccessibleName(`Ver actividad de Ana ${mark}`);
  await page.keyboard.press('Tab');
  await expect(active(page)).toHaveAccessibleName(`WhatsApp a Ana ${mark}`);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(active(page)).toHaveAccessibleName(new RegExp(`^Ana ${mark}`));
  // One arrow key moves to the next line, skipping the actions between the lines.
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText(`Ana ${mark} · Caja`);
  await page.keyboard.press('ArrowUp');
  for (const _verb of ['license', 'checks', 'chat', 'out']) await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Cerrar buscador' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(field).toBeFocused();

  await input(page, mark);
  const steps = await stepsOf(page, async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Nueva Licencia' })).toBeVisible();
  });
  expect(steps).toEqual({ clicks: 0, keys: 2 });
  await expect(page.getByRole('combobox', { name: 'Cliente' })).toHaveValue(new RegExp(client.email));
});

async function input(page: Page, text: string) {
  await palette(page).getByRole('combobox').fill('');
  await page.keyboard.insertText(text);
  await expect(active(page)).toHaveAccessibleName(new RegExp(`^Ana ${text}`));
}

test('before an arrow is pressed no option is active and Tab leaves the box, afterwards Tab moves to the actions (D017)', async ({
  page,
  api,
}) => {
  const { mark } = await arrange(api);
  await openSomewhere(page);
  await box(page).click();
  await page.keyboard.insertText(mark);
  await expect(option(page, `Nueva licencia para Ana ${mark}`)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(active(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(active(page)).toHaveAccessibleName(`Nueva licencia para Ana ${mark}`);
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(box(page)).not.toBeFocused();
});

test('a licence found by its client lists the possible actions, its machine and WhatsApp, by mouse and by keyboard', async ({
  page,
  api,
}) => {
  const { client, license } = await arrange(api);
  await openSomewhere(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.insertText(client.company);
  const verbs = page.getByRole('group', { name: `Acciones de ${license.license_key}` }).getByRole('option');
  await expect(page.getByRole('group', { name: /^Acciones de/ })).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText(license.license_key);
  await page.keyboard.press('Tab');
  await expect(active(page)).toHaveAccessibleName(`Renovar ${license.license_key}`);
  await expect(verbs).toHaveText([
    'Renovar',
    'Suspender',
    'Cobrar',
    'Ver actividad',
    'Liberar Mostrador',
    'WhatsApp',
  ]);
  const chat = page.waitForEvent('popup');
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'chat' }));
  await verbs.last().click();
  expect(new URL((await chat).url()).searchParams.get('text')).toContain(license.license_key);
  await expect(palette(page)).toBeHidden();
});

test('a viewer is offered no actions on a named licence, and support is offered to suspend and release', async ({
  page,
  browser,
  server,
  request,
  api,
  guard,
}) => {
  const { license } = await arrange(api);
  const offeredTo = async (role: 'viewer' | 'support') => {
    const context = await browser.newContext({ baseURL: server.url });
    await guard.watch(context);
    const theirs = await context.newPage();
    await enter(theirs, await joinAs(api, request, role));
    await openSomewhere(theirs);
    await theirs.keyboard.press('Control+k');
    await theirs.keyboard.insertText(license.license_key);
    await expect(theirs.getByRole('group', { name: 'Equipos' })).toBeVisible();
    const names = await theirs
      .getByRole('option', { name: /^(Renovar|Suspender|Liberar|WhatsApp) / })
      .allInnerTexts();
    await context.close();
    return names;
  };
  await openSomewhere(page);
  expect(await offeredTo('viewer')).toEqual(['WhatsApp']);
  expect(await offeredTo('support')).toEqual(['Suspender', 'WhatsApp', 'Liberar']);
});

test('axe finds nothing in the palette with actions, and nothing is wider than the screen', async ({
  page,
  api,
}) => {
  const { mark } = await arrange(api);
  await openSomewhere(page);
  for (const { theme, width } of LOOKS) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await page.setViewportSize({ width, height: 800 });
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').fill(mark);
    await expect(option(page, `WhatsApp a Ana ${mark}`)).toBeVisible();
    await page.keyboard.press('ArrowRight');
    expect(await barriers(page, { goodPractice: true }), `${theme} ${width}`).toEqual([]);
    expect(await palette(page).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.keyboard.press('Escape');
  }
});
