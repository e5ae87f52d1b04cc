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

test('the picker finds a client whatever signs stand in its texts or around what was pasted (INPUT-08)', () => {
  const rosa = { id: 4, name: 'Rosa D’Angelo', email: 'rosa@plumas.mx', company: 'Núñez S.A. de C.V.' };
  const isFound = (text: string) => filterClients([...clients, rosa], text).map(({ id }) => id);
  for (const text of ['dangelo', "D'Angelo", 'nunez sa de cv', '"rosa@plumas.mx"', 'Rosita <rosa@plumas.mx>'])
    expect([text, isFound(text)]).toEqual([text, [4]]);
  expect(isFound('---')).toEqual([]);
});
