/** Ends this process with what went wrong, without a stack: who runs a command needs the message and its remedy. */
export function endWithMessage(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
