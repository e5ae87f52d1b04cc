import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AppError, rateLimited } from '../errors.ts';
import { Turns } from './turns.ts';

const waits = () => new AbortController().signal;

/** Work that the test ends itself. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve, fail: reject };
}

describe('turns', () => {
  test('runs at most the given number of one key at once, and queues the others in order', async () => {
    const turns = new Turns(2, 10);
    const started: number[] = [];
    const jobs = Array.from({ length: 4 }, work);
    const runs = jobs.map((job, index) =>
      turns.run('a', waits(), () => {
        started.push(index);
        return job.run();
      }),
    );
    await setImmediate();
    expect(started).toEqual([0, 1]);
    jobs[1]!.end();
    await runs[1];
    await setImmediate();
    expect(started).toEqual([0, 1, 2]);
    jobs[0]!.fail(new Error('no'));
    await expect(runs[0]).rejects.toThrow('no');
    await setImmediate();
    expect(started).toEqual([0, 1, 2, 3]);
    for (const job of jobs) job.end();
    await Promise.all([runs[2], runs[3]]);
  });

  test('does not delay another key', async () => {
    const turns = new Turns(1, 10);
    const long = work();
    const first = turns.run('a', waits(), long.run);
    expect(await turns.run('b', waits(), async () => 'done')).toBe('done');
    long.end();
    await first;
  });

  test('removes an aborted caller from the queue without running its work', async () => {
    const turns = new Turns(1, 10);
    const long = work();
    const first = turns.run('a', waits(), long.run);
    const gone = new AbortController();
    const ran: string[] = [];
    const left = turns.run('a', gone.signal, async () => ran.push('left'));
    const stays = turns.run('a', waits(), async () => ran.push('stays'));
    gone.abort();
    await expect(left).rejects.toBeInstanceOf(AppError);
    long.end();
    await Promise.all([first, stays]);
    expect(ran).toEqual(['stays']);
    await expect(turns.run('a', AbortSignal.abort(), async () => undefined)).rejects.toBeInstanceOf(AppError);
  });

  test('limits the queue and can refuse all waiting callers, while running work continues', async () => {
    const turns = new Turns(1, 2);
    const long = work();
    const first = turns.run('a', waits(), long.run);
    const waiting = [1, 2].map(() => turns.run('a', waits(), async () => undefined));
    await expect(turns.run('a', waits(), async () => undefined)).rejects.toMatchObject({ status: 429 });
    const refusal = rateLimited(60);
    turns.refuseWaiting('a', refusal);
    for (const refused of waiting) await expect(refused).rejects.toBe(refusal);
    turns.refuseWaiting('b', refusal);
    long.end();
    await first;
    expect(await turns.run('a', waits(), async () => 'again')).toBe('again');
  });
});
