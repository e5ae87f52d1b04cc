import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The time for one call, in milliseconds, however often it waits for something that may not answer (promises: Under
 * load).
 */
export const CALL_MS = 10_000;

/**
 * After the call's time each wait still gets this long, so that a call with many successful statements can continue.
 */
const LEAST_MS = 1000;

const ends = new AsyncLocalStorage<number>();

/** Runs the rest of a call that has already taken some time; within it {@link waitAtMost} limits each wait. */
export const duringCall = (elapsedMs: number, rest: () => void): void =>
  ends.run(performance.now() + CALL_MS - elapsedMs, rest);

/** Starts work that continues after the end of the call that started it; the time of that call does not limit it. */
export const outsideCall = <Result>(work: () => Result): Result => ends.exit(work);

/**
 * The longest wait for this call now, in milliseconds: the rest of its time, but at most the given limit. Work
 * outside of a call, such as a job, gets the given limit.
 */
export function waitAtMost(limitMs: number): number {
  const end = ends.getStore();
  return end === undefined ? limitMs : Math.min(limitMs, Math.max(LEAST_MS, end - performance.now()));
}
