import type { Locator, Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** '¿Por qué?': the answers that a licence's programs get now, explained, with a button for the remedy (D144). */

const LICENSES = '/licenses/api/licenses/';
const details = licenseDetails;
const why = (page: Page) => asked(page, '¿Funciona en sus equipos?');
const row = (page: Page, key: string) => page.locator('[data-row-key]').filter({ hasText: key });
const ask = (within: Locator) => within.getByRole('button', { name: '¿Por qué?' }).click();

async function oneLicense(api: StaffApi, values: object = {}) {
  const { mark, client, software, type } = await licenseChoices(api);
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    max_installations: 1,
    ...values,
  });
  return { mark, client, license };
}

const suspend = (api: StaffApi, id: number) =>
  api.call('POST', `${LICENSES}${id}/suspend/`, { reason: 'falta de pago' });

test('from the list two clicks show why a licence does not work, and two more reactivate it', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { mark, license } = await oneLicense(api);
  await suspend(api, license.id);
  await page.goto(`/licenses?q=${mark}`);
  const asking = await stepsOf(page, async () => {
    await row(page, license.license_key).getByRole('button', { name: 'Más acciones' }).click();
    await page.getByRole('menuitem', { name: '¿Por qué?' }).click();
    await expect(why(page).getByText('No funciona: está suspendida')).toBeVisible();
    await expect(why(page)).toContainText(/La suspendió Administrador Demo el .*: falta de pago/);
  });
  expect(asking).toEqual({ clicks: 2, keys: 0 });
  const mending = await stepsOf(page, async () => {
    await why(page).getByRole('button', { name: 'Reactivar' }).click();
    await asked(page, 'Reactivar la licencia')
      .getByRole('button', { name: 'Reactivar', exact: true })
      .click();
    await expect(row(page, license.license_key).getByText('Activa', { exact: true })).toBeVisible();
  });
  expect(mending).toEqual({ clicks: 2, keys: 0 });
});

test('in the details one click explains why a licence does not work, and is updated after the remedy', async ({
  page,
  api,
}) => {
  const { license } = await oneLicense(api, { expiry_date: '2026-01-15' });
  await page.goto(`/licenses/${license.id}`);
  const steps = await stepsOf(page, async () => {
    await ask(details(page));
    await expect(why(page).getByText('No funciona: está vencida')).toBeVisible();
    await why(page).getByRole('button', { name: 'Renovar' }).click();
    const question = asked(page, 'Renovar la licencia');
    await question.getByRole('button', { name: 'Renovar', exact: true }).click();
    await expect(details(page).getByText('Activa', { exact: true })).toBeVisible();
  });
  expect(steps).toEqual({ clicks: 3, keys: 0 });
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}$`));
  await ask(details(page));
  await expect(why(page).getByText('Funciona en otro equipo')).toBeVisible();
  await expect(why(page)).toContainText('Queda 1 lugar libre');
  await why(page).getByRole('button', { name: 'Cerrar' }).first().click();
  await expect(details(page).getByRole('button', { name: '¿Por qué?' })).toBeFocused();
});

test('a full licence works on the machine that has its seat, which can be released there, and opening the explanation takes no seat', async ({
  page,
  api,
}) => {
  const { mark, license } = await oneLicense(api);
  await page.goto(`/licenses?q=${mark}`);
  const open = async () => {
    await row(page, license.license_key).getByRole('button', { name: 'Más acciones' }).click();
    await page.getByRole('menuitem', { name: '¿Por qué?' }).click();
  };
  await open();
  await expect(why(page).getByText('Funciona en otro equipo')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(why(page)).toBeHidden();
  // The seat is still free.
  await api.activate(license.license_key, { machine_id: `vieja-${mark}` });
  await open();
  await expect(why(page).getByText('Funciona en su equipo')).toBeVisible();
  await expect(why(page).getByText('No hay lugar para otro equipo')).toBeVisible();
  await why(page).getByRole('button', { name: 'Liberar un equipo' }).click();
  const release = asked(page, 'Liberar un equipo');
  await release.getByRole('button', { name: 'Liberar', exact: true }).click();
  await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  await api.activate(license.license_key, { machine_id: `nueva-${mark}` });
});

test('for an inactive licence the explanation links to its form, for a cancelled one to a new licence for the client', async ({
  page,
  api,
}) => {
  const { license } = await oneLicense(api, { status: 'inactive' });
  await page.goto(`/licenses/${license.id}`);
  await ask(details(page));
  await expect(why(page).getByText('No funciona: está inactiva')).toBeVisible();
  await why(page).getByRole('button', { name: 'Editar' }).click();
  await expect(page.getByRole('dialog', { name: 'Editar Licencia' })).toBeVisible();

  const { license: over, client } = await oneLicense(api);
  await api.call('POST', `${LICENSES}${over.id}/cancel/`, {});
  await page.goto(`/licenses/${over.id}`);
  await ask(details(page));
  await expect(why(page).getByText('No funciona: está cancelada')).toBeVisible();
  await why(page).getByRole('link', { name: 'Emitir otra licencia' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Nueva Licencia' }).getByRole('combobox', { name: 'Cliente' }),
  ).toHaveValue(new RegExp(client.name));
});

for (const look of LOOKS) {
  test(`axe finds nothing in the explanation, ${look.theme} at ${look.width} px: refused, full, failed`, async ({
    page,
    api,
    guard,
  }) => {
    guard.allowConsoleError(/500/);
    const { mark, license } = await oneLicense(api);
    await api.activate(license.license_key, { machine_id: `caja-${mark}` });
    await wear(page, look);
    await page.goto(`/licenses/${license.id}`);
    await ask(details(page));
    await expect(why(page).getByText('No hay lugar para otro equipo')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await suspend(api, license.id);
    await page.reload();
    await ask(details(page));
    await expect(why(page).getByText('No funciona: está suspendida')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await page.route(`**${LICENSES}${license.id}/verdicts/`, (route) =>
      route.fulfill({ status: 500, json: { success: false, message: 'No responde' } }),
    );
    await page.reload();
    await ask(details(page));
    await expect(why(page).getByText('No se pudo preguntar')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  });
}
