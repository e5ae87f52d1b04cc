import { expect, test } from 'vitest';
import { filterClients } from './client-picker.tsx';

const clients = [
  { id: 1, name: 'Ana López', email: 'ana@uno.mx', company: 'Ferretería Ñandú' },
  { id: 2, name: 'Luis', email: 'luis@dos.mx', company: 'Hotel' },
  { id: 3, name: 'Sin empresa', email: 'tres@tres.mx' },
];
const found = (text: string) => filterClients(clients, text).map(({ id }) => id);

test('the picker filters clients by name, email or company, ignoring case and accents (SEED-2.3-14, D124)', () => {
  expect(found('LOPEZ')).toEqual([1]);
  expect(found('dos.mx')).toEqual([2]);
  expect(found('nandu')).toEqual([1]);
  expect(found('')).toEqual([1, 2, 3]);
  expect(found('nadie')).toEqual([]);
});
