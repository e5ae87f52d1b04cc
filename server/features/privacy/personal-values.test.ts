import { expect, test } from 'vitest';
import { personalValues, withoutPersonal } from './personal-values.ts';

test('the texts of a person go from a JSON value, at any depth, and nothing else', () => {
  const values = personalValues(['Ana Ríos', 'ana@example.com', '', null, 5, '+525512345678']);
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
