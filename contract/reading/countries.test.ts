import { describe, expect, test } from 'vitest';
import { countryCode, countryName } from './countries.ts';

describe('the country that a free text names (INPUT-02)', () => {
  test.each([
    ['México', 'MX'],
    ['MÉJICO', 'MX'],
    ['mx', 'MX'],
    ['Rep. Dominicana', 'DO'],
    ['República Dominicana', 'DO'],
    ['argentina ', 'AR'],
    ['ARG', 'AR'],
    ['EE.UU.', 'US'],
    ['EE. UU.', 'US'],
    ['U.S.A.', 'US'],
    ['Estados Unidos', 'US'],
    ['United States', 'US'],
    ['Brazil', 'BR'],
    ['Reino Unido', 'GB'],
    ['UK', 'GB'],
    ['Deutschland', null],
    ['', null],
    ['Sin especificar', null],
    ['AA', null],
  ])('%s', (text, code) => {
    expect(countryCode(text)).toBe(code);
  });

  test('the name of a country reads as its code', () => {
    for (const code of ['MX', 'AR', 'CL', 'CO', 'PE', 'BR', 'UY', 'ES', 'US', 'DE', 'GT', 'BO'])
      expect(countryCode(countryName(code))).toBe(code);
  });
});
