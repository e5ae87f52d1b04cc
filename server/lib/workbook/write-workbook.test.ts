import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { CsvCell } from '../../../contract/base/csv-cell.ts';
import type { CellType } from '../../../contract/base/file-columns.ts';
import fc from '../../../test/properties.ts';
import { unzip } from '../../../test/unzip.ts';
import type { SheetCell } from './cell-value.ts';
import { noFacts, openWorkbook } from './read-workbook.ts';
import { columnName, workbookOf } from './write-workbook.ts';

const ZONE = 'America/Mexico_City';
type Row = CsvCell[];

async function* inBatches(rows: Row[]) {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
}

const written = (types: readonly CellType[], rows: Row[], currency?: string) =>
  buffer(
    workbookOf(
      {
        title: 'Datos & más',
        columns: types.map((type, at) => ({
          header: `C${at}`,
          type,
          value: (row: Row) => row[at] ?? null,
          ...(currency !== undefined && { currency: () => currency }),
        })),
        batches: inBatches(rows),
      },
      ZONE,
    ),
  );

async function readBack(types: readonly CellType[], rows: Row[]): Promise<SheetCell[][]> {
  const { sheets, rows: read } = await openWorkbook(await written(types, rows), {
    unpacked: 1e8,
    cell: 40_000,
    columns: 100,
  });
  const found: SheetCell[][] = [];
  for await (const some of read(sheets[0]!, noFacts())) found.push(...some.map(([, ...cells]) => cells));
  expect(found.shift()).toEqual(types.map((_type, at) => `C${at}`));
  return found;
}

test('numbers, days and moments of a zone have their types, text is text, and empty cells are missing (INPUT-06)', async () => {
  const types = ['text', 'count', 'percent', 'money', 'day', 'day', 'moment'] as const;
  const rows = [
    ['=1+1', 7, 12.5, 1234.5, '2027-03-05', '2027-11-29T05:59:59.000Z', '2026-11-21T18:00:00.500Z'],
    [' a\r\n<b> ', 0, null, null, '', 'Sin límite', null],
    [true, 'Sin límite', 1, 2, '1899-12-31', null, '2026-11-21'],
  ];
  expect(await readBack(types, rows)).toEqual([
    ['=1+1', 7, 12.5, 1234.5, '2027-03-05', '2027-11-28', '2026-11-21 12:00:00.500'],
    [' a\r\n<b> ', 0, '', '', '', 'Sin límite'],
    ['Sí', 'Sin límite', 1, 2, '1899-12-31', '', '2026-11-21'],
  ]);
});

test('any text is read back as it was written (INPUT-06)', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .array(
        fc.constantFrom('_', 'x', '0041', '_x0041_', '\r', '\n', '\t', '\0', '&', '<', '"', ']]>', ' ', 'ñ'),
      )
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      const rows = texts.map((one) => ['x', one, 'x']);
      expect(await readBack(['text', 'text', 'text'], rows)).toEqual(
        texts.map((one) => ['x', one.toWellFormed(), 'x']),
      );
    }),
  );
});

test('the header is bold and stays in view, columns are as wide as their texts, and amounts have the decimals of their currency (INPUT-06)', async () => {
  const partsOf = async (currency?: string) =>
    new Map(
      unzip(await written(['text', 'money'], [['x'.repeat(30), 1250]], currency)).map(({ path, text }) => [
        path,
        text,
      ]),
    );
  const parts = await partsOf();
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Datos &amp; más"');
  const sheet = parts.get('xl/worksheets/sheet1.xml')!;
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toMatch(/<col min="1" max="1" width="32"[^>]*\/><col min="2" max="2" width="8"/);
  const formatOf = (xml: string, cell: string) => {
    const style = Number(new RegExp(`r="${cell}" s="(\\d+)"`).exec(xml)![1]);
    return [...parts.get('xl/styles.xml')!.matchAll(/<xf numFmtId="(\d+)" fontId="(\d)"/g)].slice(1)[style]!;
  };
  // Font 1 is bold; format 49 is Text, 4 is #,##0.00, 3 is #,##0.
  expect(formatOf(sheet, 'A1').slice(1)).toEqual(['49', '1']);
  expect(formatOf(sheet, 'A2').slice(1)).toEqual(['49', '0']);
  expect(formatOf(sheet, 'B2')[1]).toBe('4');
  expect(formatOf((await partsOf('CLP')).get('xl/worksheets/sheet1.xml')!, 'B2')[1]).toBe('3');
});

test('an error in the rows ends the stream with that error, and leaving the stream ends the rows', async () => {
  let isEnded = false;
  let isBegun = false;
  async function* rows(isFailing: boolean) {
    try {
      for (let at = 0; ; at += 1) {
        isBegun = true;
        if (isFailing && at === 3) throw new Error('the rest is missing');
        yield [['x'.repeat(100_000)]];
      }
    } finally {
      isEnded = true;
    }
  }
  const open = (isFailing: boolean) =>
    workbookOf(
      {
        title: 'T',
        columns: [{ header: 'C', type: 'text', value: (row: Row) => row[0]! }],
        batches: rows(isFailing),
      },
      ZONE,
    );
  await expect(buffer(open(true))).rejects.toThrow('the rest is missing');
  expect(isEnded).toBe(true);
  [isBegun, isEnded] = [false, false];
  for await (const _piece of open(false)) if (isBegun) break;
  await expect.poll(() => isEnded).toBe(true);
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is %s', (index, name) => {
  expect(columnName(index)).toBe(name);
});
