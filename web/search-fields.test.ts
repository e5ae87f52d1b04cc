import { describe, expect, test } from 'vitest';
import { readLicensesSearch } from './components/license/licenses-search.ts';
import { readClientsSearch } from './features/clients/clients-search.ts';
import { readSoftwareSearch } from './features/software/software-search.ts';
import { parseSearch, stringifySearch } from './paths.ts';

describe('reading a search string', () => {
  test('reads each known parameter', () => {
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

  test('ignores invalid values', () => {
    const search = readClientsSearch(
      parseSearch('?status=otro&type=toString&page=-1&page_size=7&editar=x&tab=9'),
    );
    expect(Object.values(search).filter((value) => value !== undefined)).toEqual([]);
  });

  test('a licence type is a category or an id (D060)', () => {
    expect(readLicensesSearch({ type: 'premium' }).type).toBe('premium');
    expect(readLicensesSearch({ type: '12' }).type).toBe('12');
    expect(readLicensesSearch({ type: 'otra' }).type).toBeUndefined();
  });

  test('a flag is true or false', () => {
    expect(readSoftwareSearch({ active: 'false' }).active).toBe('false');
    expect(readSoftwareSearch({ active: 'quizá' }).active).toBeUndefined();
  });

  test('reads the filters and the order of the licences (LIST-01, LIST-02)', () => {
    const address =
      'client=7&expiry_from=2026-12-01&expiring_within=30&email_status=failed&unused=true&ordering=-price';
    expect(readLicensesSearch(parseSearch(address))).toMatchObject({
      client: 7,
      expiry_from: '2026-12-01',
      expiring_within: 30,
      email_status: 'failed',
      unused: 'true',
      ordering: '-price',
    });
    const wrong =
      'client=x&expiry_from=2026-13-01&expiring_within=0&silent_for=99999&email_status=lost&unused=no&ordering=-name';
    const read = Object.values(readLicensesSearch(parseSearch(wrong)));
    expect(read.filter((value) => value !== undefined)).toEqual([]);
  });

  test('reads the days and the currency that reports link to (REPORT-01)', () => {
    const address =
      'sold=2026-10-01..2026-10-31&issued=2026-10-01&trial_lost=2026-10-01..2026-13-01&currency=USD';
    expect(readLicensesSearch(parseSearch(address))).toMatchObject({
      sold: '2026-10-01..2026-10-31',
      issued: undefined,
      trial_lost: undefined,
      currency: 'USD',
    });
  });

  test('is equal after writing and reading', () => {
    const search = readClientsSearch({ q: 'año & más', status: 'pending', page: 3 });
    expect(readClientsSearch(parseSearch(stringifySearch({ ...search })))).toEqual(search);
    expect(stringifySearch({ q: undefined, page: null, x: '' })).toBe('');
  });
});
