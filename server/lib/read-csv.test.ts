import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { CsvRecords, UnreadableCsv } from './csv-records.ts';
import { readCsv, separatorOf } from './read-csv.ts';

const LIMITS = { cell: 10_000, columns: 100 };

async function read(content: string): Promise<string[][]> {
  const records: string[][] = [];
  for await (const some of readCsv([content], LIMITS)) records.push(...some);
  return records;
}

describe('readCsv (IMPORT-01)', () => {
  test.each([
    ['commas', 'Nombre,Teléfono\nPeña,1\n'],
    ['semicolons', 'Nombre;Teléfono\r\nPeña;1'],
    ['tabulators, "Unicode text" of Excel', 'Nombre\tTeléfono\r\nPeña\t1\r\n'],
    ['the line ends of an old Mac', 'Nombre,Teléfono\rPeña,1\r'],
    ["Excel's hint of the separator", 'sep=;\r\nNombre;Teléfono\r\nPeña;1\r\n'],
  ])('reads %s', async (_what, text) => {
    expect(await read(text)).toEqual([
      ['Nombre', 'Teléfono'],
      ['Peña', '1'],
    ]);
  });

  test('quoted cells may contain separators, quotes and line breaks, blank lines are records, and rows may be short', async () => {
    expect(await read('a,b\n"1\r\n""2"", 3",x\n\n\n4\n12" tubo,y\n')).toEqual([
      ['a', 'b'],
      ['1\r\n"2", 3', 'x'],
      [''],
      [''],
      ['4'],
      ['12" tubo', 'y'],
    ]);
  });

  test('a quote that is not closed is reported with its row', async () => {
    const fault = await read('a,b\n1,2\n"3,4\n5,6\n').catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(UnreadableCsv);
    expect((fault as UnreadableCsv).fault).toEqual({ kind: 'open-quote', record: 3 });
    // The rest of a long file is not stored in memory.
    const long = await read(`a,b\n1,2\n"3,${'x'.repeat(3_000_000)}`).catch(
      (error: UnreadableCsv) => error.fault,
    );
    expect(long).toEqual({ kind: 'open-quote', record: 3 });
  });

  const faultOf = (content: string) => read(content).catch((error: UnreadableCsv) => error.fault);

  test('a row with too many cells, or with one that is too long, is reported with its number', async () => {
    const filled = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join();
    expect(await read(`a\n${filled(100)}`)).toHaveLength(2);
    expect(await faultOf(`a\n${filled(101)}\n`)).toEqual({ kind: 'many-cells', record: 2 });
    expect(await read(`a\n${'x'.repeat(10_000)}`)).toEqual([['a'], ['x'.repeat(10_000)]]);
    expect(await faultOf(`a\n\n${'x'.repeat(10_001)}`)).toEqual({ kind: 'long-cell', record: 3 });
    expect(await faultOf(`a\n"${'""'.repeat(10_001)}"\n`)).toEqual({ kind: 'long-cell', record: 2 });
  });

  test('any number of empty cells to the right of the table is ignored', async () => {
    const [row] = await read(`a,b${','.repeat(1_000_000)}\n`);
    expect(row).toHaveLength(100);
  });

  test('any text is read like csv-parse reads it, in pieces of any size', () => {
    const options = { relax_column_count: true, relax_quotes: true, record_delimiter: ['\r\n', '\n', '\r'] };
    const text = fc.array(fc.constantFrom('a', 'ñ', ' ', ',', '"', '""', '\r', '\n', '\r\n'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const whole = parts.join('');
        const attempt = (work: () => string[][]) => {
          try {
            return work();
          } catch {
            return 'open quote';
          }
        };
        const expected = attempt(() => parse(whole, options));
        const found = attempt(() => {
          const records = new CsvRecords(',', LIMITS);
          for (let at = 0; at < whole.length; at += size) records.write(whole.slice(at, at + size));
          records.end();
          return records.take();
        });
        expect(found).toEqual(expected);
      }),
    );
  });

  test('a large file is read completely and in order', async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `${n},ñandú ${n},"a;b"`);
    const records = await read(`n,texto,otro\n${lines.join('\n')}`);
    expect(records).toHaveLength(30_001);
    expect(records.every((record, n) => n === 0 || record[0] === String(n - 1))).toBe(true);
    expect(records.at(-1)).toEqual(['29999', 'ñandú 29999', 'a;b']);
  });
});

test.each([
  ['a,b,c\n1,2,3', ','],
  ['Nombre;Precio\nAna;1.234,50\nBeto;10,5', ';'],
  ['Nombre\tNotas\nAna\tuno, dos; tres', '\t'],
  ['"a;b;c",d\n"e;f",g', ','],
  ['solo', ','],
  ['', ','],
])('the separator of %j is recognised as %j (IMPORT-01)', (text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});
