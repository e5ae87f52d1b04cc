/** The message of an error. Any value can be thrown, so others become texts. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
