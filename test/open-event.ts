import { onTestFinished } from 'vitest';
import { record } from '../server/records/record-event.ts';
import type { TestApp } from './app.ts';
import { asSystem } from './scope.ts';

/**
 * Writes an event 'client.updated' in a transaction that stays open until `end` is called or the test ends.
 * @returns `ended` resolves when the transaction is committed
 */
export async function openEvent(t: TestApp): Promise<{ end: () => void; ended: Promise<void> }> {
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => end.resolve());
  const ended = asSystem(t, async (scope) => {
    await record(scope, { type: 'client.updated', subject: { id: 1, name: 'Ana' } });
    written.resolve();
    await end.promise;
  });
  await written.promise;
  return { end: end.resolve, ended };
}
