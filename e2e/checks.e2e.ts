import type { Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { joinAs } from './support/join.ts';
import { expect, type StaffApi, signIn, staffApi, test, unique } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** 'Actividad': calls of programs, reasons of refusals, and their remedies (SELL-07). */

const LICENSES = '/licenses/api/licenses/';
const box = (page: Page) => page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const ofClient = clientDetails;
const ofLicense = licenseDetails;
const refused = (page: Page) => page.getByRole('region', { name: 'No funcionó' });

const validate = (api: StaffApi, license_key: string, machine_id: string, more: object = {}) =>
  api.call<{ valid: boolean }>('POST', '/licenses/api/license/validate/', {
    license_key,
    machine_id,
    ...more,
  });

/** Waits until checks are stored, which the server does within 10 seconds. */
const stored = (api: StaffApi, license: License, count: number) =>
  expect
    .poll(
      async () =>
        (await api.call<{ results: unknown[] }>('GET', `${LICENSES}${license.id}/checks/`)).results.length,
      { timeout: 15_000 },
    )
    .toBe(count);

/** A client whose licence has one seat, so that a second machine is refused. */
async function arrange(api: StaffApi, values: object = {}) {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}`, company: `Ferretería ${mark}` });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const license = await api.createLicense({
    ...{ client: client.id, software: software.id, max_installations: 1 },
    ...values,
  });
  return { mark, client, license };
}

async function fullLicense(api: StaffApi) {
  const given = await arrange(api);
  const { license_key } = given.license;
  await api.activate(license_key, { machine_id: 'm-1', machine_name: 'Mostrador', app_version: '4.2.1' });
  await validate(api, license_key, 'm-2', { app_version: '4.3.0' });
  await stored(api, given.license, 2);
  return given;
}

test('searching a client, seeing why a program was refused and opening the remedy take three clicks (SELL-07)', async ({
  page,
  api,
}) => {
  const { mark, client, license } = await fullLicense(api);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Mi cuenta', exact: true })).toBeVisible();
  const steps = await stepsOf(page, async () => {
    await box(page).click();
    await page.keyboard.insertText(mark);
    await option(page, `Ver actividad de ${client.name}`).click();
    await expect(refused(page)).toContainText('No había lugar para este equipo');
    await refused(page).getByRole('button', { name: 'Liberar un equipo' }).click();
    await expect(asked(page, 'Liberar un equipo')).toContainText('Mostrador');
  });
  expect(steps).toEqual({ clicks: 3, keys: 0 });
  await asked(page, 'Liberar un equipo').getByRole('button', { name: 'Liberar', exact: true }).click();
  await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  expect(await validate(api, license.license_key, 'm-2')).toMatchObject({ valid: true });
});

test("the checks of a client open from the palette by keyboard, and from the client's details with one click", async ({
  page,
  api,
}) => {
  const { mark, client } = await fullLicense(api);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Mi cuenta', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.insertText(mark);
  await expect(option(page, `Ver actividad de ${client.name}`)).toBeVisible();
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await expect(ofClient(page).getByRole('heading', { name: 'Actividad de sus programas' })).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/clients/${client.id}\\?tab=consultas$`));

  await ofClient(page).getByRole('button', { name: 'Volver al resumen' }).click();
  const see = ofClient(page).getByRole('button', { name: 'Ver actividad' });
  await expect(see).toBeFocused();
  await see.click();
  const accepted = page.getByRole('region', { name: 'Funcionó', exact: true });
  await expect(accepted).toContainText('Mostrador');
  await expect(accepted).toContainText('versión 4.2.1');
  await expect(refused(page)).toContainText('m-2');
  await expect(refused(page)).toContainText('versión 4.3.0');
});

test('the details of a licence list its checks, and each refusal offers the action that helps now', async ({
  page,
  api,
}) => {
  const { license } = await arrange(api, { expiry_date: '2026-01-15' });
  const { license_key } = license;
  await validate(api, license_key, 'm-1');
  await validate(api, license_key, 'm-1', { software: 'otro-programa' });
  await api.call('POST', `${LICENSES}${license.id}/renew/`, { notify: false });
  await api.call('POST', `${LICENSES}${license.id}/suspend/`, {});
  await validate(api, license_key, 'm-1');
  await stored(api, license, 3);
  await page.goto(`/licenses/${license.id}`);
  await ofLicense(page).getByRole('tab', { name: 'Actividad' }).click();
  const row = (text: string) => refused(page).getByRole('listitem').filter({ hasText: text });
  // The licence was refused as expired, and is suspended now.
  await expect(row('La licencia estaba vencida').getByRole('button', { name: 'Reactivar' })).toBeVisible();
  await expect(
    row('La clave es de otro producto').getByRole('link', { name: 'Ver sus licencias' }),
  ).toBeVisible();
  await row('La licencia estaba suspendida').getByRole('button', { name: 'Reactivar' }).click();
  await asked(page, 'Reactivar la licencia').getByRole('button', { name: 'Reactivar', exact: true }).click();
  await expect(row('La licencia estaba suspendida')).toContainText('Ya se resolvió');
  await expect(row('La licencia estaba vencida')).toContainText('Ya se resolvió');
});

test('a check that arrives while the list is open appears by itself', async ({ page, api }) => {
  const { license } = await arrange(api);
  await page.goto(`/licenses/${license.id}?tab=consultas`);
  await expect(page.getByText('Su programa no ha preguntado en los últimos 30 días')).toBeVisible();
  await validate(api, license.license_key, 'caja-nueva');
  await expect(page.getByText('caja-nueva')).toBeVisible({ timeout: 20_000 });
});

test.describe('for a person who may only read', () => {
  test.use({
    session: async ({ request, server: _server }, use) => {
      const admin = await signIn(request);
      await use(await joinAs(staffApi(request, admin.token), request, 'viewer'));
    },
    api: async ({ request }, use) => use(staffApi(request, (await signIn(request)).token)),
  });

  test('refused checks have no action buttons', async ({ page, api }) => {
    const { client } = await fullLicense(api);
    await page.goto(`/clients/${client.id}?tab=consultas`);
    await expect(refused(page)).toContainText('No había lugar para este equipo');
    await expect(refused(page).getByRole('button')).toHaveCount(0);
  });
});

test('a failed load shows an error and a retry button', async ({ page, api, guard }) => {
  const { license } = await fullLicense(api);
  guard.allowConsoleError(/500/);
  await page.route('**/checks/', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'internal', message: 'Error interno' } }),
  );
  await page.goto(`/licenses/${license.id}?tab=consultas`);
  await expect(page.getByText('Error al cargar la actividad')).toBeVisible({ timeout: 20_000 });
  await page.unroute('**/checks/');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(refused(page)).toBeVisible();
});

test('the report counts the checks and shows why programs were refused', async ({ page, api }) => {
  await fullLicense(api);
  await page.goto('/reports?tab=uso');
  const section = page.locator('[data-report="checks"]');
  await expect(section).toContainText('No había lugar para este equipo');
  await expect(section).toContainText('No funcionaron');
});

for (const look of LOOKS) {
  test(`axe finds nothing in the checks of a client, ${look.theme} at ${look.width} px`, async ({
    page,
    api,
  }) => {
    const { client } = await fullLicense(api);
    await wear(page, look);
    await page.goto(`/clients/${client.id}?tab=consultas`);
    await expect(refused(page)).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  });
}
