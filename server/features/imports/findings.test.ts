import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FINDING_SAMPLES } from '../../../contract/imports/imports.ts';
import { addFindings, type CellFinding, type Findings, findingsInAnswer, mergeFindings } from './findings.ts';

const cell = fc.record({
  sort: fc.constantFrom('grouped' as const, 'email' as const, 'fixed' as const),
  field: fc.constantFrom('price', 'phone'),
  text: fc.string(),
  value: fc.option(fc.string()),
});
const rows = fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 30 });

const found = (cells: readonly CellFinding[][], from = 0) => {
  const findings: Findings = [];
  for (const [index, one] of cells.entries()) addFindings(findings, from + index, one);
  return findings;
};

test('findings of chunks, merged, are those of the whole file (LISTS-02)', () => {
  fc.assert(
    fc.property(rows, fc.nat(30), (cells, at) => {
      const parts = mergeFindings(
        found(cells.slice(0, at)),
        found(cells.slice(at), Math.min(at, cells.length)),
      );
      expect(findingsInAnswer(parts)).toEqual(findingsInAnswer(found(cells)));
    }),
  );
});

test('a finding counts all cells and shows the first five', () => {
  const cells = Array.from({ length: 9 }, (_, index) => [
    { sort: 'grouped' as const, field: 'price', text: `1.${index}00`, value: `1${index}00` },
  ]);
  const { grouped, fixed } = findingsInAnswer(found(cells, 2));
  expect(grouped.count).toBe(9);
  expect(grouped.samples.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
  expect(grouped.samples).toHaveLength(FINDING_SAMPLES);
  expect(fixed).toEqual({});
});
