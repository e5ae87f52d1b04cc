import type { Locator, Page } from '@playwright/test';
import { localDay } from '../contract/base/time.ts';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { drawn, lateAnswer } from './support/drawn.ts';
import { hasFocus } from './support/focus.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/**
 * 'Más acciones' in the details of a licence: the actions that its state allows, each in a dialog that shows the
 * result (LIFE-05).
 */

const details = licenseDetails;
const act = asked;

/** A colour of the theme, in the form of a computed style. */
const colour = (page: Page, name: string) =>
  page.evaluate((token) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${token})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

async function choose(page: Page, label: string): Promise<void> {
  await details(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
}

async function offered(page: Page): Promise<string[]> {
  await details(page).getByRole('button', { name: 'Más acciones' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  const labels = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  return labels;
}

/** Issues a licence and opens its renewal dialog. */
async function openRenewal(page: Page, api: StaffApi, values: object = {}): Promise<Locator> {
  const { client, software, type } = await licenseChoices(api);
  const chosen = { client: client.id, software: software.id, license_type_config: type.id };
  const license = await api.createLicense({ ...chosen, ...values });
  await page.goto(`/licenses/${license.id}`);
  await choose(page, 'Renovar');
  return act(page, 'Renovar la licencia');
}

test('a renewal shows the new end and price before it is confirmed, and can be undone', {
  tag: '@gate',
}, async ({ page, api }) => {
  const dialog = await openRenewal(page, api, { price: 200 });
  const fact = (label: string) =>
    dialog.locator('dl dt', { hasText: label }).locator('xpath=following-sibling::dd');
  await expect(fact('Precio')).toHaveText('$250.00 MXN');
  // The fields show the computed values; an emptied field shows its value again.
  const price = dialog.getByLabel('Precio', { exact: true });
  const days = dialog.getByLabel('Días', { exact: true });
  const day = dialog.getByLabel('Vence', { exact: true });
  await expect(price).toHaveValue('250');
  await expect(days).toHaveValue('90');
  await price.fill('300');
  await expect(fact('Precio')).toHaveText('$300.00 MXN');
  await price.fill('');
  await price.blur();
  await expect(price).toHaveValue('250');
  await price.fill('300');
  // Changing the number of days changes the end date, and vice versa.
  const inWords = async () => (await day.inputValue()).split('-').reverse().join('/');
  const before = await day.inputValue();
  await days.fill('30');
  await expect(day).not.toHaveValue(before);
  await expect(fact('Vence')).toHaveText(await inWords());
  await day.fill(before);
  await expect(days).toHaveValue('90');
  await expect(day).toHaveValue(before);
  await expect(fact('Vence')).toHaveText(await inWords());
  await expect(fact('Precio')).toHaveText('$300.00 MXN');
  const end = (await fact('Vence').textContent()) ?? '';
  expect(end).toBe(await inWords());
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await dialog.getByLabel('Motivo').fill('Pagó por transferencia');
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(details(page)).toContainText('$300.00');
  await expect(details(page)).toContainText(end);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Renovación deshecha')).toBeVisible();
  await expect(details(page)).toContainText('$200.00');
});

test('a typed day is not changed while the server calculates the renewal', async ({ page, api }) => {
  const day = (await openRenewal(page, api)).getByLabel('Vence', { exact: true });
  await expect(day).not.toHaveValue('');
  const calculated = lateAnswer(page, (route) => route.continue());
  await page.route('**/renew/**', calculated.handler);
  const typed = `${Number((await day.inputValue()).slice(0, 4)) + 1}-03-15`;
  const call = page.waitForRequest('**/renew/**');
  await day.fill(typed);
  await call;
  await drawn(page);
  await expect(day).toHaveValue(typed);
  await calculated.release();
  await expect(day).toHaveValue(typed);
});

test('after a renewal its text can be sent by WhatsApp, from the toast and from the details (LIFE-11)', async ({
  page,
  api,
}) => {
  const { mark, software, type } = await licenseChoices(api);
  const client = await api.createClient({ name: `Íñigo ${mark}`, phone: '+5491122334455' });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
  });
  await page.goto(`/licenses/${license.id}`);
  const chats = details(page).getByRole('button', { name: 'WhatsApp' });
  const renewed = page.getByRole('menuitem', { name: 'Avisar de la renovación' });
  await chats.click();
  await expect(page.getByRole('menuitem')).toHaveText(['Enviar la clave']);
  await page.keyboard.press('Escape');
  await expect(chats).toBeFocused();
  await choose(page, 'Renovar');
  await act(page, 'Renovar la licencia').getByRole('button', { name: 'Renovar', exact: true }).click();

  const message = page.getByRole('status').filter({ hasText: 'Licencia renovada' });
  await expect(message).toBeVisible();
  const ends = await api
    .call<{ expiry_date: string }>('GET', `/licenses/api/licenses/${license.id}/`)
    .then(({ expiry_date }) => localDay(expiry_date, 'America/Mexico_City').split('-').reverse().join('/'));
  const chat = `https://wa.me/5491122334455?text=${encodeURIComponent(
    `Hola, Íñigo ${mark}:\n\nRenovamos su licencia de ${software.name} 3.1.0.\n\nVence el ${ends}.\n\nLa clave es la misma: ${license.license_key}`,
  )}`;
  await expect(message.getByRole('link', { name: 'Enviar por WhatsApp' })).toHaveAttribute('href', chat);
  // The chat is also available later, when the toast has disappeared.
  await page.reload();
  await chats.click();
  await expect(renewed).toHaveAttribute('href', chat);
});

test('before suspending, cancelling or replacing a key the dialog shows who is affected, and its other button is Volver', async ({
  page,
  api,
}) => {
  const { mark, client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 3 });
  await api.activate(license.license_key, { machine_id: `uno-${mark}` });
  await api.activate(license.license_key, { machine_id: `dos-${mark}` });
  for (const [label, title, final] of [
    ['Suspender', 'Suspender la licencia', false],
    ['Cambiar clave', 'Cambiar clave de la licencia', true],
    ['Cancelar licencia', 'Cancelar licencia', true],
  ] as const) {
    await page.goto(`/licenses/${license.id}`);
    await choose(page, label);
    const dialog = act(page, title);
    const whom = dialog.getByRole('note');
    await expect(whom).toContainText(client.name);
    await expect(whom).toContainText(`${software.name} 3.1.0`);
    await expect(whom).toContainText('2 equipos');
    await expect(whom).toHaveCSS(
      'background-color',
      await colour(page, final ? '--critical-tint' : '--warning-tint'),
    );
    const submit = dialog.getByRole('button', { name: label, exact: true });
    await expect(submit).toHaveCSS(
      'background-color',
      await colour(page, final ? '--critical-fill' : '--brand'),
    );
    await expect(dialog.getByRole('button', { name: 'Cancelar', exact: true })).toBeHidden();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await dialog.getByRole('button', { name: 'Volver', exact: true }).click();
    await expect(dialog).toBeHidden();
  }
  await expect(details(page).getByText('Activa', { exact: true })).toBeVisible();
});

test('the menu and the buttons offer only the actions that the server allows, in its order (LIFE-05)', async ({
  page,
  api,
}) => {
  const { client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.route(`**/licenses/api/licenses/${license.id}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), can: ['extend'] } });
  });
  await page.goto(`/licenses/${license.id}`);
  expect(await offered(page)).toEqual(['Prórroga', 'Constancia']);
  await expect(details(page).getByRole('button', { name: 'Editar' })).toBeHidden();
  await expect(details(page).getByRole('button', { name: 'Reenviar' })).toBeHidden();
});

test('by keyboard a licence is suspended, reinstated and cancelled, each offered only when it is possible', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses/${license.id}`);
  expect(await offered(page)).toEqual([
    'Renovar',
    'Cobrar',
    'Agregar lugares',
    'Prórroga',
    'Suspender',
    'Cancelar licencia',
    'Transferir',
    'Cambiar clave',
    'Archivo sin conexión',
    'Constancia',
  ]);
  const more = details(page).getByRole('button', { name: 'Más acciones' });
  await more.focus();
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('menu'));
  await page.getByRole('menuitem', { name: 'Suspender' }).press('Enter');
  const suspend = act(page, 'Suspender la licencia');
  await suspend.getByLabel('Motivo').fill('Falta de pago');
  // A form with typed text asks before it closes.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Seguir editando' }).click();
  await suspend.getByRole('button', { name: 'Suspender', exact: true }).press('Enter');
  await expect(suspend).toBeHidden();
  await expect(details(page).getByText('Suspendida')).toBeVisible();
  await expect(more).toBeFocused();
  expect(await offered(page)).toEqual([
    'Reactivar',
    'Cancelar licencia',
    'Transferir',
    'Cambiar clave',
    'Constancia',
  ]);
  await choose(page, 'Reactivar');
  await act(page, 'Reactivar la licencia').getByRole('button', { name: 'Reactivar', exact: true }).click();
  await expect(details(page).getByText('Activa', { exact: true })).toBeVisible();
  await choose(page, 'Cancelar licencia');
  await act(page, 'Cancelar licencia')
    .getByRole('button', { name: 'Cancelar licencia', exact: true })
    .click();
  await expect(details(page).getByText('Cancelada')).toBeVisible();
  await expect(more).toBeHidden();
});

test('an extension without a reason and a transfer to the same client show an error at the field', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400|No se pudo transferir/);
  const { client, software } = await licenseChoices(api);
  const other = await api.createClient({ name: `Otra ${unique()}` });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses/${license.id}`);
  await choose(page, 'Prórroga');
  const extend = act(page, 'Prórroga de la licencia');
  await extend.getByLabel('Días de prórroga').fill('90');
  await extend.getByRole('button', { name: 'Dar prórroga' }).click();
  await expect(extend.getByLabel('Días de prórroga')).toHaveAccessibleDescription(/entre 1 y 60/);
  await expect(extend.getByLabel('Motivo')).toHaveAccessibleDescription(/El motivo es obligatorio/);
  await extend.getByLabel('Días de prórroga').fill('10');
  await extend.getByLabel('Motivo').fill('Pago en camino');
  await extend.getByRole('button', { name: 'Dar prórroga' }).click();
  await expect(extend).toBeHidden();

  await choose(page, 'Transferir');
  const transfer = act(page, 'Transferir la licencia');
  const pick = async (name: string) => {
    await transfer.getByRole('combobox', { name: 'Nuevo cliente' }).fill(name);
    await page.getByRole('option', { name }).first().click();
  };
  await pick(client.name);
  await transfer.getByRole('button', { name: 'Transferir', exact: true }).click();
  await expect(transfer.getByText('La licencia ya es de este cliente')).toBeVisible();
  await transfer.getByRole('combobox', { name: 'Nuevo cliente' }).clear();
  await pick(other.name);
  await transfer.getByRole('button', { name: 'Transferir', exact: true }).click();
  await expect(transfer).toBeHidden();
  await expect(details(page).getByRole('link', { name: other.name })).toBeVisible();
});

test('a bulk suspension or cancellation shows how many machines use the licences (LIFE-06)', async ({
  page,
  api,
}) => {
  const { mark, client, software } = await licenseChoices(api);
  const issue = () => api.createLicense({ client: client.id, software: software.id });
  const [first, second, over] = [await issue(), await issue(), await issue()];
  await api.activate(first.license_key, { machine_id: `uno-${mark}` });
  await api.activate(first.license_key, { machine_id: `dos-${mark}` });
  await api.activate(second.license_key, { machine_id: `uno-${mark}` });
  await api.activate(over.license_key, { machine_id: `uno-${mark}` });
  await api.call('POST', `/licenses/api/licenses/${over.id}/suspend/`, {});
  await page.goto(`/licenses?q=${mark}`);
  await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
  const bar = page.getByRole('region', { name: 'Acciones en lote' });
  for (const [label, title, whom] of [
    ['Suspender', 'Suspender 3 licencias', 'A quién afectaHoy las usan 3 equipos.'],
    ['Cancelar licencia', 'Cancelar 3 licencias', 'No se puede deshacerHoy las usan 4 equipos.'],
  ] as const) {
    if (label === 'Suspender') await bar.getByRole('button', { name: 'Suspender 2' }).click();
    else {
      await bar.getByRole('button', { name: 'Más', exact: true }).click();
      await page.getByRole('menuitem', { name: `${label} 3` }).click();
    }
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByRole('note')).toHaveText(whom);
    await dialog.getByRole('button', { name: 'Volver', exact: true }).click();
  }
});
