import type { TestContext } from 'vitest';

/** One line of the table at the end of a run of the fault tests. */
export type PromiseRecord = {
  /** What is promised, in the words of docs/promises.md. */
  promise: string;
  engine: string;
  /** How often, under what: the number of tries behind the word. */
  tried: string;
};

declare module 'vitest' {
  interface TaskMeta {
    promise?: PromiseRecord;
  }
}

/**
 * Puts a line into the table at the end of the run; whether it held is what the test's own outcome says.
 * Call it as soon as the tries are known, so that a test that fails has its line too; calling it again replaces it.
 */
export function record({ task }: Pick<TestContext, 'task'>, line: PromiseRecord): void {
  task.meta.promise = line;
}
