import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { check, importFile, upload } from '../../../test/import-file.ts';
import { CELL_MESSAGES } from './read-cell.ts';
import { ROW_MESSAGES } from './row-values.ts';

/** Files as people really have them: spreadsheets from Mexico and Argentina with every kind of error (IMPORT-01). */

const NOW = '2026-11-21T18:00:00.000Z';

/** One application for all tests of this file; each test uses different email addresses and keys. */
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, closeAfterTest: false });
  await createSoftware(t, { name: 'Caja Fácil', version: '1.0' });
  await createSoftware(t, { name: 'Nómina', version: '1.0' });
  await createSoftware(t, { name: 'Nómina', version: '2.0' });
  await createLicenseType(t, { name: 'Anual', base_price: 1200, validity_days: 365 });
  await createLicenseType(t, { name: 'Repetido' });
  await createLicenseType(t, { name: 'Repetido' });
  await createClient(t, { name: 'Rosa', email: 'rosa@example.com' });
  return t.close;
});

const clientOf = async (email: string) =>
  (await t.call('GET', `/licenses/api/clients/?email=${encodeURIComponent(email)}`)).body.results[0];
const licenseOf = async (key: string) =>
  (await t.call('GET', `/licenses/api/licenses/?search=${key}&page_size=1`)).body.results[0];

describe('whole files', () => {
  test('a file from Excel in Mexico is read: Windows-1252, commas, odd spaces, blank lines, a title above', async () => {
    const file = [
      'CARTERA DE CLIENTES 2026,,,,,,',
      ',,,,,,',
      'Nombre,Correo electrónico,Celular,Estado,Último contacto,Observaciones,,',
      'José Ñandú,jose@mx.mx,(55) 1234-5678 ,Jalisco,3/2/2026,"Dice ""sí"", siempre\r\nllamar",,',
      ',,,,,,',
      'Sin mail,,5512345678,Puebla,,,,',
    ].join('\r\n');
    const { uploaded, forecast, progress } = await importFile(t, 'clients', Buffer.from(file, 'latin1'));
    expect(uploaded.mapping).toEqual({
      Nombre: 'name',
      'Correo electrónico': 'email',
      Celular: 'phone',
      Estado: 'state',
      'Último contacto': 'last_contact',
      Observaciones: 'notes',
    });
    expect(uploaded.warnings).toEqual([
      'Los encabezados están en la fila 3; lo que está arriba no se importa.',
    ]);
    expect(uploaded.rows).toBe(2);
    expect(forecast).toMatchObject({
      to_create: 1,
      to_update: 0,
      unchanged: 0,
      errors: [{ row: 6, field: 'email', message: 'El email es obligatorio' }],
      rows_with_errors: 1,
      errors_total: 1,
    });
    expect(progress.result).toMatchObject({ created: 1, rows_with_errors: 1 });
    expect(await clientOf('jose@mx.mx')).toMatchObject({
      name: 'José Ñandú',
      phone: '+525512345678',
      state: 'Jalisco',
      status: 'active',
      last_contact: '2026-02-03',
      notes: 'Dice "sí", siempre\r\nllamar',
    });
  });

  test('a file from Excel in Argentina is read: semicolons, decimal commas, short years, a repeated header', async () => {
    const file = [
      'Clave;Cliente;Producto;Versión;Categoría;Precio;Precio de lista;Descuento;Alta;Vence;Puestos;Puestos',
      'arg-0001;rosa@example.com;caja facil;1.0;Básica;$ 1.234,50;1.500;17,7%;1-3-25;31-12-26;1.000;2',
      'arg-0002;ROSA@example.com;Caja Fácil;;premium;900;;;05/04/2025;-;3;',
      'arg-0003;nadie@example.com;Nómina;;Oro;gratis;;;32/1/2025;46347;;',
    ].join('\r\n');
    const { uploaded, forecast } = await importFile(t, 'licenses', file);
    expect(uploaded.columns.slice(-2)).toEqual(['Puestos', 'Puestos (2)']);
    expect(uploaded.mapping['Puestos (2)']).toBeNull();
    expect(uploaded.warnings).toEqual([
      'El encabezado «Puestos» se repite: esa columna se llama aquí «Puestos (2)».',
    ]);
    expect(forecast.errors.filter(({ row }) => row !== 4)).toEqual([]);
    expect([forecast.to_create, forecast.rows_with_errors]).toEqual([2, 1]);
    expect(forecast.errors.map(({ row, field, message }) => [row, field, message])).toEqual(
      expect.arrayContaining([
        [4, 'client', ROW_MESSAGES.noClient],
        [4, 'license_type', expect.stringMatching(/^Escribe una de estas opciones: prueba, basica/)],
        [4, 'price', 'Escribe un número, por ejemplo 1,234.50'],
        [4, 'issued_date', CELL_MESSAGES.date],
        [4, 'expiry_date', CELL_MESSAGES.serial],
      ]),
    );
    expect(await licenseOf('ARG-0001')).toMatchObject({
      license_key: 'ARG-0001',
      license_type: 'basic',
      price: 1234.5,
      original_price: 1500,
      discount_percentage: 17.7,
      max_installations: 1000,
      issued_date: '2025-03-01T06:00:00.000Z',
      expiry_date: '2027-01-01T05:59:59.000Z',
      email_status: null,
    });
    expect(await licenseOf('ARG-0002')).toMatchObject({
      expiry_date: null,
      expiry_days: null,
      max_installations: 3,
    });
  });

  test.each([
    ['nothing', '', 400],
    ['headers alone', 'Nombre,Email\r\n\r\n', 400],
    ['blank lines', ' \r\n,,\r\n', 400],
    ['a quote that is not closed', 'Nombre,Email\nAna,"a@x.mx\n', 400],
    ['a workbook that is cut', Buffer.from('504b03041400060008', 'hex'), 400],
    ['a PDF', Buffer.from('%PDF-1.7'), 415],
    ['101 columns', `${Array.from({ length: 101 }, (_, n) => `c${n}`).join(',')}\n1`, 400],
  ])('%s is refused with a reason, and no part of it is stored', async (_what, file, status) => {
    const before = await t.db.selectFrom('imports').select('id').execute();
    const answer = await upload(t, 'clients', file);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(/[áéíóú ]/)]);
    expect(await t.db.selectFrom('imports').select('id').execute()).toEqual(before);
  });

  test('more than 100,000 rows are refused, and none of them is stored', async () => {
    const answer = await upload(t, 'software', `Nombre,Versión\n${'a,1\n'.repeat(100_001)}`);
    expect([answer.status, answer.body.errors?.file]).toEqual([
      400,
      [expect.stringContaining('100 000 filas')],
    ]);
    expect(
      await t.db.selectFrom('import_chunks').select('position').where('position', '>', 5000).execute(),
    ).toEqual([]);
  });

  test('a small file in UTF-16, as "Unicode text" of Excel, is read', async () => {
    const text = Buffer.from('Producto\tVersión\r\nÑapa\t1,5\r\n', 'utf16le');
    const { forecast } = await importFile(t, 'software', Buffer.concat([Buffer.from([0xff, 0xfe]), text]));
    expect(forecast).toMatchObject({ to_create: 1, errors: [] });
  });
});

test('columns without a usable header get a generated name, and empty ones at the end are ignored', async () => {
  const file = 'Nombre,Email,,constructor,__proto__,Teléfono,,\nAna,h1@x.mx,1,2,3,5512345678,,\n';
  const { uploaded, forecast } = await importFile(t, 'clients', file);
  expect(uploaded.columns).toEqual(['Nombre', 'Email', 'Columna 3', 'Columna 4', 'Columna 5', 'Teléfono']);
  expect(forecast).toMatchObject({ to_create: 1, errors: [] });
});

describe('cells', () => {
  const ofClients = (cells: string) => `Nombre,Email,Teléfono,Empresa,Notas,Activo\n${cells}\n`;
  const sample = async (cells: string) => {
    const { uploaded, forecast } = await importFile(t, 'clients', ofClients(cells));
    expect(uploaded.rows).toBe(1);
    return forecast.errors.map(({ row, field, message }) => [row, field, message]);
  };

  test.each([
    ['a phone as a power of ten', 'A,c1@x.mx,5.25512E+11', 'phone', CELL_MESSAGES.damaged],
    ['the same with a decimal comma', 'A,c2@x.mx,"5,25512E+11"', 'phone', CELL_MESSAGES.damaged],
    ['two phones', 'A,c3@x.mx,5512345678 y 5587654321', 'phone', /entre 9 y 15 dígitos/],
    ['a column too narrow', 'A,c5@x.mx,#######', 'phone', CELL_MESSAGES.damaged],
    ['a huge cell', `A,c6@x.mx,5512345678,${'x'.repeat(9000)}`, 'company', 'No puede exceder 200 caracteres'],
    [
      'more cells than headers',
      'A,c7@x.mx,5512345678,Uno, dos,tres,si,y',
      null,
      /más celdas que encabezados/,
    ],
    ['a key that is cleared', 'A,-,5512345678', 'email', 'El email es obligatorio'],
  ])('a cell with %s is an error at its field', async (_what, cells, field, message) => {
    expect(await sample(cells)).toEqual([
      [2, field, typeof message === 'string' ? message : expect.stringMatching(message)],
    ]);
  });

  test('invisible characters, odd spaces, NUL, quoted texts and apostrophes are read as people see them', async () => {
    const cells =
      '\u200b Ana\u00a0\u00a0Lía\u200d\0 , i1@x.mx\u200e,"=""5512345678""","\'=SUMA(A1)","\'- 👩\u200d👩\u200d👧 \'-"';
    expect(await sample(cells)).toEqual([]);
    expect(await clientOf('i1@x.mx')).toMatchObject({
      name: 'Ana  Lía',
      phone: '+525512345678',
      company: '=SUMA(A1)',
      notes: "- 👩\u200d👩\u200d👧 '-",
    });
  });

  test("an empty cell leaves the field unchanged, '-' clears it, and an apostrophe before '-' makes it text", async () => {
    await importFile(t, 'clients', ofClients('Ana,m1@x.mx,+525512345678,ACME,Nota'));
    const second = ofClients(",M1@x.mx,,-,'-");
    const { forecast } = await importFile(t, 'clients', second, 'update');
    expect(forecast).toMatchObject({ to_create: 0, to_update: 1, unchanged: 0, errors: [] });
    expect(await clientOf('m1@x.mx')).toMatchObject({ name: 'Ana', company: 'Sin especificar', notes: '-' });
    const third = await importFile(t, 'clients', ofClients(',m1@x.mx,,,'), 'upsert');
    expect(third.forecast).toMatchObject({ to_update: 0, unchanged: 1, errors: [] });
  });

  test('first and last names in two columns become one name, and a client gets its registration date from the file', async () => {
    const file =
      'Nombre,Apellidos,Email,Teléfono,Fecha de alta,Avisos\nAna,López Paz,n1@x.mx,5512345678,15-ene-2020,No\n,Ruiz,n2@x.mx,5512345678,1/1/2030,quizá';
    const { forecast } = await importFile(t, 'clients', file);
    expect(await clientOf('n1@x.mx')).toMatchObject({
      name: 'Ana López Paz',
      created_at: '2020-01-15T06:00:00.000Z',
      reminders: false,
    });
    expect(forecast.errors.map(({ field, message }) => [field, message])).toEqual(
      expect.arrayContaining([
        ['name', 'El nombre es obligatorio'],
        ['created_at', ROW_MESSAGES.future],
        ['reminders', CELL_MESSAGES.flag],
      ]),
    );
  });
});

describe('licence keys and import modes', () => {
  test('a key that occurs twice in the file is an error in each mode, and the message names the first row', async () => {
    const file = 'Nombre,Versión\nDoble,1\nDoble,2\ndoble,1\n';
    for (const mode of ['create', 'upsert'] as const) {
      const { forecast } = await importFile(t, 'software', file, mode);
      expect(forecast.errors.at(-1)).toMatchObject({
        row: 4,
        field: 'name',
        message: 'Ya está en la fila 2 del archivo',
      });
    }
  });

  test("'create' refuses existing records and 'update' missing ones, with the messages of the API calls", async () => {
    await createLicense(t, { license_type: 'basic' });
    const clients = 'Nombre,Email,Teléfono\nRosa,ROSA@example.com,5512345678\n';
    expect((await importFile(t, 'clients', clients)).forecast.errors).toMatchObject([
      { row: 2, field: 'email', message: 'Ya existe un cliente con este email' },
    ]);
    const software = 'Nombre,Versión,Activo\nnómina,2.0,no\nOtra,1,sí\n';
    expect((await importFile(t, 'software', software, 'create')).forecast.errors).toMatchObject([
      { row: 2, field: 'name', message: 'Ya existe un software con este nombre y versión' },
    ]);
    const again = `${software}Ninguna,9,sí\n`;
    const updated = (await importFile(t, 'software', again, 'update')).forecast;
    expect(updated).toMatchObject({ to_update: 1, unchanged: 1 });
    expect(updated.errors).toMatchObject([{ row: 4, field: 'name', message: ROW_MESSAGES.noSoftware }]);
  });

  test('an existing licence is found by its key, and changed as by an API call', async () => {
    const head = 'Clave,Email,Software,Versión,Tipo de licencia,Precio,Días,Estado,Fecha de expiración\n';
    const row = 'Key.1-a,rosa@example.com,Nómina,2.0,anual,,30,activa,\n';
    await importFile(t, 'licenses', head + row);
    expect(await licenseOf('KEY.1-A')).toMatchObject({
      price: 1200,
      license_type_name: 'Anual',
      expiry_days: 30,
    });
    const taken = await importFile(t, 'licenses', head + row);
    expect(taken.forecast.errors).toMatchObject([
      { row: 2, field: 'license_key', message: 'Ya existe una licencia con esta clave' },
    ]);
    const changed = await importFile(
      t,
      'licenses',
      `${head}key.1-a,,,,-,,-,suspendida,\nkey.0,,,,,,,,\n,,,,,,,activa,\n`,
      'update',
    );
    expect(changed.forecast).toMatchObject({ to_update: 1 });
    expect(changed.forecast.errors).toMatchObject([
      { row: 3, field: 'license_key', message: ROW_MESSAGES.noLicense },
      { row: 4, field: 'license_key', message: ROW_MESSAGES.keyMissing },
    ]);
    expect(await licenseOf('KEY.1-A')).toMatchObject({
      status: 'suspended',
      license_type_name: null,
      expiry_date: null,
    });
  });

  test.each([
    [
      'a key of three signs',
      'abc,rosa@example.com,Caja Fácil,1.0,,basic,10',
      'license_key',
      ROW_MESSAGES.licenseKey,
    ],
    [
      'no type',
      'w-0002,rosa@example.com,Caja Fácil,1.0,,,10',
      'license_type_config',
      'Debe seleccionar un tipo de licencia',
    ],
    [
      'an unknown type',
      'w-0003,rosa@example.com,Caja Fácil,1.0,Lunar,,10',
      'license_type_config',
      ROW_MESSAGES.noType,
    ],
    [
      'a type whose name is there twice',
      'w-0004,rosa@example.com,Caja Fácil,1.0,repetido,,10',
      'license_type_config',
      ROW_MESSAGES.whichType,
    ],
    [
      'an unknown software',
      'w-0005,rosa@example.com,Caja,,,basic,10',
      'software',
      ROW_MESSAGES.noSoftwareName,
    ],
    [
      'an unknown version',
      'w-0006,rosa@example.com,Caja Fácil,7,,basic,10',
      'software',
      ROW_MESSAGES.noSoftware,
    ],
    ['a cleared client', 'w-0007,-,Caja Fácil,1.0,,basic,10', 'client', 'Debe seleccionar un cliente'],
    [
      'no price',
      'w-0008,rosa@example.com,Caja Fácil,1.0,,basic,',
      'price',
      'El precio es obligatorio y debe ser mayor a 0',
    ],
  ])('a licence with %s is refused', async (_what, row, field, message) => {
    const head = 'Clave,Email,Software,Versión,Tipo de licencia,Categoría,Precio\n';
    const { forecast } = await importFile(t, 'licenses', `${head}${row}\n`);
    expect(forecast.errors).toMatchObject([{ row: 2, field, message }]);
  });
});

test('a mapping with missing or unknown columns is 400 and the error lists them', async () => {
  const { body } = await upload(t, 'clients', 'Nombre,Email,Tel\nAna,z1@x.mx,5512345678\n');
  const faults = async (mapping: Record<string, string | null>, mode: 'create' | 'update' = 'create') =>
    (await check(t, body.id, mode, mapping)).body.errors.mapping;
  expect(await faults({ Nombre: 'name', Tel: null })).toEqual(['Falta indicar la columna de: Email']);
  expect(await faults({ Nombre: 'name', Apodo: 'name' }, 'update')).toEqual([
    'El archivo no tiene la columna «Apodo»',
    'Dos columnas dan el campo «Nombre». Elige una.',
    'Falta indicar la columna de: Email',
  ]);
  expect(await faults({ Email: 'email', Tel: 'edad' }, 'update')).toEqual(['No existe el campo «edad»']);
});

test.each([
  [
    'a header of 4,000 columns',
    Array.from({ length: 4000 }, (_, n) => `c${n}`).join(),
    'La fila 1 tiene más de 100 columnas',
  ],
  [
    'a cell of 120,000 spaces',
    `Nombre,Email\nAna,${' '.repeat(120_000)}\n`,
    'La fila 2 tiene una celda de más de 10 000 caracteres',
  ],
  [
    'zero-width characters',
    `Nombre,Email\nAna,${'\u200c'.repeat(40_000)}\n`,
    'La fila 2 tiene una celda de más de 10 000 caracteres',
  ],
  ['nothing but commas', ','.repeat(5_000_000), 'El archivo no tiene filas debajo de los encabezados'],
])('a file with %s is refused while it is read', async (_what, file, message) => {
  const answer = await upload(t, 'clients', file);
  expect([answer.status, answer.body.errors]).toEqual([400, { file: [message] }]);
});
