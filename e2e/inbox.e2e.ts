import type { Page } from '@playwright/test';
import { addDays, localDay } from '../contract/base/time.ts';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { test } from './support/empty-installation.ts';
import { enter, expect, type StaffApi, signIn, staffApi, unique } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** 'Para hoy', the inbox on the dashboard: act, done, later, reopen, and the keyboard (DESK-01). */

const localDayIn = (days: number) => addDays(localDay(new Date(), 'America/Mexico_City'), days);

const card = (page: Page) => page.getByRole('region', { name: 'Para hoy', exact: true });
const rows = (page: Page) => card(page).getByRole('list', { name: 'Pendientes' }).getByRole('listitem');
const toast = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title });
const button = (page: Page, verb: string, client: string) =>
  rows(page).getByRole('button', { name: new RegExp(`^${verb}: .*${client}`) });

/** A licence of a client of its own, that ends in so many days. */
async function ending(api: StaffApi, name: string, days: number, values: object = {}) {
  const client = await api.createClient({ name });
  const software = await api.createSoftware({ name: `Agenda ${unique()}` });
  return api.createLicense({
    client: client.id,
    software: software.id,
    expiry_date: localDayIn(days),
    price: 1500,
    ...values,
  });
}

test('its button renews in place with two clicks, done and undo take one, and the emptied inbox says so (DESK-01) @gate', async ({
  empty: { page, api },
}) => {
  test.slow();
  await ending(api, 'Ana López', 5);
  await ending(api, 'Beto Ruiz', -3);
  await ending(api, 'Ceci Mora', 90);
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('La licencia de Ana López está por vencer');
  await expect(rows(page).first()).toContainText('$1,500.00 MXN');
  await expect(rows(page).last()).toContainText('La licencia de Beto Ruiz venció y no se ha renovado');
  await expect(card(page)).toContainText('2 pendientes');
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('license_manager_theme', value), theme);
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  const steps = await stepsOf(page, async () => {
    await button(page, 'Renovar', 'Ana López').click();
    await asked(page, 'Renovar la licencia').getByRole('button', { name: 'Renovar', exact: true }).click();
    await expect(toast(page, 'Licencia renovada')).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });
  await expect(page).toHaveURL(/\/dashboard$/);

  await button(page, 'Hecho', 'Beto Ruiz').click();
  await expect(card(page).getByText('Todo listo')).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await toast(page, 'Marcado como hecho').getByRole('button', { name: 'Deshacer' }).click();
  await expect(rows(page)).toHaveCount(1);
  // The row disappears before the call has left, which a reload would cancel.
  const marked = page.waitForResponse('**/done/');
  await button(page, 'Hecho', 'Beto Ruiz').click();
  await marked;
  await page.reload();
  await expect(card(page).getByText('Todo listo')).toBeVisible();
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
});

test('a row is put off until tomorrow, Monday or another day, which must be after today (DESK-01)', async ({
  empty: { page, api },
}) => {
  const { client } = await ending(api, 'Ana López', 5);
  await page.goto('/dashboard');
  const later = button(page, 'Más tarde', client.name);
  await later.click();
  await page.getByRole('menuitem', { name: /^Otro día/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Más tarde' });
  await dialog.getByLabel('Vuelve el día').fill(localDayIn(0));
  await dialog.getByRole('button', { name: 'Dejar para ese día' }).click();
  await expect(dialog.getByLabel('Vuelve el día')).toHaveAccessibleDescription(/Elige un día después de hoy/);
  expect(await barriers(page, { within: '[role=dialog]', goodPractice: true })).toEqual([]);
  await dialog.getByLabel('Vuelve el día').fill(localDayIn(2));
  await dialog.getByRole('button', { name: 'Dejar para ese día' }).click();
  await expect(dialog).toBeHidden();
  await expect(card(page).getByText('Todo listo')).toBeVisible();
  await toast(page, 'Vuelve el').getByRole('button', { name: 'Deshacer' }).click();
  await expect(rows(page)).toHaveCount(1);

  const steps = await stepsOf(page, async () => {
    await later.click();
    await page.getByRole('menuitem', { name: /^Mañana/ }).click();
    await expect(rows(page)).toHaveCount(0);
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });
});

test('the inbox is emptied with the keyboard: arrows, Enter and E (DESK-01)', async ({
  empty: { page, api },
}) => {
  for (const [name, days] of [
    ['Ana', 1],
    ['Beto', 2],
    ['Ceci', 3],
  ] as const)
    await ending(api, name, days);
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(3);
  const row = (name: string) => rows(page).filter({ hasText: `La licencia de ${name}` });
  await page.keyboard.press('ArrowDown');
  await expect(row('Ana')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row('Beto')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const question = asked(page, 'Renovar la licencia');
  await expect(question).toBeVisible();
  // While a dialog is open, its keys are its own.
  await page.keyboard.press('e');
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(rows(page)).toHaveCount(3);
  await row('Ana').focus();
  await page.keyboard.press('e');
  await expect(row('Beto'), 'the next row has the focus').toBeFocused();
  await page.keyboard.press('e');
  await expect(row('Ceci')).toBeFocused();
  await page.keyboard.press('e');
  await expect(card(page).getByText('Todo listo')).toBeVisible();
});

test('a program without a seat gets one with two clicks, and is explained where no seat would help (DESK-01)', async ({
  empty: { page, api, request },
}) => {
  test.slow();
  const { license_key } = await ending(api, 'Ana López', 90, { max_installations: 1 });
  await api.activate(license_key, { machine_id: 'caja-1' });
  const refused = await request.post('/licenses/api/installations/', {
    data: { license_key, machine_id: 'caja-2' },
  });
  expect(refused.ok()).toBe(false);
  const wrong = await ending(api, 'Beto Ruiz', 90);
  const { code } = await api.createSoftware({ name: 'Otro producto' });
  await request.post('/licenses/api/license/validate/', {
    data: { license_key: wrong.license_key, machine_id: 'caja-9', software: code },
  });
  // Refusals are stored together, some seconds later.
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(rows(page)).toHaveCount(2, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(rows(page).filter({ hasText: 'Ana López' })).toContainText('caja-2');
  const steps = await stepsOf(page, async () => {
    await button(page, 'Liberar', 'Ana López').click();
    await asked(page, 'Liberar un equipo').getByRole('button', { name: 'Liberar', exact: true }).click();
    await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });

  await button(page, 'Explicar', 'Beto Ruiz').click();
  const dialog = page.getByRole('dialog', { name: 'Explícale al cliente' });
  await expect(dialog).toContainText('«caja-9» usó la clave');
  await expect(dialog.getByRole('link', { name: '+525512345678' })).toHaveAttribute(
    'href',
    'tel:+525512345678',
  );
  await expect(dialog.getByRole('link', { name: 'Abrir la licencia' })).toBeVisible();
  expect(await barriers(page, { within: '[role=dialog]', goodPractice: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Hecho' }).click();
  await expect(card(page).getByText('Todo listo')).toBeVisible();
});

test('who may act on nothing sees the figures without an inbox (DESK-01, PEOPLE-09)', async ({
  empty: { page, api, pageOf },
}) => {
  await ending(api, 'Ana López', 5);
  const password = 'secreta1-muy-larga';
  await api.call('POST', '/api/auth/register/', {
    username: 'vera',
    password,
    names: 'Vera',
    email: 'vera@example.com',
  });
  const people = await api.call<{ results: { id: number; username: string }[] }>(
    'GET',
    '/licenses/api/users/?page_size=50&page=1',
  );
  const vera = people.results.find(({ username }) => username === 'vera');
  await api.call('PUT', `/licenses/api/users/${vera?.id}/`, { role: 'viewer' });
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(1);

  const hers = await pageOf({ username: 'vera', password });
  await hers.goto('/dashboard');
  await expect(card(hers).getByRole('link', { name: 'Por vencer en 7 días' })).toBeVisible();
  await expect(rows(hers)).toHaveCount(0);
  await expect(card(hers).getByText('Todo listo')).toHaveCount(0);
  expect(await barriers(hers, { goodPractice: true })).toEqual([]);
});

test('one click sends a mail again that could not be delivered, and it is then no matter any more (DESK-01)', async ({
  browser,
  freshServer,
  smtp,
  guard,
  playwright,
}) => {
  test.slow();
  const server = await freshServer({ SMTP_URL: smtp.url });
  const request = await playwright.request.newContext({ baseURL: server.url });
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const page = await context.newPage();
  const session = await signIn(request);
  await enter(page, session);
  const api = staffApi(request, session.token);
  const mark = unique();
  smtp.answers.recipient = () => ({ code: 550, text: 'No such user' });
  const client = await api.createClient({ name: `Ana ${mark}`, email: `ana-${mark}@example.com` });
  await api.createLicense({ client: client.id, software: (await api.createSoftware()).id, expiry_days: 90 });
  const row = rows(page).filter({ hasText: `No se pudo entregar un correo a Ana ${mark}` });
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(rows(page).first()).toBeVisible();
    const rest = card(page).getByRole('button', { name: /^Ver (el otro|los otros)/ });
    if (await rest.isVisible()) await rest.click();
    await expect(row).toHaveCount(1, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  smtp.answers.recipient = () => 'accept';
  const steps = await stepsOf(page, async () => {
    await row.getByRole('button', { name: /^Reenviar:/ }).click();
    await expect(page.getByText('Correo reenviado')).toBeVisible();
    await expect(row).toHaveCount(0);
  });
  expect(steps).toEqual({ clicks: 1, keys: 0 });
  await smtp.waitFor(({ to }) => to.includes(`ana-${mark}@example.com`));
  await context.close();
  await request.dispose();
});

test('the first picture waits for the inbox, its figures and the counts, and for nothing else (DESK-01)', async ({
  empty: { page, api },
}) => {
  await ending(api, 'Ana López', 5);
  const asks: string[] = [];
  // All else is never answered.
  await page.route(/\/licenses\/api\//, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    asks.push(pathname + search);
    if (/\/api\/(today|statistics\/today|statistics)\/$/.test(pathname)) await route.continue();
  });
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(1);
  await expect(card(page).getByRole('link', { name: 'Por vencer en 7 días' })).toBeVisible();
  await expect(page.getByRole('article').getByText('Licencias Activas')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Ventas y cobros' })).toContainText('Mes pasado');
  expect(asks.filter((ask) => ask.endsWith('/today/')).length).toBe(2);
});
