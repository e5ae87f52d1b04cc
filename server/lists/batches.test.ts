import { expect, test } from 'vitest';
import { csvFile } from '../lib/csv.ts';
import { inBatches } from './batches.ts';

test('a file is built one batch at a time and starts with a byte order mark', async () => {
  const asked: [number, number][] = [];
  const read = async (afterId: number, limit: number) => {
    asked.push([afterId, limit]);
    return Array.from({ length: Math.min(limit, 2500 - afterId) }, (_, i) => ({ id: afterId + i + 1 }));
  };

  const chunks: string[] = [];
  for await (const chunk of csvFile(
    [{ header: 'Año', type: 'count', value: (row) => row.id }],
    inBatches(read),
  )) {
    chunks.push(chunk);
  }

  expect(chunks[0]).toBe('\uFEFFAño\r\n');
  expect(asked).toEqual([
    [0, 1000],
    [1000, 1000],
    [2000, 1000],
  ]);
  expect(chunks.join('').trimEnd().split('\r\n')).toHaveLength(2501);
});
