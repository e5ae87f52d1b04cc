/** What an error says; code may throw anything. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
