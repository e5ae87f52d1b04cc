import { AppError } from '../errors.ts';

/**
 * Processes several things, in their order.
 * @returns for each its result, or the refusal
 * @throws any other error
 */
export async function eachOrRefusal<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Result | Promise<Result>,
): Promise<(Result | AppError)[]> {
  const results: (Result | AppError)[] = [];
  for (const thing of things) {
    try {
      results.push(await work(thing));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push(error);
    }
  }
  return results;
}
