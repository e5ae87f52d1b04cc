import { describe, expect, test } from 'vitest';
import {
  parseSearch,
  readClientsSearch,
  readLicensesSearch,
  readSoftwareSearch,
  safeReturnPath,
  stringifySearch,
} from './paths.ts';

describe('what an address says', () => {
  test('is read word by word', () => {
    const search = readClientsSearch(
      parseSearch('?q=ana&status=active&type=enterprise&page=2&page_size=10&nuevo=1'),
    );
    expect(search).toMatchObject({
      q: 'ana',
      status: 'active',
      type: 'enterprise',
      page: 2,
      page_size: 10,
      nuevo: '1',
    });
  });

  test('what it says wrongly is as if it had not been said', () => {
    const search = readClientsSearch(
      parseSearch('?status=otro&type=toString&page=-1&page_size=7&editar=x&tab=9'),
    );
    expect(Object.values(search).filter((value) => value !== undefined)).toEqual([]);
  });

  test('D060 a licence type is a category or an id', () => {
    expect(readLicensesSearch({ type: 'premium' }).type).toBe('premium');
    expect(readLicensesSearch({ type: '12' }).type).toBe('12');
    expect(readLicensesSearch({ type: 'otra' }).type).toBeUndefined();
  });

  test('a flag is true or false', () => {
    expect(readSoftwareSearch({ active: 'false' }).active).toBe('false');
    expect(readSoftwareSearch({ active: 'quizá' }).active).toBeUndefined();
  });

  test('survives being written and read again', () => {
    const search = readClientsSearch({ q: 'año & más', status: 'pending', page: 3 });
    expect(readClientsSearch(parseSearch(stringifySearch({ ...search })))).toEqual(search);
    expect(stringifySearch({ q: undefined, page: null, x: '' })).toBe('');
  });
});

test.each([
  ['/clients?q=ana', '/clients?q=ana'],
  ['/login', null],
  ['/login?x=1', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://evil.example', null],
  [undefined, null],
])('D004 the way back of %s is %s', (path, expected) => {
  expect(safeReturnPath(path)).toBe(expected);
});
