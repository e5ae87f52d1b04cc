import { describe, expect, test } from 'vitest';
import { refusalOf } from './refused-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (name: string, size = 100) => ({ name, size });
const LIMIT = 1000;

describe('a file to import (IMPORT-03)', () => {
  test('a CSV file and a workbook are accepted, whatever the encoding and the file name extension (INPUT-06)', () => {
    for (const name of ['clientes.csv', 'CLIENTES.CSV', 'clientes.txt', 'clientes']) {
      expect(refusalOf(file(name), bytes('Nombre;Correo\r\nAna;ana@x.mx'), LIMIT)).toBeNull();
    }
    expect(refusalOf(file('a.csv'), bytes('\uFEFFNombre,Email'), LIMIT)).toBeNull();
    // 'Teléfono' in Windows-1252.
    expect(
      refusalOf(file('a.csv'), new Uint8Array([0x54, 0x65, 0x6c, 0xe9, 0x66, 0x6f, 0x6e, 0x6f]), LIMIT),
    ).toBeNull();
    expect(refusalOf(file('a.txt'), new Uint8Array([0xff, 0xfe, 0x4e, 0x00]), LIMIT)).toBeNull();
    const zip = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]);
    for (const name of ['Clientes 2026.xlsx', 'renombrado.csv'])
      expect(refusalOf(file(name), zip, LIMIT)).toBeNull();
  });

  test('a spreadsheet of another format is recognised by its file name, or by its bytes under another name', () => {
    for (const name of ['Clientes 2026.XLS', 'clientes.ods', 'clientes.numbers']) {
      expect(refusalOf(file(name), bytes('x'), LIMIT)).toBe('spreadsheet');
    }
    const ole = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]);
    expect(refusalOf(file('renombrado.csv'), ole, LIMIT)).toBe('spreadsheet');
    // Also for a large file the message explains how to save it, not that it is large.
    expect(refusalOf(file('grande.xls', LIMIT + 1), ole, LIMIT)).toBe('spreadsheet');
  });

  test('an empty file, a file above the limit and other kinds of files are refused', () => {
    expect(refusalOf(file('a.csv', 0), bytes(''), LIMIT)).toBe('empty');
    expect(refusalOf(file('a.csv', LIMIT), bytes('a'), LIMIT)).toBeNull();
    expect(refusalOf(file('a.csv', LIMIT + 1), bytes('a'), LIMIT)).toBe('too_large');
    expect(refusalOf(file('foto.jpg'), new Uint8Array([0xff, 0xd8, 0xff, 0x00]), LIMIT)).toBe('not_text');
    expect(refusalOf(file('grande.xlsx', LIMIT + 1), bytes('PK'), LIMIT)).toBe('too_large');
  });
});
