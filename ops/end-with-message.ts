/** Ends this process with the error message, without a stack. */
export function endWithMessage(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
