import type { Page } from '@playwright/test';
import { licenseChoices } from './support/license-form.ts';
import { callsTo, expect, test } from './support/staff.ts';

/** Changes all answers with licences, so that these were issued in 2020. */
async function issuedLongAgo(page: Page): Promise<void> {
  await page.route(/\/licenses\/api\/licenses\//, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const answer = await response.json();
    const back = (license: object) => ({ ...license, issued_date: '2020-01-10T18:00:00.000Z' });
    await route.fulfill({
      response,
      json: Array.isArray(answer.results) ? { ...answer, results: answer.results.map(back) } : back(answer),
    });
  });
}

const OVER = /Con estos datos la licencia ya estaría vencida \(venció el \d{2}\/\d{2}\/2020\)\./;

test('an end in the past shows a warning before the save, at each field that decides the end, and can still be saved (D071)', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const license = await api.createLicense({
    client: choices.client.id,
    software: choices.software.id,
    license_type_config: choices.type.id,
    expiry_days: 20_000,
  });
  await issuedLongAgo(page);
  const saves = callsTo(page, 'PUT', /\/licenses\/api\/licenses\/\d+\/$/);
  await page.goto(`/licenses?editar=${license.id}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  const days = dialog.getByLabel('Días de Expiración', { exact: true });
  const notice = dialog.getByRole('status').filter({ hasText: OVER });
  await expect(days).toHaveValue('20000');
  await expect(notice).toHaveCount(0);

  await days.fill('30');
  await expect(notice).toContainText('(venció el 09/02/2020)');
  await expect(days).toHaveAccessibleDescription(OVER);
  await days.fill('20001');
  await expect(notice).toHaveCount(0);
  await days.fill('0');
  await expect(notice).toHaveCount(0);
  // Blank days count as 365.
  await days.fill('');
  await expect(dialog.getByRole('status').filter({ hasText: '(venció el 09/01/2021)' })).toBeVisible();
  await dialog.getByRole('switch', { name: 'Sin expiración' }).check();
  await expect(dialog.getByText(/ya estaría vencida/)).toHaveCount(0);
  // Choosing a type sets its 90 days and switches 'Sin expiración' off.
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption('');
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(choices.type.id));
  await expect(notice).toContainText('(venció el 09/04/2020)');

  await dialog.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(dialog).toBeHidden();
  expect(saves[0]?.postDataJSON()).toMatchObject({ expiry_days: 90 });
  // The bell may be asking for licences just then.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('setting an ended licence to active warns that it stays ended (D066)', async ({ page, api }) => {
  const { client, software, type } = await licenseChoices(api);
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    status: 'expired',
    expiry_date: '2020-03-01',
  });
  await page.goto(`/licenses?editar=${license.id}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Licencia' });
  await dialog.getByLabel('Notas').fill('Sin cambios en la vigencia');
  await expect(dialog.getByText(OVER)).toHaveCount(0);
  await dialog.getByLabel('Estado', { exact: true }).selectOption('active');
  await expect(dialog.getByText(OVER)).toContainText('(venció el 01/03/2020)');
  await dialog.getByLabel('Estado', { exact: true }).selectOption('cancelled');
  await expect(dialog.getByText(OVER)).toHaveCount(0);
});
