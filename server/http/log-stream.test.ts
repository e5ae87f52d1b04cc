import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { logByTurn } from './log-stream.ts';

test('lines of one event loop turn are written together, in order', async () => {
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

test('flushing at the end of the process writes each pending line once', async () => {
  const written: string[] = [];
  const stream = logByTurn({ write: (text) => written.push(text) });
  stream.write('last\n');
  stream.flush();
  expect(written).toEqual(['last\n']);
  await nextTurn();
  expect(written).toEqual(['last\n']);
});
