import { readFile } from 'node:fs/promises';
import { barriers, wear } from './support/axe.ts';
import { expect, test, unique } from './support/staff.ts';

/** Tax ids and tax data in the client form, and the section in Reportes (MONEY-02, MONEY-03). */

// A separate server, because the test reads all sales of the month.
test.use({ serverEnv: {} });

const WRONG = 'El último carácter del RFC no corresponde a los demás: quizá está mal copiado.';

test('a wrong RFC warns under its field but is saved, the fiscal check links to the form, and the CSV contains it (MONEY-02, MONEY-03)', async ({
  page,
  api,
}) => {
  const name = `Escuela ${unique()}`;
  const client = await api.createClient({ name, postal_code: '42501' });
  const software = await api.createSoftware();
  await api.createLicense({ client: client.id, software: software.id, price: 1500 });

  await page.goto(`/clients?editar=${client.id}`);
  const form = page.getByRole('dialog');
  const taxId = form.getByLabel('RFC/CUIT', { exact: true });
  await taxId.pressSequentially('EKU9003173C8');
  await expect(taxId).toHaveAccessibleDescription(WRONG);
  await expect(taxId).not.toHaveAttribute('aria-invalid');
  // The number belongs to another country. The tax fields depend on the country.
  const country = form.getByLabel('País', { exact: true });
  await expect(form.getByRole('group', { name: 'Datos fiscales' }).getByRole('combobox')).toHaveCount(2);
  await country.fill('argentina');
  await expect(taxId).toHaveAccessibleDescription(/El CUIT lleva 11 dígitos/);
  await form.getByLabel('Condición frente al IVA').selectOption('IVA Responsable Inscripto');
  await country.fill('Uruguay');
  await expect(taxId).toHaveAccessibleDescription('');
  await expect(form.getByRole('group', { name: 'Datos fiscales' })).toHaveCount(0);
  await country.fill('México');
  await form.getByLabel('Régimen fiscal').selectOption('601 – General de Ley Personas Morales');
  await expect(taxId).toHaveAccessibleDescription(WRONG);
  expect(await barriers(page, { within: '[role=dialog]' })).toEqual([]);
  await form.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(form).toHaveCount(0);

  await page.goto('/reports?period=this_month');
  const section = page.getByRole('region', { name: 'Datos fiscales' });
  await section.getByRole('button', { name: 'Revisar datos' }).click();
  const listed = section.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
  await expect(listed).toContainText(WRONG);
  await expect(listed).toContainText('Falta el uso de CFDI.');
  const saved = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Exportar CSV: Datos fiscales' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^datos-fiscales_.*\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toMatch(
    new RegExp(`,${name},${name},EKU9003173C8,,México,MEX,42501,.*,601,,1,1500,MXN,,,\r\n`),
  );

  const inSection = { within: '[data-report=fiscal]' };
  expect(await barriers(page, inSection)).toEqual([]);

  await wear(page, { theme: 'dark', width: 390 });
  await page.reload();
  await section.getByRole('button', { name: 'Revisar datos' }).click();
  await expect(listed).toContainText(WRONG);
  expect(await barriers(page, inSection)).toEqual([]);

  await section.getByRole('link', { name }).click();
  await expect(page.getByRole('dialog').getByLabel('RFC/CUIT', { exact: true })).toHaveValue('EKU9003173C8');
});
