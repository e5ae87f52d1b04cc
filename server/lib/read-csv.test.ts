import { describe, expect, test } from 'vitest';
import { readCsv, separatorOf, UnreadableCsv } from './read-csv.ts';

async function read(content: string | Buffer): Promise<string[][]> {
  const records: string[][] = [];
  for await (const some of readCsv(Buffer.from(content))) records.push(...some);
  return records;
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('readCsv (IMPORT-01)', () => {
  const rows = [
    ['Nombre', 'Teléfono'],
    ['Peña', '1'],
  ];
  test.each([
    ['UTF-8', Buffer.from('Nombre,Teléfono\nPeña,1\n')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFNombre,Teléfono\r\nPeña,1\r\n')],
    ['Windows-1252', Buffer.from('Nombre;Teléfono\r\nPeña;1', 'latin1')],
    ['UTF-16, "Unicode text" of Excel', utf16('Nombre\tTeléfono\r\nPeña\t1\r\n')],
    ['UTF-16 big endian', utf16('Nombre\tTeléfono\r\nPeña\t1\r\n').swap16()],
    ['the line ends of an old Mac', Buffer.from('Nombre,Teléfono\rPeña,1\r')],
    ["Excel's hint of the separator", Buffer.from('sep=;\r\nNombre;Teléfono\r\nPeña;1\r\n')],
  ])('%s', async (_what, bytes) => {
    expect(await read(bytes)).toEqual(rows);
  });

  test('quoted cells have separators, quotes and line breaks; blank lines are records; rows may be short', async () => {
    expect(await read('a,b\n"1\r\n""2"", 3",x\n\n\n4\n12" tubo,y\n')).toEqual([
      ['a', 'b'],
      ['1\r\n"2", 3', 'x'],
      [''],
      [''],
      ['4'],
      ['12" tubo', 'y'],
    ]);
  });

  test('a quote that is not closed is named with its row', async () => {
    const fault = await read('a,b\n1,2\n"3,4\n5,6\n').catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(UnreadableCsv);
    expect((fault as UnreadableCsv).fault).toEqual({ kind: 'open-quote', record: 3 });
    // The rest of a long file is not kept in memory.
    const long = await read(`a,b\n1,2\n"3,${'x'.repeat(3_000_000)}`).catch(
      (error: UnreadableCsv) => error.fault,
    );
    expect(long).toEqual({ kind: 'open-quote', record: 3 });
  });

  test.each([
    ['a workbook', Buffer.from('504b030414000600', 'hex')],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['a PDF', Buffer.from('%PDF-1.7')],
  ])('%s is no CSV', async (_what, bytes) => {
    expect(await read(bytes).catch((error: UnreadableCsv) => error.fault)).toEqual({ kind: 'no-text' });
  });

  test('a large file arrives whole, and in its order', async () => {
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
])('the separator of %j is %j (IMPORT-01)', (text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});
