import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import {
  addProof,
  type ChosenOrder,
  DAY_ORDERS,
  NO_PROOFS,
  orderOfColumn,
  orderProvenBy,
  readDay,
} from './days.ts';

describe('a day as people write it (INPUT-05)', () => {
  test.each([
    ['21/11/2026', '2026-11-21'],
    ['1/2/26', '2026-02-01'],
    ['1-2-26', '2026-02-01'],
    ['01.02.1985', '1985-02-01'],
    ['31-12-99', '1999-12-31'],
    ['2026-11-21', '2026-11-21'],
    ['2026/1/5', '2026-01-05'],
    ['21-nov-26', '2026-11-21'],
    ['5 de mayo', null],
    ['5 de mayo de 2026', '2026-05-05'],
    ['5-septiembre-2026', '2026-09-05'],
    ['5-sept.-2026', '2026-09-05'],
    ['5 set 2026', '2026-09-05'],
    ['3 jan 2026', '2026-01-03'],
    ['Nov 12, 2026', '2026-11-12'],
    ['2026-may-05', '2026-05-05'],
    ['martes 5 2026', null],
    ['21/11/2026 0:00', '2026-11-21'],
    ['21/11/2026 10:30:00 a. m.', '2026-11-21'],
    ['2027-05-01 00:00:00', '2027-05-01'],
    ['2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'],
    ['2026-99-21T06:00:00.000Z', null],
    ['11/21/2026', null],
    ['29/02/2025', null],
    ['21/11/226', null],
    ['hoy', null],
    ['', null],
  ])('%j is %j with the day first', (text, day) => {
    expect(readDay(text, 'dmy')).toBe(day);
  });

  test.each([
    ['11/21/2026', '2026-11-21'],
    ['2/1/26 10:30 PM', '2026-02-01'],
    ['21/11/2026', null],
    ['2026-11-21', '2026-11-21'],
    ['21-nov-26', '2026-11-21'],
    ['2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'],
  ])('%j is %j with the month first', (text, day) => {
    expect(readDay(text, 'mdy')).toBe(day);
  });

  /** A day written in an order, with or without zeros, a short year and a time. */
  const written = fc
    .record({
      date: fc.date({ min: new Date('1980-01-01'), max: new Date('2079-12-31'), noInvalidDate: true }),
      order: fc.constantFrom(...DAY_ORDERS),
      sign: fc.constantFrom('/', '-', '.'),
      padded: fc.boolean(),
      short: fc.boolean(),
      time: fc.constantFrom('', ' 0:00', ' 10:30:00', ' 10:30:00 p. m.'),
    })
    .map(({ date, order, sign, padded, short, time }) => {
      const day = date.toISOString().slice(0, 10);
      const [y, m, d] = day.split('-') as [string, string, string];
      const plain = (text: string) => (padded ? text : String(Number(text)));
      const year = short && order !== 'ymd' ? y.slice(2) : y;
      const parts = {
        dmy: [plain(d), plain(m), year],
        mdy: [plain(m), plain(d), year],
        ymd: [year, plain(m), plain(d)],
      };
      return { day, order, text: parts[order].join(sign) + time };
    });

  test('a day written in an order is read in that order', () => {
    fc.assert(
      fc.property(written, ({ day, order, text }) => {
        for (const read of order === 'ymd' ? (['dmy', 'mdy'] as const) : [order])
          expect(readDay(text, read)).toBe(day);
      }),
    );
  });

  test('a day that is shown in the console reads as itself', () => {
    const shown = ['es-MX', 'es-AR', 'en-US'].flatMap((locale) =>
      (['short', 'medium', 'long'] as const).map((dateStyle) => ({ locale, dateStyle })),
    );
    fc.assert(
      fc.property(written, fc.constantFrom(...shown), ({ day }, { locale, dateStyle }) => {
        const text = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(new Date(day));
        expect(readDay(text, locale === 'en-US' ? 'mdy' : 'dmy')).toBe(day);
      }),
    );
  });

  test('what is read reads as itself, in any order', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('dmy', 'mdy'), (text, order: ChosenOrder) => {
        const day = readDay(text, order);
        if (day !== null) expect(readDay(day, order === 'dmy' ? 'mdy' : 'dmy')).toBe(day);
      }),
    );
  });

  test('what proves an order is a day in that order alone', () => {
    fc.assert(
      fc.property(written, ({ text }) => {
        const proven = orderProvenBy(text);
        if (proven === 'dmy') expect(readDay(text, 'mdy')).toBeNull();
        if (proven === 'mdy') expect(readDay(text, 'dmy')).toBeNull();
        if (proven === null) expect(readDay(text, 'mdy')).toBe(readDay(text, 'dmy'));
      }),
    );
  });
});

describe('the order of a column (INPUT-05)', () => {
  const orderOf = (...texts: string[]) => {
    const proofs = { ...NO_PROOFS };
    for (const [at, text] of texts.entries()) addProof(proofs, at + 2, text);
    return orderOfColumn(proofs);
  };

  test.each([
    ['one day above twelve', ['05/06/2026', '13/06/2026'], { kind: 'found', order: 'dmy' }],
    ['one month behind', ['05/06/2026', '06/13/2026'], { kind: 'found', order: 'mdy' }],
    ['days with the year first', ['2026-06-05', '2026-06-13'], { kind: 'found', order: 'ymd' }],
    ['instants', ['2026-06-05T00:00:00Z'], { kind: 'found', order: 'ymd' }],
    [
      'ISO days beside others, which prove nothing',
      ['2026-06-13', '05/06/2026'],
      { kind: 'assumed', order: 'dmy' },
    ],
    ['nothing that proves one', ['05/06/2026', '01/02/2026'], { kind: 'assumed', order: 'dmy' }],
    ['names of months alone', ['5-jun-2026'], { kind: 'found', order: 'dmy' }],
    ['the same day in both orders', ['05/05/2026'], { kind: 'found', order: 'dmy' }],
    ['both orders', ['05/06/2026', '13/06/2026', '06/13/2026'], { kind: 'mixed', dmy: 3, mdy: 4 }],
    ['no day at all', ['', 'pronto'], { kind: 'none' }],
  ])('with %s', (_what, texts, order) => {
    expect(orderOf(...texts)).toEqual(order);
  });

  test('does not depend on the order of the rows', () => {
    const cells = fc.array(
      fc.constantFrom('05/06/2026', '13/06/2026', '2026-06-13', '5-jun-2026', '', '06/14/26'),
    );
    fc.assert(
      fc.property(cells, (texts) => {
        const plain = (order: ReturnType<typeof orderOf>) => ('order' in order ? order.order : order.kind);
        expect(plain(orderOf(...texts.toReversed()))).toBe(plain(orderOf(...texts)));
      }),
    );
  });
});
