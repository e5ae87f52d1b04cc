import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { logByTurn } from './log-stream.ts';

test('lines of one turn leave in one write, in their order, and those of the next in another', async () => {
  const written: string[] = [];
  const stream = logByTurn({ write: (text) => written.push(text) });
  stream.write('one\n');
  stream.write('two\n');
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n']);

  stream.write('three\n');
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

test('at the end of the process nothing is left behind, and nothing is written twice', async () => {
  const written: string[] = [];
  const stream = logByTurn({ write: (text) => written.push(text) });
  stream.write('last\n');
  stream.flush();
  expect(written).toEqual(['last\n']);
  await nextTurn();
  expect(written).toEqual(['last\n']);
});
