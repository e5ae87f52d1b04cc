import { describe, expect, test } from 'vitest';
import { missingFields } from '../../../contract/imports/import-mapping.ts';
import { fieldsForAll, fieldsTwice, isClear, samplesOf } from './column-choices.ts';

describe('the columns of a file (IMPORT-03)', () => {
  test('a field given by two columns is reported for both columns', () => {
    const twice = fieldsTwice('clients', {
      Nombre: 'name',
      Correo: 'email',
      'Correo 2': 'email',
      Notas: null,
    });
    expect([...twice.keys()]).toEqual(['Correo', 'Correo 2']);
    expect(twice.get('Correo')?.label).toBe('Email');
    expect(fieldsTwice('clients', { A: null, B: null }).size).toBe(0);
  });

  test.each([
    [true, 'each is known', { Nombre: 'name', Correo: 'email', Tel: 'phone' }, []],
    [false, 'one is not known', { Nombre: 'name', Correo: 'email', Tel: 'phone', Otra: null }, []],
    [false, 'a required field is missing', { Nombre: 'name', Tel: 'phone' }, []],
    [false, 'two give one field', { Nombre: 'name', Correo: 'email', Tel: 'phone', Cel: 'phone' }, []],
    [false, 'the file has a warning', { Nombre: 'name', Correo: 'email', Tel: 'phone' }, ['Aviso']],
  ])('the mapping needs no choice: %s when %s', (expected, _why, mapping, warnings) => {
    expect(isClear('clients', { columns: Object.keys(mapping), mapping, warnings, encodings: [] })).toBe(
      expected,
    );
  });

  test('a file without prices may be one of courtesies, by one value for all rows (INPUT-20, MONEY-09)', () => {
    const mapping = { Email: 'client', Producto: 'software' };
    const named = (fields: { name: string }[]) => fields.map(({ name }) => name);
    const asked = named(fieldsForAll('licenses', mapping, 'create'));
    expect(asked).toEqual(['license_type_config', 'price', 'complimentary']);
    expect(named(fieldsForAll('licenses', { ...mapping, Precio: 'price' }, 'create'))).toEqual([]);
    const missing = (complimentary: string) =>
      named(missingFields('licenses', mapping, 'create', { complimentary }));
    expect(missing('Sí')).toEqual([]);
    expect(missing('No')).toEqual(['price']);
    expect(named(missingFields('licenses', { ...mapping, Cortesía: 'complimentary' }, 'create'))).toEqual([]);
  });

  test('up to three different values are shown as samples of a column', () => {
    const rows = [['Ana', 'MX'], ['Luis', 'MX'], ['', ' '], ['Ana', 'AR'], ['Eva'], ['Sara']];
    expect(samplesOf(rows, 0)).toEqual(['Ana', 'Luis', 'Eva']);
    expect(samplesOf(rows, 1)).toEqual(['MX', 'AR']);
    expect(samplesOf(rows, 9)).toEqual([]);
  });
});
