import { reasonOf } from '../server/lib/reason-of.ts';

/** Ends this process and prints the error's message without a stack trace. */
export function endWithMessage(error: unknown): never {
  console.error(reasonOf(error));
  process.exit(1);
}
