import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { withPostalZeros, withTaxIdZeros } from './leading-zeros.ts';

describe('leading zeros that a spreadsheet dropped come back (INPUT-03)', () => {
  test.each([
    ['1000', 'México', '01000'],
    ['1000', 'MX', '01000'],
    ['72000', 'México', '72000'],
    ['100', 'México', '100'],
    ['1000', 'Argentina', '1000'],
    ['1000', '', '1000'],
    ['C1000', 'México', 'C1000'],
    ['1000', 'Chile', '1000'],
    ['5001', 'Colombia', '5001'],
    ['50012', 'Colombia', '050012'],
    ['8001', 'España', '08001'],
    ['1001000', 'Brasil', '01001000'],
    ['1001-000', 'Brasil', '1001-000'],
    ['601', 'Puerto Rico', '00601'],
    ['2134', 'Estados Unidos', '02134'],
    ['1000', 'Uruguay', '1000'],
    ['0', 'México', '00000'],
    ['0', '', '00000'],
  ])('the postal code %s in %s', (text, country, code) => {
    expect(withPostalZeros(text, country)).toBe(code);
  });

  test.each([
    ['191', 'Brasil', '191'],
    ['191000191', 'Brasil', '191000191'],
    ['360305000104', 'Brasil', '00360305000104'],
    ['1234567890', 'Brasil', '01234567890'],
    ['12345678909', 'Brasil', '12345678909'],
    ['1234567891', 'Brasil', '1234567891'],
    ['190000000001', 'Ecuador', '0190000000001'],
    ['990000000001', 'Ecuador', '0990000000001'],
    ['1790000000001', 'Ecuador', '1790000000001'],
    ['20123456786', 'Argentina', '20123456786'],
    ['20100017491', 'Perú', '20100017491'],
    ['TUN010101AB1', 'México', 'TUN010101AB1'],
    ['1234567890', '', '1234567890'],
  ])('the tax id %s in %s', (text, country, id) => {
    expect(withTaxIdZeros(text, country)).toBe(id);
  });

  test('what was restored stays', () => {
    const countries = fc.constantFrom(
      'México',
      'Brasil',
      'Ecuador',
      'Uruguay',
      'España',
      'Colombia',
      'US',
      '',
    );
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,14}$/), countries, (text, country) => {
        for (const restore of [withPostalZeros, withTaxIdZeros]) {
          const restored = restore(text, country);
          expect(restore(restored, country)).toBe(restored);
          expect(Number(restored)).toBe(Number(text));
        }
      }),
    );
  });
});
