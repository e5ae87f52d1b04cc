import { AsyncLocalStorage } from 'node:async_hooks';

/** How long one call may wait for what may be silent, whatever it waits for and how often (promises: Under load). */
export const CALL_MS = 10_000;

/** What answers is given this long also after the call's time: a call of many statements goes on while they succeed. */
const LEAST_MS = 1000;

const ends = new AsyncLocalStorage<number>();

/** Runs the rest of a call that has taken some milliseconds; {@link waitAtMost} bounds what it waits for. */
export const duringCall = (elapsedMs: number, rest: () => void): void =>
  ends.run(performance.now() + CALL_MS - elapsedMs, rest);

/** Starts work that goes on when the call that asked for it has ended, and has its own time. */
export const outsideCall = <Result>(work: () => Result): Result => ends.exit(work);

/**
 * The longest that this call may wait now, in milliseconds: what is left of its time, and at most the given time.
 * Work that is no call, such as a job, has the given time.
 */
export function waitAtMost(limitMs: number): number {
  const end = ends.getStore();
  return end === undefined ? limitMs : Math.min(limitMs, Math.max(LEAST_MS, end - performance.now()));
}
