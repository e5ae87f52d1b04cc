import { expect, test } from 'vitest';
import { endInWords } from './es-portal-licenses.ts';
import { setBusinessTimeZone } from './format.ts';

test.each([
  [null, null, false, 'No vence'],
  ['2027-11-22T05:59:59.000Z', 361, false, 'Vence el 21/11/2027 (en 361 días)'],
  ['2026-11-22T05:59:59.000Z', 1, false, 'Vence mañana, 21/11/2026'],
  ['2026-11-22T05:59:59.000Z', 0, false, 'Vence hoy'],
  // The licence ended earlier today in the time zone of the server, or a person set its status to expired.
  ['2026-11-22T05:59:59.000Z', 0, true, 'Venció el 21/11/2026'],
  ['2026-11-22T05:59:59.000Z', -3, true, 'Venció el 21/11/2026'],
])(
  'the end %s with %s days left and expired %s is shown in words',
  (expiry_date, days_remaining, is_expired, words) => {
    setBusinessTimeZone('America/Mexico_City');
    expect(endInWords({ expiry_date, days_remaining, is_expired })).toBe(words);
  },
);
