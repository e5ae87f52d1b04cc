import type { Locator, Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, test } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** The next action for a licence's state is one click away: it is the only filled button of its details, if any. */

const details = licenseDetails;
const LICENSES = '/licenses/api/licenses/';

/** The labels of the filled buttons in a dialog. */
async function filledIn(dialog: Locator): Promise<string[]> {
  const buttons = await dialog.getByRole('button').all();
  const filled = await Promise.all(
    buttons.map((button) =>
      button.evaluate((element) => {
        const probe = document.createElement('i');
        document.body.append(probe);
        const own = getComputedStyle(element).backgroundColor;
        const isFilled = ['--brand', '--brand-hover', '--critical-fill'].some((token) => {
          probe.style.color = `var(${token})`;
          return getComputedStyle(probe).color === own;
        });
        probe.remove();
        return isFilled ? (element.textContent ?? '') : '';
      }),
    ),
  );
  return filled.filter((name) => name !== '');
}

/** Opens a licence and returns the labels of its filled buttons. */
async function filledOf(page: Page, id: number): Promise<string[]> {
  await page.goto(`/licenses/${id}`);
  await expect(details(page).getByRole('button', { name: 'Más acciones' })).toBeVisible();
  return filledIn(details(page));
}

test('the details of a licence have at most one filled button, which its state decides', async ({
  page,
  api,
}) => {
  test.slow();
  const { mark, client, software } = await licenseChoices(api);
  const issue = (values: object = {}) =>
    api.createLicense({ client: client.id, software: software.id, max_installations: 2, ...values });

  expect(await filledOf(page, (await issue()).id), 'a fine licence').toEqual([]);
  expect(await filledOf(page, (await issue({ expiry_days: 20 })).id), 'ends soon').toEqual(['Renovar']);
  expect(await filledOf(page, (await issue({ expiry_date: '2026-01-15' })).id), 'over').toEqual(['Renovar']);

  const suspended = await issue({ expiry_days: 20 });
  await api.call('POST', `${LICENSES}${suspended.id}/suspend/`, {});
  expect(await filledOf(page, suspended.id), 'suspended').toEqual(['Reactivar']);

  const full = await issue();
  await api.activate(full.license_key, { machine_id: `uno-${mark}` });
  await api.activate(full.license_key, { machine_id: `dos-${mark}` });
  expect(await filledOf(page, full.id), 'full, as it was sold').toEqual([]);

  await page.route(`**${LICENSES}${full.id}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), email_status: 'failed' } });
  });
  expect(await filledOf(page, full.id), 'its mail failed').toEqual(['Reenviar correo']);
});

test('a suspended licence is reactivated with two clicks, and the focus stays in its details', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id });
  await api.call('POST', `${LICENSES}${license.id}/suspend/`, {});
  await page.goto(`/licenses/${license.id}`);
  const dialog = details(page);
  const steps = await stepsOf(page, async () => {
    await dialog.getByRole('button', { name: 'Reactivar', exact: true }).click();
    await asked(page, 'Reactivar la licencia')
      .getByRole('button', { name: 'Reactivar', exact: true })
      .click();
    await expect(dialog.getByText('Activa', { exact: true })).toBeVisible();
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });
  await expect.poll(() => filledIn(dialog)).toEqual([]);
  await expect(dialog.getByRole('button', { name: 'Más acciones' })).toBeFocused();
});

test('where a machine must be chosen, the one silent for longest is preselected', async ({ page, api }) => {
  const { mark, client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 2 });
  const names = { old: `Caja vieja ${mark}`, used: `Caja nueva ${mark}` };
  await api.activate(license.license_key, { machine_id: `vieja-${mark}`, machine_name: names.old });
  await api.activate(license.license_key, { machine_id: `nueva-${mark}`, machine_name: names.used });
  await api.heartbeat(license.license_key, `nueva-${mark}`);
  await page.goto(`/licenses/${license.id}?accion=liberar`);
  const dialog = details(page);
  const question = asked(page, 'Liberar un equipo');
  await expect(question).toBeVisible();
  const steps = await stepsOf(page, async () => {
    await expect(question.getByRole('radio', { name: names.old })).toBeChecked();
    await expect(question).toContainText(`El equipo "${names.old}" dejará de ocupar un lugar`);
    await question.getByRole('button', { name: 'Liberar', exact: true }).click();
    await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  });
  expect(steps).toEqual({ clicks: 1, keys: 0 });
  await expect(dialog).not.toContainText(`vieja-${mark}`);
  await expect(dialog).toContainText(`nueva-${mark}`);
  await expect(dialog.getByRole('button', { name: 'Más acciones' })).toBeFocused();
  await expect.poll(() => filledIn(dialog)).toEqual([]);
});

test('an address with an action opens its dialog over the details, and closing the dialog removes it from the address', async ({
  page,
  api,
}) => {
  const { mark, client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 1 });
  await api.activate(license.license_key, { machine_id: `caja-${mark}` });
  await page.goto(`/licenses/${license.id}?accion=liberar`);
  const question = asked(page, 'Liberar un equipo');
  await expect(question).toContainText(`El equipo "caja-${mark}"`);
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}$`));
  // The address of an action that is not possible opens no dialog.
  await page.goto(`/licenses/${license.id}?accion=reactivar`);
  await expect(details(page).getByRole('button', { name: 'Más acciones' })).toBeVisible();
  await expect(asked(page, 'Reactivar la licencia')).toBeHidden();
});

for (const look of LOOKS) {
  test(`axe finds nothing in the dialog that releases a machine, ${look.theme} at ${look.width} px`, async ({
    page,
    api,
  }) => {
    const { mark, client, software } = await licenseChoices(api);
    const license = await api.createLicense({
      client: client.id,
      software: software.id,
      max_installations: 2,
    });
    await api.activate(license.license_key, { machine_id: `uno-${mark}` });
    await api.activate(license.license_key, { machine_id: `dos-${mark}` });
    await wear(page, look);
    await page.goto(`/licenses/${license.id}?accion=liberar`);
    await expect(asked(page, 'Liberar un equipo')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  });
}
