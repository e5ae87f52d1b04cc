import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import { check, IMPORTS, importFile, progressOf, runImport, upload } from '../../../test/import-file.ts';
import { CELL_MESSAGES } from './read-cell.ts';

/** What spreadsheets do to the values of a file: damaged texts, lost zeros, orders of days (INPUT-03, INPUT-05). */

const NOW = '2026-11-21T18:00:00.000Z';

/** One application for all tests of this file; each test uses different mail addresses and keys. */
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, closeAfterTest: false });
  await createSoftware(t, { name: 'Caja', version: '1' });
  await createClient(t, { email: 'rosa@example.com' });
  return t.close;
});

const clientOf = async (email: string) =>
  (await t.call('GET', `/licenses/api/clients/?email=${encodeURIComponent(email)}`)).body.results[0];
const licenseOf = async (key: string) =>
  (await t.call('GET', `/licenses/api/licenses/?search=${encodeURIComponent(key)}&page_size=1`)).body
    .results[0];
const cellsOf = (errors: { row: number; field: string | null; code: string }[]) =>
  errors.map(({ row, field, code }) => [row, field, code]);

const DAMAGED = [
  '8.93E+18',
  '8,94E+18',
  '5.25512E+11',
  '8910102358470000000',
  '12/11/2026',
  '11/13/2026',
  '1-mar',
  'VERDADERO',
  'FALSO',
  'TRUE',
  '#N/D',
  '#¡REF!',
];

describe('what a spreadsheet changed (INPUT-03)', () => {
  test('is an error of its row in a licence key, and no licence is made', async () => {
    const rows = DAMAGED.map((key) => `"${key}",rosa@example.com,Caja,premium,10`);
    const file = `Clave,Email,Software,Categoría,Precio\n${rows.join('\n')}\nREAL-1E10,rosa@example.com,Caja,premium,10\n1E10,rosa@example.com,Caja,premium,10\n`;
    const { forecast, progress } = await importFile(t, 'licenses', file);
    expect(forecast).toMatchObject({ to_create: 2, rows_with_errors: DAMAGED.length });
    expect(cellsOf(forecast.errors)).toEqual(
      DAMAGED.map((_, at) => [at + 2, 'license_key', 'spreadsheet_damage']),
    );
    expect(forecast.errors[0]!.message).toBe(
      'Excel cambió este valor: da a la columna formato Texto y vuelve a guardarla',
    );
    expect(progress.result).toMatchObject({ created: 2 });
    expect(await licenseOf('1E10')).toBeDefined();
  });

  test.each([
    ['tax_id', 'RFC'],
    ['phone', 'Teléfono'],
    ['phone_secondary', 'Otro teléfono'],
    ['postal_code', 'C.P.'],
  ])('is an error in %s', async (field, header) => {
    const rows = DAMAGED.map((text, at) => `A,${field}${at}@example.com,"${text}"`);
    const { forecast } = await importFile(t, 'clients', `Nombre,Email,${header}\n${rows.join('\n')}\n`);
    expect(forecast.to_create).toBe(0);
    expect(cellsOf(forecast.errors)).toEqual(DAMAGED.map((_, at) => [at + 2, field, 'spreadsheet_damage']));
  });

  test('is stored and counted in other texts', async () => {
    const rows = DAMAGED.map((text, at) => `A,text${at}@example.com,"${text}","${text}"`);
    const file = `Nombre,Email,Empresa,Notas\n${rows.join('\n')}\nB,text99@example.com,Uno SA,Llamar el 12/11/2026\n`;
    const { forecast } = await importFile(t, 'clients', file);
    expect(forecast).toMatchObject({ to_create: DAMAGED.length + 1, errors: [] });
    expect(forecast.suspicious.count).toBe(2 * DAMAGED.length);
    expect(forecast.suspicious.samples[0]).toEqual({
      ...{ row: 2, field: 'company', text: '8.93E+18', value: '8.93E+18' },
    });
    expect(await clientOf('text4@example.com')).toMatchObject({ company: '12/11/2026', notes: '12/11/2026' });
  });

  test('raises no alarm about real identifiers', async () => {
    const real = [
      '12E45-99',
      '76.086.428-K',
      'EKU9003173C9',
      '30-71234567-1',
      '20123456786',
      '900.123.456-8',
    ];
    const rows = real.map((id, at) => `A,real${at}@example.com,${id},${id}`);
    const { forecast } = await importFile(t, 'clients', `Nombre,Email,RFC,C.P.\n${rows.join('\n')}\n`);
    expect(forecast).toMatchObject({
      to_create: real.length,
      errors: [],
      suspicious: { count: 0 },
      fixed: {},
    });
  });

  test('an error value where no text can be stored says so', async () => {
    const file = 'Nombre,Email,Último contacto,Avisos\nA,none@example.com,#N/D,#¡VALOR!\n';
    const { forecast } = await importFile(t, 'clients', file);
    expect(forecast.errors.map(({ field, message }) => [field, message])).toEqual([
      ['last_contact', CELL_MESSAGES.sheetError('#N/D')],
      ['reminders', CELL_MESSAGES.sheetError('#¡VALOR!')],
    ]);
  });

  test('the errors can be downloaded with the cells as they are', async () => {
    const { id } = await importFile(t, 'clients', 'Nombre,Email,C.P.\nA,csv@example.com,12/11/2026\n');
    const { text } = await t.call('GET', `${IMPORTS}${id}/errors/`);
    expect(text).toContain('12/11/2026');
    expect(text).toContain(CELL_MESSAGES.damaged);
  });
});

describe('leading zeros (INPUT-03)', () => {
  test('come back where the country of the row fixes the length, and are counted', async () => {
    const file = [
      'Nombre,Email,País,C.P.,RFC',
      'A,z1@example.com,México,1000,TUN010101AB1',
      'B,z2@example.com,MX,72000,',
      'C,z3@example.com,Argentina,1000,',
      'D,z4@example.com,Brasil,1001000,360305000104',
      'E,z5@example.com,,1000,',
      'F,z8@example.com,Perú,0,',
    ].join('\n');
    const { forecast } = await importFile(t, 'clients', file);
    expect(forecast.errors).toEqual([]);
    expect(forecast.fixed.postal_code).toEqual({
      count: 3,
      samples: [
        { row: 2, field: 'postal_code', text: '1000', value: '01000' },
        { row: 5, field: 'postal_code', text: '1001000', value: '01001000' },
        // The code of who has none, as an export writes it.
        { row: 7, field: 'postal_code', text: '0', value: '00000' },
      ],
    });
    expect(forecast.fixed.tax_id?.samples).toEqual([
      { row: 5, field: 'tax_id', text: '360305000104', value: '00360305000104' },
    ]);
    const codes = await Promise.all([1, 2, 3, 4, 5].map((n) => clientOf(`z${n}@example.com`)));
    expect(codes.map(({ postal_code }) => postal_code)).toEqual([
      '01000',
      '72000',
      '1000',
      '01001000',
      '1000',
    ]);
  });

  test('come back by the country that is stored, and by the one value for all rows', async () => {
    await createClient(t, { email: 'z6@example.com', country: 'México', postal_code: '01000' });
    const file = 'Nombre,Email,C.P.\nA,z6@example.com,1000\n';
    const { forecast } = await importFile(t, 'clients', file, 'update');
    expect(forecast.fixed.postal_code?.count).toBe(1);
    expect((await clientOf('z6@example.com')).postal_code).toBe('01000');
    const other = file.replace('z6', 'z7');
    await importFile(t, 'clients', other, 'create', { values: { country: 'MX' } });
    expect((await clientOf('z7@example.com')).postal_code).toBe('01000');
  });
});

describe('the days of a column are read in one order (INPUT-05)', () => {
  const file = (name: string, ...days: string[]) =>
    `Nombre,Email,Último contacto\n${days.map((day, at) => `A,${name}${at}@example.com,"${day}"`).join('\n')}\n`;
  const storedOf = async (name: string, count: number) => {
    const clients = await Promise.all(
      Array.from({ length: count }, (_, at) => clientOf(`${name}${at}@example.com`)),
    );
    return clients.map((client) => client?.last_contact);
  };
  const COLUMN = 'Último contacto';

  test.each<[string, string[], object, string[]]>([
    [
      'the month first, which the last row proves',
      ['02/03/2026', '4/5/26', '2026-06-07', '01/25/2026'],
      { date_orders: { [COLUMN]: 'mdy' }, date_orders_assumed: [] },
      ['2026-02-03', '2026-04-05', '2026-06-07', '2026-01-25'],
    ],
    [
      'the day first',
      ['02/03/2026', '25/01/2026'],
      { date_orders: { [COLUMN]: 'dmy' }, date_orders_assumed: [] },
      ['2026-03-02', '2026-01-25'],
    ],
    [
      'no proof',
      ['02/03/2026', '2026-06-07', '5-ene-2026'],
      { date_orders: { [COLUMN]: 'dmy' }, date_orders_assumed: [COLUMN] },
      ['2026-03-02', '2026-06-07', '2026-01-05'],
    ],
    [
      'the year first',
      ['2026-06-07', '2026-06-25'],
      { date_orders: { [COLUMN]: 'ymd' }, date_orders_assumed: [] },
      ['2026-06-07', '2026-06-25'],
    ],
  ])('%s', async (_what, days, orders, stored) => {
    const name = `o${days.length}${days[0]!.replace(/\D/g, '')}-`;
    const { forecast } = await importFile(t, 'clients', file(name, ...days));
    expect(forecast).toMatchObject({ ...orders, date_orders_mixed: [], errors: [] });
    expect(await storedOf(name, days.length)).toEqual(stored);
  });

  test('a proof far below counts for the first row, in a check by a job too', async () => {
    const days = [...Array.from({ length: 250 }, () => '02/03/2026'), '02/25/2026'];
    const { forecast } = await importFile(t, 'clients', file('far', ...days));
    expect(forecast).toMatchObject({ date_orders: { [COLUMN]: 'mdy' }, errors: [], to_create: 251 });
    expect((await clientOf('far0@example.com')).last_contact).toBe('2026-02-03');
  });

  test('rows that prove two orders are errors, each named, and nothing in the column is guessed', async () => {
    const days = ['02/03/2026', '25/01/2026', '01/25/2026', '2026-06-07', '5-ene-2026', '04/04/2026'];
    const { forecast } = await importFile(t, 'clients', file('mix', ...days));
    expect(forecast).toMatchObject({
      ...{ to_create: 3, date_orders: {}, date_orders_assumed: [], date_orders_mixed: [COLUMN] },
    });
    const message = CELL_MESSAGES.mixed(3, 4);
    expect(message).toBe(
      'La columna tiene fechas en dos órdenes: en la fila 3 va primero el día, en la fila 4 el mes. Elige uno.',
    );
    expect(forecast.errors).toEqual(
      [2, 3, 4].map((row) => ({ row, field: 'last_contact', message, code: 'invalid' })),
    );
    expect(await storedOf('mix', 6)).toEqual([
      ...[undefined, undefined, undefined],
      ...['2026-06-07', '2026-01-05', '2026-04-04'],
    ]);
  });

  test('the caller chooses the order, which is stored for the run and the next check', async () => {
    const days = ['02/03/2026', '25/01/2026', '01/25/2026'];
    const { id, mapping } = (await upload(t, 'clients', file('sel', ...days))).body;
    const first = await check(t, id, 'create', mapping, { date_orders: { [COLUMN]: 'mdy' } });
    expect(first.body).toMatchObject({
      to_create: 2,
      date_orders: { [COLUMN]: 'mdy' },
      date_orders_mixed: [],
    });
    expect(first.body.errors).toEqual([
      { row: 3, field: 'last_contact', message: CELL_MESSAGES.otherOrder('mdy'), code: 'invalid' },
    ]);
    expect((await check(t, id, 'create', mapping)).body).toMatchObject({ date_orders: { [COLUMN]: 'mdy' } });
    expect((await progressOf(t, id)).chosen.date_orders).toEqual({ [COLUMN]: 'mdy' });
    await t.call('POST', `${IMPORTS}${id}/run/`, { body: {} });
    await runImport(t, id);
    expect(await storedOf('sel', 3)).toEqual(['2026-02-03', undefined, '2026-01-25']);
  });

  test('an order for a column that the file lacks, or another word, is 400', async () => {
    const { id, mapping } = (await upload(t, 'clients', file('bad', '02/03/2026'))).body;
    const faults = async (date_orders: Record<string, string>) =>
      (await check(t, id, 'create', mapping, { date_orders: date_orders as never })).body.error_codes;
    expect(await faults({ Otra: 'dmy' })).toEqual({ date_orders: ['unknown_reference'] });
    expect(Object.keys(await faults({ [COLUMN]: 'ymd' }))[0]).toContain('date_orders');
  });

  test('each column has its own order, and an instant with its parts of a second is read', async () => {
    const text = [
      'Clave,Email,Software,Categoría,Precio,Fecha de emisión,Vence',
      'ORD-1,rosa@example.com,Caja,premium,10,01/25/2026,25/01/2027',
      'ORD-2,rosa@example.com,Caja,premium,10,02/03/2026,02/03/2027',
      'ORD-3,rosa@example.com,Caja,premium,10,2026-05-01T12:00:00.000000Z,2027-05-01T00:00:00.000000Z',
    ].join('\n');
    const { forecast } = await importFile(t, 'licenses', text);
    expect(forecast).toMatchObject({ errors: [], date_orders: { 'Fecha de emisión': 'mdy', Vence: 'dmy' } });
    expect(await licenseOf('ORD-2')).toMatchObject({
      issued_date: '2026-02-03T06:00:00.000Z',
      expiry_date: '2027-03-03T05:59:59.000Z',
    });
    expect(await licenseOf('ORD-3')).toMatchObject({
      issued_date: '2026-05-01T12:00:00.000Z',
      expiry_date: '2027-05-01T00:00:00.000Z',
    });
  });
});
