import { describe, expect, test } from 'vitest';
import { fieldsMissing, fieldsTwice, samplesOf } from './column-choices.ts';

const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => name);

describe('the columns of a file (IMPORT-03)', () => {
  test('a field that two columns give is named for both of them', () => {
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

  test('new records need all required fields, existing ones only what they are found by', () => {
    expect(names(fieldsMissing('clients', { Nombre: 'name' }, 'create'))).toEqual(['email', 'phone']);
    expect(names(fieldsMissing('clients', { Nombre: 'name' }, 'upsert'))).toEqual(['email', 'phone']);
    expect(names(fieldsMissing('clients', { Nombre: 'name' }, 'update'))).toEqual(['email']);
    expect(names(fieldsMissing('licenses', { Correo: 'client' }, 'update'))).toEqual(['license_key']);
    expect(fieldsMissing('software', { A: 'name', B: 'version' }, 'create')).toEqual([]);
  });

  test('a column is shown by up to three different values', () => {
    const rows = [['Ana', 'MX'], ['Luis', 'MX'], ['', ' '], ['Ana', 'AR'], ['Eva'], ['Sara']];
    expect(samplesOf(rows, 0)).toEqual(['Ana', 'Luis', 'Eva']);
    expect(samplesOf(rows, 1)).toEqual(['MX', 'AR']);
    expect(samplesOf(rows, 9)).toEqual([]);
  });
});
