import { expect, test } from 'vitest';
import { parseSearch } from '../../paths.ts';
import { readImportsSearch } from './imports-search.ts';

test('the URL of an import accepts only known kinds of records and the step of the columns (IMPORT-03)', () => {
  expect(readImportsSearch(parseSearch('?kind=software&paso=columnas'))).toEqual({
    kind: 'software',
    paso: 'columnas',
  });
  expect(readImportsSearch(parseSearch('?kind=users&paso=revision'))).toEqual({});
});
