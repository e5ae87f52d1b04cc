import { expect, test } from 'vitest';
import { unzip } from '../../test/unzip.ts';
import { zipOf } from './zip.ts';

const ENTRIES = [
  { path: 'kit/LÉEME.md', text: '# ñandú\n' },
  { path: 'kit/vacío.txt', text: '' },
  { path: 'kit/go/example/main.go', text: 'package main\n'.repeat(5_000) },
];

test('an archive contains the paths, contents, checksums and lengths of its files', async () => {
  const zip = await zipOf(ENTRIES, new Date('2026-11-22T18:04:06Z'));
  expect(unzip(zip)).toMatchObject(ENTRIES);
  expect(zip.length).toBeLessThan(2_000);
});

test('an archive without files is valid', async () => {
  expect(unzip(await zipOf([], new Date('2026-11-22T18:04:06Z')))).toEqual([]);
});
