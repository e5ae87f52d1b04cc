import type { LicenseType } from '../contract/license-types/license-types.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { heading, openShop, signInByCode } from './support/portal.ts';
import { test as base, expect, type StaffApi, signIn, staffApi, test, unique } from './support/staff.ts';

/** Meters: the meters of a type, the usage of a licence, and its correction (SELL-03). */

const METERS = {
  facturas: { limit: 500, period: 'month', overage: 'refuse' },
  timbres: { limit: 10, period: 'never', overage: 'allow' },
  consultas: { limit: null, period: 'day', overage: 'refuse' },
} as const;

const use = (api: StaffApi, license_key: string, code: string, amount: number) =>
  api.call('POST', '/licenses/api/usage/', {
    license_key,
    machine_id: 'caja-1',
    records: [{ code, amount, request_id: `uso-${unique()}` }],
  });

test('meters of a licence type are added, corrected, removed and saved (SELL-03)', async ({ page, api }) => {
  const type = (await api.createLicenseType({ meters: { timbres: METERS.timbres } })) as LicenseType;
  await page.goto(`/license-types?editar=${type.id}`);
  const dialog = page.getByRole('dialog', { name: 'Editar Tipo de Licencia' });
  const of = (what: string, number: number) => dialog.getByLabel(`${what} del contador ${number}`);
  await expect(of('Código', 1)).toHaveValue('timbres');
  await dialog.getByRole('button', { name: 'Agregar contador' }).click();
  await expect(of('Código', 2)).toBeFocused();
  await page.keyboard.type('Facturas');
  await of('Límite', 2).fill('1.5');
  await dialog.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  await expect(of('Código', 2)).toHaveAccessibleDescription(/letras minúsculas/);
  await expect(of('Límite', 2)).toHaveAccessibleDescription('Escribe un número entero, o nada');
  await of('Código', 2).fill('facturas');
  await of('Límite', 2).fill('500');
  await of('Periodo', 2).selectOption('Por año');
  await of('Exceso', 2).selectOption('Al límite: sigue contando');
  await dialog.getByRole('button', { name: 'Quitar timbres' }).click();
  await dialog.getByRole('button', { name: 'Actualizar Tipo de Licencia' }).click();
  await expect(dialog).toBeHidden();
  const stored = await api.call<LicenseType>('GET', `/licenses/api/license-types/${type.id}/`);
  expect(stored.meters).toEqual({ facturas: { limit: 500, period: 'year', overage: 'allow' } });
  await page.goto(`/license-types?ver=${type.id}`);
  await expect(page.getByRole('dialog', { name: 'Detalles del Tipo de Licencia' })).toContainText(
    'facturas: 500 por año, al límite: sigue contando',
  );
});

test('the details of a licence show its usage, amber from 80 %, and a correction with its reason (SELL-03)', async ({
  page,
  api,
}) => {
  const [client, software] = [await api.createClient(), await api.createSoftware()];
  const license = await api.createLicense({ client: client.id, software: software.id, meters: METERS });
  await api.activate(license.license_key, { machine_id: 'caja-1' });
  await use(api, license.license_key, 'facturas', 399);
  await use(api, license.license_key, 'timbres', 12);
  await page.goto(`/licenses/${license.id}`);
  const details = licenseDetails(page);
  await expect(details).toContainText('399 de 500');
  await expect(details).toContainText('12 de 10');
  await expect(details).toContainText('2 sobre el límite');
  const bar = (name: string) => details.getByRole('meter', { name });
  await expect(bar('facturas')).toHaveAttribute('aria-valuenow', '399');
  await expect(bar('facturas')).not.toHaveAttribute('data-high');
  await expect(bar('timbres')).toHaveAttribute('data-high');
  await expect(bar('consultas')).toHaveCount(0);

  await details.getByRole('button', { name: 'Corregir' }).click();
  const form = asked(page, 'Corregir consumo');
  await form.getByRole('button', { name: 'Corregir' }).click();
  await expect(form.getByLabel('Motivo')).toHaveAccessibleDescription(/El motivo es obligatorio/);
  await form.getByLabel('Consumido en este periodo').fill('400');
  await form.getByLabel('Motivo').fill('Una factura de prueba');
  for (const look of LOOKS) {
    await wear(page, look);
    expect(await barriers(page)).toEqual([]);
  }
  await form.getByRole('button', { name: 'Corregir' }).click();
  await expect(form).toBeHidden();
  await expect(details).toContainText('400 de 500');
  await expect(bar('facturas')).toHaveAttribute('data-high');
  await details.getByRole('tab', { name: 'Historial' }).click();
  await expect(details).toContainText('corrigió el consumo de facturas');
  await expect(details).toContainText('Una factura de prueba');
  await expect(details).toContainText('llegó al límite de timbres');
});

/** On `page` nobody is signed in to the console. */
const inPortal = base.extend<{ api: StaffApi }>({
  api: async ({ request }, give) => give(staffApi(request, (await signIn(request)).token)),
  page: async ({ context }, give) => give(await context.newPage()),
});

inPortal.describe('in the portal', () => {
  inPortal.use({ serverEnv: {} });

  inPortal('a client sees what is used of each meter (SELL-03, PORTAL-04)', async ({ page, api, server }) => {
    const shop = await openShop(api, { license: { meters: METERS } });
    await api.activate(shop.license.license_key, { machine_id: 'caja-1' });
    await use(api, shop.license.license_key, 'facturas', 450);
    await signInByCode(page, server, shop.client.email);
    await expect(heading(page, 'Punto de venta 4.2')).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Su consumo' })).toBeVisible();
    await expect(page.getByText('450 de 500')).toBeVisible();
    await expect(page.getByRole('meter', { name: 'facturas' })).toHaveAttribute('data-high');
    await expect(page.getByText('Empieza de cero el')).toHaveCount(2);
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  });
});
