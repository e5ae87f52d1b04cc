import { describe, expect, it } from 'vitest';
import {
  amount,
  bodyOf,
  checkbox,
  count,
  date,
  formOf,
  percent,
  select,
  switchesOf,
  text,
} from './form-fields.ts';

const FIELDS = {
  name: text('Nombre'),
  kind: select('Clase', { a: 'Primera', b: 'Segunda' }, { blank: 'a' }),
  currency: select('Moneda', { MXN: 'Peso', CLP: 'Peso chileno' }, { blank: 'MXN' }),
  price: amount('Precio'),
  discount: percent('Descuento'),
  days: count('Días', { blank: '7', sent: 'changed' }),
  limited: checkbox('Limitado'),
  until: date('Hasta', { shownWith: 'limited' }),
};
const { blank, labels, show, toForm } = formOf(FIELDS);

describe('a form as a list of fields', () => {
  it('labels and blank values are in the order of the list', () => {
    expect(Object.entries(labels).slice(0, 2)).toEqual([
      ['name', 'Nombre'],
      ['kind', 'Clase'],
    ]);
    expect(blank).toEqual({
      name: '',
      kind: 'a',
      currency: 'MXN',
      price: '',
      discount: '',
      days: '7',
      limited: false,
      until: '',
    });
  });

  it('a null in a record becomes blank, and a missing field gets the value of an empty form', () => {
    const record = { name: 'Caja', kind: 'b', price: null, limited: true, until: null };
    expect(toForm(record)).toEqual({ ...blank, name: 'Caja', kind: 'b', limited: true });
  });

  it('numbers are sent as numbers, blanks as null, and fields of an unticked checkbox as blank', () => {
    const typed = { ...blank, price: '9.50', until: '2026-11-23' };
    expect(bodyOf(FIELDS, typed, null)).toEqual({
      name: '',
      kind: 'a',
      currency: 'MXN',
      price: 9.5,
      discount: null,
      limited: false,
      until: null,
    });
    expect(bodyOf(FIELDS, { ...typed, limited: true }, null)).toHaveProperty('until', '2026-11-23');
    expect(switchesOf(FIELDS)).toEqual({ limited: ['until'] });
  });

  it('numbers are read by their unit, an amount by the currency of the form; what is none, no schema accepts (INPUT-01)', () => {
    const body = (typed: object) => bodyOf(FIELDS, { ...blank, ...typed }, null);
    expect(body({ price: '$1,234.50', discount: '12,5%', days: '1.200' })).toMatchObject({
      ...{ price: 1234.5, discount: 12.5, days: 1200 },
    });
    expect([body({ price: 'abc' }), body({ price: '12,50', currency: 'CLP' })]).toMatchObject([
      { price: Number.NaN },
      { price: Number.NaN },
    ]);
  });

  it('a field that is sent only when changed is compared with the record as it would be sent', () => {
    const record = { days: 5 };
    const form = toForm(record);
    expect(bodyOf(FIELDS, { ...form, days: '5.0' }, record)).not.toHaveProperty('days');
    expect(bodyOf(FIELDS, { ...form, days: '' }, record)).toHaveProperty('days', null);
    expect(bodyOf(FIELDS, { ...blank, days: '5' }, null)).toHaveProperty('days', 5);
  });

  it('values are shown as words', () => {
    expect(show('kind', 'b')).toBe('Segunda');
    expect(show('limited', true)).toBe('Sí');
    expect(show('price', '9.5')).toBe('9.5');
  });
});
