/** Ends this process and prints the error's message without a stack trace. */
export function endWithMessage(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
