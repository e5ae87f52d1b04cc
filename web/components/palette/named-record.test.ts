import { describe, expect, test } from 'vitest';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import { namedRecord } from './named-record.ts';

const KEY = 'ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2';
const list = (results: object[], count = results.length) => ({ count, count_is_exact: true, results });
const client = (id: number, more = {}) => ({
  id,
  email: `c${id}@tienda.mx`,
  phone: '+525512345678',
  ...more,
});
/** The kind and id of the record that a search names. */
function named(query: string, found: Partial<Record<keyof SearchAnswer, ReturnType<typeof list>>>) {
  const record = namedRecord({ query, ...found } as SearchAnswer);
  return record && `${record.kind} ${record.hit.id}`;
}

describe('a search names a record (DESK-10)', () => {
  const licenses = list([{ id: 1, license_key: KEY }]);
  test.each([
    [KEY],
    [KEY.toLowerCase()],
    [KEY.replaceAll('-', ' ')],
    [`Clave de licencia: “${KEY}”. Guárdala bien.`],
  ])('by the key in "%s"', (query) => {
    expect(named(query, { licenses })).toBe('licenses 1');
  });

  test('by a machine id, written in another case', () => {
    const installations = list([
      { id: 4, machine_id: 'PC-017' },
      { id: 5, machine_id: 'PC-01' },
    ]);
    expect(named('pc-01', { installations })).toBe('installations 5');
    expect(named('pc-0', { installations })).toBe(null);
  });

  test.each([['c2@tienda.mx'], ['C2@Tienda.mx'], ['mailto:c2@tienda.mx'], ['Ana Ríos <c2@tienda.mx>']])(
    'by the mail address in "%s"',
    (query) => {
      expect(named(query, { clients: list([client(1), client(2)]) })).toBe('clients 2');
    },
  );

  test.each([
    ['55 1234 5678'],
    ['+52 (55) 1234-5678'],
    ['tel:+525512345678'],
    ['044 55 1234 5678'],
    ['+52 1 55 1234 5678'],
  ])('by the phone number "%s"', (query) => {
    const clients = list([client(1, { phone: '+525599999999' }), client(2)]);
    expect(named(query, { clients })).toBe('clients 2');
  });

  test('by a second number or address, if it finds only one client', () => {
    const one = list([client(1, { phone: '+525599999999' })]);
    expect(named('5512345678', { clients: one })).toBe('clients 1');
    expect(named('compras@tienda.mx', { clients: one })).toBe('clients 1');
    const two = list([client(1, { phone: '+525599999999' }), client(2, { phone: '+525588888888' })]);
    expect(named('5512345678', { clients: two })).toBe(null);
  });

  test('not by a name, a few digits, or a part of a key', () => {
    const clients = list([client(1, { name: 'Ana' })]);
    expect(named('Ana', { clients })).toBe(null);
    expect(named('345678', { clients })).toBe(null);
    expect(named('ABCDE-FGHJK', { licenses })).toBe(null);
    expect(named(KEY, {})).toBe(null);
  });
});
