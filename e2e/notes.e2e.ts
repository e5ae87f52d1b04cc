import type { Locator, Page } from '@playwright/test';
import { addDays, localDay } from '../contract/base/time.ts';
import { barriers } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { joinAs } from './support/join.ts';
import { enter, expect, type StaffApi, test, unique } from './support/staff.ts';

/** Notes in the history of clients and licences (DESK-02). */

const NOTES = '/licenses/api/notes/';

const details = licenseDetails;
const noteIn = (within: Locator, text: string) => within.getByRole('listitem').filter({ hasText: text });

async function sold(api: StaffApi) {
  const client = await api.createClient({ name: `Ana ${unique()}` });
  const software = await api.createSoftware();
  return { client, license: await api.createLicense({ client: client.id, software: software.id }) };
}

/** Opens the history of a licence. */
async function openHistory(page: Page, license: number) {
  await page.goto(`/licenses/${license}?tab=historial`);
  const panel = details(page).getByRole('tabpanel');
  await expect(panel.getByText(/emitió la licencia/)).toBeVisible();
  return panel;
}

test('a note is written, pinned, changed and deleted in the history of a licence, and stands at its client too', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { client, license } = await sold(api);
  const panel = await openHistory(page, license.id);

  // By keyboard: Ctrl + Enter saves.
  const field = panel.getByRole('textbox', { name: 'Nota nueva' });
  await field.fill('Pidió factura\ncon otro RFC');
  await field.press('Control+Enter');
  await expect(panel.getByRole('status').filter({ hasText: 'Nota guardada' })).toBeAttached();
  await expect(field).toHaveValue('');
  const note = noteIn(panel, 'Pidió factura');
  await expect(note).toContainText('Administrador Demo');
  // The note itself says that it was written.
  await expect(panel.getByText(/escribió una nota/)).toHaveCount(0);

  await note.getByRole('button', { name: /^Fijar arriba: Pidió factura/ }).click();
  const pinned = page.getByRole('region', { name: 'Notas fijadas' });
  await expect(pinned.getByText('Pidió factura')).toBeVisible();

  await pinned.getByRole('button', { name: /^Editar nota/ }).click();
  const text = pinned.getByRole('textbox', { name: 'Nota', exact: true });
  await expect(text).toBeFocused();
  await text.fill('Pidió factura global');
  await pinned.getByRole('button', { name: 'Guardar nota' }).click();
  await expect(pinned.getByText('Pidió factura global')).toBeVisible();
  await expect(pinned.getByRole('button', { name: /^Editar nota/ })).toBeFocused();

  // In 'Resumen' too, where a call is answered: the licence's, and its client's.
  await details(page).getByRole('tab').first().click();
  await expect(pinned.getByText('Pidió factura global')).toBeVisible();
  await page.goto(`/clients/${client.id}`);
  const dialog = clientDetails(page);
  await expect(pinned.getByText('Pidió factura global')).toBeVisible();
  await expect(dialog.getByText(/escribió una nota/)).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Ver historial' }).click();
  const atClient = dialog.getByRole('region', { name: 'Notas fijadas' });
  await expect(atClient.getByText('Pidió factura global')).toBeVisible();
  await expect(atClient.getByRole('link', { name: license.license_key })).toBeVisible();

  await atClient.getByRole('button', { name: /^Eliminar nota/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Eliminar la nota' });
  await expect(question).toContainText('«Pidió factura global»');
  await question.getByRole('button', { name: 'Eliminar', exact: true }).click();
  await expect(dialog.getByText('Pidió factura global')).toHaveCount(0);
  await expect(dialog.getByText(/eliminó la nota|eliminó una nota/)).toBeVisible();
});

test('a note with a day is due on it, in the history and the bell, until somebody says that it is done', async ({
  page,
  api,
}) => {
  const { client, license } = await sold(api);
  const panel = await openHistory(page, license.id);
  await panel.getByRole('textbox', { name: 'Nota nueva' }).fill('Llamar por la renovación');
  await panel.getByRole('button', { name: 'Mañana' }).click();
  await expect(panel.getByLabel('Recordar el día')).toHaveAccessibleDescription(/«Para hoy» y en la campana/);
  await panel.getByRole('button', { name: 'Guardar nota' }).click();
  await expect(noteIn(panel, 'Llamar por la renovación')).toContainText('Para mañana');

  const { time_zone } = await api.call<{ time_zone: string }>('GET', '/api/health/');
  const today = localDay(new Date(), time_zone ?? 'America/Mexico_City');
  await api.call('POST', NOTES, { client: client.id, text: 'Preguntar por el pago', remind_on: today });
  await page.goto(`/clients/${client.id}`);
  const dialog = clientDetails(page);
  await expect(noteIn(dialog, 'Preguntar por el pago')).toContainText('Para hoy');
  await page.goto('/account');
  const bell = page.getByRole('button', { name: 'Notificaciones' });
  await bell.click();
  const entry = page.getByRole('dialog', { name: 'Notificaciones' }).getByRole('listitem').filter({
    hasText: client.name,
  });
  await expect(entry).toContainText('Preguntar por el pago');
  await entry.getByRole('link').first().click();
  await noteIn(dialog, 'Preguntar por el pago')
    .getByRole('button', { name: /^Marcar como hecha: Preguntar/ })
    .click();
  await expect(noteIn(dialog, 'Preguntar por el pago')).not.toContainText('Para hoy');
  const { results } = await api.call<{ results: { remind_on: string | null; text: string }[] }>(
    'GET',
    `${NOTES}?client=${client.id}`,
  );
  expect(results).toMatchObject([
    { text: 'Preguntar por el pago', remind_on: null },
    { text: 'Llamar por la renovación', remind_on: addDays(today, 1) },
  ]);
});

test('what is refused stands at the field, and what was typed stays while another tab is read', async ({
  page,
  api,
}) => {
  const { license } = await sold(api);
  const panel = await openHistory(page, license.id);
  const field = panel.getByRole('textbox', { name: 'Nota nueva' });
  await field.focus();
  await panel.getByRole('button', { name: 'Guardar nota' }).click();
  await expect(field).toHaveAccessibleDescription(/Escribe la nota/);
  await field.fill('x'.repeat(2001));
  await expect(panel.getByText('Sobra 1 carácter').first()).toBeVisible();
  await field.fill('Falta su sello');
  await details(page).getByRole('tab').first().click();
  await details(page).getByRole('tab', { name: 'Historial' }).click();
  await expect(field).toHaveValue('Falta su sello');
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(details(page)).toBeVisible();
});

test('a change by another person is shown and not overwritten', async ({ page, api, guard }) => {
  guard.allowConsoleError(/412/);
  const { license } = await sold(api);
  const { id } = await api.call<{ id: number }>('POST', NOTES, { license: license.id, text: 'Uno' });
  const panel = await openHistory(page, license.id);
  await panel.getByRole('button', { name: 'Editar nota: Uno' }).click();
  await api.call('PUT', `${NOTES}${id}/`, { text: 'Dos' });
  await panel.getByRole('textbox', { name: 'Nota', exact: true }).fill('Tres');
  await panel.getByRole('button', { name: 'Guardar nota' }).click();
  await expect(panel.getByRole('alert')).toContainText('Otra persona cambió la nota');
  expect(await api.call('GET', `${NOTES}${id}/`)).toMatchObject({ text: 'Dos' });
});

test('support writes notes and changes its own; a viewer reads them and is offered nothing', async ({
  api,
  browser,
  request,
  server,
}) => {
  const { license } = await sold(api);
  await api.call('POST', NOTES, { license: license.id, text: 'De la dirección' });
  for (const role of ['support', 'viewer'] as const) {
    const own = await browser.newContext({ baseURL: server.url });
    const colleague = await own.newPage();
    await enter(colleague, await joinAs(api, request, role));
    const panel = await openHistory(colleague, license.id);
    await expect(noteIn(panel, 'De la dirección')).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Editar nota: De la dirección' })).toHaveCount(0);
    await expect(panel.getByRole('textbox', { name: 'Nota nueva' })).toHaveCount(role === 'viewer' ? 0 : 1);
    if (role === 'support') {
      await panel.getByRole('textbox', { name: 'Nota nueva' }).fill('De soporte');
      await panel.getByRole('button', { name: 'Guardar nota' }).click();
      await expect(panel.getByRole('button', { name: 'Editar nota: De soporte' })).toBeVisible();
    }
    await own.close();
  }
});

for (const [theme, width] of [
  ['light', 1440],
  ['dark', 390],
  ['light', 320],
] as const) {
  test(`axe finds nothing in a history with notes, and nothing overflows, ${theme}, ${width} px`, async ({
    page,
    api,
  }) => {
    const { license } = await sold(api);
    const write = (data: object) => api.call('POST', NOTES, { license: license.id, ...data });
    await write({
      text: 'Vive en https://example.com/una/direccion/muy/larga/que/no/se/corta/nunca/por/si/sola',
    });
    await write({ text: 'Siempre paga en efectivo', pinned: true, remind_on: '2030-01-31' });
    await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
    await page.setViewportSize({ width, height: 844 });
    const panel = await openHistory(page, license.id);
    await panel.getByRole('textbox', { name: 'Nota nueva' }).fill('Nueva');
    expect(await barriers(page)).toEqual([]);
    const overflow = await details(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/notes-${theme}-${width}.png` });
  });
}
