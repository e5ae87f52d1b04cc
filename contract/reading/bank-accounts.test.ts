import { expect, test } from 'vitest';
import { ACCOUNT_WARNINGS, accountWarning, cleanAccountNumber } from './bank-accounts.ts';

/** Numbers of bank accounts: as people paste them, and their check digits (MONEY-11). */

test.each([
  ['032180000118359719', '032180000118359719'],
  [' 032 180 00011835971 9 ', '032180000118359719'],
  ['032-180-00011835971-9', '032180000118359719'],
  ['032\u2013180\u201400011835971\u20119', '032180000118359719'],
  ['032.180/00011835971_9', '032180000118359719'],
  ['\u200b032180\u00a0000118359719\ufeff', '032180000118359719'],
  ['０３２１８００００１１８３５９７１９', '032180000118359719'],
  ['2850590-9 4009041813520-1', '2850590940090418135201'],
  ['mi.alias.mp', 'mi.alias.mp'],
  ['  DE89 3704  0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
  ['\u200b', ''],
  ['---', '---'],
])('%j is stored as %j (MONEY-11)', (typed, stored) => {
  expect(cleanAccountNumber(typed)).toBe(stored);
  expect(cleanAccountNumber(stored)).toBe(stored);
});

const CLABES = ['032180000118359719', '002010077777777771', '646180157000000004'];
const CBUS = ['2850590940090418135201', '0110599520000003855199', '0000003100010000000009'];

test.each(CLABES)('the CLABE %s fits, and no other last digit does (MONEY-11)', (number) => {
  expect(accountWarning({ number, currency: 'MXN' })).toBeNull();
  for (let step = 1; step < 10; step += 1) {
    const other = `${number.slice(0, -1)}${(Number(number.at(-1)) + step) % 10}`;
    expect(accountWarning({ number: other, currency: 'MXN' })).toBe(ACCOUNT_WARNINGS.clabe(other));
  }
});

test.each([...CLABES, ...CBUS])('one wrong digit anywhere in %s is found (MONEY-11)', (number) => {
  for (const [place, digit] of [...number].entries()) {
    for (let step = 1; step < 10; step += 1) {
      const other = `${number.slice(0, place)}${(Number(digit) + step) % 10}${number.slice(place + 1)}`;
      expect(accountWarning({ number: other, currency: 'ARS' })).not.toBeNull();
    }
  }
});

test.each(CBUS)('the CBU or CVU %s fits (MONEY-11)', (number) => {
  expect(accountWarning({ number, currency: 'ARS' })).toBeNull();
});

test('a number of another length warns in the countries that have one, and an alias, a card or a phone does not', () => {
  expect(accountWarning({ number: '03218000011835971', currency: 'MXN' })).toBe(
    ACCOUNT_WARNINGS.clabeLength('03218000011835971'),
  );
  expect(accountWarning({ number: '285059094009', currency: 'ARS' })).toBe(
    ACCOUNT_WARNINGS.cbuLength('285059094009'),
  );
  for (const number of ['5512345678', '4152313400000000', 'mi.alias.mp'])
    expect(accountWarning({ number, currency: 'MXN' })).toBeNull();
  expect(accountWarning({ number: '123456789', currency: 'USD' })).toBeNull();
});
