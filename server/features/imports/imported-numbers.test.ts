import { beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';
import { writeSettings } from '../settings/settings.queries.ts';

/** Numbers in files are read as in the console's fields (INPUT-01). */

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: '2026-11-21T18:00:00.000Z', closeAfterTest: false });
  await createSoftware(t, { name: 'Caja', version: '1.0' });
  await createLicenseType(t, { name: 'En dólares', currency: 'USD', base_price: 60 });
  await createClient(t, { name: 'Rosa', email: 'rosa@example.com' });
  return t.close;
});

/** A file of new licences of one client and software, with further columns. */
const fileOf = (headers: string, ...rows: string[]) =>
  [
    `Clave;Email;Software;Categoría;${headers}`,
    ...rows.map((row) => row.replace(';', ';rosa@example.com;Caja;premium;')),
  ].join('\n');

const pricesOf = async (keys: string[]) => {
  const found = await Promise.all(
    keys.map((key) => t.call('GET', `/licenses/api/licenses/?search=${key}&page_size=1`)),
  );
  return found.map(({ body }) => {
    const [license] = body.results;
    return license && [license.price, license.currency];
  });
};

test('prices as people write them become the prices that they mean, and the doubtful ones are counted (INPUT-01)', async () => {
  const { forecast } = await importFile(
    t,
    'licenses',
    fileOf(
      'Precio;Descuento;Equipos',
      'NUM-1;1234,50;12,5 %;5',
      'NUM-2;1.200;0;1.500',
      'NUM-3;12.500,00;;',
      'NUM-4;$1,234.50;;',
      'NUM-5;MXN 1,234.50;;',
      'NUM-6;abc;;',
      'NUM-7;0.125;;',
    ),
  );
  expect(await pricesOf(['NUM-1', 'NUM-2', 'NUM-3', 'NUM-4', 'NUM-5'])).toEqual([
    [1234.5, 'MXN'],
    [1200, 'MXN'],
    [12_500, 'MXN'],
    [1234.5, 'MXN'],
    [1234.5, 'MXN'],
  ]);
  expect(forecast.errors.map(({ row, field, message }) => [row, field, message])).toEqual([
    [7, 'price', 'Escribe un número, por ejemplo 1,234.50'],
    [8, 'price', 'Usa como máximo dos decimales'],
  ]);
  expect(forecast.grouped).toEqual({
    count: 2,
    samples: [
      { row: 3, field: 'price', text: '1.200', value: '1200' },
      { row: 3, field: 'max_installations', text: '1.500', value: '1500' },
    ],
  });
});

test("an amount of another currency than its row's is an error of the row (INPUT-01)", async () => {
  const { forecast } = await importFile(
    t,
    'licenses',
    fileOf(
      'Precio;Moneda',
      'CUR-1;US$ 100;USD',
      'CUR-2;US$ 100;MXN',
      'CUR-3;$1.200;CLP',
      'CUR-4;12,50;CLP',
      'CUR-5;S/ 100;',
      'CUR-6;$100;',
    ),
  );
  expect(await pricesOf(['CUR-1', 'CUR-3', 'CUR-6'])).toEqual([
    [100, 'USD'],
    [1200, 'CLP'],
    [100, 'MXN'],
  ]);
  expect(forecast.errors.map(({ row, field, message, code }) => [row, field, message, code])).toEqual([
    [3, 'price', 'El importe es en MXN, no en US$', 'invalid'],
    [5, 'price', 'El importe en CLP no lleva decimales', 'invalid'],
    [6, 'price', 'El importe es en MXN, no en S/', 'invalid'],
  ]);
});

test('without a column for it, the currency is that of the type, of the licence, else the one of the vendor (INPUT-01)', async () => {
  const typed = await importFile(
    t,
    'licenses',
    fileOf('Precio;Tipo de licencia', 'TYP-1;US$ 100;En dólares', 'TYP-2;MXN 100;En dólares'),
  );
  expect(await pricesOf(['TYP-1'])).toEqual([[100, 'USD']]);
  expect(typed.forecast.errors.map(({ message }) => message)).toEqual(['El importe es en USD, no en MXN']);

  const euros = await createLicense(t, { price: 10, currency: 'EUR' });
  const update = await importFile(t, 'licenses', `Clave;Precio\n${euros.license_key};€ 20,50`, 'update');
  expect(update.forecast.errors).toEqual([]);
  expect(await pricesOf([euros.license_key])).toEqual([[20.5, 'EUR']]);
  const wrong = await importFile(t, 'licenses', `Clave;Precio\n${euros.license_key};$ 20,50`, 'update');
  expect(wrong.forecast.errors.map(({ message }) => message)).toEqual(['El importe es en EUR, no en $']);

  await writeSettings(t.db, { currency: 'UYU' }, '2026-11-22T00:00:00.000Z');
  const vendor = await importFile(t, 'licenses', fileOf('Precio', 'VEN-1;$U 100', 'VEN-2;R$ 100'));
  expect(await pricesOf(['VEN-1'])).toEqual([[100, 'UYU']]);
  expect(vendor.forecast.errors.map(({ message }) => message)).toEqual(['El importe es en UYU, no en R$']);
});
