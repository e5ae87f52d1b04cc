import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';

/**
 * The details of a licence and a client: data on the left, actions on the right, and an action's dialog replaces them.
 */

const dialogs = (page: Page) => page.getByRole('dialog');
const details = licenseDetails;
const boxOf = async (locator: ReturnType<Page['locator']>) => {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not in sight');
  return box;
};

async function issued(api: StaffApi) {
  const { client, software, type, mark } = await licenseChoices(api);
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    expiry_days: 20,
  });
  await api.activate(license.license_key, { machine_id: `m-${mark}`, machine_name: `Caja ${mark}` });
  return { client, license, mark };
}

for (const width of [1440, 1024]) {
  test(`at ${width} px the details of a licence have facts on the left, and an opened action replaces the list of actions on the right`, async ({
    page,
    api,
  }) => {
    const { license } = await issued(api);
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/licenses?ver=${license.id}`);
    const renew = details(page).getByRole('button', { name: 'Renovar' });
    await expect(renew).toBeVisible();
    const [frame, facts, button] = [
      await boxOf(details(page)),
      await boxOf(details(page).getByRole('tabpanel')),
      await boxOf(renew),
    ];
    // The largest width of the specification, or the width of the window.
    expect(frame.width).toBe(Math.min(1280, width - 48));
    expect(facts.x + facts.width).toBeLessThanOrEqual(button.x);

    await renew.click();
    const question = asked(page, 'Renovar la licencia');
    await expect(question.getByLabel('Tipo de licencia')).toBeFocused();
    await expect(dialogs(page)).toHaveCount(1);
    await expect(renew).toHaveCount(1);
    await expect(
      details(page).getByText('Información básica').or(details(page).getByText('Equipos')),
    ).toBeVisible();
    await expect(details(page).getByRole('button', { name: 'Más acciones' })).toBeHidden();
    expect(await details(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(renew).toBeFocused();

    // Leaving in any way asks about typed text.
    await renew.click();
    await question.getByLabel('Motivo').fill('Pagó en efectivo');
    const discard = page.getByRole('alertdialog', { name: 'Descartar cambios' });
    for (const leave of [
      () => details(page).getByRole('button', { name: 'Cerrar', exact: true }).click(),
      () => details(page).getByRole('link', { name: 'Ver correos' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await leave();
      await expect(discard).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(discard).toBeHidden();
      await expect(question.getByLabel('Motivo')).toHaveValue('Pagó en efectivo');
    }
    // Opening another tab of the data does not remove the dialog.
    await details(page).getByRole('tab', { name: 'Historial' }).click();
    await expect(question.getByLabel('Motivo')).toHaveValue('Pagó en efectivo');
    await question.getByRole('button', { name: 'Renovar', exact: true }).click();
    await expect(page.getByText('Licencia renovada')).toBeVisible();
    await expect(details(page).getByRole('button', { name: 'Más acciones' })).toBeFocused();
  });
}

test('a form does not lose its input when the window becomes too narrow for two columns and wide again', async ({
  page,
  api,
}) => {
  const { license } = await issued(api);
  await page.goto(`/licenses?ver=${license.id}&accion=renovar`);
  const question = asked(page, 'Renovar la licencia');
  await question.getByLabel('Motivo').fill('Pagó en efectivo');
  await expect(dialogs(page)).toHaveCount(1);
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(page.getByRole('dialog', { name: 'Renovar la licencia' })).toBeVisible();
  await expect(question.getByLabel('Motivo')).toHaveValue('Pagó en efectivo');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('region', { name: 'Renovar la licencia', exact: true })).toBeVisible();
  await expect(question.getByLabel('Motivo')).toHaveValue('Pagó en efectivo');
});

test("the answer to '¿Por qué?' opens in the right column, and its remedy replaces it there", async ({
  page,
  api,
}) => {
  const { license } = await issued(api);
  await api.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {});
  await page.goto(`/licenses?ver=${license.id}`);
  await details(page).getByRole('button', { name: '¿Por qué?' }).click();
  const why = asked(page, '¿Funciona en sus equipos?');
  await expect(why).toContainText('No funciona: está suspendida');
  await why.getByRole('button', { name: 'Reactivar' }).click();
  await expect(dialogs(page)).toHaveCount(1);
  await asked(page, 'Reactivar la licencia').getByRole('button', { name: 'Reactivar', exact: true }).click();
  await expect(page.getByText('Licencia reactivada')).toBeVisible();
});

test('a client has its facts on the left and its actions on the right', async ({ page, api }) => {
  const { client } = await issued(api);
  await page.goto(`/clients?ver=${client.id}`);
  const dialog = clientDetails(page);
  const create = dialog.getByRole('link', { name: 'Nueva licencia' });
  await expect(create).toBeVisible();
  const [facts, button] = [await boxOf(dialog.getByRole('tabpanel')), await boxOf(create)];
  expect(facts.x + facts.width).toBeLessThanOrEqual(button.x);
  await expect(dialog.getByRole('link', { name: 'Enviar por WhatsApp' })).toHaveAttribute(
    'href',
    /wa\.me\/525512345678/,
  );
});

test('releasing a machine of a client asks nothing, and leaves an open question and the focus where they are', async ({
  page,
  api,
}) => {
  const { client, license, mark } = await issued(api);
  await api.activate(license.license_key, { machine_id: `n-${mark}`, machine_name: `Bodega ${mark}` });
  await page.goto(`/clients?ver=${client.id}`);
  const dialog = clientDetails(page);
  await dialog.getByRole('button', { name: 'Borrar datos personales' }).click();
  const question = asked(page, '¿Borrar los datos personales?');
  await expect(dialog.getByRole('link', { name: 'Nueva licencia' })).toBeHidden();
  await dialog.getByRole('tab', { name: 'Instalaciones' }).click();
  const release = dialog.getByRole('button', { name: `Liberar Caja ${mark}` });
  await release.click();
  await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  await expect(release).toBeHidden();
  await expect(question).toBeVisible();
  await expect(dialog.getByRole('tabpanel')).toBeFocused();
  await expect(dialog.getByRole('button', { name: `Liberar Bodega ${mark}` })).toBeVisible();
});

test('erasing a client asks in the right column, and following a link asks before the typed reason is lost', async ({
  page,
  api,
}) => {
  const { client, license } = await issued(api);
  // The data of a client with a usable licence stay.
  await api.call('POST', `/licenses/api/licenses/${license.id}/cancel/`, { reason: 'Cerró' });
  await page.goto(`/clients?ver=${client.id}`);
  const dialog = clientDetails(page);
  const erase = dialog
    .getByRole('region', { name: 'Datos personales' })
    .getByRole('button', { name: 'Borrar' });
  await erase.click();
  const question = asked(page, '¿Borrar los datos personales?');
  await expect(question.getByLabel('Motivo')).toBeFocused();
  await expect(dialogs(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(erase).toBeFocused();

  await erase.click();
  await question.getByLabel('Motivo').fill('Lo pidió por escrito');
  await dialog.getByRole('link', { name: license.license_key }).first().click();
  const discard = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await expect(discard).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.getByRole('tab', { name: 'Instalaciones' }).click();
  await expect(question.getByLabel('Motivo')).toHaveValue('Lo pidió por escrito');
  await question.getByRole('button', { name: 'Borrar datos personales' }).click();
  await expect(page.getByText('Los datos personales se borraron')).toBeVisible();
  await expect(dialog).toContainText(`Cliente borrado ${client.id}`);
});

test('on a narrow screen the actions of a client open in separate dialogs', async ({ page, api }) => {
  const { client } = await issued(api);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.goto(`/clients?ver=${client.id}`);
  const erase = page.getByRole('button', { name: 'Borrar datos personales' });
  await erase.click();
  const question = page.getByRole('dialog', { name: '¿Borrar los datos personales?' });
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(erase).toBeFocused();
});

for (const appearance of LOOKS) {
  test(`axe finds nothing in the two-column details and in actions opened there, ${appearance.theme}, ${appearance.width} px`, async ({
    page,
    api,
  }) => {
    test.slow();
    const { client, license } = await issued(api);
    await wear(page, appearance);
    const summary = page.getByRole('tab', { name: 'Resumen' });
    for (const [address, shown] of [
      [`/clients?ver=${client.id}`, summary],
      [`/licenses?ver=${license.id}`, summary],
      [`/licenses?ver=${license.id}&accion=renovar`, asked(page, 'Renovar la licencia')],
      [`/licenses?ver=${license.id}&accion=liberar`, asked(page, 'Liberar un equipo')],
    ] as const) {
      await page.goto(address);
      await expect(shown).toBeVisible();
      expect(await barriers(page, { goodPractice: true }), address).toEqual([]);
    }
    await page.goto(`/clients?ver=${client.id}`);
    await page.getByRole('button', { name: 'Borrar datos personales' }).click();
    await expect(asked(page, '¿Borrar los datos personales?')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  });
}
