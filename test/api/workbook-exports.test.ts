import { expect, test } from 'vitest';
import { FILE_MESSAGES, FILE_TYPES } from '../../contract/base/file-columns.ts';
import { REPORT_KINDS } from '../../contract/figures/reports.ts';
import { clientList } from '../../server/features/clients/client-list.ts';
import { sendTable } from '../../server/http/file-reply.ts';
import type { SheetCell } from '../../server/lib/workbook/cell-value.ts';
import { noFacts, openWorkbook } from '../../server/lib/workbook/read-workbook.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createSoftware } from '../factories.ts';

/** Each export as a workbook (INPUT-06). */

const NOW = '2026-11-21T18:00:00.000Z';
const API = '/licenses/api';

async function sheetOf(bytes: Buffer): Promise<{ title: string; rows: SheetCell[][] }> {
  const { sheets, rows } = await openWorkbook(bytes, { unpacked: 1e8, cell: 40_000, columns: 100 });
  const found: SheetCell[][] = [];
  for await (const some of rows(sheets[0]!, noFacts())) found.push(...some.map(([, ...cells]) => cells));
  return { title: sheets[0]!, rows: found };
}

async function exportOf(t: TestApp, path: string, token = t.token) {
  const answer = await t.call('GET', `${API}/${path}`, { token });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, FILE_TYPES.xlsx]);
  const { title, rows } = await sheetOf(answer.bytes);
  const [headers = [], ...cells] = rows;
  return {
    title,
    name: String(answer.headers['content-disposition']),
    rows: cells.map((row) => Object.fromEntries(headers.map((header, at) => [String(header), row[at]]))),
  };
}

/** A licence that is sold and paid. */
async function paidLicense(t: TestApp) {
  const client = await createClient(t, { name: '=SUMA(1)', email: 'rosa@example.com', phone: '+5255123456' });
  const software = await createSoftware(t, { name: 'Caja', version: '1.0' });
  const license = await createLicense(t, {
    client: client.id,
    software: software.id,
    price: 1234.5,
    expiry_date: '2027-11-28',
    notes: '-',
  });
  const { body } = await t.call('POST', `${API}/payment-requests/`, {
    body: { lines: [{ license: license.id, kind: 'renewal' }] },
  });
  await t.call('POST', `${API}/payment-requests/${body.id}/mark_paid/`, {
    body: { method: 'cash', reference: '000123' },
  });
  return license;
}

test('amounts, counts and days have their types in the workbook of each list, and texts stay as they are (INPUT-06)', async () => {
  const t = await createTestApp({ now: NOW });
  const license = await paidLicense(t);
  const clients = await exportOf(t, 'clients/export/?file=xlsx');
  expect(clients).toMatchObject({
    title: 'Clientes',
    name: 'attachment; filename="clientes_2026-11-21.xlsx"',
    rows: [{ Nombre: '=SUMA(1)', 'Teléfono Principal': '+5255123456', Licencias: 1 }],
  });
  expect(clients.rows[0]!.Registro).toMatch(/^2026-11-21 12:00:00/);
  expect(await exportOf(t, 'software/export/?file=xlsx')).toMatchObject({
    title: 'Software',
    rows: [{ Nombre: 'Caja', Versión: '1.0', Activo: 'Sí' }],
  });
  const licenses = await exportOf(t, 'licenses/export/?file=xlsx&search=Caja');
  expect(licenses).toMatchObject({
    title: 'Licencias',
    rows: [{ 'Clave de Licencia': license.license_key, Precio: 1234.5, Moneda: 'MXN', Notas: "'-" }],
  });
  expect(licenses.rows[0]!['Fecha de Expiración']).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await exportOf(t, 'payments/export/?file=xlsx')).toMatchObject({
    title: 'Pagos',
    rows: [{ Fecha: '2026-11-21', Importe: expect.any(Number), Referencia: '000123', Moneda: 'MXN' }],
  });
});

test('reports and the fiscal export answer workbooks too (INPUT-06)', async () => {
  const t = await createTestApp({ now: NOW });
  await paidLicense(t);
  for (const kind of REPORT_KINDS) {
    const { title, name } = await exportOf(t, `reports/${kind}/export/?file=xlsx`);
    expect([title, name]).toEqual([
      expect.stringMatching(/^\p{Lu}\p{Ll}+( [\p{Ll} ]+)?$/u),
      expect.stringMatching(/\.xlsx"$/),
    ]);
  }
  const revenue = await exportOf(t, 'reports/revenue/export/?file=xlsx&from=2026-11-01&to=2026-11-30');
  expect(revenue.rows[0]).toMatchObject({ Mes: '2026-11', Desde: '2026-11-01', Nuevas: 1234.5, Ventas: 2 });
  const fiscal = await exportOf(t, 'reports/fiscal/export/?file=xlsx');
  expect([fiscal.title, fiscal.rows[0]]).toMatchObject([
    'Datos fiscales',
    { Fecha: '2026-11-21', 'Precio Neto': 1234.5, Moneda: 'MXN' },
  ]);
});

test('csv is the same as no file, and another kind is refused (INPUT-06)', async () => {
  const t = await createTestApp({ now: NOW });
  const plain = await t.call('GET', `${API}/clients/export/`);
  const csv = await t.call('GET', `${API}/clients/export/?file=csv`);
  expect([csv.status, csv.text, csv.headers['content-disposition']]).toEqual([
    200,
    plain.text,
    plain.headers['content-disposition'],
  ]);
  const pdf = await t.call('GET', `${API}/clients/export/?file=pdf`);
  expect([pdf.status, pdf.body.errors]).toEqual([400, { file: ['Elige csv o xlsx'] }]);
});

test('who may not read licences gets no keys in a workbook (INPUT-06)', async () => {
  const t = await createTestApp({ now: NOW });
  const { license_key: key } = await paidLicense(t);
  const { body } = await t.call('POST', `${API}/api-keys/`, {
    body: { name: 'Contador', permissions: ['reports:read'] },
  });
  const { rows } = await exportOf(t, 'reports/fiscal/export/?file=xlsx', body.key);
  expect(JSON.stringify(rows)).not.toContain(key);
  expect(rows[0]!['Clave de Licencia']).toMatch(/•|\*/);
});

test('more rows than a workbook holds are refused before it begins; CSV has no limit (INPUT-06)', async () => {
  const t = await createTestApp({ now: NOW });
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await createClient(t, { email });
  const moment = { now: new Date(NOW), timeZone: 'America/Mexico_City' };
  const hasMoreThan = (query: object, rows: number) => clientList.hasMoreThan(t.db, query, moment, rows);
  expect(await Promise.all([2, 3].map((rows) => hasMoreThan({}, rows)))).toEqual([true, false]);
  expect(await Promise.all([0, 1].map((rows) => hasMoreThan({ search: 'b@example' }, rows)))).toEqual([
    true,
    false,
  ]);
  const table = {
    name: 'x',
    title: 'X',
    columns: [],
    batches: (async function* () {})(),
    hasMoreThan: async (rows: number) => rows === 1_000_000,
  };
  await expect(sendTable(t.context, {} as never, { file: 'xlsx' }, table)).rejects.toMatchObject({
    status: 400,
    faults: { file: [{ message: FILE_MESSAGES.tooManyRows }] },
  });
});
