import { describe, expect, test } from 'vitest';
import { IMPORT_KINDS } from '../../../contract/imports/import-fields.ts';
import { missingFields, suggestMapping } from '../../../contract/imports/import-mapping.ts';
import { sampleFile } from './sample-file.ts';

const lines = (text: string) => text.replace('\uFEFF', '').trimEnd().split('\r\n');

describe.each(IMPORT_KINDS)('the sample file of %s (IMPORT-03)', (kind) => {
  test.each([
    ['es-MX', ','],
    ['es-AR', ';'],
  ] as const)('has every required header, and each is recognised, in %s', (locale, separator) => {
    const [headers = '', ...rows] = lines(sampleFile(kind, locale));
    const columns = headers.split(separator);
    const mapping = suggestMapping(
      kind,
      columns,
      rows.map((row) => row.split(separator)),
    );
    expect(Object.entries(mapping).filter(([, field]) => field === null)).toEqual([]);
    expect(missingFields(kind, mapping, 'upsert')).toEqual([]);
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row.split(separator)).toHaveLength(columns.length);
  });
});

test('amounts in the sample file have the decimal sign of the country', () => {
  expect(sampleFile('licenses', 'es-MX')).toContain(',1500.50,');
  expect(sampleFile('licenses', 'es-AR')).toContain(';1500,50;');
});
