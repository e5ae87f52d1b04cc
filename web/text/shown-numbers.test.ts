import { afterEach, expect, test } from 'vitest';
import { CURRENCIES, fromMinorUnits, LOCALES, toMinorUnits } from '../../contract/base/money.ts';
import { numberOf } from '../../contract/reading/numbers.ts';
import fc from '../../test/properties.ts';
import { formatMoney, formatNumber, formatPercent, formatPrice, setFormats } from './format.ts';

afterEach(() => setFormats({ currency: 'MXN', locale: 'es-MX' }));

const formats = fc.record({ locale: fc.constantFrom(...LOCALES), currency: fc.constantFrom(...CURRENCIES) });
const cents = fc.integer({ min: -99_999_999_999, max: 99_999_999_999 });

test('an amount that the console shows reads as the same amount, in each currency, locale and vendor (INPUT-01)', () => {
  fc.assert(
    fc.property(
      formats,
      fc.constantFrom(...CURRENCIES),
      cents,
      fc.boolean(),
      (vendor, currency, all, mixed) => {
        setFormats(vendor);
        const amount = fromMinorUnits(toMinorUnits(all / 100, currency), currency) + 0;
        for (const shown of [
          formatPrice(amount, currency),
          formatMoney(amount, currency, mixed),
          String(amount),
        ]) {
          expect(numberOf(shown, currency), `${shown} ${vendor.locale}`).toBe(amount);
        }
      },
    ),
  );
});

test('a count and a percentage that the console shows read as the same number (INPUT-01)', () => {
  fc.assert(
    fc.property(formats, cents, (vendor, all) => {
      setFormats(vendor);
      expect(numberOf(formatNumber(all), 'count')).toBe(all);
      expect(numberOf(formatPercent(all / 100), 'percent')).toBe(all / 100);
    }),
  );
});
