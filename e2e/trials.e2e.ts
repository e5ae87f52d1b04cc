import type { TrialResult } from '../contract/programs/trials.ts';
import type { Software } from '../contract/software/software.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { expect, test, unique } from './support/staff.ts';

/** Trials started by programs: the settings of a software, and what staff see (SELL-04). */

test('a software offers trials of a type, and a trial is listed under the client Pruebas with the mail that was entered (SELL-04)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const type = await api.createLicenseType({ name: `Prueba ${mark}`, validity_days: 15 });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const client = await api.createClient();
  await page.goto(`/software?editar=${software.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Software' });
  await expect(form.getByLabel('Pruebas por día')).toHaveCount(0);
  await form.getByLabel('Pruebas desde el programa').selectOption(`Prueba ${mark}`);
  await form.getByLabel('Correo al empezar la prueba').selectOption('Se puede dejar');
  await form.getByLabel('Pruebas por día').fill('30');
  for (const look of LOOKS) {
    await wear(page, look);
    expect(await barriers(page)).toEqual([]);
  }
  await form.getByRole('button', { name: 'Actualizar Software' }).click();
  await expect(form).toBeHidden();
  expect(await api.call<Software>('GET', `/licenses/api/software/${software.id}/`)).toMatchObject({
    ...{ trial_type: type.id, trial_email: 'optional', trial_daily_limit: 30 },
  });
  await page.goto(`/software?ver=${software.id}`);
  const details = page.getByRole('dialog', { name: 'Detalles del Software' });
  await expect(details).toContainText('Hasta 30 por día');

  const trial = await api.call<TrialResult>('POST', '/licenses/api/trial/', {
    ...{ software: software.code, machine_id: `caja-${mark}`, email: client.email },
  });
  const { results } = await api.call<{ results: { id: number }[] }>(
    'GET',
    `/licenses/api/licenses/?license_key=${trial.license_key}`,
  );
  await page.goto(`/licenses/${results[0]!.id}`);
  const license = licenseDetails(page);
  await expect(license).toContainText('Pruebas');
  await expect(license).toContainText('Correo que dejó quien prueba');
  await expect(license).toContainText(client.email);

  await page.goto(`/software?editar=${software.id}`);
  await form.getByLabel('Pruebas desde el programa').selectOption('No se ofrecen');
  await form.getByRole('button', { name: 'Actualizar Software' }).click();
  await expect(form).toBeHidden();
  expect(await api.call<Software>('GET', `/licenses/api/software/${software.id}/`)).toMatchObject({
    trial_type: null,
  });
});
