import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { machineKey, namesNoMachine } from './machine-ids.ts';

const UUID = '4c4c4544004b4e10804cb4c04f4d5332';
const MAC = '005e10000001';

const grouped = (digits: string, lengths: readonly number[], separator: string) => {
  let from = 0;
  return lengths
    .map((length) => {
      from += length;
      return digits.slice(from - length, from);
    })
    .join(separator);
};
const UUID_GROUPS = [8, 4, 4, 4, 12];
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const around = fc.constantFrom('', ' ', '"', "'", '“', '\t', '\ufeff', '\u200e', ' "');

describe('the key of a machine id', { tags: ['INPUT-09'] }, () => {
  test.each([
    ['4C4C4544-004B-4E10-804C-B4C04F4D5332', UUID],
    ['{4C4C4544-004B-4E10-804C-B4C04F4D5332}', UUID],
    [' "4c4c4544-004b-4e10-804c-b4c04f4d5332" ', UUID],
    ['4C4C4544004B4E10804CB4C04F4D5332', UUID],
    ['urn:uuid:4c4c4544-004b-4e10-804c-b4c04f4d5332', UUID],
    ['00:5E:10:00:00:01', MAC],
    ['00-5e-10-00-00-01', MAC],
    ['005e.1000.0001', MAC],
    ['005E10000001', MAC],
    ['Caja-01', 'caja-01'],
    ['“Caja-01”', 'caja-01'],
    ['CAJA 01', 'caja 01'],
    ['caja-0-1', 'caja-0-1'],
    ['CAN\u0303O\u0301N-1', 'cañón-1'],
    ['""', '""'],
  ])('%j is %j', (id, key) => {
    expect(machineKey(id)).toBe(key);
  });

  test('ids whose inner signs differ are two machines, unless they are a UUID or a MAC address', () => {
    expect(machineKey('caja-01')).not.toBe(machineKey('caja01'));
    expect(machineKey('1234-5678-9012')).not.toBe(machineKey('123456789012'));
  });

  test('folding a key again gives the same key, and no key is empty', () => {
    const ids = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.string({ minLength: 1, unit: fc.constantFrom(...'"{}\' Aa0-:.F') }),
      hex(32),
    );
    fc.assert(
      fc.property(ids, (id) => {
        const key = machineKey(id);
        expect(machineKey(key)).toBe(key);
        if (id.trim() !== '') expect(key).not.toBe('');
      }),
    );
  });

  test('every spelling of a UUID or a MAC address has the same key', () => {
    const separator = fc.constantFrom('', '-', ':', '.', '_', ' ');
    const cased = (text: string, isUpper: boolean) => (isUpper ? text.toUpperCase() : text);
    fc.assert(
      fc.property(
        hex(32),
        separator,
        fc.boolean(),
        around,
        around,
        (digits, sign, isUpper, before, behind) => {
          const id = `${before}{${cased(grouped(digits, UUID_GROUPS, sign), isUpper)}}${behind}`;
          expect(machineKey(id)).toBe(digits);
          const mac = digits.slice(0, 12);
          const spelled = `${before}${cased(grouped(mac, [2, 2, 2, 2, 2, 2], sign), isUpper)}${behind}`;
          expect(machineKey(spelled)).toBe(mac);
        },
      ),
    );
  });
});

describe('an id that names no machine', { tags: ['INPUT-09'] }, () => {
  test.each([
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '{03000200-0400-0500-0006-000700080009}',
    'To be filled by O.E.M.',
    'Default string',
    'System Serial Number',
    'null',
    '(null)',
    'undefined',
    'unknown',
    'None',
    'N/A',
    '[object Object]',
    '02:00:00:00:00:00',
    '00-00-00-00-00-00',
    'ff:ff:ff:ff:ff:ff',
    '""',
    '---',
    '0000',
  ])('%j is one', (id) => {
    expect(namesNoMachine(id)).toBe(true);
  });

  test.each([
    'caja-01',
    '4C4C4544-004B-4E10-804C-B4C04F4D5332',
    '1',
    '00',
    'maquina-1',
    'nulo-caja',
    'B4:2E:99:01:02:03',
    'None-7',
  ])('%j is none', (id) => {
    expect(namesNoMachine(id)).toBe(false);
  });
});
