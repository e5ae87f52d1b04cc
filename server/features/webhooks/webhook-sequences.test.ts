import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import { startReceiver } from '../../../test/webhook-receiver.ts';
import { record } from '../../records/record-event.ts';
import { webhookJob } from './webhook-job.ts';

/** A receiver over several days that answers, fails, and refuses single messages (HOOK-02). */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Step =
  | { kind: 'write'; events: number }
  | { kind: 'answer'; isUp: boolean }
  | { kind: 'wait'; minutes: number }
  | { kind: 'run' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), events: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('answer' as const), isUp: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(0.4, 1, 3, 12, 45, 150) }),
  { weight: 3, arbitrary: fc.constant({ kind: 'run' as const }) },
);

const sequences = fc.record({
  steps: fc.array(step, { minLength: 6, maxLength: 20 }),
  /** The numbers of the messages that are refused until the end of the history. */
  refused: fc.oneof(fc.constant<number[]>([]), fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 })),
});

test('however the receiver fails, every message arrives, and only single refused messages are out of order', async () => {
  const t = await createTestApp({ now: '2026-11-22T12:00:00.000Z' });
  const receiver = await startReceiver();
  await t.call('POST', '/licenses/api/webhooks/', { body: { url: receiver.url, types: ['client.*'] } });

  await fc.assert(
    fc.asyncProperty(sequences, async ({ steps, refused }) => {
      const unwanted = new Set(refused.map(String));
      const accepted: number[] = [];
      let [written, isUp, isOver] = [0, true, false];
      receiver.answer = ({ body }) => {
        const number = body.data.subject.name;
        if (!isOver && (!isUp || unwanted.has(number))) return 503;
        accepted.push(Number(number));
        return 204;
      };
      for (const now of steps) {
        if (now.kind === 'answer') isUp = now.isUp;
        if (now.kind === 'wait') t.clock.advance(now.minutes * MINUTE_MS);
        if (now.kind === 'run') await runJob(t.context, webhookJob);
        if (now.kind === 'write') {
          for (let count = 0; count < now.events; count += 1) {
            const subject = { id: null, name: String(written) };
            await asSystem(t, (scope) => record(scope, { type: 'client.created', subject }));
            written += 1;
          }
        }
      }
      isOver = true;
      // No wait is longer than this.
      t.clock.advance(4 * HOUR_MS);
      await runJob(t.context, webhookJob);
      const all = Array.from({ length: written }, (_, number) => number);
      expect([...accepted].sort((a, b) => a - b)).toEqual(all);
      const inTurn = accepted.filter((number) => !unwanted.has(String(number)));
      expect(inTurn).toEqual([...inTurn].sort((a, b) => a - b));
      if (unwanted.size === 0) expect(accepted).toEqual(all);
    }),
    { numRuns: triesOf(15) },
  );
});
