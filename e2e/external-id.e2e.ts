import type { Page } from '@playwright/test';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { expect, test } from './support/staff.ts';

/** The ids of clients and licences in other systems (API-01). */

const LABEL = 'Identificador externo';
const field = (page: Page) => page.getByRole('dialog').getByLabel(LABEL, { exact: true });
const fact = (page: Page, text: string) =>
  page.getByRole('main').getByRole('definition').filter({ hasText: text });

test('a client and a licence can have the id of another system, a taken id is an error at its field, and a search finds it (API-01)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400|Error al (actualizar el cliente|crear la licencia)/);
  const choices = await licenseChoices(api);
  const { mark, client, software } = choices;
  await api.createClient({ external_id: `CRM-${mark}` });

  await page.goto(`/clients?editar=${client.id}`);
  await expect(field(page)).toHaveAccessibleDescription(
    'El código de este cliente en otro sistema. No se repite.',
  );
  await field(page).fill(`CRM-${mark}`);
  await page.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(field(page)).toHaveAccessibleDescription(
    /Ya existe un cliente con este identificador externo/,
  );
  await expect(field(page)).toBeFocused();
  await field(page).fill(` CRM-2-${mark} `);
  await page.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goto(`/clients/${client.id}`);
  await expect(fact(page, `CRM-2-${mark}`)).toBeVisible();

  const taken = await api.createLicense({
    client: client.id,
    software: software.id,
    external_id: `ERP-${mark}`,
  });
  const dialog = await openNewLicense(page);
  await fillRequired(page, dialog, choices);
  await field(page).fill(`ERP-${mark}`);
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
  await expect(field(page)).toHaveAccessibleDescription(
    /Ya existe una licencia con este identificador externo/,
  );
  await field(page).fill(`ERP-2-${mark}`);
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
  await expect(page.getByRole('dialog', { name: /Licencia Creada/ })).toBeVisible();

  await page.goto(`/licenses?search=erp-${mark}`);
  await expect(page.getByRole('row').filter({ hasText: taken.license_key })).toBeVisible();
  await page.goto(`/licenses/${taken.id}`);
  await expect(fact(page, `ERP-${mark}`)).toBeVisible();
});
