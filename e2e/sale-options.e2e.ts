import type { Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import type { License } from '../contract/licenses/licenses.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { listRows } from './support/list-rows.ts';
import { expect, test, unique } from './support/staff.ts';

/** 'Opciones de venta': terms that start with the first activation, and the last day of updates (SELL-01, SELL-02). */

const details = licenseDetails;
const factOf = (page: Page, label: string) =>
  details(page)
    .getByRole('tabpanel', { name: 'Resumen' })
    .locator('dl dt', { hasText: label })
    .locator('xpath=following-sibling::dd');

async function choose(page: Page, label: string): Promise<void> {
  await details(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
}

test('the sale options of a type are collapsed unless they are in use or have an error (SELL-01, SELL-02)', async ({
  page,
  api,
}) => {
  const name = `Perpetua ${unique()}`;
  await page.goto('/license-types?nuevo=1');
  const dialog = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await dialog.getByLabel('Nombre', { exact: true }).fill(name);
  await field('Precio Base').fill('900');
  await expect(field('Empieza')).toBeHidden();
  await dialog.getByText('Opciones de venta', { exact: true }).click();
  await expect(field('Empieza')).toHaveValue('issue');
  await expect(field('Días para activarla')).toBeHidden();
  await field('Empieza').selectOption('Al activarse');
  await field('Días para activarla').fill('4000');
  await field('Días de actualizaciones').fill('365');
  for (const look of LOOKS) {
    await wear(page, look);
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
  // The section is collapsed again; an error opens it.
  await dialog.getByText('Opciones de venta', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(field('Días para activarla')).toHaveAccessibleDescription(/entre 1 y 3650/);
  await field('Días para activarla').fill('60');
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click();
  await expect(dialog).toBeHidden();
  const { results } = await api.call<{ results: LicenseType[] }>(
    'GET',
    `/licenses/api/license-types/?search=${encodeURIComponent(name)}`,
  );
  const [type] = results;
  expect(type).toMatchObject({ start_mode: 'first_activation', activate_by_days: 60, updates_days: 365 });

  await page.goto(`/license-types?ver=${type!.id}`);
  const shown = page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' });
  await expect(shown).toContainText('Al activarse');
  await expect(shown).toContainText('o a los 60 días de emitirse');
  await shown.getByRole('button', { name: 'Editar' }).click();
  const edit = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await expect(edit.getByLabel('Empieza', { exact: true })).toHaveValue('first_activation');
  await expect(edit.getByLabel('Días de actualizaciones', { exact: true })).toHaveValue('365');
});

test("a licence that has not started shows 'Empieza al activarse' in place of its end until a machine is activated (SELL-01)", async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const body = { start_mode: 'first_activation', activate_by_days: 30 };
  await api.call('PUT', `/licenses/api/license-types/${choices.type.id}/`, body);
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  const summary = form.locator('dl dt', { hasText: 'Vence' }).locator('xpath=following-sibling::dd');
  await expect(summary).toHaveText('Empieza al activarse');
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  const success = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(success).toContainText('Empieza al activarse');
  await page.goto(`/licenses?q=${choices.mark}`);
  const rows = listRows(page, 'Lista de licencias');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Empieza al activarse');

  const { results } = await api.call<{ results: License[] }>(
    'GET',
    `/licenses/api/licenses/?client=${choices.client.id}`,
  );
  const { id, license_key } = results[0]!;
  await page.goto(`/licenses/${id}`);
  await expect(factOf(page, 'Fecha de Expiración')).toContainText('Empieza al activarse');
  await expect(factOf(page, 'Fecha de Expiración')).toContainText('si nadie la activa');
  await expect(factOf(page, 'Fecha de Expiración')).toContainText('90 días desde su activación');
  expect(await barriers(page)).toEqual([]);
  await page.goto(`/clients?ver=${choices.client.id}`);
  await expect(page.getByRole('dialog').getByText('Empieza al activarse').first()).toBeVisible();

  await page.goto(`/licenses?editar=${id}`);
  const edit = page.getByRole('dialog', { name: 'Editar Licencia' });
  await expect(edit.getByLabel('Empieza', { exact: true })).toHaveValue('first_activation');
  await expect(edit.getByLabel('Sin expiración')).not.toBeChecked();
  await edit.getByLabel('Días de Expiración', { exact: true }).fill('120');
  await edit.getByRole('button', { name: 'Actualizar Licencia' }).click();
  await expect(edit).toBeHidden();
  await api.activate(license_key, { machine_id: 'caja-1' });
  await page.goto(`/licenses/${id}?pestana=historial`);
  await expect(details(page).getByText(/^Empezó el plazo de la licencia hasta el/)).toBeVisible();
  await page.goto(`/licenses?editar=${id}`);
  await expect(edit.getByLabel('Días de Expiración', { exact: true })).toHaveValue('120');
  await expect(edit.getByLabel('Empieza', { exact: true })).toHaveCount(0);
});

test("'Renovar' sells more days of updates of a perpetual licence, and the sale can be undone (SELL-02)", async ({
  page,
  api,
}) => {
  const { client, software } = await licenseChoices(api);
  const of = { client: client.id, software: software.id };
  const license = await api.createLicense({
    ...of,
    expiry_days: null,
    expiry_date: null,
    updates_until: '2099-01-31',
  });
  await page.goto(`/licenses/${license.id}`);
  await expect(factOf(page, 'Actualizaciones hasta')).toHaveText('31/01/2099');
  await choose(page, 'Renovar');
  const dialog = asked(page, 'Renovar la licencia');
  const fact = (label: string) =>
    dialog.locator('dl dt', { hasText: label }).locator('xpath=following-sibling::dd');
  await expect(fact('Actualizaciones hasta')).toHaveText('Por calcular');
  await dialog.getByLabel('Precio', { exact: true }).fill('300');
  await expect(fact('Actualizaciones hasta')).toHaveText('31/01/2100');
  await dialog.getByLabel('Días de actualizaciones').fill('28');
  await expect(fact('Actualizaciones hasta')).toHaveText('28/02/2099');
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(factOf(page, 'Actualizaciones hasta')).toHaveText('28/02/2099');
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(factOf(page, 'Actualizaciones hasta')).toHaveText('31/01/2099');
});

test('renewing a licence with an end and a last day of updates asks which of them to renew (SELL-02)', async ({
  page,
  api,
}) => {
  const { client, software } = await licenseChoices(api);
  const of = { client: client.id, software: software.id };
  const license = await api.createLicense({ ...of, updates_until: '2099-01-31' });
  await page.goto(`/licenses/${license.id}`);
  await choose(page, 'Renovar');
  const dialog = asked(page, 'Renovar la licencia');
  await expect(dialog.getByLabel('Días', { exact: true })).toBeVisible();
  await dialog.getByLabel('Qué se renueva').selectOption('Solo las actualizaciones');
  await expect(dialog.getByLabel('Días', { exact: true })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(dialog.getByLabel('Precio', { exact: true })).toHaveAccessibleDescription(
    /El precio es obligatorio/,
  );
  await dialog.getByLabel('Precio', { exact: true }).fill('50');
  await dialog.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(factOf(page, 'Actualizaciones hasta')).toHaveText('31/01/2100');
});
