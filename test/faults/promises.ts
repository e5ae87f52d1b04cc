import type { TestContext } from 'vitest';

/** A row of the table at the end of the fault tests. */
export type PromiseRecord = {
  /** The promise as in docs/promises.md. */
  promise: string;
  engine: string;
  /** What was tested, and how often. */
  tried: string;
};

declare module 'vitest' {
  interface TaskMeta {
    promise?: PromiseRecord;
  }
}

/**
 * Adds a row to the table at the end of the run; the result of the test shows whether the promise was fulfilled. Call
 * it as soon as the numbers are known, so that a failing test has a row too. A second call replaces the row.
 */
export function record({ task }: Pick<TestContext, 'task'>, line: PromiseRecord): void {
  task.meta.promise = line;
}
