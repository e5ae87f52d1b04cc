import { expect, type Locator, type Page } from '@playwright/test';
import type { StaffApi } from './staff.ts';
import { unique } from './staff.ts';

/** Creates the records that the licence form needs, with unique names. */
export async function licenseChoices(api: StaffApi) {
  const mark = unique();
  const client = await api.createClient({
    name: `Ana ${mark}`,
    email: `ana-${mark}@example.com`,
    company: `Empresa ${mark}`,
  });
  const software = await api.createSoftware({
    name: `Agenda ${mark}`,
    version: '3.1.0',
    description: `Citas y pacientes ${mark}`,
  });
  const type = await api.createLicenseType({
    name: `Trimestral ${mark}`,
    base_price: 250,
    max_installations: 7,
    validity_days: 90,
  });
  return { mark, client, software, type };
}

export type LicenseChoices = Awaited<ReturnType<typeof licenseChoices>>;

/** Opens 'Nueva Licencia' with its address. */
export async function openNewLicense(page: Page): Promise<Locator> {
  await page.goto('/licenses?nuevo=1');
  const dialog = page.getByRole('dialog', { name: 'Nueva Licencia' });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Selects a client by typing its mark. */
export async function pickClient(page: Page, dialog: Locator, mark: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Cliente' }).fill(mark);
  await page.getByRole('option', { name: new RegExp(mark) }).click();
}

/** Fills the required fields of a new licence; the type sets price 250, 7 installations and 90 days. */
export async function fillRequired(page: Page, dialog: Locator, choices: LicenseChoices): Promise<void> {
  await pickClient(page, dialog, choices.mark);
  await dialog.getByLabel('Software', { exact: true }).selectOption(String(choices.software.id));
  await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(choices.type.id));
}
