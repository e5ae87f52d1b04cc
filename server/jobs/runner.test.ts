import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createTestApp, type TestApp } from '../../test/app.ts';
import { quiet } from '../../test/deliver-mail.ts';
import { asSystem } from '../../test/scope.ts';
import { defineJob, type Job, type JobRun } from './define-job.ts';
import { claimJobs, insertJob } from './jobs.queries.ts';
import { LEASE_MS, retryDelay, startJobs } from './runner.ts';

/**
 * Jobs run once across processes, are retried after a failure, and continue after a kill (promises: What time
 * brings).
 */

const NOW = '2026-11-21T18:00:00.000Z';

type Payload = { number: number };

function jobThat(run: (payload: Payload, run: JobRun) => Promise<void>, options: Partial<Job> = {}) {
  const definition = {
    kind: 'prueba',
    label: 'Prueba',
    payload: z.object({ number: z.number() }),
    atOnce: 4,
    triesMax: 3,
    ...options,
  };
  return defineJob<Payload>({ ...definition, run: (_context, payload, jobRun) => run(payload, jobRun) });
}

const rowsOf = (t: TestApp) => t.db.selectFrom('jobs').selectAll().orderBy('id').execute();

/** Waits for what comes as soon as the machine has time for it; the bound only ends a test that hangs. */
const comes = (isTrue: () => Promise<void> | void) => vi.waitFor(isTrue, { timeout: 60_000, interval: 10 });

/** Starts a runner and stops it when a condition is true. */
async function runUntil(t: TestApp, jobs: Job[], isDone: () => Promise<void> | void) {
  const runner = startJobs(t.context, quiet, jobs);
  await comes(isDone);
  await runner.stop();
}

describe('a job', () => {
  test('is stored in the same transaction as its change', async () => {
    const t = await createTestApp({ now: NOW });
    const job = jobThat(async () => {});
    const nudged = vi.spyOn(t.context, 'nudgeJobs');
    await expect(
      asSystem(t, async (scope) => {
        await job.enqueue(scope, { number: 1 });
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    expect(await rowsOf(t)).toEqual([]);
    expect(nudged).not.toHaveBeenCalled();

    await asSystem(t, async (scope) => {
      await job.enqueue(scope, { number: 1 });
      await job.enqueue(scope, { number: 2 });
    });
    expect(await rowsOf(t)).toHaveLength(2);
    expect(nudged.mock.calls).toEqual([[job.kind]]);
  });

  test('waits until it is due and is deleted when it is done', async () => {
    const t = await createTestApp({ now: NOW });
    const done: number[] = [];
    const job = jobThat(async ({ number }) => {
      done.push(number);
    });
    await asSystem(t, async (scope) => {
      await job.enqueue(scope, { number: 1 });
      await job.enqueue(scope, { number: 2 }, { at: new Date('2026-11-21T19:00:00Z') });
    });
    await runUntil(t, [job], async () => expect(await rowsOf(t)).toHaveLength(1));
    expect(done).toEqual([1]);
    t.clock.advance(60 * 60_000);
    await runUntil(t, [job], async () => expect(await rowsOf(t)).toEqual([]));
    expect(done).toEqual([1, 2]);
  });

  test('is retried after growing waits and then marked as failed', async () => {
    const t = await createTestApp({ now: NOW });
    const tries: number[] = [];
    const job = jobThat(async (_payload, run) => {
      tries.push(run.tries);
      throw new Error('no hay papel');
    });
    await asSystem(t, (scope) => job.enqueue(scope, { number: 1 }));
    await runUntil(t, [job], async () => expect((await rowsOf(t))[0]).toMatchObject({ tries: 1 }));
    const [first] = await rowsOf(t);
    expect(first).toMatchObject({ last_error: 'no hay papel', failed_at: null, claimed_until: null });
    expect(Date.parse(first!.run_at)).toBeGreaterThan(Date.parse(NOW));
    for (const [count, wait] of [
      [2, 10_000],
      [3, 20_000],
    ] as const) {
      t.clock.advance(wait);
      await runUntil(t, [job], async () => expect((await rowsOf(t))[0]).toMatchObject({ tries: count }));
    }
    expect((await rowsOf(t))[0]?.failed_at).not.toBeNull();
    t.clock.advance(24 * 60 * 60_000);
    expect(await claimJobs(t.db, 'prueba', 10, LEASE_MS, t.context.now())).toEqual([]);
    expect(tries).toEqual([1, 2, 3]);
  });

  test('a job with an invalid payload fails without delaying others', async () => {
    const t = await createTestApp({ now: NOW });
    const done: number[] = [];
    const job = jobThat(
      async ({ number }) => {
        done.push(number);
      },
      { triesMax: 1 },
    );
    await insertJob(t.db, {
      kind: 'prueba',
      payload: '{"number":"uno"}',
      at: new Date(NOW),
      now: new Date(NOW),
    });
    await asSystem(t, (scope) => job.enqueue(scope, { number: 2 }));
    await runUntil(t, [job], async () =>
      expect(await rowsOf(t)).toMatchObject([{ tries: 1, failed_at: NOW }]),
    );
    expect(done).toEqual([2]);
  });

  test('a job with an interval exists once for all processes and runs repeatedly', async () => {
    const t = await createTestApp({ now: NOW });
    let runs = 0;
    const job = defineJob({
      kind: 'repetida',
      label: 'Repetida',
      payload: z.object({}),
      atOnce: 1,
      every: 60_000,
      triesMax: Number.POSITIVE_INFINITY,
      run: async () => {
        runs += 1;
      },
    });
    const runners = [startJobs(t.context, quiet, [job]), startJobs(t.context, quiet, [job])];
    // Before it is stored when the job runs again, its lease would end with the clock's advance, and it would run twice.
    await comes(async () =>
      expect(await rowsOf(t)).toMatchObject([{ claimed_until: null, run_at: '2026-11-21T18:01:00.000Z' }]),
    );
    expect(runs).toBe(1);
    t.clock.advance(60_000);
    for (const runner of runners) runner.nudge();
    await comes(() => expect(runs).toBe(2));
    await Promise.all(runners.map((runner) => runner.stop()));
    expect(await rowsOf(t)).toMatchObject([{ kind: 'repetida', name: 'repetida', tries: 0 }]);
    expect(runs).toBe(2);
  });
});

describe('a job that is triggered early', () => {
  test('runs once before its time if its kind allows it, and never while another process holds its lease', async () => {
    const t = await createTestApp({ now: NOW });
    let runs = 0;
    const running = Promise.withResolvers<void>();
    const job = defineJob({
      kind: 'temprana',
      label: 'Temprana',
      payload: z.object({}),
      atOnce: 1,
      every: 60_000,
      early: 60_000,
      triesMax: Number.POSITIVE_INFINITY,
      run: async () => {
        runs += 1;
        if (runs === 2) await running.promise;
      },
    });
    const [first, second] = [startJobs(t.context, quiet, [job]), startJobs(t.context, quiet, [job])] as const;
    const isScheduled = async () => {
      const rows = await rowsOf(t);
      expect(rows).toMatchObject([{ claimed_until: null, run_at: '2026-11-21T18:01:00.000Z' }]);
    };
    await comes(isScheduled);
    first.nudge('temprana');
    await comes(() => expect(runs).toBe(2));
    second.nudge('temprana');
    await second.stop();
    running.resolve();
    await comes(isScheduled);
    await first.stop();
    expect(runs).toBe(2);
  });

  test('only jobs of that kind are looked for', async () => {
    const t = await createTestApp({ now: NOW });
    const ran: string[] = [];
    const [named, other] = ['nombrada', 'otra'].map((kind) =>
      jobThat(
        async () => {
          ran.push(kind);
        },
        { kind },
      ),
    ) as [ReturnType<typeof jobThat>, ReturnType<typeof jobThat>];
    await asSystem(t, (scope) => named.enqueue(scope, { number: 0 }));
    // No poll comes while the test runs, so that only a trigger can make a loop look. A loop plans its next poll when it
    // has looked: each of the two must have done so, or its first look would find what is stored below.
    const pollMs = 600_000;
    const planned = vi.spyOn(globalThis, 'setTimeout');
    const runner = startJobs(t.context, quiet, [named, other], pollMs);
    await comes(() => expect(planned.mock.calls.filter(([, wait]) => wait === pollMs)).toHaveLength(2));
    expect(ran).toEqual(['nombrada']);
    await asSystem(t, async (scope) => {
      await named.enqueue(scope, { number: 1 });
      await other.enqueue(scope, { number: 2 });
    });
    runner.nudge('nombrada');
    await comes(() => expect(planned.mock.calls.filter(([, wait]) => wait === pollMs)).toHaveLength(3));
    expect(ran).toEqual(['nombrada', 'nombrada']);
    runner.nudge();
    await comes(() => expect(ran).toContain('otra'));
    await runner.stop();
  });
});

describe('several processes', () => {
  test('several processes run each of 300 jobs once', async () => {
    const t = await createTestApp({ now: NOW });
    const done: number[] = [];
    const job = jobThat(async ({ number }) => {
      done.push(number);
    });
    await asSystem(t, async (scope) => {
      for (let number = 0; number < 300; number += 1) await job.enqueue(scope, { number });
    });
    const runners = [1, 2, 3].map(() => startJobs(t.context, quiet, [job]));
    await comes(async () => expect(await rowsOf(t)).toEqual([]));
    await Promise.all(runners.map((runner) => runner.stop()));
    expect([...done].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, number) => number));
  });

  test('a job stays with its process while that renews the lease, and is taken over after the process died', async () => {
    const t = await createTestApp({ now: NOW });
    const running = { number: 0, release: () => {} };
    const job = jobThat(async () => {
      running.number += 1;
      await new Promise<void>((resolve) => {
        running.release = resolve;
      });
    });
    await asSystem(t, (scope) => job.enqueue(scope, { number: 1 }));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const runner = startJobs(t.context, quiet, [job]);
    await comes(() => expect(running.number).toBe(1));
    for (let third = 0; third < 9; third += 1) {
      t.clock.advance(LEASE_MS / 3);
      const until = new Date(t.context.now().getTime() + LEASE_MS).toISOString();
      await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
      await comes(async () => expect((await rowsOf(t))[0]?.claimed_until).toBe(until));
      expect(await claimJobs(t.db, 'prueba', 1, LEASE_MS, t.context.now())).toEqual([]);
    }
    running.release();
    await comes(async () => expect(await rowsOf(t)).toEqual([]));
    await runner.stop();
    vi.useRealTimers();

    await asSystem(t, (scope) => job.enqueue(scope, { number: 2 }));
    expect(await claimJobs(t.db, 'prueba', 1, LEASE_MS, t.context.now())).toHaveLength(1);
    t.clock.advance(LEASE_MS);
    expect(await claimJobs(t.db, 'prueba', 1, LEASE_MS, t.context.now())).toHaveLength(1);
  });

  test('jobs of other kinds run during a long job', async () => {
    const t = await createTestApp({ now: NOW });
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const long = jobThat(
      () => {
        begun.resolve();
        return ended.promise;
      },
      { kind: 'larga' },
    );
    const done: number[] = [];
    const short = jobThat(async ({ number }) => {
      done.push(number);
    });
    await asSystem(t, async (scope) => {
      await long.enqueue(scope, { number: 1 });
      await short.enqueue(scope, { number: 2 });
    });
    const runner = startJobs(t.context, quiet, [long, short]);
    await comes(() => expect(done).toEqual([2]));
    // The short one may be the first to begin.
    await begun.promise;
    ended.resolve();
    await runner.stop();
  });
});

test('the wait before a retry doubles from five seconds to half an hour, plus or minus a quarter', () => {
  const middle = (tries: number) => retryDelay(tries, () => 0.5);
  expect([1, 2, 3, 4].map(middle)).toEqual([5000, 10_000, 20_000, 40_000]);
  expect(middle(30)).toBe(30 * 60_000);
  expect([retryDelay(1, () => 0), retryDelay(1, () => 1)]).toEqual([3750, 6250]);
  expect(new Set(Array.from({ length: 50 }, () => retryDelay(5))).size).toBeGreaterThan(40);
});
