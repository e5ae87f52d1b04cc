/**
 * The message of an error. Any value can be thrown, so others become texts. The error of a name with several addresses
 * has no message of its own, but one for each address.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
