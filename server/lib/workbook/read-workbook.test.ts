import { describe, expect, test } from 'vitest';
import { type SheetParts, textRow, workbookFile, zipped } from '../../../test/workbook.ts';
import { type NumberedRow, noFacts, openWorkbook } from './read-workbook.ts';
import { UnreadableWorkbook } from './unreadable-workbook.ts';

const LIMITS = { unpacked: 4 * 1024 * 1024, cell: 100, columns: 10 };

async function readFile(bytes: Buffer, sheet?: string) {
  const { sheets, rows } = await openWorkbook(bytes, LIMITS);
  const facts = noFacts();
  const found: NumberedRow[] = [];
  for await (const some of rows(sheet ?? sheets[0] ?? '', facts)) found.push(...some);
  return { sheets, rows: found, notes: facts };
}
const read = async (parts: SheetParts, sheet?: string) => readFile(await workbookFile(parts), sheet);
/** The cells of the only row. */
const cellsOf = async (cells: string, parts: Partial<SheetParts> = {}) => {
  const { rows } = await read({ sheets: { Hoja1: `<row r="1">${cells}</row>` }, ...parts });
  return rows[0]?.slice(1) ?? [];
};

describe('cells of a workbook (INPUT-06)', () => {
  test('texts are shared, in the cell, of a formula, or in parts with formats of their own', async () => {
    const strings =
      '<si><t>Ñandú</t></si><si><r><t>Ana </t></r><r><rPr><b/></rPr><t>López</t></r><rPh sb="0" eb="1"><t>aid</t></rPh></si><si><t xml:space="preserve"> a &lt;b&gt; _x000D_ _x005F_x0041_</t></si><si/>';
    expect(
      await cellsOf(
        '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c><c r="E1" t="str"><f>A1&amp;"x"</f><v>Ñandúx</v></c><c r="F1" t="inlineStr"><is><r><t>en </t></r><r><t>línea</t></r></is></c>',
        { strings },
      ),
    ).toEqual(['Ñandú', 'Ana López', ' a <b> \r _x0041_', '', 'Ñandúx', 'en línea']);
  });

  test('numbers are numbers, without the tail of binary fractions', async () => {
    expect(
      await cellsOf(
        '<c r="A1"><v>1.234</v></c><c r="B1"><v>1199.9999999999998</v></c><c r="C1"><v>0.30000000000000004</v></c><c r="D1"><v>5.25512345678E11</v></c><c r="E1" t="n"><f>1/3</f><v>0.33333333333333331</v></c><c r="F1"><v>9007199254740991</v></c><c r="G1"><v>-0.5</v></c>',
      ),
    ).toEqual([1.234, 1200, 0.3, 525512345678, 0.333333333333333, 9007199254740991, -0.5]);
  });

  test('truth values, errors and percentages are the texts that the sheet shows', async () => {
    expect(
      await cellsOf(
        '<c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1" s="1"><v>0.125</v></c><c r="E1" s="2"><v>1234</v></c>',
        { formats: [10, '00000'] },
      ),
    ).toEqual(['VERDADERO', 'FALSO', '#DIV/0!', '12.5%', '01234']);
  });

  test.each([
    ['a day', 14, 46_053, '2026-01-31'],
    ['a day with a time', 22, 46_053.4375, '2026-01-31 10:30:00'],
    ['a time that a day format hides', 14, 46_053.75, '2026-01-31 18:00:00'],
    ['milliseconds', 'yyyy-mm-dd hh:mm:ss.000', 46_053.000_005_787_04, '2026-01-31 00:00:00.500'],
    ['a format in Spanish', '[$-80A]d "de" mmmm "de" yyyy;@', 46_053, '2026-01-31'],
    ['a month', 'mmm-yy', 46_053, '2026-01-31'],
    ['a time alone', 'h:mm AM/PM', 0.5, '12:00:00'],
    ['a duration', '[h]:mm:ss', 1.5, '36:00:00'],
    ['the first days of 1900', 14, 1, '1900-01-01'],
    ['the day after the one that does not exist', 14, 61, '1900-03-01'],
    ['the last day', 14, 2_958_465, '9999-12-31'],
    ['a number beyond all days', 14, 3_000_000, 3_000_000],
    ['a number with a word', '0 "días"', 30, 30],
    ['a number with a colour and thousands', '[Red]#,##0.00_);[Black](#,##0.00)', 1234.5, 1234.5],
    ['an exponent', '0.00E+00', 1_234_500, 1_234_500],
    ['a currency', '"$"#,##0.00;[Red]\\-"$"#,##0.00', 99.9, 99.9],
    ['a currency with a country', '[$MXN-80A] #,##0.00', 99.9, 99.9],
    ['General', 'General', 46_053, 46_053],
  ])('%s is read by its format', async (_what, format, value, expected) => {
    expect(await cellsOf(`<c r="A1" s="1"><v>${value}</v></c>`, { formats: [format] })).toEqual([expected]);
  });

  test('days count from 1904 where the workbook says so, and may stand as ISO text', async () => {
    const cells =
      '<c r="A1" s="1"><v>44591</v></c><c r="B1" t="d"><v>2026-01-31T00:00:00</v></c><c r="C1" t="d"><v>2026-01-31T10:30:00Z</v></c>';
    expect(await cellsOf(cells, { formats: [14], is1904: true })).toEqual([
      '2026-01-31',
      '2026-01-31',
      '2026-01-31 10:30:00',
    ]);
  });
});

describe('rows and sheets of a workbook (INPUT-06)', () => {
  test('empty cells keep the places of the others, and rows their numbers', async () => {
    const { rows } = await read({
      sheets: {
        Hoja1: `${textRow(2, ['a'])}<row r="5"><c r="C5"><v>3</v></c><c r="D5" s="1"/><c r="XFD5" s="1"/></row><row r="6"/><row><c><v>1</v></c><c><v>2</v></c></row>`,
      },
      formats: [14],
    });
    expect(rows).toEqual([
      [2, 'a'],
      [5, '', '', 3],
      [7, 1, 2],
    ]);
  });

  test('hidden rows are read and counted, merged cells have their value in the first, formulas without a result are named', async () => {
    const { rows, notes } = await read({
      sheets: {
        Hoja1: `<worksheet><sheetData>${textRow(1, ['a', 'b'])}<row r="2" hidden="1"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><f>B3</f></c><c r="B3"><v>5</v></c></row></sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`,
      },
    });
    expect(rows).toEqual([
      [1, 'a', 'b'],
      [2, 1],
      [3, '', 5],
    ]);
    expect(notes).toEqual({ hidden: 1, uncomputed: { count: 1, first: 3 }, merged: 2 });
  });

  test('the sheets are those that are not hidden, and one is read by its name', async () => {
    const parts = {
      sheets: { Datos: textRow(1, ['a']), Oculta: textRow(1, ['b']), 'Más datos': textRow(1, ['c']) },
      hidden: ['Oculta'],
    };
    expect(await read(parts, 'Más datos')).toMatchObject({
      sheets: ['Datos', 'Más datos'],
      rows: [[1, 'c']],
    });
    await expect(read(parts, 'Oculta')).rejects.toMatchObject({ fault: { kind: 'no-sheet' } });
  });

  test('names with any prefix, parts in any case and an absolute target are read, as other libraries write them', async () => {
    const ns = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const bytes = await zipped({
      '_rels/.rels':
        '<Relationships><Relationship Id="R1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/xl/Workbook.xml"/></Relationships>',
      'XL/workbook.xml': `<x:workbook ${ns} xmlns:rel="urn:r"><x:sheets><x:sheet name="Uno" sheetId="7" rel:id="q"/></x:sheets></x:workbook>`,
      'xl/_rels/Workbook.xml.rels':
        '<Relationships><Relationship Id="q" Type="x/worksheet" Target="../xl/datos.xml"/></Relationships>',
      'xl/datos.xml': `\ufeff<?xml version="1.0"?><x:worksheet ${ns}><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[a<b]]></x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
    });
    expect((await readFile(bytes)).rows).toEqual([[1, 'a<b']]);
  });

  test('a cell that is too long or too far to the right is refused with its row', async () => {
    const long = textRow(3, ['x'.repeat(101)]);
    await expect(read({ sheets: { H: long } })).rejects.toMatchObject({
      fault: { kind: 'long-cell', record: 3 },
    });
    const shared = { strings: `<si><t>${'&#241;'.repeat(101)}</t></si>` };
    await expect(cellsOf('<c r="A1" t="s"><v>0</v></c>', shared)).rejects.toMatchObject({
      fault: { kind: 'long-cell' },
    });
    expect(await cellsOf(`<c r="A1" t="str"><v>${'&#241;'.repeat(100)}</v></c>`)).toEqual(['ñ'.repeat(100)]);
    await expect(read({ sheets: { H: '<row r="4"><c r="K4"><v>1</v></c></row>' } })).rejects.toMatchObject({
      fault: { kind: 'many-cells', record: 4 },
    });
  });
});

describe('files that are no workbook, or a hostile one (INPUT-06)', () => {
  const kindOf = async (bytes: Buffer) =>
    readFile(bytes).then(
      () => 'read',
      (error: unknown) => (error instanceof UnreadableWorkbook ? error.fault.kind : error),
    );
  const row = textRow(1, ['a']);
  const sheet = (xml: string) => workbookFile({ sheets: { H: `<?xml version="1.0"?>${xml}` } });

  test.each<[string, string, () => Promise<Buffer>]>([
    ['a LibreOffice file', 'ods', () => zipped({ mimetype: 'application/vnd…', 'content.xml': '<a/>' })],
    ['a binary workbook', 'xlsb', () => zipped({ 'xl/workbook.bin': 'x' })],
    ['another archive', 'other', () => zipped({ 'a.txt': 'x' })],
    [
      'an archive that is cut',
      'broken',
      async () => (await workbookFile({ sheets: { H: row } })).subarray(0, 300),
    ],
    ['a path outside', 'broken', async () => outside()],
    [
      'a definition of types',
      'broken',
      () => sheet(`<!DOCTYPE a [<!ENTITY b "${'c'.repeat(99)}">]><worksheet/>`),
    ],
    ['an unknown entity', 'broken', () => sheet('<worksheet>&b;</worksheet>')],
    ['a thousand elements within another', 'broken', () => sheet('<a>'.repeat(1000))],
    ['half a document', 'broken', () => sheet('<worksheet><sheetData>')],
    ['no XML', 'broken', () => sheet('{}')],
    [
      'a text that is not there',
      'broken',
      () => sheet('<worksheet><sheetData><row><c t="s"><v>9</v></c></row></sheetData></worksheet>'),
    ],
    [
      'rows that go back',
      'broken',
      () => sheet('<worksheet><sheetData><row r="9"/><row r="8"/></sheetData></worksheet>'),
    ],
    [
      'a cell without a place',
      'broken',
      () => sheet('<worksheet><sheetData><row><c r="1"><v>1</v></c></row></sheetData></worksheet>'),
    ],
    ['a text without an end', 'too-large', () => sheet(`<worksheet>${'a'.repeat(3_000_000)}`)],
    ['an attribute without an end', 'too-large', () => sheet(`<worksheet a="${'a'.repeat(3_000_000)}`)],
    ['a sheet of 5 MB', 'too-large', () => sheet(`<worksheet>${'<a/>'.repeat(1_300_000)}</worksheet>`)],
    [
      '6000 entries',
      'too-large',
      () => zipped(Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`a${n}`, 'x']))),
    ],
    [
      'other entries of 5 MB',
      'too-large',
      () => workbookFile({ sheets: { H: row }, files: { 'xl/media/a.bmp': Buffer.alloc(5_000_000) } }),
    ],
    ['an entry that is larger than it says', 'broken', () => lying(10_000)],
  ])('%s is %s', async (_what, kind, make) => {
    expect(await kindOf(await make())).toBe(kind);
  });

  test('two entries with one path are refused', async () => {
    const bytes = await zipped({ 'xl/workbook.xml': '<a/>', 'XL/Workbook.xml': '<b/>' });
    expect(await kindOf(bytes)).toBe('broken');
  });

  test('texts without end are refused before they fill the memory', async () => {
    const strings = `<si><t>${'x'.repeat(90)}</t></si>`.repeat(40_000);
    expect(await kindOf(await workbookFile({ sheets: { H: row }, strings }))).toBe('too-large');
  });
});

/** An archive with an entry whose path leads out of it. */
async function outside(): Promise<Buffer> {
  const bytes = await zipped({ 'aa/aa/passwd': 'x', 'xl/workbook.xml': '<a/>' });
  return Buffer.from(bytes.toString('latin1').replaceAll('aa/aa/passwd', '../../passwd'), 'latin1');
}

/** A workbook whose sheet says to have fewer bytes than it unpacks to. */
async function lying(size: number): Promise<Buffer> {
  const xml = `<worksheet><sheetData>${textRow(1, ['x'.repeat(90)])}${'<row/>'.repeat(100_000)}</sheetData></worksheet>`;
  const bytes = await workbookFile({ sheets: { H: xml } });
  const real = Buffer.alloc(4);
  real.writeUInt32LE(Buffer.byteLength(xml));
  const said = Buffer.alloc(4);
  said.writeUInt32LE(size);
  let changed = 0;
  for (let at = bytes.indexOf(real); at >= 0; at = bytes.indexOf(real, at + 4)) {
    said.copy(bytes, at);
    changed += 1;
  }
  if (changed === 0) throw new Error('The size was not found.');
  return bytes;
}
