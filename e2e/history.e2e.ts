import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** Events and notifications as people see them: history, audit, row menu, bulk actions, the bell. */

const rows = (page: Page) => page.locator('[data-row-key]');
const details = licenseDetails;

/** A licence with events: an installation, a change, a renewal, a suspension. */
async function livedLicense(api: StaffApi) {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}` });
  const software = await api.createSoftware();
  const license = await api.createLicense({ client: client.id, software: software.id, expiry_days: 20 });
  const url = `/licenses/api/licenses/${license.id}/`;
  await api.activate(license.license_key, { machine_id: 'caja-01', machine_name: 'Caja 1' });
  await api.call('PUT', url, { price: 150, notes: 'Llamar antes' });
  await api.call('POST', `${url}renew/`, {
    expiry_days: 30,
    notify: false,
    reason: 'Pagó por transferencia',
  });
  await api.call('POST', `${url}suspend/`, { reason: 'Falta de pago' });
  return { mark, client, software, license };
}

test('the history of a licence shows sentences with reason and changed fields, and that of a client is in Resumen (EVENT-08)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { client, license } = await livedLicense(api);
  await page.goto(`/licenses/${license.id}`);
  await details(page).getByRole('tab', { name: 'Historial' }).click();
  await expect(page).toHaveURL(/tab=historial/);
  const panel = details(page).getByRole('tabpanel');
  await expect(panel.getByRole('heading', { name: 'Hoy' })).toBeVisible();
  const entries = panel.getByRole('listitem');
  const who = 'Administrador Demo';
  for (const sentence of [
    `${who} suspendió la licencia`,
    `${who} cambió la licencia: Precio, Notas`,
    'El equipo Caja 1 se activó',
    `${who} emitió la licencia`,
  ]) {
    await expect(panel.getByText(sentence, { exact: true })).toBeVisible();
  }
  await expect(
    panel.getByText(new RegExp(`^${who} renovó la licencia hasta el \\d\\d/\\d\\d/\\d{4}$`)),
  ).toBeVisible();
  await expect(entries.filter({ hasText: 'suspendió' })).toContainText('Persona');
  await expect(entries.filter({ hasText: 'suspendió' })).toContainText('«Falta de pago»');
  await expect(entries.filter({ hasText: 'se activó' })).toContainText('Programa');
  const changed = entries.filter({ hasText: 'Precio, Notas' });
  await expect(changed.locator('time')).toHaveAttribute('title', /\d\d\/\d\d\/\d{4}, \d\d:\d\d/);
  await expect(changed.getByText('Llamar antes')).toBeHidden();
  await changed.getByText('Ver los 2 cambios').press('Enter');
  await expect(changed.locator('dl')).toContainText('Precio');
  await expect(changed.locator('dl')).toContainText('$150.00');
  await expect(changed.getByText('Llamar antes')).toBeVisible();

  await page.goto(`/clients/${client.id}`);
  const dialog = clientDetails(page);
  await dialog.getByRole('button', { name: 'Ver historial' }).click();
  await expect(dialog.getByRole('heading', { name: 'Historial del cliente' })).toBeFocused();
  await expect(dialog.getByRole('tab')).toHaveCount(3);
  await expect(dialog.getByText(`${who} creó el cliente`, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Volver al resumen' }).click();
  await expect(dialog.getByRole('button', { name: 'Ver historial' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Ver historial' }).click();
  await dialog.getByRole('link', { name: license.license_key }).first().click();
  await expect(details(page)).toBeVisible();
});

test("'Auditoría' can be filtered and exported, and its address contains the filters (EVENT-05, EVENT-08)", async ({
  page,
  api,
}) => {
  const { mark, client, license } = await livedLicense(api);
  const former = await api.createClient({ name: `Borrado ${mark}` });
  await api.call('DELETE', `/licenses/api/clients/${former.id}/`);
  await page.goto('/settings/auditoria');
  const list = page.getByRole('region', { name: 'Auditoría' });
  // The name of a deleted record is shown without a link.
  await expect(list.getByText('Administrador Demo eliminó el cliente').first()).toBeVisible();
  await expect(list.getByText(`Borrado ${mark}`).first()).toBeVisible();
  await expect(list.getByRole('link', { name: `Borrado ${mark}` })).toHaveCount(0);

  await page.getByRole('button', { name: 'Filtros', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Filtros' });
  await expect(dialog.getByRole('button', { name: /^Elegir algunos: / })).toHaveCount(6);
  await dialog.getByRole('button', { name: 'Elegir algunos: Licencias y equipos' }).click();
  await dialog.getByRole('checkbox', { name: 'Licencia renovada' }).check();
  await dialog.getByRole('checkbox', { name: 'Licencia suspendida' }).check();
  await dialog.getByLabel('Desde').fill('2026-01-02');
  await dialog.getByLabel('Hasta').fill('2026-01-01');
  await expect(dialog.getByText('El último día no puede ser anterior al primero')).toBeVisible();
  await dialog.getByLabel('Hasta').fill('');
  await dialog.getByRole('combobox', { name: 'Cliente', exact: true }).fill(client.name);
  await page.getByRole('option', { name: client.name }).click();
  await dialog.getByRole('button', { name: 'Listo' }).click();
  await expect(page).toHaveURL(
    new RegExp(`type=license.renewed%2Clicense.suspended&client=${client.id}&from=2026-01-02`),
  );
  await expect(list.getByRole('listitem').filter({ hasText: 'Administrador Demo' })).toHaveCount(2);
  await expect(list.getByRole('link', { name: license.license_key })).toHaveCount(2);

  const download = page.waitForEvent('download');
  await list.getByRole('button', { name: 'Exportar' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines.map((line) => /license\.\w+/.exec(line)?.[0])).toEqual([
    undefined,
    'license.renewed',
    'license.suspended',
  ]);

  await page.getByRole('button', { name: 'Quitar filtro Tipo', exact: true }).click();
  await expect(page).not.toHaveURL(/type=/);
  await expect(list.getByText('El equipo Caja 1 se activó')).toBeVisible();
});

test("an action chosen by keyboard in 'Más acciones' of a row opens its dialog, and the focus returns to the menu button (LIFE-05)", async ({
  page,
  api,
}) => {
  const { mark } = await livedLicense(api);
  await page.goto(`/licenses?q=${mark}`);
  const more = rows(page).first().getByRole('button', { name: 'Más acciones' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText([
    '¿Por qué?',
    'Reactivar',
    'Cancelar licencia',
    'Transferir',
    'Cambiar clave',
    'Constancia',
  ]);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = asked(page, 'Reactivar la licencia');
  await dialog.getByRole('button', { name: 'Reactivar', exact: true }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(rows(page).first()).toContainText('Activa');
  await expect(more).toBeFocused();
});

test('a bulk renewal shows how many licences it will change, and afterwards links those that failed with the reason (LIFE-06)', async ({
  page,
  api,
}) => {
  const { mark, client, software, license } = await livedLicense(api);
  const other = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses?q=${mark}`);
  await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
  const bar = page.getByRole('region', { name: 'Acciones en lote' });
  await bar.getByRole('button', { name: 'Renovar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Renovar 2 licencias' });
  await expect(dialog.getByText('1 de 2 admite la acción.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Las que no' })).toHaveText(
    '1: La licencia está suspendida. Reactívala antes de renovarla.',
  );
  await dialog.getByLabel('Días').fill('90');
  await dialog.getByLabel('Motivo').fill('Renovación anual');
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(dialog.getByText('1 licencia renovada')).toBeVisible();
  await expect(dialog.getByText('La licencia está suspendida. Reactívala antes de renovarla.')).toBeVisible();
  await dialog.getByRole('link', { name: license.license_key }).click();
  await expect(details(page)).toContainText('Suspendida');
  const { results } = await api.call<{ results: { reason: string }[] }>(
    'GET',
    `/licenses/api/events/?license=${other.id}&type=license.renewed`,
  );
  expect(results.map(({ reason }) => reason)).toEqual(['Renovación anual']);
});

test('the bell counts unread notifications, and opening the panel marks them as read (LIFE-10)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Lleno ${mark}` });
  const software = await api.createSoftware();
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    max_installations: 1,
  });
  await api.activate(license.license_key, { machine_id: 'caja-01' });
  await page.goto('/account');
  const bell = page.getByRole('button', { name: 'Notificaciones' });
  await expect(bell).toHaveAccessibleDescription(/\d+ sin leer/, { timeout: 15_000 });
  await bell.click();
  const panel = page.getByRole('dialog', { name: 'Notificaciones' });
  const entry = panel
    .getByRole('list', { name: 'Sin lugar libre' })
    .getByRole('listitem')
    .filter({ hasText: mark });
  await expect(entry).toContainText('usa su único lugar');
  await expect(entry).toContainText('Sin leer');
  await expect(bell).not.toHaveAccessibleDescription(/sin leer/);
  await entry.getByRole('link').click();
  await expect(details(page)).toContainText(license.license_key);
  await page.goto('/account');
  await bell.click();
  await expect(entry).toBeVisible();
  await expect(entry).not.toContainText('Sin leer');
});

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`axe finds nothing in history, audit, bulk renewal and bell, ${theme}, ${width} px (EVENT-08, LIFE-06, LIFE-10)`, async ({
    page,
    api,
  }) => {
    test.setTimeout(90_000);
    const { mark, license } = await livedLicense(api);
    await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
    await page.setViewportSize({ width, height: 844 });
    const found: string[] = [];
    const look = async (name: string) => {
      found.push(...(await barriers(page)).map((barrier) => `${name}: ${barrier}`));
    };
    await page.goto(`/licenses/${license.id}?tab=historial`);
    await page.getByText('Ver los 2 cambios').first().click();
    await look('history');
    await page.goto(`/settings/auditoria?license=${license.id}`);
    await expect(page.getByText('El equipo Caja 1 se activó')).toBeVisible();
    await look('audit');
    await page.getByRole('button', { name: 'Filtros', exact: true }).click();
    await page.getByRole('button', { name: 'Elegir algunos: Licencias y equipos' }).click();
    await expect(page.getByRole('checkbox', { name: 'Licencia emitida' })).toBeVisible();
    await look('audit filters');
    await page.goto(`/licenses?q=${mark}`);
    await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
    await page.getByRole('button', { name: 'Reactivar 1', exact: true }).click();
    await expect(page.getByText('La licencia admite la acción.')).toBeVisible();
    await look('bulk reinstatement');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notificaciones' }).click();
    await expect(page.getByRole('dialog', { name: 'Notificaciones' })).toBeVisible();
    await look('bell');
    expect(found).toEqual([]);
  });
}
