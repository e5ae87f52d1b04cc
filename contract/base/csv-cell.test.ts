import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { csvCell, csvLine, readCsvCell } from './csv-cell.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+525512345678', "'+525512345678"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ["'=1", "''=1"],
  ['＝1+1', "'＝1+1"],
  ['＋5', "'＋5"],
  ['－5', "'－5"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['a;=1+1', "a;'=1+1"],
  ['a;"=1+1"', `"a;""'=1+1"""`],
  ["a;'=1", "a;''=1"],
  ['a\n@b\t-c', `"a\n'@b\t'-c"`],
  ['a; b, 5-3', '"a; b, 5-3"'],
  ["it's", "it's"],
  ["'quoted", "'quoted"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('the text %j is written to a CSV cell as %j (D014)', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('numbers are written as numbers, also negative ones, booleans in Spanish, and null as an empty cell', () => {
  expect([csvCell(-1.5), csvCell(true), csvCell(false), csvCell(null)]).toEqual(['-1.5', 'Sí', 'No', '']);
});

test('any text can be read back unchanged from its CSV cell, and no cell is a formula (promises)', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^'{0,3}[=+\-@\t\r].{0,5}$/),
    fc.stringMatching(/^[a;\t\n"'=＝@-]{0,8}$/),
    fc.constantFrom("'", "''", '"', ',', '\r\n', '=', "'="),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
      const [cells] = parse(csvLine(texts), { relax_column_count: true }) as string[][];
      // A row whose only cell is empty is written as an empty line, and parsers skip empty lines.
      fc.pre(texts.join('') !== '');
      for (const cell of cells ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      // A spreadsheet that also splits lines at semicolons or tabs must not find a formula either, with or without
      // quotes.
      expect(csvLine(texts)).not.toMatch(/[;\t\r\n]"*[=+\-@＝＋－＠]/);
      expect(cells?.map(readCsvCell)).toEqual(texts);
    }),
    { numRuns: 500 },
  );
});
