import { expect, test } from 'vitest';
import { IMPORT_MESSAGES, XLSX_TYPE } from '../../../contract/imports/imports.ts';
import { createTestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { check, importFile, progressOf, upload } from '../../../test/import-file.ts';
import { textRow, workbookFile, zipped } from '../../../test/workbook.ts';

/** Imports of workbooks (INPUT-06). */

const CLIENTS = [
  textRow(1, ['Nombre', 'Email', 'Teléfono', 'CP', 'Último contacto', 'RFC']),
  '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="inlineStr"><is><t>rosa@example.com</t></is></c><c r="C2"><v>5.512345678E9</v></c><c r="D2" s="2"><v>1234</v></c><c r="E2" s="1"><v>46053</v></c></row>',
].join('');
const clientsFile = (sheets: Record<string, string> = { Clientes: CLIENTS }) =>
  workbookFile({ sheets, strings: '<si><t>Rosa Ñandú</t></si>', formats: [14, '00000'] });

test.each(['text/csv', XLSX_TYPE])(
  'a workbook that is sent as %s is read by its bytes, days and numbers by their type (INPUT-06)',
  async (type) => {
    const t = await createTestApp();
    const { status, body } = await upload(t, 'clients', await clientsFile(), undefined, { type });
    expect([status, body.columns, body.sample]).toEqual([
      201,
      ['Nombre', 'Email', 'Teléfono', 'CP', 'Último contacto', 'RFC'],
      [['Rosa Ñandú', 'rosa@example.com', '5512345678', '01234', '2026-01-31', '']],
    ]);
    expect(body).toMatchObject({
      encoding: null,
      encodings: [],
      sheets: ['Clientes'],
      sheet: 'Clientes',
      rows: 1,
    });
    const { progress } = await importFile(t, 'clients', await clientsFile());
    expect(progress).toMatchObject({ sheets: ['Clientes'], sheet: 'Clientes', result: { created: 1 } });
    expect((await t.call('GET', '/licenses/api/clients/?search=rosa')).body.results[0]).toMatchObject({
      name: 'Rosa Ñandú',
      phone: expect.stringContaining('5512345678'),
      postal_code: '01234',
      last_contact: '2026-01-31',
    });
  },
);

test('CSV that is sent as a workbook is read as CSV (INPUT-06)', async () => {
  const t = await createTestApp();
  const csv = 'Nombre,Email,Teléfono\nAna,ana@example.com,5512345678\n';
  const { status, body } = await upload(t, 'clients', csv, undefined, { type: XLSX_TYPE });
  expect([status, body.encoding, body.sheets]).toEqual([201, 'UTF-8', []]);
});

test('a typed number is that number, whatever its separators would mean in a text (INPUT-01, INPUT-06)', async () => {
  const t = await createTestApp();
  await createClient(t, { email: 'rosa@example.com' });
  await createSoftware(t, { name: 'Caja', version: '1' });
  const cells = (row: number, ...values: [string, number | string][]) =>
    `<row r="${row}">${values
      .map(([column, value]) =>
        typeof value === 'number'
          ? `<c r="${column}${row}"><v>${value}</v></c>`
          : `<c r="${column}${row}" t="inlineStr"><is><t>${value}</t></is></c>`,
      )
      .join('')}</row>`;
  const license = (row: number, key: string, price: number | string, discount: number) =>
    cells(
      row,
      ['A', key],
      ['B', 'rosa@example.com'],
      ['C', 'Caja'],
      ['D', 1],
      ['E', 'basic'],
      ['F', price],
      ['G', discount],
    );
  const file = await workbookFile({
    sheets: {
      Ventas: [
        textRow(1, ['Clave', 'Email', 'Software', 'Versión', 'Categoría', 'Precio', 'Descuento %']),
        license(2, 'CLAVE-1', 1200.5, 12.125),
        license(3, 'CLAVE-2', '1.200', 1.125),
        license(4, 'CLAVE-3', 1199.9999999999998, 10),
        license(5, 'CLAVE-4', 1.125, 10),
      ].join(''),
    },
  });
  const { forecast } = await importFile(t, 'licenses', file);
  const priceOf = async (key: string) =>
    (
      await t.call<{ results: { license_key: string; price: number }[] }>('GET', '/licenses/api/licenses/')
    ).body.results.find(({ license_key }) => license_key === key)?.price;
  // Texts are read by their separators; 1.125 has more decimals than an amount may have, and is not 1125.
  expect(await Promise.all(['CLAVE-2', 'CLAVE-3', 'CLAVE-4'].map(priceOf))).toEqual([
    undefined,
    1200,
    undefined,
  ]);
  expect(forecast.errors.map(({ row, field }) => [row, field])).toEqual([
    [2, 'discount_percentage'],
    [3, 'discount_percentage'],
    [5, 'price'],
  ]);
});

test('a key or tax id that is a number of more digits than a spreadsheet keeps is an error of its row (INPUT-03)', async () => {
  const t = await createTestApp();
  const client = (row: number, email: string, taxId: string) =>
    `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>Ana</t></is></c><c r="B${row}" t="inlineStr"><is><t>${email}</t></is></c><c r="C${row}"><v>${taxId}</v></c></row>`;
  const rows = [
    textRow(1, ['Nombre', 'Email', 'RFC']),
    client(2, 'a@example.com', '8952020012345670000'),
    client(3, 'b@example.com', '8.95202001234568E+18'),
    client(4, 'c@example.com', '900123456'),
  ];
  const { forecast } = await importFile(
    t,
    'clients',
    await workbookFile({ sheets: { Clientes: rows.join('') } }),
  );
  expect(forecast.errors.map(({ row, field, code }) => [row, field, code])).toEqual([
    [2, 'tax_id', 'spreadsheet_damage'],
    [3, 'tax_id', 'spreadsheet_damage'],
  ]);
});

test('the sheet that names the most fields is read, another by its name, and an unknown one is refused with those there are (INPUT-06)', async () => {
  const t = await createTestApp();
  const sheets = {
    Instrucciones: textRow(1, ['Llene la hoja Clientes', 'con cuidado']),
    Vacía: '',
    Clientes: CLIENTS,
    Viejos: `${textRow(1, ['Nombre', 'Email'])}${textRow(2, ['Ana', 'ana@example.com'])}`,
  };
  const file = await clientsFile(sheets);
  expect((await upload(t, 'clients', file)).body).toMatchObject({
    sheets: Object.keys(sheets),
    sheet: 'Clientes',
    columns: expect.arrayContaining(['Teléfono']),
  });
  const viejos = await upload(t, 'clients', file, undefined, { sheet: 'Viejos' });
  expect(viejos.body).toMatchObject({ sheet: 'Viejos', sample: [['Ana', 'ana@example.com']] });
  const unknown = await upload(t, 'clients', file, undefined, { sheet: 'Nada' });
  expect([unknown.status, unknown.body.errors]).toEqual([
    400,
    { sheet: ['No existe esa hoja. El archivo tiene: Instrucciones, Vacía, Clientes, Viejos'] },
  ]);
  const none = await upload(t, 'clients', await clientsFile({ Vacía: '' }));
  expect(none.body.errors).toEqual({ file: [IMPORT_MESSAGES.empty] });
  const csv = await upload(t, 'clients', 'Nombre,Email\nAna,a@x.mx\n', undefined, { sheet: 'Hoja1' });
  expect([csv.status, csv.body.errors]).toEqual([400, { sheet: [IMPORT_MESSAGES.noSheets] }]);
});

test('hidden rows, merged cells below the headers and formulas without a result are told (INPUT-06)', async () => {
  const t = await createTestApp();
  const file = await workbookFile({
    sheets: {
      Hoja1: `<worksheet><sheetData>${textRow(1, ['Mis clientes'])}${textRow(3, ['Nombre', 'Email', 'Teléfono'])}<row r="4" hidden="1"><c r="A4" t="inlineStr"><is><t>Ana</t></is></c><c r="B4" t="inlineStr"><is><t>ana@example.com</t></is></c><c r="C4"><f>D4</f></c></row></sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A4:A5"/></mergeCells></worksheet>`,
    },
  });
  const { body } = await upload(t, 'clients', file);
  const warnings = [
    'Los encabezados están en la fila 3; lo que está arriba no se importa.',
    IMPORT_MESSAGES.hiddenRows(1),
    IMPORT_MESSAGES.mergedCells,
    IMPORT_MESSAGES.uncomputed(1, 4),
  ];
  expect(body.warnings).toEqual(warnings);
  expect((await progressOf(t, body.id)).warnings).toEqual(warnings);
  const { body: forecast } = await check(t, body.id, 'create', body.mapping);
  // The formula without a result is an empty cell.
  expect(forecast.missing.phone).toMatchObject({ count: 1, samples: [{ row: 4 }] });
});

test('a workbook of more than 100,000 rows is refused, and nothing of it is stored (INPUT-06)', async () => {
  const t = await createTestApp();
  const row = '<row><c t="b"><v>1</v></c></row>';
  const file = await workbookFile({ sheets: { H: textRow(1, ['Nombre']) + row.repeat(100_001) } });
  const { status, body } = await upload(t, 'clients', file);
  expect([status, body.errors]).toEqual([400, { file: [IMPORT_MESSAGES.tooManyRows] }]);
  expect(await t.db.selectFrom('imports').select('id').execute()).toEqual([]);
});

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
test.each<[string, number, string, () => Buffer | Promise<Buffer>]>([
  ['an old workbook', 415, IMPORT_MESSAGES.oldExcel, () => Buffer.concat([OLE, Buffer.alloc(512)])],
  [
    'a workbook with a password',
    415,
    IMPORT_MESSAGES.encrypted,
    () => Buffer.concat([OLE, Buffer.alloc(512), Buffer.from('EncryptedPackage', 'utf16le')]),
  ],
  [
    'a file of LibreOffice',
    415,
    IMPORT_MESSAGES.openDocument,
    () => zipped({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<a/>' }),
  ],
  ['a binary workbook', 415, IMPORT_MESSAGES.binaryWorkbook, () => zipped({ 'xl/workbook.bin': 'x' })],
  ['a text document', 415, IMPORT_MESSAGES.notText, () => zipped({ 'word/document.xml': '<a/>' })],
  ['a picture of a page', 415, IMPORT_MESSAGES.notText, () => Buffer.from('%PDF-1.7')],
  [
    'a damaged workbook',
    400,
    IMPORT_MESSAGES.brokenWorkbook,
    async () => (await clientsFile()).subarray(0, 900),
  ],
  [
    'a workbook that unpacks to 300 MB',
    413,
    IMPORT_MESSAGES.unpackedTooLarge,
    () => workbookFile({ sheets: { H: CLIENTS }, files: { 'xl/media/a.bmp': Buffer.alloc(300_000_000) } }),
  ],
  [
    'entities that grow',
    400,
    IMPORT_MESSAGES.brokenWorkbook,
    () =>
      workbookFile({
        sheets: {
          H: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><worksheet>&c;</worksheet>',
        },
      }),
  ],
])('%s is refused with %i and what to do (INPUT-06)', async (_what, status, message, make) => {
  const t = await createTestApp();
  const { status: answered, body } = await upload(t, 'clients', await make());
  expect([answered, body.errors?.file?.[0] ?? body.message]).toEqual([status, message]);
});

test('the result of a formula, a day with a time and a number fill fields of text and of days (INPUT-06)', async () => {
  const t = await createTestApp();
  const license = await createLicense(t);
  const file = await workbookFile({
    formats: [22],
    sheets: {
      H: `${textRow(1, ['Clave', 'Fecha de expiración', 'Notas'])}<row r="2"><c r="A2" t="str"><f>"x"</f><v>${license.license_key}</v></c><c r="B2" s="1"><v>46418.5</v></c><c r="C2"><v>5</v></c></row>`,
    },
  });
  const { forecast } = await importFile(t, 'licenses', file, 'update');
  expect(forecast).toMatchObject({ to_update: 1, errors: [] });
  const { body } = await t.call('GET', `/licenses/api/licenses/${license.id}/`);
  expect([body.notes, body.expiry_date]).toEqual(['5', '2027-02-01T05:59:59.000Z']);
});
