import { expect, test } from 'vitest';
import { parseSearch } from '../../paths.ts';
import { readImportsSearch } from './imports-search.ts';

test('an import is of a known kind, and its one step in the address is that of its columns (IMPORT-03)', () => {
  expect(readImportsSearch(parseSearch('?kind=software&paso=columnas'))).toEqual({
    kind: 'software',
    paso: 'columnas',
  });
  expect(readImportsSearch(parseSearch('?kind=users&paso=revision'))).toEqual({});
});
