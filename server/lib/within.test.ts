import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { within } from './within.ts';

test('returns whether the work ended in time, and passes on its error', async () => {
  expect(await within(1000, setTimeout(1))).toBe(true);
  expect(await within(5, setTimeout(200))).toBe(false);
  await expect(within(1000, Promise.reject(new Error('roto')))).rejects.toThrow('roto');
});
