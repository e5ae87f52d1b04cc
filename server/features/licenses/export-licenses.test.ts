import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { readCsvCell } from '../../../contract/base/csv-cell.ts';
import { inCodes } from '../../../contract/base/file-columns.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { NIGHT } from '../../../test/at-night.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import fc, { triesOf } from '../../../test/properties.ts';

const EXPORT = '/licenses/api/licenses/export/';
const HEADERS = [
  'ID',
  'Clave de Licencia',
  'Cliente',
  'Email',
  'Software',
  'Versión',
  'Categoría',
  'Tipo de Licencia',
  'Estado',
  'Precio',
  'Precio Original',
  'Descuento (%)',
  'Nombre de Promoción',
  'Descripción de Promoción',
  'Instalaciones',
  'Máximo de Instalaciones',
  'Fecha de Emisión',
  'Días de Expiración',
  'Fecha de Expiración',
  'Notas',
  'Moneda',
  'Identificador Externo',
  'Días de gracia',
  'Días sin conexión',
  'Características',
  'Contadores',
  'Asientos',
  'Minutos de préstamo',
  'Liberación por el programa',
  'Liberaciones por mes',
  'Empieza',
  'Días para activarla',
  'Actualizaciones hasta',
  'Etiquetas',
  'Cortesía',
  'Meses de Expiración',
];

/** Parses the file as a spreadsheet does. */
const cellsOf = (text: string): string[][] => parse(text, { bom: true, relax_column_count: false });

async function exported(testApp: TestApp, query = ''): Promise<string[][]> {
  const { status, text } = await testApp.call('GET', `${EXPORT}${query}`);
  expect(status).toBe(200);
  return cellsOf(text);
}

describe('GET licenses/export/ (SEED-7.4-13, D014)', () => {
  test('returns a CSV file for Excel: file name, byte order mark, Spanish headers, one line per licence', async () => {
    const testApp = await createTestApp({ now: '2026-11-22T03:00:00.000Z' });
    const client = await createClient(testApp, { name: 'Peña, Íñigo', email: 'i@example.com' });
    const license = await createLicense(testApp, {
      client: client.id,
      price: 1234.5,
      discount_percentage: 12.5,
      notes: 'uno\n"dos"',
    });
    const { status, headers, text } = await testApp.call('GET', EXPORT);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    // The local day; in UTC the next day has begun.
    expect(headers['content-disposition']).toBe('attachment; filename="licencias_2026-11-21.csv"');
    expect(text.startsWith('\uFEFFID,')).toBe(true);
    const [head, row, ...rest] = cellsOf(text);
    expect(head).toEqual(HEADERS);
    expect(rest).toEqual([]);
    expect(row).toEqual([
      String(license.id),
      license.license_key,
      'Peña, Íñigo',
      'i@example.com',
      license.software_name,
      '1.0.0',
      'premium',
      '',
      'active',
      '1234.5',
      '',
      '12.5',
      '',
      '',
      '0',
      '5',
      '2026-11-22T03:00:00.000Z',
      '365',
      license.expiry_date,
      'uno\n"dos"',
      'MXN',
      '',
      '0',
      '7',
      '{}',
      '{}',
      'fixed',
      '',
      'No',
      'Sin límite',
      'issue',
      '365',
      'Sin límite',
      '',
      'No',
      '',
    ]);
  });

  test('accepts the filters of the list and refuses invalid ones', async () => {
    const testApp = await createTestApp();
    const a = await createLicense(testApp, { status: 'suspended' });
    const b = await createLicense(testApp, { license_type: 'trial' });
    const idsOf = async (query: string) =>
      (await exported(testApp, query)).slice(1).map((row) => Number(row[0]));
    expect(await idsOf('')).toEqual([a.id, b.id]);
    expect(await idsOf('?status=suspended')).toEqual([a.id]);
    expect(await idsOf('?license_type=trial&is_active=true')).toEqual([b.id]);
    expect(await idsOf(`?search=${b.license_key}`)).toEqual([b.id]);
    expect(await idsOf('?page=2&page_size=1')).toEqual([a.id, b.id]);
    expect((await testApp.call('GET', `${EXPORT}?status=otro`)).status).toBe(400);
  });

  test('no cell begins as a formula, and any content can be read back without loss', async () => {
    const testApp = await createTestApp();
    const client = await createClient(testApp, { name: '=HYPERLINK("http://x")' });
    const software = await createSoftware(testApp, { name: '@suma', version: '-1' });
    const license = await createLicense(testApp, { client: client.id, software: software.id });
    const set = (notes: string, promotion_name: string) =>
      testApp.db
        .updateTable('licenses')
        .set({ notes, promotion_name })
        .where('id', '=', license.id)
        .execute();
    const piece = fc.oneof(
      fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", '"', ',', '\n', '\r\n', ';', '=1+1', "'=1", "''+"),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('').replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(text, text, async (notes, promotion) => {
        await set(notes, promotion);
        const [, row = []] = await exported(testApp);
        for (const [index, cell] of row.entries()) {
          if (!/^-?\d+(\.\d+)?$/.test(cell)) expect(cell, HEADERS[index]).not.toMatch(/^[=+\-@\t\r]/);
        }
        const read = row.map(readCsvCell);
        expect(read[HEADERS.indexOf('Notas')]).toBe(notes);
        expect(read[HEADERS.indexOf('Nombre de Promoción')]).toBe(promotion);
        expect(read[HEADERS.indexOf('Cliente')]).toBe('=HYPERLINK("http://x")');
        expect(read[HEADERS.indexOf('Software')]).toBe('@suma');
        expect(read[HEADERS.indexOf('Versión')]).toBe('-1');
      }),
      { numRuns: triesOf(60) },
    );
  });

  test('has exactly these columns', () => {
    expect(inCodes(EXPORT_COLUMNS.licenses).map((column) => column.header)).toEqual(HEADERS);
  });

  test('the export of 100,000 rows needs no more memory than one of 10,000', {
    tags: [NIGHT],
    timeout: 240_000,
  }, async () => {
    const testApp = await createTestApp({ ownApp: true });
    await insertManyLicenses(testApp.db, 100_000);
    const origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
    const few = await peakWhileExporting(testApp, `${origin}${EXPORT}?license_type=trial`);
    const many = await peakWhileExporting(testApp, `${origin}${EXPORT}`);
    expect(few.rows).toBe(10_000);
    expect(many.rows).toBe(100_000);
    // The file is larger than 10 MB, but only one batch and the unsent data of the socket are in memory.
    expect(many.bytes).toBeGreaterThan(10_000_000);
    expect(many.peak - few.peak).toBeLessThan(8_000_000);
  });
});

/** Downloads a file over a real socket and measures the memory in use during this. */
async function peakWhileExporting(testApp: TestApp, url: string) {
  const collectGarbage = exposedGarbageCollector();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${testApp.token}` } });
  const total = { bytes: 0, lines: 0, chunks: 0 };
  let peak = 0;
  for await (const chunk of answer.body ?? []) {
    total.bytes += chunk.length;
    total.lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
    total.chunks += 1;
    if (total.chunks % 50 === 0) {
      collectGarbage();
      peak = Math.max(peak, process.memoryUsage().heapUsed - before);
    }
  }
  return { rows: total.lines - 1, bytes: total.bytes, peak };
}

function exposedGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
