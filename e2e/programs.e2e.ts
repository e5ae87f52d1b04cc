import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import type { LicenseType } from '../contract/license-types/license-types.ts';
import type { SigningKeyList } from '../contract/programs/license-token.ts';
import { FILE_TYPE, readLicenseFile, readToken } from '../test/license-token.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/**
 * Features of the console for installed programs: features of licences, license files, keys (PROG-01, PROG-02,
 * PROG-04).
 */

const line = (scope: Locator, number: number) => {
  const of = (what: string) => scope.getByLabel(`${what} de la característica ${number}`);
  return { code: of('Código'), kind: of('Clase'), value: of('Valor') };
};

async function publicKeys(request: APIRequestContext) {
  const answer = await request.get('/.well-known/jwks.json');
  return (await answer.json()).keys;
}

async function licenseOf(api: StaffApi) {
  const [client, software] = [await api.createClient(), await api.createSoftware()];
  return { software, license: await api.createLicense({ client: client.id, software: software.id }) };
}

const menuOf = async (page: Page) => {
  const details = licenseDetails(page);
  await details.getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Archivo sin conexión' }).click();
  return asked(page, 'Archivo sin conexión');
};

test('features are added, corrected, removed and saved (PROG-04)', { tag: '@gate' }, async ({
  page,
  api,
}) => {
  const type = (await api.createLicenseType({ features: { modulo_nomina: true } })) as LicenseType;
  await page.goto(`/license-types?editar=${type.id}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  await expect(line(dialog, 1).code).toHaveValue('modulo_nomina');
  await dialog.getByRole('button', { name: 'Agregar característica' }).click();
  await expect(line(dialog, 2).code).toBeFocused();
  await page.keyboard.type('Usuarios');
  await line(dialog, 2).kind.selectOption('Número entero');
  await line(dialog, 2).value.fill('2.5');
  await dialog.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  await expect(line(dialog, 2).code).toHaveAccessibleDescription(/letras minúsculas/);
  await expect(line(dialog, 2).value).toHaveAccessibleDescription('Escribe un número entero');
  await expect(line(dialog, 1).code).toHaveAccessibleDescription('');
  await line(dialog, 2).code.fill('usuarios');
  await line(dialog, 2).value.fill('25');
  await dialog.getByRole('button', { name: 'Quitar modulo_nomina' }).click();
  await expect(line(dialog, 1).code).toBeFocused();
  await dialog.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  await expect(dialog).toBeHidden();
  const stored = await api.call<LicenseType>('GET', `/licenses/api/license-types/${type.id}/`);
  expect(stored).toMatchObject({ features: { usuarios: 25 }, offline_days: 7 });
  await page.goto(`/license-types?ver=${type.id}`);
  await expect(page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' })).toContainText(
    'usuarios: 25',
  );
});

test('the id of a machine is turned into an offline file that the public keys verify (PROG-02)', async ({
  page,
  api,
  request,
}) => {
  const { license, software } = await licenseOf(api);
  await page.goto(`/licenses/${license.id}`);
  const dialog = await menuOf(page);
  await dialog.getByRole('button', { name: 'Descargar' }).click();
  const machineId = dialog.getByLabel('Id. del equipo');
  await expect(machineId).toHaveAccessibleDescription('El identificador del equipo es obligatorio');
  await machineId.fill('servidor-7');
  await dialog.getByLabel('Nombre del equipo').fill('Bodega');
  await dialog.getByLabel('Días').fill('10');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Descargar' }).click(),
  ]);
  await expect(dialog).toBeHidden();
  expect(saved.suggestedFilename()).toMatch(/^licencia-\w{5}-bodega\.lic$/);
  const text = await readFile(await saved.path(), 'utf8');
  const { claims } = readToken(readLicenseFile(text), await publicKeys(request), FILE_TYPE);
  expect(claims).toMatchObject({ aud: software.code, sub: String(license.id), valid: true });
  expect(claims.exp - claims.iat).toBe(10 * 86_400);
  await expect(licenseDetails(page)).toContainText('Bodega');
});

test('floating seats are set in a type, and its licence shows them with the data that programs report (PROG-05, PROG-06)', async ({
  page,
  api,
  request,
}) => {
  const type = await api.createLicenseType({});
  await page.goto(`/license-types?editar=${type.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  const save = form.getByRole('button', { name: 'Actualizar Tipo de Licencia' });
  await form.getByLabel('Lugares', { exact: true }).selectOption('Flotantes');
  await save.click();
  const lease = form.getByLabel('Minutos de Préstamo');
  await expect(lease).toHaveAccessibleDescription(/necesitan los minutos de préstamo/);
  await lease.fill('60');
  await save.click();
  await expect(form).toBeHidden();
  await page.goto(`/license-types?ver=${type.id}`);
  const facts = page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' });
  await expect(facts).toContainText('Préstamo de 60 minutos');

  const [client, software] = [await api.createClient(), await api.createSoftware()];
  const { id, license_key } = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
  });
  const data = { license_key, machine_id: 'caja-7', app_version: '9.7.3', os: 'Windows 11' };
  expect((await request.post('/licenses/api/installations/', { data })).status()).toBe(201);
  await page.goto(`/licenses/${id}`);
  const details = licenseDetails(page);
  await expect(details).toContainText('Flotantes');
  await expect(details).toContainText('Versión 9.7.3 · Windows 11');
  await expect(details).toContainText('Lugar flotante, prestado hasta el');
  await details.getByRole('button', { name: 'Más acciones' }).click();
  await expect(page.getByRole('menuitem', { name: 'Renovar' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Archivo sin conexión' })).toHaveCount(0);

  await page.goto(`/reports?tab=uso&software=${software.id}`);
  await page.getByRole('link', { name: '9.7.3' }).first().click();
  await expect(page).toHaveURL(/app_version=9\.7\.3/);
  await expect(page.getByRole('row', { name: new RegExp(license_key) })).toBeVisible();
  await expect(page.getByText('Versión del programa')).toBeVisible();
});

test("the public keys of 'Firma' can be copied, and a rotation makes the next key current (PROG-01)", async ({
  page,
  api,
}) => {
  const keys = async () => (await api.call<SigningKeyList>('GET', '/licenses/api/signing-keys/')).results;
  const before = await keys();
  const next = before.find(({ state }) => state === 'next')?.kid ?? '';
  await page.goto('/settings/firma');
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(card('Siguiente')).toContainText(next);
  await expect(card('Actual')).toContainText('-----BEGIN PUBLIC KEY-----');
  await expect(card('Actual').getByRole('button', { name: 'Copiar JWK' })).toBeVisible();
  await page.getByRole('button', { name: 'Rotar clave' }).click();
  const question = page.getByRole('alertdialog', { name: 'Rotar clave de firma' });
  await expect(question).toContainText('lo ya firmado sigue siendo válido');
  await question.getByRole('button', { name: 'Rotar clave' }).click();
  await expect(page.getByText('Clave de firma rotada')).toBeVisible();
  await expect(card('Actual')).toContainText(next);
  await expect(card('Anterior').first()).toContainText('Se conserva hasta');
  expect(await keys()).toHaveLength(before.length + 1);
});

test('axe finds nothing in the section, the dialog and the feature editor', async ({ page, api }) => {
  const { license } = await licenseOf(api);
  const type = await api.createLicenseType({
    name: `Tipo ${unique()}`,
    features: { plan: 'Oro', usuarios: 5 },
  });
  for (const look of LOOKS) {
    await wear(page, look);
    await page.goto('/settings/firma');
    await expect(page.getByRole('region', { name: 'Actual', exact: true })).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await page.goto(`/licenses/${license.id}`);
    await expect((await menuOf(page)).getByLabel('Id. del equipo')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await page.goto(`/license-types?editar=${type.id}`);
    await expect(page.getByLabel('Valor de la característica 2')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
});
