import { expect, test } from 'vitest';
import { KEYS } from './api/query-keys.ts';
import { apiOf, kindOf, RECORD_KINDS, type RecordKind } from './record-kinds.ts';

const kinds = Object.entries(RECORD_KINDS) as [RecordKind, (typeof RECORD_KINDS)[RecordKind]][];

test.each(kinds)('%s: the lists that show its records exist as query keys', (kind, { shownBy }) => {
  const roots: string[] = Object.values(KEYS);
  expect(roots).toContain(kind);
  expect(roots).toEqual(expect.arrayContaining([...shownBy]));
});

test.each(kinds)('%s is found by the name that events use', (kind, { subject }) => {
  expect(kindOf(subject)).toBe(kind);
});

test('the path of a record is below that of its list', () => {
  expect(apiOf('license_types')).toBe('/licenses/api/license-types/');
  expect(apiOf('license_types', 7)).toBe('/licenses/api/license-types/7/');
});
