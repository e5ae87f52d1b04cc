import { AppError } from '../errors.ts';

/**
 * Does something with each of many things, in their order.
 * @returns what came of each: its result, or the refusal where there is one
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
