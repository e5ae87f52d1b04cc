import { expect, test } from 'vitest';
import { isTelling, personalValues, withoutPersonal } from './personal-values.ts';

test('the texts of a person are removed from a JSON value at any depth, and nothing else', () => {
  const values = personalValues([
    { field: 'name', text: 'Ana Ríos' },
    { field: 'email', text: 'ana@example.com' },
    { field: 'company', text: '' },
    { field: 'notes', text: null },
    { field: 'price', text: 5 },
    { field: 'phone', text: '+525512345678' },
  ]);
  expect(
    withoutPersonal(
      {
        id: 7,
        name: ' ana ríos',
        price: 100,
        license: { client_email: 'ANA@example.com', software: 'Caja', notes: null },
        failed: [{ message: 'No se pudo escribir a ana@example.com' }, { message: 'Anabel' }],
        phone: '+525512345678',
      },
      values,
    ),
  ).toEqual({
    id: 7,
    name: '',
    price: 100,
    license: { client_email: '', software: 'Caja', notes: null },
    failed: [{ message: '' }, { message: 'Anabel' }],
    phone: '',
  });
});

test('a name or an address counts as personal, and a city does not', () => {
  const values = personalValues([
    { field: 'name', text: 'Ana Ríos' },
    { field: 'email', text: 'ana@example.com' },
    { field: 'city', text: 'Guadalajara' },
    { field: 'notes', text: 'Renovado' },
  ]);
  const texts = [' ANA ríos', 'de ana@example.com', 'guadalajara', 'Renovado', 'Anabel', ''];
  expect(texts.map((text) => isTelling(text, values))).toEqual([true, true, false, false, false, false]);
});

test('an address is known in ASCII and as people write its domain (INPUT-14)', () => {
  const values = personalValues([{ field: 'email', text: 'Ana@xn--pea-8ma.mx' }]);
  const texts = ['ana@xn--pea-8ma.mx', 'escribe a Ana@Peña.mx', 'ana@pena.mx'];
  expect(texts.map((text) => isTelling(text, values))).toEqual([true, true, false]);
});
