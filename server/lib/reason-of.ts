/**
 * The message of an error. Any value can be thrown, so others become texts. A connection to a name with several addresses
 * fails with an error that has no message, but one error for each address.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
